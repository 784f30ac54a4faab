"""Calls whose named arguments a rule for modifiers speaks of: constructors of records, and functions.

`R(m=1)` sets m as `R r(m=1)` does. So its arguments are read as modifiers, converted like these, and written as
arguments again. What has no such form, as a nested modifier, is left to a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from modelica_ast.edit.lists import item_places
from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import node_at, node_of, replaced
from modelica_ast.green import Node, child_at, child_node
from modelica_ast.library.conversion.file_work import FileWork, Visit, one_line
from modelica_ast.library.conversion.modifying import Replaced
from modelica_ast.library.conversion.names import Meaning
from modelica_ast.library.conversion.rules import ConvertModifiers
from modelica_ast.semantics.definitions import FullName
from modelica_ast.shape import child, make_node
from modelica_ast.tables import KINDS
from modelica_ast.views.expressions import NamedArgument

_BY_HAND = "a person has to convert it"


def convert_arguments(work: FileWork, visit: Visit, called: Meaning) -> set[str]:
    """Convert the arguments of a call; the names of those come back that a rule takes away."""
    named = [each for each in visit.view.children if isinstance(each, NamedArgument)]
    names = {each.name for each in named if _is_named(node_of(each))}
    rules: list[ConvertModifiers] = []
    for class_, rule in _rules(work, called):
        if not any(old.path[0] in names for old in rule.old):
            continue
        why = _why_not(node_of(visit.view), rule)
        if why:
            work.note(visit, f"{_BY_HAND}: {why}", rule, class_)
        else:
            rules.append(rule)
    if rules:
        work.edit(visit.view.path, _ReplaceArguments(work, visit, rules))
    return {old.path[0] for rule in rules for old in rule.old} & names


def _rules(work: FileWork, called: Meaning) -> Iterator[tuple[FullName, ConvertModifiers]]:
    for class_ in work.names.outside_of(called):
        for rule in work.rules.modifiers.get(class_, ()):
            yield class_, rule


def _why_not(arguments: Node, rule: ConvertModifiers) -> str:
    """Why a rule can't be carried out in a call; '' if it can."""
    if rule.by_hand:
        return rule.by_hand
    if KINDS[arguments[0]] != "function_call_args":
        return "a rule for modifiers, in a function that is an argument"
    if any(len(old.path) > 1 for old in rule.old):
        return "a rule for modifiers of what is inside, in a call"
    if as_modifiers(arguments) is None:
        return "a rule for modifiers, in a call with arguments that have no names"
    return ""


class _ReplaceArguments:
    """Some rules for the arguments of one call, carried out when all inside it is converted."""

    def __init__(self, work: FileWork, visit: Visit, rules: Sequence[ConvertModifiers]) -> None:
        self._work = work
        self._visit = visit
        self._rules = rules

    def __call__(self, root: Node, path: TreePath) -> Node:
        for rule in self._rules:
            arguments = node_at(root, path)
            modifiers = as_modifiers(arguments)
            assert modifiers is not None
            done = Replaced(modifiers, rule, (node_at(root, path[:-1]), root))
            new = as_arguments(done.arguments)
            if new is None:
                text = f"{_BY_HAND}: what it becomes, {one_line(done.arguments)}, is no list of arguments"
                self._work.note(self._visit, text, rule)
                continue
            before, after = one_line(arguments), one_line(new)
            if before != after:
                self._work.change(self._visit, rule, before, after)
                root = replaced(root, path, new)
            for text in done.notes:
                self._work.note(self._visit, text, rule)
        return root


def as_modifiers(arguments: Node) -> Node | None:
    """`(a=1, b=2)` of a call as modifiers; None if an argument has no name, or is a function."""
    items = [arguments[index] for index in item_places(arguments)]
    if not all(type(item) is tuple and _is_named(item) for item in items):
        return None
    parts: list[Any] = list(arguments[1:])
    for index in item_places(arguments):
        name, equals, value = child_node(arguments, index)[1:]
        parts[index - 1] = make_node("element_modification", name, make_node("modification", equals, value))
    return make_node("class_modification", *parts)


def _is_named(item: Node) -> bool:
    if KINDS[item[0]] != "named_argument":
        return False
    value = child_at(item, 3)
    return isinstance(value, str) or KINDS[value[0]] != "function_partial_application"


def as_arguments(modifiers: Node) -> Node | None:
    """Modifiers as the arguments of a call; None if one of them is more than `name = value`."""
    parts: list[Any] = list(modifiers[1:])
    for index in item_places(modifiers):
        item: Any = modifiers[index]
        found = child(item, "modification") if KINDS[item[0]] == "element_modification" else None
        if found is None or found[0] != 2 or type(item[1]) is not str or len(found[1]) != 3:  # noqa: PLR2004
            return None  # each, final, redeclare, a dotted name, or modifiers in parentheses
        parts[index - 1] = make_node("named_argument", item[1], *found[1][1:])
    return make_node("function_call_args", *parts)
