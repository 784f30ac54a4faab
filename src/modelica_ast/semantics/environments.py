"""Classes in one use, with the modifiers that reach them: what they inherit, and what names stand for inside.

An `Environment` is a class in one use: its definition, the modifiers from outside (the outermost first), and what is
around its text. A class that extends others has one more use for each of them, with the modifiers of the extends
clause after its own. So a name in the text of a base class is looked up in the use of that base, and still sees what
a derived class has redeclared. The use that nothing reaches from outside is the class as it is written: names in its
text are looked up there.

Nothing is done before somebody asks, and what was found is kept: environments belong to one state of the files, and
to one thread.
"""

from __future__ import annotations

# ruff: noqa: SLF001  (environments look into each other)
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from modelica_ast.semantics.definitions import (
    AMBIGUOUS,
    MISSING,
    PREDEFINED,
    UNKNOWN,
    Absence,
    Declared,
    Definition,
    FullName,
    Outside,
    Remembered,
    Target,
    component_name,
    constraint_of,
    element_around,
    is_redeclaration,
    place_of,
)
from modelica_ast.semantics.modifiers import Broken, Modifier, from_arguments, from_modification, member_of_value
from modelica_ast.tree import (
    ClassDefinition,
    Component,
    ComponentClause1,
    DerClassSpecifier,
    Element,
    EnumerationClassSpecifier,
    ExtendsClause,
    LongClassSpecifier,
    Name,
    ShortClassDefinition,
    ShortClassSpecifier,
    View,
)

_DEEPEST: Final = 100  # classes that inherit from each other with modifiers; what is above them is not found
_MOST_BASES: Final = 1000  # of one class, each counted for each way to it; ways may double with every step
_MOST_WAITING: Final = 20  # questions that wait for each other on Python's stack
_MOST_RETRIES: Final = 100_000  # of questions that waited for too many others


class ClassFiles(Protocol):
    """Where the definitions of classes come from: libraries, or a lone document."""

    def top(self, name: str) -> Definition | Absence:
        """The class of a simple name that nothing is around."""

    def package_of(self, top: Definition) -> Definition | Absence | None:
        """The package that a class at the top of its file is in; None if nothing is around it."""

    def classes_in(self, package: Definition) -> Mapping[str, Definition | Absence]:
        """The classes of a package that have files of their own."""

    def full_name_of(self, top: Definition) -> str:
        """The full name of a class at the top of its file."""

    def tops_by_path(self, tree: Hashable) -> Mapping[tuple[int, ...], Definition]:
        """The classes at the top of a file by their places in it."""

    def package_of_tree(self, tree: Hashable) -> Definition | Absence | None:
        """The package that the classes of a file are in."""

    def root(self, tree: Hashable) -> Any:
        """The green tree of a file."""


class Outsiders(Protocol):
    """What is known of libraries that are not looked into: some full names."""

    @property
    def roots(self) -> Collection[str]:
        """The top classes of these libraries."""

    def know(self, name: FullName) -> bool:
        """Is there something of this full name?"""


class Base(NamedTuple):
    """A class that another one extends, or is short for; None if it is not found."""

    type: Name
    environment: Environment | None


class _TooDeep(Exception):  # noqa: N818  (it says what to find out first)
    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.environment = environment


class _Step:
    """A class on the way to an inherited member."""

    __slots__ = ("bases", "environment", "is_cut", "own")

    def __init__(self, environment: Environment, bases: Iterator[Base], own: Member | None) -> None:
        self.environment = environment
        self.bases = bases
        self.own = own  # a redeclaration, which counts if nothing is inherited
        self.is_cut = False  # something that it inherits from was on the way, or left, already


class Environment:
    """A class in one use; a predefined type is given by its name."""

    def __init__(
        self,
        classes: Classes,
        written: Definition | str,
        around: Environment | Absence | None,
        *,
        modifiers: tuple[Modifier[Environment], ...] = (),
        weaker: tuple[Modifier[Environment], ...] = (),
        holder: Member | None = None,
        extended: Callable[[], Environment | None] | None = None,
    ) -> None:
        self.classes = classes
        self.written = None if isinstance(written, str) else written
        self.predefined = written if isinstance(written, str) else ""
        self.outside = around  # why nothing is known around it, if so
        self.around = around if isinstance(around, Environment) else None
        self.modifiers = modifiers
        self.weaker = weaker  # those of constraining clauses: a short class's own come before them
        self.holder = holder  # the component whose type it is
        self.extended = extended  # what `model extends M` extends
        # Of a base class: how it is inherited.
        self.whole = self  # the class that has all of it in the end
        self.broken = _NOTHING_BROKEN
        self.is_protected = False  # by an extends clause in a protected section
        self.plain: Environment | None = None  # the same class without what reaches it from here
        self._chain: frozenset[Definition] | None = None  # the classes on the way, and itself
        self._count_of_bases = 0  # of the whole class, so far
        self._members: dict[str, Member | None] = {}  # those that were found, or found missing
        self._found_bases: list[Base] = []
        self._state = "unknown"  # of its bases; `looking`, then `known`
        self._is_settled = False  # its bases are known, and theirs
        self._cycle: object | None = None  # what all classes that inherit from each other in a cycle have in common

    def __repr__(self) -> str:
        return f"<Environment {self.full_name}>"

    # ------------------------------------------------------------ the class itself

    @property
    def definition(self) -> ClassDefinition | ShortClassDefinition | None:
        """The class as it is written; None for a predefined type."""
        return None if self.written is None else self.written.view

    @property
    def name(self) -> str:
        """Its simple name."""
        return self.predefined if self.written is None else self.written.name

    @Remembered
    def full_name(self) -> str:
        """The full name of the class; one that is defined in a modifier gives that of what it stands for."""
        if self.written is None:
            return self.predefined
        if isinstance(self.written.view, ShortClassDefinition) and self.bases and self.bases[0].environment is not None:
            return self.bases[0].environment.full_name
        return self.classes.full_name(self.written)

    def applied(self, modifiers: tuple[Modifier[Environment], ...], holder: Member | None) -> Environment:
        """The class as the type of a component."""
        found = Environment(
            self.classes,
            self.written or self.predefined,
            self.outside,
            modifiers=(*modifiers, *self.modifiers),
            weaker=self.weaker,
            holder=holder,
            extended=self.extended,
        )
        found.plain = self.plain or self
        return found

    @Remembered
    def scope(self) -> Environment | None:
        """What the names in its text are looked up in: for a short class what is around it."""
        return self.around if self.written is not None and self.written.is_short else self

    @Remembered
    def has_redeclarations(self) -> bool:
        """Does a redeclaration reach it from outside? Then it may have other members than the class as written."""
        return any(modifier.redeclared is not None for modifier in (*self.modifiers, *self.weaker))

    # ------------------------------------------------------------ bases

    @property
    def bases(self) -> list[Base]:
        """The classes that it extends, in source order; while they are looked up, those found so far."""
        if self._state == "unknown":
            self.classes.look_for_bases(self)
        elif self._state == "looking":
            self.classes.consulted(self)
        return self._found_bases

    @property
    def knows_bases(self) -> bool:
        """Are its bases known, and not only those found so far?"""
        return self._state == "known"

    def find_bases(self) -> None:
        """Look its bases up; `Classes` does that, so that no chain of classes is too long."""
        self._state = "looking"
        try:
            for base in self._look_for_bases():
                self._found_bases.append(base)
            self._state = "known"
        finally:
            if self._state == "looking":
                self._state = "unknown"
                self._found_bases = []

    def give_up(self) -> None:
        """Its bases can't be found: they depend on each other without end."""
        self._state = "known"
        self._is_settled = True
        self._found_bases = [] if self.written is None else [Base(name, None) for name in self.written.base_names]

    def settle(self, *, is_final: bool) -> None:
        """Its bases are known; what is not final, for a class around was being looked at, is asked again."""
        if not is_final:
            self._state = "unknown"
            self._found_bases = []
            return
        self._is_settled = all(base.environment is None or base.environment._is_settled for base in self._found_bases)

    def _look_for_bases(self) -> Iterator[Base]:
        written = self.written
        specifier = None if written is None else written.specifier
        if isinstance(specifier, ShortClassSpecifier):
            if self.around is not None:
                own = from_arguments(specifier.arguments, self.around)
                found = self.around.find_class(specifier.type.parts, is_global=specifier.type.is_global)
                yield Base(specifier.type, self._as_base(found, [*own, *self.weaker], None, is_protected=False))
            else:
                yield Base(specifier.type, self._base_outside(specifier.type))
        elif isinstance(specifier, DerClassSpecifier):
            found = self._base_named(specifier.function)
            yield Base(specifier.function, self._as_base(found, [], None, is_protected=False))
        elif isinstance(specifier, LongClassSpecifier):
            assert written is not None
            redeclared = self._redeclared_here()
            if written.is_class_extends:
                own = from_arguments(specifier.arguments, self)
                name = Name.of(specifier.identifier.green, specifier, specifier.identifier.index)
                found = self.extended() if self.extended is not None else None
                yield Base(name, self._as_base(found, [*redeclared, *own], None, is_protected=False))
            for clause in written.extends:
                found = self._base_named(clause.type)
                own = [*redeclared, *from_arguments(clause.arguments, self)]
                is_protected = clause.element is not None and clause.element.is_protected
                yield Base(clause.type, self._as_base(found, own, clause, is_protected=is_protected))

    def _base_named(self, name: Name) -> Environment | None:
        """What follows `extends`."""
        parts = name.parts
        if name.is_global:
            return self.find_class(parts, is_global=True)
        return self._class_along(self.look_for_base(parts[0]), parts)

    def look_for_base(self, name: str) -> Member | Environment | Absence:
        """What the first name after `extends` stands for: it is looked up before anything is inherited."""
        return self.look(name, own_only=True)

    def _base_outside(self, name: Name) -> Environment | None:
        """What a short class with nothing known around it is short for: a predefined type, or the top of a library."""
        parts = name.parts
        first = self.classes.predefined(parts[0]) or (self.classes.top(parts[0]) if self.outside is None else UNKNOWN)
        found = self._class_along(first, parts)
        own = from_arguments(self.written.specifier.arguments, self) if self.written is not None else []
        return self._as_base(found, [*own, *self.weaker], None, is_protected=False)

    def _as_base(
        self,
        found: Environment | None,
        own: Sequence[Modifier[Environment]],
        clause: ExtendsClause | None,
        *,
        is_protected: bool,
    ) -> Environment | None:
        if found is None:
            return None
        chain = self._chain or _with(frozenset(), self.written)
        if found.written is not None and found.written in chain:
            return None
        if self._is_in_cycle_with(found):
            return None
        whole = self.whole
        whole._count_of_bases += 1
        if len(chain) > _DEEPEST or whole._count_of_bases > _MOST_BASES:
            return None
        broken = self.broken.with_arguments(clause.arguments) if clause is not None else self.broken
        is_protected = is_protected or self.is_protected
        is_short = self.written is not None and self.written.is_short
        reaching = (*self.modifiers, *(() if is_short else self.weaker), *own)
        is_as_written = not reaching and broken is _NOTHING_BROKEN and not is_protected and self.holder is None
        if is_as_written and found._is_settled:
            return found  # PERF: nothing reaches it from here, so all that extend it share it
        base = Environment(
            self.classes,
            found.written or found.predefined,
            found.outside,
            modifiers=(*reaching, *found.modifiers),
            weaker=found.weaker,
            holder=self.holder,
            extended=found.extended,
        )
        base.plain = found.plain or found
        base.whole = whole
        base.broken = broken
        base.is_protected = is_protected
        base._chain = _with(chain, found.written)
        return base

    def _is_in_cycle_with(self, found: Environment) -> bool:
        """Does a class that it extends inherit from it? None of the classes in a cycle inherits from the others."""
        forcing = self.classes.forcing
        if found in forcing:
            self._cycle = self.classes.cycle_from(found)
        elif found._state == "unknown":
            forcing[self] = None
            try:
                found.bases  # noqa: B018  (they are looked up)
            finally:
                del forcing[self]
        return self._cycle is not None and found._cycle is self._cycle

    def _redeclared_here(self) -> list[Modifier[Environment]]:
        """`redeclare` elements: they reach what is inherited like modifiers of the extends clauses."""
        found: list[Modifier[Environment]] = []
        for part in self.written.redeclarations if self.written is not None else []:
            is_class = isinstance(part, Definition)
            view: View = part.view if is_class else part  # type: ignore[union-attr, assignment]
            name = part.name if is_class else component_name(part)  # type: ignore[arg-type]
            found.append(Modifier((name,), view, self, redeclared=part))
        return found

    def ancestry(self) -> Iterator[Environment]:
        """The class and all that it inherits from, directly or not; each once for each way to it."""
        todo = [self]
        count = 0
        while todo and count <= _MOST_BASES:
            count += 1
            current = todo.pop()
            yield current
            todo += [base.environment for base in reversed(current.bases) if base.environment is not None]

    @Remembered
    def end(self) -> Environment | None:
        """The predefined type or the enumeration that it ends at; None for a class with components."""
        for environment in self.ancestry():
            written = environment.written
            if written is None or isinstance(written.specifier, EnumerationClassSpecifier):
                return environment
        return None

    # ------------------------------------------------------------ members

    def member(self, name: str) -> Member | None:
        """The element of a name, inherited ones too."""
        try:
            return self._members[name]
        except KeyError:
            return self._search(name)

    def plain_member(self, name: str) -> Member | None:
        """The element of a name as the class that is inherited has it, whatever redeclares it from here."""
        return (self.plain or self).member(name)

    def _search(self, name: str) -> Member | None:
        """What the class has of its own or inherits, depth first: the first base that has it counts.

        What is found for the classes on the way is kept, so that a chain of classes is gone through once and not once
        for each of them. What is found while bases are being looked up is not kept.
        """
        way: list[_Step] = []
        seen: set[Environment] = set()
        found: Member | None = None
        is_final = True
        todo: Environment | None = self
        while todo is not None and found is None:
            known = todo._known(name)
            if known is not _UNASKED:
                found = known  # type: ignore[assignment]  # a member or None
            elif todo in seen:
                way[-1].is_cut = True
            else:
                seen.add(todo)
                mine = todo._own(name)
                if mine is not None and not is_redeclaration(mine):
                    found = Member(name, mine, todo)
                    way.append(_Step(todo, iter(()), found))
                else:
                    own = None if mine is None else Member(name, mine, todo)
                    way.append(_Step(todo, iter(todo.bases), own))
                    is_final = is_final and todo._state == "known"
            todo = None
            while way and found is None and todo is None:
                step = way[-1]
                todo = next((base.environment for base in step.bases if base.environment is not None), None)
                if todo is None:
                    found = step.own  # nothing is inherited: a redeclaration stands for itself
                    if found is None:
                        way.pop()
                        if is_final and not step.is_cut:
                            step.environment._keep_missing(name)
                        elif way:
                            way[-1].is_cut |= step.is_cut
        if is_final:
            if found is not None:
                for step in way:
                    step.environment._members[name] = found
            else:
                for environment in seen:
                    environment._keep_missing(name)
        return found

    def _known(self, name: str) -> Member | object | None:
        found = self._members.get(name, _UNASKED)
        if found is _UNASKED:
            if name in self.broken.names:
                return None
            # PERF: what the class as it is written has not, it has in no use that redeclares nothing.
            plain = self.plain
            if plain is not None and plain._members.get(name, _UNASKED) is None and not self.has_redeclarations:
                return None
        return found

    def _keep_missing(self, name: str) -> None:
        self._members[name] = None
        plain = self.plain
        if plain is not None and plain._is_settled and not self.broken.names and not self.has_redeclarations:
            plain._members[name] = None

    def _own(self, name: str) -> Component | Definition | None:
        written = self.written
        if written is None:
            return None
        found = written.components.get(name) or written.classes.get(name)
        if found is None and written.may_have_files:
            in_file = self.classes.files.classes_in(written).get(name)
            return in_file if isinstance(in_file, Definition) else None
        return found

    def members(self) -> Iterator[Member]:
        """All elements that are written in bodies, inherited ones where their extends clause is; each name once."""
        seen: set[str] = set()
        for member in self._all_members():
            if member.name not in seen:
                seen.add(member.name)
                yield member

    def _all_members(self) -> Iterator[Member]:
        todo: list[Iterator[Member | Environment]] = [self._parts()]
        count = 0
        while todo:
            part = next(todo[-1], None)
            if part is None:
                todo.pop()
            elif isinstance(part, Member):
                yield part
            elif count < _MOST_BASES:
                count += 1
                todo.append(part._parts())

    def _parts(self) -> Iterator[Member | Environment]:
        """Its own members and its bases, in source order."""
        written = self.written
        if written is None:
            return
        bases = iter(self.bases)
        if written.is_short or written.is_class_extends or isinstance(written.specifier, DerClassSpecifier):
            base = next(bases, None)
            if base is not None and base.environment is not None:
                yield base.environment
        for part in written.parts:
            if isinstance(part, ExtendsClause):
                base = next(bases, None)
                if base is not None and base.environment is not None:
                    yield base.environment
                continue
            name = part.name if isinstance(part, Definition) else component_name(part)
            if name not in self.broken.names:
                # A redeclaration is where the element that it redeclares is.
                found = self.member(name)
                if found is not None and (found.origin is part or not is_redeclaration(part)):
                    yield found

    # ------------------------------------------------------------ names

    def find(self, parts: Sequence[str], *, is_global: bool = False) -> Member | Environment | None:
        """What a dotted name stands for where it is written in the text of this class."""
        found = self._along(self.classes.top_or_predefined(parts[0]) if is_global else self.look(parts[0]), parts)
        return None if isinstance(found, Absence) else found

    @staticmethod
    def _along(first: Member | Environment | Absence, parts: Sequence[str]) -> Member | Environment | None:
        found: Member | Environment | None = None if isinstance(first, Absence) else first
        for part in parts[1:]:
            inside = found.environment if isinstance(found, Member) else found
            found = inside.member(part) if inside is not None else None
        return found

    @staticmethod
    def _class_along(first: Member | Environment | Absence, parts: Sequence[str]) -> Environment | None:
        found = _class_in(first)
        for part in parts[1:]:
            found = _class_in(found.member(part)) if found is not None else None
        return found

    def find_class(self, parts: Sequence[str], *, is_global: bool = False) -> Environment | None:
        """The class that a dotted name stands for; no class is reached through a component (5.3.2)."""
        first = self.classes.top_or_predefined(parts[0]) if is_global else self.look(parts[0])
        return self._class_along(first, parts)

    @Remembered
    def is_record(self) -> bool:
        """Is it a record, or does it inherit from one?"""
        return any(part.written is not None and part.written.kind == "record" for part in self.ancestry())

    def look(self, name: str, *, own_only: bool = False, is_strict: bool = False) -> Member | Environment | Absence:
        """What a simple name stands for, from this class outwards; `own_only` leaves out what this one inherits.

        A base class that is not found may have the name. A strict caller is told so; for all others the name stands for
        what it would if that class had none.
        """
        current: Environment = self
        doubt: Absence | None = None
        while True:
            written = current.written
            if own_only and current is self:
                mine = current._own(name)
                found: Member | Environment | Absence = MISSING if mine is None else current._own_member(name, mine)
            else:
                member = current.member(name)
                found = current.absence(name) if member is None else member
            if isinstance(found, Absence) and not isinstance(found, Outside):
                imports = None if written is None else written.imports
                if imports is not None:
                    brought = current.imported(name)
                    if not isinstance(brought, Absence) or brought is AMBIGUOUS or isinstance(brought, Outside):
                        return brought
                    # An import that leads nowhere is an error of its own, and one that leads into a library that is not
                    # open says nothing about a library of this name.
                    if name in imports.named:
                        return UNKNOWN
                    found = UNKNOWN if brought is not MISSING else found
                if found is not MISSING:
                    if is_strict:
                        return found
                    doubt = found
            else:
                return found
            if written is not None and written.is_encapsulated:
                return self.classes.predefined(name) or doubt or MISSING
            if current.around is None:
                if current.outside is None:
                    found = self.classes.top_or_predefined(name)
                    is_found = isinstance(found, Outside) or not isinstance(found, Absence)
                    return found if is_found else doubt or found
                return self.classes.predefined(name) or current.outside  # an Absence
            current = current.around

    def _own_member(self, name: str, mine: Component | Definition) -> Member:
        known = self._members.get(name)
        return known if known is not None and known.declared is mine else Member(name, mine, self)

    def absence(self, name: str) -> Absence:
        """Why there is no member of a name: it is surely not there, or what it inherits is not known."""
        if self.written is not None and self.written.may_have_files:
            in_file = self.classes.files.classes_in(self.written).get(name)
            if isinstance(in_file, Absence):
                return in_file
        if self.is_complete:
            return MISSING
        known = (base for base in self.outside_bases if self.classes.knows((*base, name)))
        return next((Outside((*base, name), base) for base in known), UNKNOWN)

    @property
    def outside_bases(self) -> list[FullName]:
        """The classes of libraries that are not looked into, of which it inherits at first or second hand."""
        if self.classes.outside is None:
            return []
        known: list[FullName] | None = self.__dict__.get("_outside_bases")
        if known is None:
            absent = [part._absent_base(base) for part in self.ancestry() for base in part.bases]
            known = list(dict.fromkeys(answer.name for answer in absent if isinstance(answer, Outside)))
            if self._is_settled:
                self.__dict__["_outside_bases"] = known
        return known

    def _absent_base(self, base: Base) -> Absence | None:
        """Why a base class is not found."""
        written = self.written
        if base.environment is not None or written is None:
            return None
        if written.is_class_extends and base.type.parent is written.specifier:
            return None if self.around is None else self.around.absence(written.name)
        parts = base.type.parts
        if base.type.is_global:
            first: Member | Environment | Absence = self.classes.top_or_predefined(parts[0])
        elif written.is_short:
            first = self.classes.top_or_predefined(parts[0]) if self.around is None else self.around.look(parts[0])
        else:
            first = self.look_for_base(parts[0])
        found = self.classes.along(first, parts)
        return found if isinstance(found, Absence) else None

    @property
    def is_complete(self) -> bool:
        """Is every class found that it inherits from, and does all of their texts parse?"""
        known: bool | None = self.__dict__.get("_is_complete")
        if known is None:
            known = self._find_complete()
            if self._state == "known":
                self.__dict__["_is_complete"] = known
        return known

    def _find_complete(self) -> bool:
        todo = [self]
        seen = {self}
        while todo:
            current = todo.pop()
            if current.written is None:
                continue
            if current.written.is_broken or current.__dict__.get("_is_complete") is False:
                return False
            for base in current.bases:
                if base.environment is None:
                    return False
                if base.environment not in seen and base.environment.__dict__.get("_is_complete") is not True:
                    seen.add(base.environment)
                    todo.append(base.environment)
        return True

    def imported(self, name: str) -> Member | Environment | Absence:
        """What the imports of the class bring under a name. `import P.*` brings no name that leads back to itself."""
        assert self.written is not None
        imports = self.written.imports
        if imports is None:
            return MISSING
        key = (self.written, name)
        if key in self.classes.importing:
            return MISSING
        self.classes.importing.add(key)
        try:
            if name in imports.named:
                answer = self.classes.member_at(imports.named[name])
                return Outside(answer.name, answer.name) if isinstance(answer, Outside) else answer
            answers = [self._of_package(package, name) for package in dict.fromkeys(imports.packages)]
            found = [answer for answer in answers if isinstance(answer, Outside) or not isinstance(answer, Absence)]
            if len(found) > 1:
                return AMBIGUOUS
            # One that is not known may bring it too; then the text would be wrong, so what is found counts.
            unsure = (answer for answer in answers if isinstance(answer, Absence) and answer is not MISSING)
            return next(iter(found), None) or next(unsure, MISSING)
        finally:
            self.classes.importing.discard(key)

    def _of_package(self, package: FullName, name: str) -> Member | Environment | Absence:
        """What `import P.*` brings under a name."""
        found = self.classes.member_at((*package, name))
        return MISSING if isinstance(found, Outside) and not self.classes.knows(found.name) else found


class Member:
    """An element of a class in one use: a component or a class, with what reaches it from outside."""

    __slots__ = ("__dict__", "declared", "is_class", "name", "origin", "owner")

    def __init__(self, name: str, origin: Component | Definition, owner: Environment) -> None:
        self.name = name
        self.origin = origin  # as it was declared first, before any redeclaration
        self.declared: Component | ClassDefinition = origin.view if isinstance(origin, Definition) else origin  # type: ignore[assignment]
        self.is_class = isinstance(origin, Definition)  # or a component
        self.owner = owner  # the class that declares it; its own names are looked up there

    def __repr__(self) -> str:
        return f"<Member {self.name} of {self.owner.full_name}>"

    @property
    def place(self) -> Target:
        """Where it is declared first."""
        return self.origin.place if isinstance(self.origin, Definition) else place_of(self.origin)

    @property
    def identifier(self) -> View:
        """Its name where it is declared first."""
        declared = self.declared
        return declared.identifier if isinstance(declared, Component) else declared.specifier.children[0]

    @property
    def element(self) -> Element | None:
        """The element around the first declaration; None for a class with a file of its own."""
        return element_around(self.declared)

    # ------------------------------------------------------------ what reaches it

    @Remembered
    def _reaching(self) -> list[Modifier[Environment]]:
        found: list[Modifier[Environment]] = []
        name = self.name
        for modifier in (*self.owner.modifiers, *self.owner.weaker):
            names = modifier.names
            if names and names[0] == name:
                # A `redeclare` element is not a redeclaration of itself.
                if modifier.redeclared is not self.origin:
                    found.append(modifier.with_names(names[1:]))
            elif not names and not self.is_class:
                found += member_of_value(modifier, name)
        return found

    @Remembered
    def outer_modifiers(self) -> tuple[Modifier[Environment], ...]:
        """What reaches it from outside of its declaration, the outermost first; redeclarations are not among them."""
        return tuple(found for found in self._reaching if found.names or found.redeclared is None)

    @Remembered
    def redeclarations(self) -> tuple[Modifier[Environment], ...]:
        """The redeclarations of it, the outermost first: that one counts."""
        return tuple(found for found in self._reaching if not found.names and found.redeclared is not None)

    @property
    def current(self) -> Declared:
        """The declaration that counts."""
        return self.variant(0)[0]

    @property
    def scope(self) -> Environment:
        """What the names in the declaration that counts are looked up in."""
        return self.variant(0)[1]

    def variant(self, number: int) -> tuple[Declared, Environment]:
        """A declaration and what its names are looked up in: the redeclarations, the outermost first, then its own."""
        if number < len(self.redeclarations):
            modifier = self.redeclarations[number]
            redeclared = modifier.redeclared
            assert redeclared is not None
            return (redeclared.view if isinstance(redeclared, Definition) else redeclared), modifier.scope
        return self.declared, self.owner

    def constraints(self, number: int) -> list[Modifier[Environment]]:
        """The modifiers of the constraining clauses from a declaration on.

        What is replaced and has no such clause constrains by its own type and modifiers.
        """
        found: list[Modifier[Environment]] = []
        for index in range(number, len(self.redeclarations) + 1):
            declared, scope = self.variant(index)
            clause = constraint_of(declared)
            if clause is not None:
                found += from_arguments(clause.arguments, scope)
            elif index > number:
                found += _own_modifiers(declared, scope)
        return found

    @Remembered
    def modifiers(self) -> tuple[Modifier[Environment], ...]:
        """All modifiers of a component, the strongest first: from outside, its own, those of constraining clauses."""
        return (*self.outer_modifiers, *_own_modifiers(self.current, self.scope), *self.constraints(0))

    @property
    def type_name(self) -> Name:
        """The type of a component as it is written."""
        declared = self.current
        assert isinstance(declared, Component | ComponentClause1)
        return declared.type

    @property
    def binding(self) -> Modifier[Environment] | None:
        """The value that counts, with the scope to read it in."""
        found = next((modifier for modifier in self.modifiers if not modifier.names), None)
        return None if found is None or found.is_break else found

    @Remembered
    def prefixes(self) -> tuple[str, ...]:
        """The prefixes of the declaration that counts and of the one that it redeclares."""
        found: list[str] = []
        for number in range(len(self.redeclarations) + 1):
            declared, _ = self.variant(number)
            element = element_around(declared)
            found += element.prefixes if element is not None else ()
            if isinstance(declared, Component):
                found += declared.clause.prefix.words if declared.clause.prefix is not None else ()
            elif isinstance(declared, ComponentClause1):
                found += declared.prefix.words if declared.prefix is not None else ()
        return tuple(dict.fromkeys(found))

    # ------------------------------------------------------------ its class

    @property
    def environment(self) -> Environment | None:
        """The class itself, or the class that the component is of; None if it is not found."""
        known = self.__dict__.get("environment", _UNASKED)
        if known is not _UNASKED:
            return known  # type: ignore[no-any-return]  # what was found
        found, is_final = self.classes.answered(self, self._environment)
        if is_final:
            self.__dict__["environment"] = found
        return found

    @property
    def classes(self) -> Classes:
        """All classes."""
        return self.owner.classes

    def _environment(self) -> Environment | None:
        if not self.is_class:
            return self._type()
        inner = self.inner() if "outer" in self.prefixes else None
        return self._class(0) if inner is None or inner is self else inner.environment

    def _class(self, number: int) -> Environment | None:
        more = number < len(self.redeclarations)
        redeclared = self.redeclarations[number].redeclared if more else self.origin
        around = self.redeclarations[number].scope if more else self.owner
        if not isinstance(redeclared, Definition):
            if not isinstance(redeclared, ShortClassDefinition):
                return None  # a component redeclares a class, which is an error
            redeclared = Definition(redeclared, around.written)
        weaker = tuple(self.constraints(number))
        if not more and not self.outer_modifiers and not weaker and around is self.classes.known(around.written):
            return self.classes.environment(redeclared, around)
        return Environment(
            self.classes,
            redeclared,
            around,
            modifiers=self.outer_modifiers,
            weaker=weaker,
            extended=(lambda: self._class(number + 1)) if more else None,
        )

    def _type(self) -> Environment | None:
        declared, scope = self.variant(0)
        if not isinstance(declared, Component | ComponentClause1):
            return None
        name = declared.type
        found = scope.find_class(name.parts, is_global=name.is_global)
        return None if found is None else found.applied(self.modifiers, self)

    @property
    def absent_type(self) -> Outside | None:
        """The class of a component, if it is of a library that is not looked into."""
        declared, scope = self.variant(0)
        if self.classes.outside is None or not isinstance(declared, Component | ComponentClause1):
            return None
        name = declared.type
        first = self.classes.top_or_predefined(name.parts[0]) if name.is_global else scope.look(name.parts[0])
        found = self.classes.along(first, name.parts)
        return found if isinstance(found, Outside) else None

    def inner(self) -> Member | None:
        """The `inner` element that an `outer` one stands for; None if there is none around."""
        holder = self.owner.whole.holder
        while holder is not None:
            around = holder.owner.whole
            found = around.member(self.name)
            if found is not None and "inner" in found.prefixes:
                return found
            holder = around.holder
        return None


class Classes:
    """All classes of some files in one state: those that nothing is around, the predefined ones, each as written."""

    def __init__(self, files: ClassFiles, outside: Outsiders | None = None) -> None:
        self.files = files
        self.outside = outside
        self.importing: set[tuple[Definition, str]] = set()  # the imports that are being followed
        self._environments: dict[Definition, Environment] = {}
        self._tops: dict[str, Environment | Absence] = {}
        self._predefined = {name: Environment(self, name, None) for name in PREDEFINED}
        self._waiting: list[tuple[object, set[Environment]]] = []  # what is being found out, and on what it depends
        self._names: dict[Definition, str] = {}
        self.forcing: dict[Environment, None] = {}  # classes that wait for the bases of one that they extend

    # ------------------------------------------------------------ classes by name

    def top(self, name: str) -> Environment | Absence:
        """The top class of a library."""
        found = self._tops.get(name)
        if found is None:
            definition = Outside((name,)) if self._is_outside(name) else self.files.top(name)
            found = definition if isinstance(definition, Absence) else self.environment(definition, None)
            self._tops[name] = found
        return found

    def _is_outside(self, name: str) -> bool:
        return self.outside is not None and name in self.outside.roots

    def knows(self, name: FullName) -> bool:
        """Is there something of this full name in the libraries that are not looked into?"""
        return self.outside is not None and self.outside.know(name)

    def top_or_predefined(self, name: str) -> Environment | Absence:
        """The top class of a library, or a predefined type."""
        found = self.top(name)
        return (self.predefined(name) or found) if isinstance(found, Absence) else found

    def predefined(self, name: str) -> Environment | None:
        """`Real` and the like."""
        return self._predefined.get(name)

    def member_at(self, parts: Sequence[str]) -> Member | Environment | Absence:
        """What a full name stands for, as an import has it."""
        return self.along(self.top_or_predefined(parts[0]), parts)

    def along(self, first: Member | Environment | Absence, parts: Sequence[str]) -> Member | Environment | Absence:
        """What a dotted name stands for, from what its first part does."""
        found = first
        for part in parts[1:]:
            found = self.step(found, part)
        return found

    def step(self, owner: Member | Environment | Absence, name: str) -> Member | Environment | Absence:
        """A member of something."""
        if isinstance(owner, Absence):
            return owner.member(name) if isinstance(owner, Outside) else owner
        inside = owner.environment if isinstance(owner, Member) else owner
        if inside is not None:
            member = inside.member(name)
            return inside.absence(name) if member is None else member
        outside = owner.absent_type if isinstance(owner, Member) else None
        return outside.member(name) if outside is not None and self.knows((*outside.name, name)) else UNKNOWN

    def find(self, parts: Sequence[str]) -> Environment | None:
        """The class of a full name."""
        return _class_in(self.member_at(parts))

    # ------------------------------------------------------------ classes as they are written

    def environment(self, written: Definition, around: Environment | Absence | None) -> Environment:
        """A class as it is written, in what is around it as that is written."""
        found = self._environments.get(written)
        if found is None:
            self._environments[written] = found = Environment(self, written, around)
        return found

    def known(self, written: Definition | None) -> Environment | None:
        """A class as it is written, if somebody has asked for it."""
        return None if written is None else self._environments.get(written)

    def as_written(self, written: Definition) -> Environment:
        """A class as it is written: what the names in its text are looked up in, or around for a short one."""
        todo = [written]
        while todo[-1] not in self._environments:
            parent = todo[-1].parent
            if parent is None:
                break
            todo.append(parent)
        for each in reversed(todo):
            if each not in self._environments:
                self._environments[each] = self._new(each)
        return self._environments[written]

    def _new(self, written: Definition) -> Environment:
        around: Environment | Absence | None
        if written.parent is not None:
            around = self._environments[written.parent]
        else:
            package = self.files.package_of(written)
            around = self.as_written(package) if isinstance(package, Definition) else package
        if written.is_redeclaration and isinstance(around, Environment):
            member = around.member(written.name)
            found = member.environment if member is not None and member.is_class else None
            if found is not None and found.written is written:
                return found
        return Environment(self, written, around)

    def full_name(self, written: Definition) -> str:
        """The full name of a class."""
        found = self._names.get(written)
        if found is None:
            if written.parent is None:
                found = self.files.full_name_of(written)
            else:
                found = f"{self.full_name(written.parent)}.{written.name}"
            self._names[written] = found
        return found

    # ------------------------------------------------------------ questions that wait for each other

    def look_for_bases(self, environment: Environment) -> None:
        """Find the bases of a class."""
        if len(self._waiting) >= _MOST_WAITING:
            raise _TooDeep(environment)
        if self._waiting:
            self._find_bases(environment)
        else:
            self._find_bases_first(environment)

    def _find_bases_first(self, environment: Environment) -> None:
        """Find the bases of a class where nothing waits. Python's stack holds few questions that wait for each other.

        Where too many do, all but the outermost give up, the innermost is answered first, and then they are asked
        again.
        """
        todo = [environment]
        while todo:
            try:
                self._find_bases(todo[-1])
                todo.pop()
            except _TooDeep as deeper:
                if deeper.environment in todo or len(todo) > _MOST_RETRIES:
                    deeper.environment.give_up()
                else:
                    todo.append(deeper.environment)

    def _find_bases(self, environment: Environment) -> None:
        depends: set[Environment] = set()
        self._waiting.append((environment, depends))
        try:
            environment.find_bases()
        finally:
            self._waiting.pop()
        depends.discard(environment)
        if depends and self._waiting:
            self._waiting[-1][1].update(depends)
        environment.settle(is_final=not depends)

    def cycle_from(self, first: Environment) -> object:
        """All classes from one on that wait for the bases of the next are in a cycle; what they have in common."""
        cycle = first._cycle or object()
        is_in_cycle = False
        for each in self.forcing:
            is_in_cycle = is_in_cycle or each is first
            if is_in_cycle:
                each._cycle = cycle
        first._cycle = cycle
        return cycle

    def consulted(self, environment: Environment) -> None:
        """Somebody asks a class whose bases are being looked up: the answer is not the last word."""
        if self._waiting:
            self._waiting[-1][1].add(environment)

    def answered(self, member: Member, question: Callable[[], Environment | None]) -> tuple[Environment | None, bool]:
        """The answer to a question, None while it is being answered (`model M = M`); and whether it is final."""
        if any(waiting is member for waiting, _ in self._waiting):
            return None, False
        for _ in range(_MOST_RETRIES):
            depends: set[Environment] = set()
            self._waiting.append((member, depends))
            try:
                found = question()
            except _TooDeep as deeper:
                if len(self._waiting) > 1:
                    raise
                self._waiting.pop()
                self._find_bases_first(deeper.environment)
                self._waiting.append((member, depends))  # it is taken off below
                continue
            finally:
                self._waiting.pop()
            if depends and self._waiting:
                self._waiting[-1][1].update(depends)
            return found, not depends
        return None, True


def identity_of(found: Member | Environment | Absence) -> object:
    """What tells two answers apart: the declaration."""
    if isinstance(found, Member):
        return found.origin
    if isinstance(found, Environment):
        return found.written or found.predefined
    return found


def _class_in(found: Member | Environment | Absence | None) -> Environment | None:
    if isinstance(found, Member):
        return found.environment if found.is_class else None
    return None if isinstance(found, Absence) else found


def _own_modifiers(declared: Declared, scope: Environment) -> list[Modifier[Environment]]:
    """What is written in the declaration itself."""
    if isinstance(declared, Component):
        return from_modification(declared.modification, scope)
    if isinstance(declared, ComponentClause1):
        return from_modification(declared.declaration.modification, scope)
    specifier = declared.specifier
    return from_arguments(specifier.arguments, scope) if isinstance(specifier, ShortClassSpecifier) else []


def _with(chain: frozenset[Definition], written: Definition | None) -> frozenset[Definition]:
    return chain if written is None else chain | {written}


_UNASKED: Final = object()
_NOTHING_BROKEN: Final = Broken()
