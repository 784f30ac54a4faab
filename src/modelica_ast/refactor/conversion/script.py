"""Conversion scripts, and the same rules in an annotation, as rules.

A script is a list of Modelica calls. Tools that run scripts are lenient, and libraries ship what their tool has run: so
a script is cut into statements first, each of which our own parser reads alone. What is not a rule is left out and
told with its line; the rest counts. Every argument may be a vector: then the call stands for one call with each item.
Dymola knows forms that the specification does not have (a prefix before a new class, an element that becomes an
array). They are not carried out; every use of them is reported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from modelica_ast.edit import parsed
from modelica_ast.foundation import EditError, ModelicaError, ModelicaSyntaxError, Source, split_name
from modelica_ast.library import LibraryError
from modelica_ast.refactor.conversion.rules import (
    OLD_VALUE,
    ConvertClass,
    ConvertClassIf,
    ConvertElement,
    ConvertMessage,
    ConvertModifiers,
    OldModifier,
    Rule,
    Rules,
    Unread,
)
from modelica_ast.semantics import FullName
from modelica_ast.syntax import BLOCK_COMMENT, LINE_COMMENT, STRING, TOKEN, TRIVIA
from modelica_ast.tree import Call, LiteralError, NamedArgument, View, evaluate, parse_expression

_PREFIXED: Final = re.compile(r"\s*[a-z]+\s")  # as in `inner Parts.World`


class ScriptError(LibraryError):
    """A conversion script, or a part of one, that can't be read; the message names the line."""


def read_script(path: str | os.PathLike[str]) -> Rules:
    """The rules of a .mos file; `unread` of them is what the file has besides. ScriptError if it has only that."""
    return _some(shipped_rules(path))


def parse_script(text: str, name: str = "<script>") -> Rules:
    """The rules of a script, as `read_script` has them; `name` is for messages."""
    return _some(_rules_in(text, name))


def shipped_rules(path: str | os.PathLike[str]) -> Rules:
    """The rules of a script that a library ships: the right file, even if none of it can be read."""
    source = Source.read(path)
    return _rules_in(source.text, source.name)


def rules_of_changes(calls: Iterable[View], name: str) -> Rules:
    """The rules of `change = {convertClass(…), …}` in the conversion annotation of a file."""
    rules: list[Rule] = []
    unread: list[Unread] = []
    for call in calls:
        try:
            _take(rules, call, 0)
        except _NotReadError as error:
            unread.append(Unread(call.position.line, name, str(error)))
    return Rules(rules, unread)


def _rules_in(text: str, name: str) -> Rules:
    rules: list[Rule] = []
    unread: list[Unread] = []
    for statement in statements(text):
        try:
            if not _NOTHING.fullmatch(statement.text):
                _take(rules, _call_of(statement), statement.line)
        except _NotReadError as error:
            unread.append(Unread(error.line or statement.line, name, str(error)))
    return Rules(rules, unread)


def _some(rules: Rules) -> Rules:
    if rules.unread and not rules.all:
        raise ScriptError(str(rules.unread[0]))
    return rules


class _NotReadError(ModelicaError):
    """Why a statement is no rule, and in which line that shows; 0 for its own."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def _take(rules: list[Rule], call: View, line: int) -> None:
    if not isinstance(call, Call):
        raise _NotReadError(f"'{_shown(call.text)}' is not a conversion rule")
    if call.name == _CLEAR:
        rules.clear()
    else:
        rules += rules_of_call(call, line)


# ---------------------------------------------------------------- statements


class Statement(NamedTuple):
    """A piece of a script, and the line that it begins in. All pieces together are the script."""

    before: str  # blanks and comments
    text: str  # a call, a bare word, whatever it is; '' at the end of the script
    end: str  # its semicolon with what is before that; '' where there is none
    line: int

    @property
    def whole(self) -> str:
        """The piece as it is in the script."""
        return self.before + self.text + self.end


def statements(text: str) -> list[Statement]:
    """A script in pieces, in linear time.

    A statement ends at a semicolon, and without one where the next begins: at a word that can't go on with it, and at
    any line that opens a rule, whatever bracket or string is still open.
    """
    found: list[Statement] = []
    start = first = last = square = depth = 0  # of the piece; where its first token is, where its last one ends
    word = ""  # the last token
    line, counted = 1, 0
    position = 1 if text.startswith("\ufeff") else 0

    def finish(end: int) -> None:
        nonlocal start, square, depth, word, line, counted
        line, counted = line + text.count("\n", counted, first), first
        found.append(Statement(text[start:first], text[first:last], text[last:end], line))
        start, square, depth, word = end, 0, 0, ""

    while (match := _PIECE.match(text, position)) and match[1]:
        piece, at = match[1], match.start(1)
        position = match.end()
        if last > start and (_begins_rule(text, match) or (depth <= 0 and _goes_before(word, match))):
            finish(last)
        if last <= start:
            first = at
        if piece == ";" and square <= 0:
            last = max(first, last)  # where there is nothing but a semicolon, it begins there
            finish(position)
            continue
        last = position
        square += (piece == "[") - (piece == "]")
        depth += (piece in "([{") - (piece in ")]}")
        word = piece
    if last > start:
        finish(last)
    first = last = len(text)
    finish(last)
    return found


def _begins_rule(text: str, piece: re.Match[str]) -> bool:
    """Is this the word that opens a rule, the first of its line?"""
    at = piece.start(1)
    return _RULE.match(text, at) is not None and "\n" in text[piece.start() : at]


def _goes_before(word: str, piece: re.Match[str]) -> bool:
    """Does a statement end with a word, and another one begin with the piece after it?"""
    is_next = _WORD.match(piece[1]) is not None and (word == ")" or "\n" in piece[0][: -len(piece[1])])
    return piece[1].startswith("/*") or (is_next and _LAST.match(word) is not None)


def call_in(statement: Statement) -> Call | None:
    """The call that a statement is, as it is written; None for anything else."""
    try:
        view = parse_expression(statement.text)
    except ModelicaSyntaxError:
        return None
    return view if isinstance(view, Call) else None


def _call_of(statement: Statement) -> View:
    """What is hopefully the call that a statement is; an empty list is taken as such."""
    if statement.text.startswith("/*"):
        raise _NotReadError("this comment is never closed")
    opened = _OPENED.match(statement.text)
    if opened is None:
        raise _NotReadError(f"'{_shown(statement.text)}' is not a conversion rule")
    if opened[1] not in _MAKERS and opened[1] != _CLEAR:
        raise _NotReadError(_unknown(opened[1]))
    try:
        return parse_expression(_EMPTY_LIST.sub(lambda match: match[1] or _NO_TEXTS, statement.text))
    except ModelicaSyntaxError as error:
        raise _NotReadError(error.message, statement.line + error.line - 1) from None


def rules_of_call(call: Call, line: int) -> list[Rule]:
    """The rules that one call stands for."""
    make = _MAKERS.get(call.name)
    if make is None:
        raise _NotReadError(_unknown(call.name))
    arguments = _arguments(call)
    try:
        return make(line, *arguments)
    except EditError as error:
        raise _NotReadError(str(error)) from None
    except (TypeError, ValueError):
        raise _NotReadError(f"'{_shown(call.text)}' has the wrong arguments for {call.name}") from None


def _unknown(name: str) -> str:
    meant = next((known for known in (*_MAKERS, _CLEAR) if known.lower() == name.lower()), None)
    if meant is not None:
        return f"'{name}' is not a conversion rule; did you mean '{meant}'?"
    return f"'{name}' is not a conversion rule; there are {', '.join([*_MAKERS, _CLEAR])}"


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
    parsed(value, "expression", "a value")
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
    # An empty name stands for none: tools that can't have an empty list are given {""}.
    olds = tuple(_old_modifier(item) for item in _vector(old) if item.strip())
    news = tuple(item for item in _vector(new) if item.strip())
    by_hand = ""
    if any(item.path[0].startswith("cardinality(") for item in olds):
        by_hand = "depends on what is connected"
    elif any(item.strip().startswith("equation") for item in news):
        by_hand = "an equation takes the place of a modifier"
    elif any(item.replace(" ", "").startswith("size=") for item in news):
        by_hand = "the component becomes an array"
    if not by_hand:
        for item in news:
            parsed(OLD_VALUE.sub("x", item), "_argument", "a modifier")
        for default in (each.default for each in olds if each.default):
            parsed(default, "expression", "a default value")
    return [ConvertModifiers(line, _name(each), olds, news, bool(simplify), by_hand) for each in _vector(class_)]


def _old_modifier(text: str) -> OldModifier:
    name, _, default = text.partition("=")
    return OldModifier(_name(name), default.strip())


def _messages(line: int, class_: Any, message: Any, element: Any = None) -> list[Rule]:
    return [
        ConvertMessage(line, _name(each), text, _name(inside) if inside else ())
        for each, text, inside in _together(class_, message, "" if element is None else element)
    ]


_MAKERS: Final[dict[str, Callable[..., list[Rule]]]] = {
    "convertClass": _classes,
    "convertClassIf": _class_ifs,
    "convertElement": _elements,
    "convertModifiers": _modifiers,
    "convertMessage": _messages,
}
_CLEAR: Final = "convertClear"
_RULE_WORD: Final = rf"(?:{'|'.join([*_MAKERS, _CLEAR])})"
_RULE: Final = re.compile(rf"{_RULE_WORD}[ \t]*+\(")
# Where a string or a comment is not closed, it goes on to the next line that opens a rule, or to the end.
_OPEN_STRING: Final = rf'"(?:[^"\\\n]++|\\[^\n]|\\?+\n(?![ \t]*+{_RULE.pattern}))*+"?+'
_PIECE: Final = re.compile(rf"{TRIVIA}({_OPEN_STRING}|/\*[\s\S]*+|{TOKEN}|'[^\n]*+|[\s\S]|\Z)")
_WORD: Final = re.compile(r"[A-Za-z_]")
_LAST: Final = re.compile(r"[\w\"')\]}]")  # the first character of what a statement can end with
_OPENED: Final = re.compile(rf"([A-Za-z_][A-Za-z_0-9.]*+){TRIVIA}\(")
_NOTHING: Final = re.compile(rf"(?:clear{TRIVIA}(?:\({TRIVIA}\))?+)?+")  # of the session in which a tool runs a script
_EMPTY_LIST: Final = re.compile(rf"({STRING}|{LINE_COMMENT}|{BLOCK_COMMENT})|\{{{TRIVIA}\}}")
_NO_TEXTS: Final = 'fill("", 0)'  # how an empty list is spelled


# ---------------------------------------------------------------- arguments


def _arguments(call: Call) -> list[Any]:
    found: list[Any] = []
    for item in getattr(call.arguments, "items", ()):
        value = item.value if isinstance(item, NamedArgument) else item
        if isinstance(value, Call) and value.name == "fill":  # fill("", 0) is the empty list of old Modelica
            found.append([])
            continue
        try:
            found.append(evaluate(value))
        except LiteralError:
            raise _NotReadError(f"'{_shown(value.text)}' is not a literal") from None
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


def _shown(text: str) -> str:
    limit = 60
    text = " ".join(text[: 10 * limit].split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
