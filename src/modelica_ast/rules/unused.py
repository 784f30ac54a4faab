"""Imports and protected variables that nobody uses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from modelica_ast.green import TOKEN_TEXTS, leaves
from modelica_ast.lexer import kind_of, token_text
from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics.definitions import Definition, imported_names
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.meanings import attributes_of
from modelica_ast.shape import productions_of
from modelica_ast.tables import NUMBER
from modelica_ast.views.base import Root, View

_IDENT: Final = NUMBER["IDENT"]
_STRING: Final = NUMBER["STRING"]
_DOT: Final = NUMBER["DOT"]
_ANNOTATION: Final = NUMBER["LAZY_ANNOTATION"]
_IN_TEXT: Final = re.compile(r"%\{?([A-Za-z_][A-Za-z_0-9]*)")  # `%name` in the text of an icon
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_CLASSES: Final = frozenset(productions_of("class_definition"))
_NEVER_JUDGED: Final = frozenset({"inner", "outer", "replaceable", "redeclare"})


class Words:
    """Where each name is written in a file, apart from those behind a dot: these are members of something."""

    def __init__(self, root: Root) -> None:
        self._root = root

    @cached_property
    def _found(self) -> tuple[dict[str, list[int]], dict[int, tuple[int, int]]]:
        """Name -> the leaves that write it; identity of a class -> its first leaf and the one behind its last.

        PERF: one walk for all classes of a file; to measure every node for the place of each took a tenth of a check.
        Leaves are told by their numbers.
        """
        written: list[str] = []
        classes: dict[int, tuple[int, int]] = {}
        opened: list[tuple[int, int, int]] = []  # the classes around: depth, identity, first leaf
        stack: list[Iterator[Any]] = [iter(self._root.green[1:])]
        while stack:
            for child in stack[-1]:
                if type(child) is str:
                    written.append(child)
                    continue
                if child[0] in _CLASSES:
                    opened.append((len(stack), id(child), len(written)))
                children = iter(child)
                next(children)  # the production number
                stack.append(children)
                break
            else:
                stack.pop()
                if opened and opened[-1][0] == len(stack):
                    _, identity, first = opened.pop()
                    classes[identity] = (first, len(written))
        places: dict[str, list[int]] = {}
        for number, name in _names_in(written):
            places.setdefault(name, []).append(number)
        return places, classes

    def is_used(self, name: str, definition: Definition, declared: View) -> bool:
        """Is a name written in a class, other than where it is declared?"""
        places, classes = self._found
        first, end = classes[id(definition.view.green)]
        found = places.get(name, [])
        there = bisect_left(found, end) - bisect_left(found, first)
        return there > sum(1 for _, written in _names_in(leaves(declared.green)) if written == name)


def _names_in(found: Iterable[str]) -> Iterator[tuple[int, str]]:
    """(number of a leaf, a name that it writes) for some leaves."""
    after_dot = False
    for number, leaf in enumerate(found):
        kind = kind_of(leaf) if leaf else 0
        if kind == _IDENT:
            if not after_dot:
                yield number, TOKEN_TEXTS[leaf]
        elif kind == _STRING:
            if "%" in leaf:
                for match in _IN_TEXT.finditer(token_text(leaf)):
                    yield number, match[1]
        elif kind == _ANNOTATION:  # not read yet: every word in it counts
            for match in _WORD.finditer(token_text(leaf)):
                yield number, match[0]
        after_dot = kind == _DOT


def check_unused(check: ClassCheck, words: Words) -> None:
    """The imports and the protected variables of a class."""
    definition = check.definition
    if definition.is_broken:
        return
    # The other files of a package see its imports and its constants too.
    imports = [] if check.has_files else definition.import_clauses
    protected = [] if _is_open(check) else [c for c in check.components if _is_plain_variable(check, c)]
    if not imports and not protected:
        return  # PERF: most classes; where the words of a file are is not for nothing
    for clause in imports:
        for name, _ in imported_names(clause):
            if name and not words.is_used(name, definition, clause):
                check.add("unused-import", clause, f"the import '{name}' is not used in '{definition.name}'")
    unused = [c for c in protected if not words.is_used(c.name, definition, c.identifier)]
    if unused and not check.known.is_extended(definition):
        for component in unused:
            message = f"'{component.name}' is protected and never used"
            check.add("unused-protected", component.identifier, message)


def _is_open(check: ClassCheck) -> bool:
    """What inherits from a class, or is in it, may use its protected elements."""
    return check.has_files or check.definition.view.is_partial or check.definition.is_replaceable


def _is_plain_variable(check: ClassCheck, component: Member) -> bool:
    """Not one that does something by being there: a model, an outer component, an external object."""
    if component.element is None or not component.element.is_protected or _NEVER_JUDGED & set(component.prefixes):
        return False
    found = check.lookup.class_of(component).symbol
    if not isinstance(found, Environment) or not found.is_complete:
        return False
    end = found.end
    return end is not None and bool(attributes_of(end))
