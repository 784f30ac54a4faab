"""The look-up of names, written straight from chapter 5 of the specification: no cache, no index, no cleverness.

It shares nothing with the project but the parser and its views, so a mistake has to be made twice to stay unseen.
`slow_reading` says what a class declares, `slow_meanings` goes through the text; here are the rules between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from modelica_ast.tree import StoredDefinition
from semantics.slow_reading import Changed, Class, Declaration, Element, Import, Path, Written, read_class

# 3.7, 4.8, 4.9, 5.4, 9.4, 12.9, 16: what is known everywhere.
TYPES = frozenset("Real Integer Boolean String Clock ExternalObject StateSelect AssertionLevel Connections".split())
FUNCTIONS = frozenset(
    """
    abs sign sqrt div mod rem ceil floor integer Integer String sin cos tan asin acos atan atan2 sinh cosh tanh exp log
    log10 delay cardinality homotopy semiLinear inStream actualStream spatialDistribution getInstanceName terminal
    noEvent smooth sample pre edge change reinit assert terminate ndims size scalar vector matrix identity diagonal
    zeros ones fill linspace min max sum product transpose outerProduct symmetric cross skew cat array promote
    previous hold subSample superSample shiftSample backSample noClock interval firstTick initialState activeState
    transition ticksInState timeInState rooted time
    """.split()
)
_ALL = ("quantity", "start", "fixed")
ATTRIBUTES: dict[str, frozenset[str]] = {
    "Real": frozenset((*_ALL, "unit", "displayUnit", "min", "max", "nominal", "unbounded", "stateSelect")),
    "Integer": frozenset((*_ALL, "min", "max")),
    "enumeration": frozenset((*_ALL, "min", "max")),
    "Boolean": frozenset(_ALL),
    "String": frozenset(_ALL),
}
_DEEPEST = 60  # far deeper than any library is


@dataclass(frozen=True, eq=False)
class Builtin:
    """Something that the language brings."""

    name: str


@dataclass(frozen=True, eq=False)
class Change:
    """A redeclaration that reaches a class from outside: of which element in it, by what, written where."""

    path: tuple[str, ...]
    by: Element
    scope: Scope | None


@dataclass(frozen=True, eq=False)
class Scope:
    """A class at its place: what is around it there, and what is redeclared in it from there, the strongest first."""

    node: Class
    around: Scope | None
    changes: tuple[Change, ...] = ()
    removed: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Found:
    """An element: the declaration that it is, the one that counts for what it has, and where that one is written."""

    declaration: Declaration
    element: Element
    scope: Scope | None
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Unknown:
    """The specification does not say what a name is, or something on the way is not known."""

    why: str


Answer = Found | Builtin | Unknown | None  # None: there is no such name


@dataclass
class Lookup:
    """The look-up in a set of files.

    `errors` are what the specification forbids on the way to an answer, so that others may answer something else;
    `doubts` are why a name that is missing may be there at last. Whoever asks empties both before.
    """

    files: Mapping[Path, StoredDefinition]
    doubts: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _classes: dict[Path, list[Class]] = field(default_factory=dict)
    _flattening: list[Class] = field(default_factory=list)
    _depth: int = 0

    # ------------------------------------------------------------------ classes and their places

    def classes_of(self, file: Path) -> list[Class]:
        """The classes of a file. A text is read once; nothing that is looked up is kept."""
        if file not in self._classes:
            self._classes[file] = [read_class(view, file, file[:-1], None) for view in self.files[file].classes]
        return self._classes[file]

    def _stored(self, package: Path, name: str) -> Element | None:
        """The class of a package, () for the unnamed one around everything, that has a file of its own."""
        file = (*package, name)
        if file not in self.files:
            return None
        node = next((found for found in self.classes_of(file) if found.name == name), None)
        return None if node is None else Element(name, node.declaration, node=node)

    def place(self, node: Class) -> Scope:
        """A class where it is written, with nothing redeclared from outside."""
        if node.around is not None:
            return Scope(node, self.place(node.around))
        if not node.package:
            return Scope(node, None)
        around = next(found for found in self.classes_of(node.package) if found.name == node.package[-1])
        return Scope(node, self.place(around))

    def _own(self, node: Class, name: str) -> Element | None:
        """13.4: a package has what its text declares and what has a file in its folder."""
        own = [element for element in node.elements if element.name == name]
        if len(own) > 1:
            self.errors.append(f"'{name}' is declared twice")
        return own[0] if own else self._stored(node.path, name) if node.around is None else None

    # ------------------------------------------------------------------ 5.6.1: elements, own and inherited

    def member(self, scope: Scope, name: str, chain: tuple[Class, ...] = (), *, inherited: bool = True) -> Answer:
        """An element of a class. Imports are not elements: nobody sees them from outside or inherits them."""
        if scope.node in chain or len(chain) > _DEEPEST:
            self.errors.append("a class inherits from itself")
            return None
        if name in scope.removed:
            return None
        chain = (*chain, scope.node)
        own = self._own(scope.node, name)
        if own is None:
            return self._inherited(scope, name, chain) if inherited else None
        declaration = own.declaration
        if own.is_redeclare:  # 7.3: it is the element that it redeclares
            original = self._inherited(scope, name, chain, without=own)
            if isinstance(original, Found):
                declaration = original.declaration
            else:
                self.errors.append(f"'{name}' redeclares nothing")
        elif inherited and own.said:
            declaration = self._repeated(scope, own, chain)
        return self._changed(Found(declaration, own, scope), scope.changes)

    def _repeated(self, scope: Scope, own: Element, chain: tuple[Class, ...]) -> Declaration:
        """7.1: an element that is inherited and declared again, in the same words, is one element."""
        errors, doubts = list(self.errors), list(self.doubts)
        original = self._inherited(scope, own.name, chain)
        self.errors[:], self.doubts[:] = errors, doubts
        is_same = isinstance(original, Found) and original.element.said == own.said
        return original.declaration if isinstance(original, Found) and is_same else own.declaration

    def _changed(self, found: Found, changes: tuple[Change, ...]) -> Found:
        """7.3: the element with what is redeclared from outside, itself or inside it."""
        own = found.element
        reaching = [change for change in changes if change.path[0] == own.name]
        inside = tuple(Change(change.path[1:], change.by, change.scope) for change in reaching if len(change.path) > 1)
        whole = next((change for change in reaching if len(change.path) == 1), None)
        if whole is None:
            return Found(found.declaration, own, found.scope, inside)
        # 7.3.2: what constrains the original holds for what replaces it.
        inside += _written_in(own.constraint_changes if own.has_constraint else own.changes, found.scope)
        return Found(found.declaration, whole.by, whole.scope, inside)

    def _inherited(self, scope: Scope, name: str, chain: tuple[Class, ...], without: Element | None = None) -> Answer:
        """An element of the base classes, in their order."""
        first: Answer = None
        for base in self.bases(scope, without):
            found: Answer = None
            if isinstance(base, Builtin):
                found = Builtin(name) if name in ATTRIBUTES.get(base.name, ()) else None
            elif isinstance(base, Scope):
                found = self.member(base, name, chain)
            if first is None:
                first = found
            elif isinstance(first, Found) and isinstance(found, Found) and first.declaration is not found.declaration:
                self.errors.append(f"'{name}' is inherited twice")
        return first

    def bases(self, scope: Scope, without: Element | None = None) -> Iterator[Scope | Builtin]:
        """7.1: the base classes with what reaches them: from outside, by elements of this class, by modifiers."""
        node = scope.node
        if node in self._flattening:  # 7.1: what is used to find the base classes may not be inherited
            self.errors.append("a base class is looked up in itself")
            return
        if node.is_enumeration:
            yield Builtin("enumeration")
        if node.is_class_extends:
            yield from self._extended_class(scope)
        outside = scope.changes + _written_in(
            tuple(((own.name,), own) for own in node.elements if own.is_redeclare and own is not without), scope
        )
        for clause in node.extends:
            found = self.base(scope, clause)
            if isinstance(found, Scope):
                if found.around is not None and found.around.node is node:
                    self.doubts.append(f"the base class {clause} is inside the class")
                modifiers = _written_in(clause.changes, scope.around if node.is_short else scope)
                yield Scope(found.node, found.around, outside + modifiers + found.changes, clause.removed)
            elif isinstance(found, Builtin):
                yield found
            else:
                self.errors.append(f"the base class {clause} is not known")

    def _extended_class(self, scope: Scope) -> Iterator[Scope | Builtin]:
        """7.3.1: `redeclare model extends T(…)` inherits from the T that it takes the place of."""
        assert scope.around is not None
        own = next((found for found in scope.around.node.elements if found.node is scope.node), None)
        with self.flattening(scope.node):
            found = self._inherited(scope.around, scope.node.name, (), without=own)
            inner = self.class_of(found) if isinstance(found, Found) else None
        if isinstance(inner, Scope):
            changes = scope.changes + _written_in(scope.node.extends_changes, scope)
            yield Scope(inner.node, inner.around, changes + inner.changes)
        else:
            self.errors.append(f"there is no '{scope.node.name}' to extend")

    def base(self, scope: Scope, clause: Written) -> Scope | Builtin | Unknown | None:
        """7.1, 4.6: the class after `extends` is looked up before anything is inherited, a short class's outside it."""
        with self.flattening(scope.node):
            if scope.node.is_short:
                return self._type(scope.around, clause)
            return self._type(scope, clause, inherited=False)

    @contextmanager
    def flattening(self, node: Class) -> Iterator[None]:
        """While its base classes are looked up, a class inherits nothing."""
        self._flattening.append(node)
        try:
            yield
        finally:
            self._flattening.pop()

    # ------------------------------------------------------------------ 5.3: names

    def simple(self, scope: Scope | None, name: str, *, inherited: bool = True) -> Answer:
        """5.3.1: the elements of the class, its imports, then the same for the class around it."""
        place = scope
        while place is not None:
            found = self.member(place, name, inherited=inherited or place is not scope)
            if isinstance(found, Found):
                if place is not scope and found.element.is_variable:
                    self.doubts.append(f"'{name}' of an enclosing class is not constant")
                return found
            imported = self._imported(place.node, name)
            if not isinstance(imported, _NotImported):
                return imported
            if place.node.is_encapsulated:
                return _builtin(name)
            place = place.around
        return self.top(name)

    def top(self, name: str) -> Answer:
        """5.3.3: an element of the unnamed class around everything, where predefined names are too."""
        element = self._stored((), name)
        return _builtin(name) if element is None else Found(element.declaration, element, None)

    def _imported(self, node: Class, name: str) -> Answer | _NotImported:
        """13.2: what a class imports, by name before by `.*`."""
        named = [clause for clause in node.imports if clause.local == name]
        if len(named) > 1:
            return Unknown("ambiguous")
        if named:
            return self.imported(named[0]) or Unknown("its import leads to nothing")
        found = []
        for clause in node.imports:
            if clause.local is None:
                package = self.class_of(self.imported(clause))
                if isinstance(package, Scope):
                    found.append(self.member(package, name))
        found = [one for one in found if isinstance(one, Found) and not one.element.is_protected]
        return Unknown("ambiguous") if len(found) > 1 else found[0] if found else _NotImported()

    def imported(self, clause: Import) -> Answer:
        """13.2.1: an imported name is always a full one."""
        return self.path(None, clause.parts, is_global=True)[-1]

    def path(
        self, scope: Scope | None, parts: tuple[str, ...], *, is_global: bool = False, inherited: bool = True
    ) -> list[Answer]:
        """5.3.2: the first part by itself, each of the others among the elements of what is before it."""
        answers = [self.top(parts[0]) if is_global else self.simple(scope, parts[0], inherited=inherited)]
        for part in parts[1:]:
            answers.append(self.part(answers[-1], part))
        return answers

    def part(self, before: Answer, name: str, *, attributes: bool = False) -> Answer:
        """An element of what is found; attributes of predefined types count in modifiers only."""
        if before is None:
            return Unknown("it is part of something that is missing")
        if isinstance(before, Unknown):
            return before
        within = self.class_of(before)
        if isinstance(within, Builtin) and (within.name in ATTRIBUTES or within.name == "literal"):
            return Builtin(name) if attributes and name in ATTRIBUTES.get(within.name, ()) else None
        if isinstance(within, Builtin):
            return Builtin(name)
        if not isinstance(within, Scope):
            return within or Unknown("its type is missing")
        found = self.member(within, name)
        if isinstance(found, Builtin) and not attributes:
            return None
        if found is None and within.node.is_expandable:
            return Unknown("an expandable connector has what is connected to it")
        return found

    def class_of(self, found: Answer) -> Scope | Builtin | Unknown | None:
        """The class that a class is or a component is of, with what is redeclared in it."""
        if not isinstance(found, Found):
            return found
        element = found.element
        if element.is_replaceable:
            self.doubts.append(f"'{element.name}' is replaceable")
        if element.node is not None:
            return Scope(element.node, found.scope, found.changes)
        if element.type is None:
            return Builtin("literal")
        written = self._type(found.scope, element.type)
        if not isinstance(written, Scope):
            return written
        changes = found.changes + _written_in(element.changes, found.scope)
        return Scope(written.node, written.around, changes + written.changes)

    def _type(self, scope: Scope | None, name: Written, *, inherited: bool = True) -> Scope | Builtin | Unknown | None:
        """The class of a written name. A component of this name is not one."""
        if self._depth > _DEEPEST:
            self.errors.append("names lead in a circle")
            return Unknown("circle")
        self._depth += 1
        try:
            return self._type_by_parts(scope, name, inherited=inherited)
        finally:
            self._depth -= 1

    def _type_by_parts(
        self, scope: Scope | None, name: Written, *, inherited: bool
    ) -> Scope | Builtin | Unknown | None:
        found = self.top(name.parts[0]) if name.is_global else self.simple(scope, name.parts[0], inherited=inherited)
        for part in name.parts[1:]:
            if isinstance(found, Found) and found.element.node is None:
                break
            found = self.part(found, part)
        if isinstance(found, Found) and found.element.node is None:
            return Unknown(f"{name} is not a class")
        return self.class_of(found)


class _NotImported:
    """No import brings the name; None would mean that one does, from nowhere."""


def _builtin(name: str) -> Builtin | None:
    return Builtin(name) if name in TYPES or name in FUNCTIONS else None


def _written_in(changes: tuple[Changed, ...], scope: Scope | None) -> tuple[Change, ...]:
    return tuple(Change(path, by, scope) for path, by in changes)
