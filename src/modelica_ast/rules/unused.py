"""Imports and protected variables that nobody uses."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import Final

from modelica_ast.green import leaves
from modelica_ast.lexer import kind_of, token_text
from modelica_ast.rules.context import ClassCheck
from modelica_ast.rules.lookup import imported_names
from modelica_ast.rules.symbols import BuiltinType, ClassSymbol, ComponentSymbol
from modelica_ast.tables import NUMBER
from modelica_ast.views.base import Root, View

_IDENT: Final = NUMBER["IDENT"]
_STRING: Final = NUMBER["STRING"]
_ANNOTATION: Final = NUMBER["LAZY_ANNOTATION"]
_IN_TEXT: Final = re.compile(r"%\{?([A-Za-z_][A-Za-z_0-9]*)")  # `%name` in the text of an icon
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_NEVER_JUDGED: Final = frozenset({"inner", "outer", "replaceable", "redeclare"})


class Words:
    """Where each name is written in a file, apart from those behind a dot: these are members of something."""

    def __init__(self, root: Root) -> None:
        self._root = root

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        offset = 0
        before = ""
        for leaf in leaves(self._root.green):
            text = token_text(leaf)
            start = offset + len(leaf) - len(text)
            kind = kind_of(leaf) if leaf else 0
            if kind == _IDENT and before != ".":
                found.setdefault(text, []).append(start)
            elif kind == _STRING and "%" in text:
                for match in _IN_TEXT.finditer(text):
                    found.setdefault(match[1], []).append(start)
            elif kind == _ANNOTATION:  # not read yet: every word in it counts
                for match in _WORD.finditer(text):
                    found.setdefault(match[0], []).append(start)
            offset += len(leaf)
            before = text
        return found

    def is_used(self, name: str, around: tuple[int, int], declared: View) -> bool:
        """Is a name written in a stretch of the text, other than where it is declared?"""
        places = self._places.get(name, [])
        first, last = stretch(declared)
        for at in range(bisect_left(places, around[0]), len(places)):
            if places[at] >= around[1]:
                return False
            if not first <= places[at] < last:
                return True
        return False


def stretch(view: View) -> tuple[int, int]:
    """From the first character of a view to behind its last."""
    span = view.span
    return span.start.offset, span.end.offset


def check_unused(check: ClassCheck, words: Words) -> None:
    """The imports and the protected variables of a class."""
    symbol = check.symbol
    if symbol.is_broken:
        return
    # The other files of a package see its imports and its constants too.
    imports = [] if symbol.files else symbol.imports
    variables = [] if _may_be_extended(check) else [c for c in symbol.components if _is_plain_variable(check, c)]
    if not imports and not variables:
        return  # PERF: most classes; how far a class goes is not for nothing
    around = stretch(symbol.view)
    for clause in imports:
        for name, _ in imported_names(clause):
            if name and not words.is_used(name, around, clause):
                check.add("unused-import", clause, f"the import '{name}' is not used in '{symbol.name}'")
    for component in variables:
        identifier = component.view.identifier
        if not words.is_used(component.name, around, identifier):
            check.add("unused-protected", identifier, f"'{component.name}' is protected and never used")


def _may_be_extended(check: ClassCheck) -> bool:
    """What inherits from a class, or is in it, may use its protected elements."""
    symbol = check.symbol
    return bool(symbol.files) or symbol.view.is_partial or symbol.is_replaceable or id(symbol) in check.known.extended


def _is_plain_variable(check: ClassCheck, component: ComponentSymbol) -> bool:
    """Not one that does something by being there: a model, an outer component, an external object."""
    if not component.element.is_protected or _NEVER_JUDGED & set(component.prefixes):
        return False
    found = check.lookup.class_of(component).symbol
    if isinstance(found, ClassSymbol):
        ancestry = check.lookup.ancestry(found)
        found = ancestry.builtin if ancestry.is_complete else None
    return isinstance(found, BuiltinType) and bool(found.attributes)
