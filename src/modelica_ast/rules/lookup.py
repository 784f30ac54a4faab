"""Static name lookup that says how sure it is (chapter 5 of the specification).

Nothing here goes deeper than a fixed number of classes that are looked up because of each other; what lies beyond is
unknown. So no text, however built, ends in a RecursionError.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from modelica_ast.edit.working import split_name
from modelica_ast.rules.builtins import BUILTIN_FUNCTIONS, TOOL_FUNCTIONS
from modelica_ast.rules.symbols import (
    MISSING,
    UNKNOWN,
    Absence,
    Ancestry,
    BuiltinName,
    BuiltinType,
    ClassSymbol,
    ComponentSymbol,
    Symbol,
)
from modelica_ast.semantics.predefined import PREDEFINED
from modelica_ast.views.classes import ShortClassDefinition, ShortClassSpecifier
from modelica_ast.views.components import ImportClause
from modelica_ast.views.names import Name

_DEEPEST: Final = 40  # classes that are looked up because of each other
_MOST_ANCESTORS: Final = 500  # of one class

BUILTIN_TYPES: Final = {name: BuiltinType(name) for name in PREDEFINED}
_BUILTIN_NAMES: Final = {name: BuiltinName(name) for name in (BUILTIN_FUNCTIONS | TOOL_FUNCTIONS | {"time"})}


class Meaning(NamedTuple):
    """What a dotted name stands for, or how far it leads."""

    symbol: Symbol | None
    absence: Absence | None = None  # if there is no symbol
    part: int = 0  # the number of the part that is absent
    before: Symbol | None = None  # what the parts before that one stand for
    is_certain: bool = True  # what the symbol does not have now, it has in no use


class Lookup:
    """Looks names up in classes; `top` knows the classes that nothing is around."""

    def __init__(self, top: Callable[[str], ClassSymbol | Absence]) -> None:
        self._top = top
        self._depth = 0
        self._imports: dict[int, tuple[ClassSymbol, dict[str, list[str]], list[list[str]]]] = {}
        self._types: dict[int, tuple[ComponentSymbol, Meaning]] = {}

    # ------------------------------------------------------------ names

    def resolve(self, around: ClassSymbol, parts: Sequence[str], *, is_global: bool = False) -> Meaning:
        """A dotted name that is written in a class."""
        first = self.top(parts[0]) if is_global else self.first(around, parts[0])
        return self.along(first, parts)

    def along(self, first: Symbol | Absence, parts: Sequence[str]) -> Meaning:
        """The members that a dotted name goes through from its first part on."""
        if isinstance(first, Absence):
            return Meaning(None, first)
        symbol, is_certain = first, not _is_replaceable(first)
        for number, part in enumerate(parts[1:], 1):
            inside = self.class_of(symbol)
            is_certain = is_certain and inside.is_certain
            found = UNKNOWN if inside.symbol is None else self.member(inside.symbol, part)
            if isinstance(found, Absence):
                absence = found if is_certain else UNKNOWN
                return Meaning(None, absence, number, symbol)
            symbol, is_certain = found, is_certain and not _is_replaceable(found)
        return Meaning(symbol, is_certain=is_certain)

    def type_named(self, around: ClassSymbol, name: Name) -> Meaning:
        """What a type stands for that is written in a class."""
        return self.resolve(around, name.parts, is_global=name.is_global)

    def first(self, around: ClassSymbol, name: str, *, own_only: bool = False) -> Symbol | Absence:
        """A simple name, from the innermost class outwards; `own_only` leaves out what that one inherits."""
        current = around
        while True:
            found: Symbol | Absence
            if own_only and current is around:
                found = current.own_member(name) or (UNKNOWN if current.is_broken else MISSING)
            else:
                found = self.member(current, name)
            if found is MISSING:
                found = self._imported(current, name)
            if found is not MISSING:
                return found
            builtin = _builtin(name)
            if current.is_encapsulated:
                return builtin or MISSING
            if current.around is None:
                return self.top(name)
            if isinstance(current.around, Absence):
                return builtin or current.around
            current = current.around

    def top(self, name: str) -> Symbol | Absence:
        """A name that nothing is around."""
        return _builtin(name) or self._top(name)

    # ------------------------------------------------------------ members

    def class_of(self, symbol: Symbol) -> Meaning:
        """The class itself, or the class that a component is of."""
        if isinstance(symbol, ComponentSymbol):
            known = self._types.get(id(symbol))
            if known is None:
                self._types[id(symbol)] = known = (symbol, self._type_of(symbol))
            return known[1]
        if isinstance(symbol, ClassSymbol):
            return Meaning(symbol, is_certain=self.ancestry(symbol).is_certain and not symbol.is_expandable)
        return Meaning(symbol)

    def _type_of(self, component: ComponentSymbol) -> Meaning:
        if self._depth >= _DEEPEST:
            return Meaning(None, UNKNOWN)
        self._depth += 1
        try:
            found = self.type_named(component.owner, component.view.type)
            if isinstance(found.symbol, ClassSymbol):
                inside = self.class_of(found.symbol)
                is_certain = found.is_certain and inside.is_certain and not component.is_replaceable
                return Meaning(found.symbol, is_certain=is_certain)
            return found if isinstance(found.symbol, BuiltinType | None) else Meaning(None, UNKNOWN)
        finally:
            self._depth -= 1

    def member(self, symbol: Symbol, name: str) -> Symbol | Absence:
        """A member of a class, inherited ones too."""
        if isinstance(symbol, BuiltinType):
            return BuiltinName(name) if name in symbol.literals else MISSING
        if not isinstance(symbol, ClassSymbol):
            return UNKNOWN  # a built-in package of functions, or `time`
        own = symbol.own_member(name)
        if own is not None:
            return own
        ancestry = self.ancestry(symbol)
        found = ancestry.members.get(name)
        if found is None:
            found = self._inherited(ancestry, name)
            ancestry.members[name] = found
        return found

    @staticmethod
    def _inherited(ancestry: Ancestry, name: str) -> Symbol | Absence:
        for definition in ancestry.classes[1:]:
            own = definition.own_member(name)
            if own is not None:
                return own
        if ancestry.builtin is not None and name in ancestry.builtin.literals:
            return BuiltinName(name)
        return MISSING if ancestry.is_complete else UNKNOWN

    # ------------------------------------------------------------ inheritance

    def ancestry(self, definition: ClassSymbol) -> Ancestry:
        """A class and all that it inherits from."""
        if definition.ancestry is not None:
            return definition.ancestry
        only = None if definition.is_looking_for_bases else self._only_base(definition)
        if only is not None and only.ancestry is not None and definition not in only.ancestry.classes:
            definition.ancestry = _one_more(definition, only, only.ancestry)
            return definition.ancestry
        found = Ancestry()
        is_final = True
        seen: set[int] = set()
        todo = deque([definition])
        while todo:
            current = todo.popleft()
            if id(current) in seen:
                continue
            seen.add(id(current))
            if len(seen) > _MOST_ANCESTORS:
                found.is_complete = False
                break
            found.classes.append(current)
            found.is_complete &= not current.is_broken
            if current is not definition and (current.is_replaceable or current.is_expandable):
                found.is_certain = False
            is_final &= not current.is_looking_for_bases
            for base in self.bases(current):
                if isinstance(base, ClassSymbol):
                    todo.append(base)
                elif isinstance(base, BuiltinType):
                    found.builtin = base
                else:
                    found.is_complete = False
        if is_final:
            definition.ancestry = found
        else:
            found.is_complete = False
        return found

    def _only_base(self, definition: ClassSymbol) -> ClassSymbol | None:
        bases = self.bases(definition)
        return bases[0] if len(bases) == 1 and isinstance(bases[0], ClassSymbol) else None

    def bases(self, definition: ClassSymbol) -> list[ClassSymbol | BuiltinType | Absence]:
        """The classes that a class extends or is short for; UNKNOWN stands for one that is not found."""
        if definition.bases is not None:
            return definition.bases
        if definition.is_looking_for_bases or self._depth >= _DEEPEST:
            return [UNKNOWN]
        definition.is_looking_for_bases = True
        self._depth += 1
        try:
            found = self._find_bases(definition)
        finally:
            definition.is_looking_for_bases = False
            self._depth -= 1
        definition.bases = found
        return found

    def _find_bases(self, definition: ClassSymbol) -> list[ClassSymbol | BuiltinType | Absence]:
        found: list[ClassSymbol | BuiltinType | Absence] = []
        if definition.is_class_extends:
            found.append(self._extended(definition))
        for name in definition.base_names:
            meaning = self.base_named(definition, name)
            symbol = meaning.symbol
            usable = isinstance(symbol, ClassSymbol | BuiltinType) and symbol is not definition
            found.append(symbol if usable else UNKNOWN)  # type: ignore[arg-type]  # `usable` says so
            if not meaning.is_certain:
                found.append(UNKNOWN)  # a replaceable base may have more
        return found

    def base_named(self, definition: ClassSymbol, name: Name) -> Meaning:
        """What a class extends, or is short for. What it inherits itself does not count for that."""
        is_short = isinstance(definition.view.specifier, ShortClassSpecifier)
        if is_short and not isinstance(definition.view, ShortClassDefinition):
            around = definition.around
            if isinstance(around, ClassSymbol):
                return self.resolve(around, name.parts, is_global=name.is_global)
            if name.is_global or around is None:
                return self.along(self.top(name.parts[0]), name.parts)
            return self.along(_builtin(name.parts[0]) or around, name.parts)
        if name.is_global:
            return self.resolve(definition, name.parts, is_global=True)
        return self.along(self.first(definition, name.parts[0], own_only=True), name.parts)

    def _extended(self, definition: ClassSymbol) -> ClassSymbol | Absence:
        """The inherited class that `model extends M` adds to."""
        around = definition.around
        if not isinstance(around, ClassSymbol):
            return UNKNOWN
        found = self._inherited(self.ancestry(around), definition.name)
        return found if isinstance(found, ClassSymbol) and found is not definition else UNKNOWN

    # ------------------------------------------------------------ names from elsewhere

    def _imported(self, definition: ClassSymbol, name: str) -> Symbol | Absence:
        if not definition.imports:
            return MISSING
        _, named, wildcards = self._imports_of(definition)
        parts = named.get(name)
        if parts is not None:
            found = self.along(self.top(parts[0]), parts)
            return UNKNOWN if found.symbol is None else found.symbol
        for package in wildcards:
            inside = self.along(self.top(package[0]), package)
            if inside.symbol is None:
                return UNKNOWN
            member = self.member(inside.symbol, name)
            if member is not MISSING:
                return member
            if not inside.is_certain:
                return UNKNOWN
        return MISSING

    def _imports_of(self, definition: ClassSymbol) -> tuple[ClassSymbol, dict[str, list[str]], list[list[str]]]:
        known = self._imports.get(id(definition))
        if known is None:
            named: dict[str, list[str]] = {}
            wildcards: list[list[str]] = []
            for clause in definition.imports:
                for local, parts in imported_names(clause):
                    if local:
                        named.setdefault(local, parts)
                    else:
                        wildcards.append(parts)
            self._imports[id(definition)] = known = (definition, named, wildcards)
        return known


def _one_more(definition: ClassSymbol, base: ClassSymbol, above: Ancestry) -> Ancestry:
    """The ancestry of a class with one base. PERF: in a long chain the others need not be visited each time."""
    found = Ancestry()
    found.classes = [definition, *above.classes[: _MOST_ANCESTORS - 1]]
    found.builtin = above.builtin
    found.is_complete = above.is_complete and not definition.is_broken and len(above.classes) < _MOST_ANCESTORS
    found.is_certain = above.is_certain and not base.is_replaceable and not base.is_expandable
    return found


def imported_names(clause: ImportClause) -> list[tuple[str, list[str]]]:
    """(local name, full name in its parts) of all that a clause imports; a wildcard's local name is ''."""
    parts = split_name(clause.name)
    if clause.is_wildcard:
        return [("", parts)]
    if clause.imported:
        return [(local, [*parts, name]) for local, name in clause.imported]
    return [(clause.alias or parts[-1], parts)]


def _builtin(name: str) -> Symbol | None:
    return BUILTIN_TYPES.get(name) or _BUILTIN_NAMES.get(name)


def _is_replaceable(symbol: Symbol) -> bool:
    return isinstance(symbol, ClassSymbol | ComponentSymbol) and symbol.is_replaceable
