"""Conversion scripts, and the same rules in an annotation, as rules.

A script is a list of Modelica calls, so our own parser reads it. Every argument may be a vector: then the call
stands for one call with each item. Dymola knows forms that the specification does not have (a prefix before a new
class, an element that becomes an array). They are not carried out; every use of them is reported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, Final

from modelica_ast.foundation import ModelicaSyntaxError, Source, split_name
from modelica_ast.library import LibraryError
from modelica_ast.refactor.conversion.rules import (
    ConvertClass,
    ConvertClassIf,
    ConvertElement,
    ConvertMessage,
    ConvertModifiers,
    OldModifier,
    Rule,
    Rules,
)
from modelica_ast.semantics import FullName
from modelica_ast.syntax import Node, child_at, first_leaf, read, render, trivia_length
from modelica_ast.tree import (
    AlgorithmSection,
    Call,
    CallStatement,
    LiteralError,
    NamedArgument,
    View,
    evaluate,
    view_of_fragment,
)

_PREFIXED: Final = re.compile(r"\s*[a-z]+\s")  # as in `inner Parts.World`
_OPENING: Final = "algorithm "  # makes a section of a list of calls; without a line end, so lines stay


class ScriptError(LibraryError):
    """A conversion script that can't be read; the message names the line."""


def read_script(path: str | os.PathLike[str]) -> Rules:
    """The rules of a .mos file."""
    source = Source.read(path)
    return parse_script(source.text, source.name)


def parse_script(text: str, name: str = "<script>") -> Rules:
    """The rules of a script; `name` is for messages."""
    rules: list[Rule] = []
    for line, call in script_calls(text, name):
        if call.name == "convertClear":
            rules.clear()
        else:
            rules += rules_of_call(call, line, f"{name}:{line}")
    return Rules(rules)


def script_calls(text: str, name: str) -> list[tuple[int, Call]]:
    """(line, call) for each statement of a script; all of them must be calls."""
    section = _section(text, name)
    source = Source(section.root.text)
    found = []
    for statement in section.statements:
        line = source.position(section.root.offset_of(statement) + trivia_length(first_leaf(statement.green))).line
        if not isinstance(statement, CallStatement):
            raise ScriptError(f"{name}:{line}: '{_shown(statement)}' is not a conversion rule")
        found.append((line, statement.call))
    return found


def _section(text: str, name: str) -> AlgorithmSection:
    """A script as the section that it is parsed as."""
    section = view_of_fragment(child_at(script_green(text, name), 1), "algorithm_section")
    assert isinstance(section, AlgorithmSection)
    return section


def script_green(text: str, name: str) -> Node:
    """The tree of a script; `script_of` is the way back."""
    try:
        return read(Source(_OPENING + text.removeprefix("\ufeff")), start="algorithm_section").green
    except ModelicaSyntaxError as error:
        raise ScriptError(f"{name}:{error.line}: {error.message}") from None


def script_of(green: Node) -> str:
    """The text of a script by its tree."""
    return render(green).removeprefix(_OPENING)


def rules_of_changes(calls: Iterable[View], where: str) -> Rules:
    """The rules of `change = {convertClass(…), …}` in a conversion annotation."""
    rules: list[Rule] = []
    for call in calls:
        if not isinstance(call, Call):
            raise ScriptError(f"{where}: '{_shown(call)}' is not a conversion rule")
        if call.name == "convertClear":
            rules.clear()
        else:
            rules += rules_of_call(call, 0, where)
    return Rules(rules)


def rules_of_call(call: Call, line: int, where: str) -> list[Rule]:
    """The rules that one call stands for."""
    make = _MAKERS.get(call.name)
    if make is None:
        known = ", ".join([*_MAKERS, "convertClear"])
        raise ScriptError(f"{where}: '{call.name}' is not a conversion rule; there are {known}")
    arguments = _arguments(call, where)
    try:
        return make(line, *arguments)  # type: ignore[no-any-return]
    except (TypeError, ValueError):
        raise ScriptError(f"{where}: '{_shown(call)}' has the wrong arguments for {call.name}") from None


# ---------------------------------------------------------------- the five kinds


def _classes(line: int, old: Any, new: Any) -> list[Rule]:
    return [_class(line, *pair) for pair in _together(old, new)]


def _class(line: int, old: str, new: str) -> Rule:
    if _PREFIXED.match(new):
        return ConvertMessage(line, _name(old), f"a person has to convert it: it becomes '{new}'")
    return ConvertClass(line, _name(old), _name(new))


def _class_ifs(line: int, old: Any, element: Any, value: Any, new: Any) -> list[Rule]:
    return [_class_if(line, *four) for four in _together(old, element, value, new)]


def _class_if(line: int, old: str, element: str, value: str, new: str) -> Rule:
    if value == "connect":
        message = f"a person has to convert it: it becomes '{new}' where '{element}' is connected from outside"
        return ConvertMessage(line, _name(old), message)
    return ConvertClassIf(line, _name(old), _name(element), value, _name(new))


def _elements(line: int, class_: Any, old: Any, new: Any) -> list[Rule]:
    # Here the names of elements go together, and all classes have each of them.
    return [
        _element(line, each, one, other)
        for each in _vector(class_)
        for one, other in _pairs(_vector(old), _vector(new))
    ]


def _element(line: int, class_: str, old: str, new: str) -> Rule:
    if "[" in old or not new or "{" in new or "[" in new:
        name = _name(old.partition("[")[0])
        return ConvertMessage(line, _name(class_), f"a person has to convert '{old}': it becomes '{new}'", name)
    return ConvertElement(line, _name(class_), _name(old), _name(new))


def _modifiers(line: int, class_: Any, old: Any, new: Any, simplify: Any = None) -> list[Rule]:
    olds, news = [_old_modifier(item) for item in _vector(old)], tuple(_vector(new))
    by_hand = ""
    if any(item.path[0].startswith("cardinality(") for item in olds):
        by_hand = "depends on what is connected"
    elif any(item.strip().startswith("equation") for item in news):
        by_hand = "an equation takes the place of a modifier"
    elif any(item.replace(" ", "").startswith("size=") for item in news):
        by_hand = "the component becomes an array"
    return [ConvertModifiers(line, _name(each), tuple(olds), news, bool(simplify), by_hand) for each in _vector(class_)]


def _old_modifier(text: str) -> OldModifier:
    name, _, default = text.partition("=")
    return OldModifier(_name(name), default.strip())


def _messages(line: int, class_: Any, message: Any, element: Any = None) -> list[Rule]:
    return [
        ConvertMessage(line, _name(each), text, _name(inside) if inside else ())
        for each, text, inside in _together(class_, message, "" if element is None else element)
    ]


_MAKERS: Final[dict[str, Any]] = {
    "convertClass": _classes,
    "convertClassIf": _class_ifs,
    "convertElement": _elements,
    "convertModifiers": _modifiers,
    "convertMessage": _messages,
}


# ---------------------------------------------------------------- arguments


def _arguments(call: Call, where: str) -> list[Any]:
    found: list[Any] = []
    for item in getattr(call.arguments, "items", ()):
        value = item.value if isinstance(item, NamedArgument) else item
        if isinstance(value, Call) and value.name == "fill":  # fill("", 0) is the empty list of old Modelica
            found.append([])
            continue
        try:
            found.append(evaluate(value))
        except LiteralError:
            raise ScriptError(f"{where}: '{_shown(value)}' is not a literal") from None
    return found


def _together(*arguments: Any) -> list[tuple[str, ...]]:
    """A vectorized call: texts for all, lists item by item."""
    lengths = {len(argument) for argument in arguments if isinstance(argument, list)}
    if len(lengths) > 1:
        raise ValueError
    count = lengths.pop() if lengths else 1
    columns = [argument if isinstance(argument, list) else [argument] * count for argument in arguments]
    rows = list(zip(*columns, strict=True))
    if not all(isinstance(item, str) for row in rows for item in row):
        raise TypeError
    return rows


def _pairs(one: list[str], other: list[str]) -> list[tuple[str, str]]:
    return list(zip(one, other, strict=True))


def _vector(argument: Any) -> list[str]:
    items = argument if isinstance(argument, list) else [argument]
    if not all(isinstance(item, str) for item in items):
        raise TypeError
    return items


def _name(text: str) -> FullName:
    found = tuple(part.strip() for part in split_name(text.strip().removeprefix(".")))
    if not all(found):
        raise ValueError
    return found


def _shown(view: View) -> str:
    limit = 60
    text = " ".join(view.text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
