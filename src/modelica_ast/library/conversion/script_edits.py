"""Entries put into a conversion script. Rules are carried out once, so what was renamed twice must be one rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from modelica_ast.edit.lists import item_places
from modelica_ast.edit.occurrences import leaf_paths
from modelica_ast.edit.surgery import at, replaced
from modelica_ast.green import tokens
from modelica_ast.identifiers import split_name
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.library.conversion.rules import ConvertClass, ConvertElement, Rule
from modelica_ast.library.conversion.script import parse_script, script_green, script_of
from modelica_ast.semantics.definitions import FullName
from modelica_ast.strings import quote, unquote
from modelica_ast.tables import KINDS

_NEW_ARGUMENT: Final = {"convertClass": 1, "convertElement": 2}  # which argument of a call says the new name


def with_entries(text: str, name: str, entries: Iterable[ConvertClass | ConvertElement]) -> str:
    """The text of a script with some more entries, each in a line of its own; `name` is for messages."""
    mark, text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    for entry in entries:
        text = _with_entry(text, name, entry)
    return mark + text


def _with_entry(text: str, name: str, entry: ConvertClass | ConvertElement) -> str:
    known = parse_script(text, name).all
    classes = [rule for rule in known if isinstance(rule, ConvertClass)]
    if isinstance(entry, ConvertElement):
        return _with_element(text, name, known, classes, entry)
    first = next((rule for rule in classes if rule.new == entry.old), None)
    text = _with_new_names(text, name, "convertClass", entry.old, entry.new)
    if first is not None:
        return text  # the class did not have this name before: that rule leads to the new one now
    return _appended(text, name, ConvertClass(0, _name_before(classes, entry.old), entry.new))


def _with_element(
    text: str, name: str, known: Iterable[Rule], classes: list[ConvertClass], entry: ConvertElement
) -> str:
    class_ = _name_before(classes, entry.class_)
    for rule in known:
        if isinstance(rule, ConvertElement) and rule.class_ == class_ and rule.new == entry.old:
            return _with_new_names(text, name, "convertElement", entry.old, entry.new, class_)
    return _appended(text, name, ConvertElement(0, class_, entry.old, entry.new))


def _name_before(classes: list[ConvertClass], name: FullName) -> FullName:
    """The name that a class had before the rules that are there."""
    fitting = [rule for rule in classes if name[: len(rule.new)] == rule.new]
    if not fitting:
        return name
    longest = max(fitting, key=lambda rule: len(rule.new))
    return longest.old + name[len(longest.new) :]


def _appended(text: str, name: str, rule: Rule) -> str:
    line = f"{rule};"
    if any(str(known) == str(rule) for known in parse_script(text, name).all):
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    return text + ("" if not text or text.endswith("\n") else end) + line + end


def _with_new_names(
    text: str, name: str, function: str, old: FullName, new: FullName, class_: FullName | None = None
) -> str:
    """The script with another new name wherever a call leads to the old one, or to something inside it."""
    root: Any = script_green(text, name)
    for index, statement in enumerate(root[1]):
        if type(statement) is not tuple or KINDS[statement[0]] != "call_statement":
            continue
        call = statement[1]
        places = item_places(call[2])
        number = _NEW_ARGUMENT[function]
        if tokens(call[1]) != [function] or len(places) <= number:
            continue
        if class_ is not None and quote(".".join(class_)) not in tokens(call[2][places[0]]):
            continue
        root = _renamed(root, (1, index, 1, 2, places[number]), old, new)
    return script_of(root)


def _renamed(root: Any, path: tuple[int, ...], old: FullName, new: FullName) -> Any:
    argument = at(root, path)
    inner = [((), argument)] if isinstance(argument, str) else list(leaf_paths(argument))
    for place, leaf in inner:
        prefix, token = split_leaf(leaf)
        written = tuple(split_name(unquote(token))) if token_text(leaf).startswith('"') else ()
        if written[: len(old)] == old:
            root = replaced(root, (*path, *place), prefix + quote(".".join(new + written[len(old) :])))
    return root
