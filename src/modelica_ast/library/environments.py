"""Classes with the modifiers that reach them: which elements they have, and what names stand for inside.

An `Environment` is a class in one use: its definition, the modifiers from outside (the outermost first), and what is
around its text. A class that extends others has one more environment for each of them, with the modifiers of the
extends clause behind its own. So a name in the text of a base class is looked up in the environment of that base, and
still sees what a derived class has redeclared.

Nothing is done before somebody asks, and what was found is kept: an environment belongs to one look at the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from modelica_ast.edit.scopes import Target, imported_name
from modelica_ast.library.class_bodies import Body, ClassFiles, Definition, place_of
from modelica_ast.library.instance_modifiers import (
    Broken,
    Modifier,
    from_arguments,
    from_modification,
)
from modelica_ast.library.predefined import PREDEFINED
from modelica_ast.library.record_values import member_of_value
from modelica_ast.library.redeclaring import Declared, constraint_of, element_around, is_redeclaration
from modelica_ast.library.remembered import Remembered
from modelica_ast.views.base import View
from modelica_ast.views.classes import (
    ClassDefinition,
    EnumerationClassSpecifier,
    LongClassSpecifier,
    ShortClassDefinition,
    ShortClassSpecifier,
)
from modelica_ast.views.components import Component, ComponentClause1, Element, ExtendsClause
from modelica_ast.views.names import Name

_DEEPEST: Final = 100  # classes that inherit from each other; what is above them is not found

Modifiers = tuple[Modifier["Environment"], ...]


class Base(NamedTuple):
    """A class that another one extends, or is short for; None if it is not found."""

    type: Name
    environment: Environment | None


class Derivation(NamedTuple):
    """How a class is inherited by another one."""

    whole: Environment  # the class that has all of it in the end
    broken: Broken
    is_protected: bool  # by an extends clause in a protected section
    chain: frozenset[Target]  # the classes on the way, and itself: none inherits from itself


class Environment:
    """A class in one use; a predefined type is given by its name."""

    def __init__(
        self,
        classes: Classes,
        definition: Definition | str,
        around: Environment | None,
        *,
        modifiers: Modifiers = (),
        weaker: Modifiers = (),
        holder: Member | None = None,
        derived: Derivation | None = None,
        extended: Callable[[], Environment | None] | None = None,
    ) -> None:
        self.classes = classes
        self.definition = None if isinstance(definition, str) else definition
        self.predefined = definition if isinstance(definition, str) else ""
        self.around = around
        self.modifiers = modifiers
        self.weaker = weaker  # those of constraining clauses: a short class's own come before them
        self.holder = holder  # the component whose type it is
        self.whole, self.broken, self.is_protected, self._chain = derived or Derivation(
            self, Broken(), is_protected=False, chain=self._with_own(frozenset())
        )
        self._extended = extended  # what `model extends M` extends
        self._members: dict[str, Member | None] = {}
        self._found_bases: list[Base] = []
        self._bases_state = "unknown"

    def __repr__(self) -> str:
        return f"<Environment {self.full_name}>"

    def _with_own(self, chain: frozenset[Target]) -> frozenset[Target]:
        return chain if self.definition is None else chain | {place_of(self.definition)}

    @property
    def full_name(self) -> str:
        """The full name of the class; one that is defined in a modifier gives that of what it stands for."""
        if self.definition is None:
            return self.predefined
        if isinstance(self.definition, ShortClassDefinition) and self.bases and self.bases[0].environment is not None:
            return self.bases[0].environment.full_name
        return self.classes.files.full_name(self.definition)

    @Remembered
    def body(self) -> Body | None:
        """What the class declares itself."""
        return None if self.definition is None else self.classes.files.body(self.definition)

    def applied(self, modifiers: Modifiers, holder: Member | None) -> Environment:
        """The class as the type of a component."""
        return Environment(
            self.classes,
            self.definition or self.predefined,
            self.around,
            modifiers=(*modifiers, *self.modifiers),
            weaker=self.weaker,
            holder=holder,
            extended=self._extended,
        )

    # ------------------------------------------------------------ bases

    @property
    def bases(self) -> list[Base]:
        """The classes that it extends, in source order; while they are looked up, those found so far."""
        if self._bases_state == "unknown":
            self._bases_state = "looking"
            for base in self._look_for_bases():
                self._found_bases.append(base)
            self._bases_state = "known"
        return self._found_bases

    def _look_for_bases(self) -> Iterator[Base]:
        specifier = self.definition.specifier if self.definition is not None else None
        if isinstance(specifier, ShortClassSpecifier):
            if self.around is not None:
                own = from_arguments(specifier.arguments, self.around)
                found = self.around.find_class(specifier.type.parts, is_global=specifier.type.is_global)
                yield Base(specifier.type, self._as_base(found, (*own, *self.weaker), None, is_protected=False))
        elif isinstance(specifier, LongClassSpecifier):
            redeclared = self._redeclared_here()
            if specifier.extends is not None and self._extended is not None:
                own = from_arguments(specifier.arguments, self)
                yield Base(
                    Name(specifier.identifier.green, specifier, specifier.identifier.index),
                    self._as_base(self._extended(), (*redeclared, *own), None, is_protected=False),
                )
            for part in self.body.parts if self.body is not None else []:
                if isinstance(part, ExtendsClause):
                    found = self.find_class(part.type.parts, is_global=part.type.is_global)
                    own = [*redeclared, *from_arguments(part.arguments, self)]
                    is_protected = part.element is not None and part.element.is_protected
                    yield Base(part.type, self._as_base(found, own, part, is_protected=is_protected))

    def _as_base(
        self,
        found: Environment | None,
        own: Sequence[Modifier[Environment]],
        clause: ExtendsClause | None,
        *,
        is_protected: bool,
    ) -> Environment | None:
        if found is None or len(self._chain) > _DEEPEST:
            return None
        if found.definition is not None and place_of(found.definition) in self._chain:
            return None
        weaker = () if isinstance(self._specifier, ShortClassSpecifier) else self.weaker
        broken = Broken(clause.arguments if clause is not None else None, self.broken)
        return Environment(
            self.classes,
            found.definition or found.predefined,
            found.around,
            modifiers=(*self.modifiers, *weaker, *own, *found.modifiers),
            weaker=found.weaker,
            holder=self.holder,
            derived=Derivation(
                self.whole,
                broken,
                self.is_protected or is_protected,
                found._with_own(self._chain),  # noqa: SLF001
            ),
            extended=found._extended,  # noqa: SLF001  (of its own class)
        )

    @property
    def _specifier(self) -> Any:
        return None if self.definition is None else self.definition.specifier

    def _redeclared_here(self) -> list[Modifier[Environment]]:
        """`redeclare` elements: they reach what is inherited like modifiers of the extends clauses."""
        parts = self.body.parts if self.body is not None else []
        return [
            Modifier((part.name,), part, self, redeclared=part)
            for part in parts
            if not isinstance(part, ExtendsClause) and is_redeclaration(part)
        ]

    def ancestry(self) -> Iterator[Environment]:
        """The class and all that it inherits from, directly or not; each once for each way to it."""
        todo = [self]
        while todo:
            current = todo.pop()
            yield current
            todo += [base.environment for base in reversed(current.bases) if base.environment is not None]

    @Remembered
    def end(self) -> Environment | None:
        """The predefined type or the enumeration that it ends at; None for a class with components."""
        for environment in self.ancestry():
            if environment.predefined or isinstance(environment._specifier, EnumerationClassSpecifier):  # noqa: SLF001
                return environment
        return None

    # ------------------------------------------------------------ members

    def member(self, name: str) -> Member | None:
        """The element of a name, inherited ones too."""
        if name in self._members:
            return self._members[name]
        found = self._member(name)
        if self._bases_state == "known":
            self._members[name] = found
        return found

    def _member(self, name: str) -> Member | None:
        if name in self.broken.names:
            return None
        own = self._own(name)
        if own is not None and not is_redeclaration(own):
            return Member(name, own, self)
        for base in self.bases:
            inherited = base.environment.member(name) if base.environment is not None else None
            if inherited is not None:
                return inherited
        return None if own is None else Member(name, own, self)

    def _own(self, name: str) -> Component | ClassDefinition | None:
        if self.body is None or self.definition is None:
            return None
        found = self.body.components.get(name) or self.body.classes.get(name)
        if found is not None:
            return found
        entry = self.classes.files.files_in(self.definition).get(name)
        return None if entry is None else self.classes.files.top(entry)

    def members(self) -> Iterator[Member]:
        """All elements that are written in bodies, inherited ones where their extends clause stands; each name once."""
        seen: set[str] = set()
        for member in self._all_members():
            if member.name not in seen:
                seen.add(member.name)
                yield member

    def _all_members(self) -> Iterator[Member]:
        if self.definition is None:
            return
        bases = iter(self.bases)
        specifier = self.definition.specifier
        parts = self.body.parts if self.body is not None else []
        is_class_extends = isinstance(specifier, LongClassSpecifier) and specifier.extends is not None
        if isinstance(specifier, ShortClassSpecifier) or (is_class_extends and self._extended is not None):
            yield from self._inherited(next(bases, None))
        for part in parts:
            if isinstance(part, ExtendsClause):
                yield from self._inherited(next(bases, None))
            elif part.name not in self.broken.names:
                # A redeclaration stands where the element that it redeclares is.
                found = self.member(part.name)
                if found is not None and (found.declared == part or not is_redeclaration(part)):
                    yield found

    @staticmethod
    def _inherited(base: Base | None) -> Iterator[Member]:
        if base is not None and base.environment is not None:
            yield from base.environment._all_members()  # noqa: SLF001  (of its own class)

    # ------------------------------------------------------------ names

    def find(self, parts: Sequence[str], *, is_global: bool = False) -> Member | Environment | None:
        """What a dotted name stands for where it is written in the text of this class."""
        found = self.classes.top(parts[0]) if is_global else self._first(parts[0])
        for part in parts[1:]:
            inside = found.environment if isinstance(found, Member) else found
            found = inside.member(part) if inside is not None else None
        return found

    def find_class(self, parts: Sequence[str], *, is_global: bool = False) -> Environment | None:
        """The class that a dotted name stands for."""
        found = self.find(parts, is_global=is_global)
        if isinstance(found, Member):
            return found.environment if found.is_class else None
        return found

    def names_record(self, parts: Sequence[str], *, is_global: bool) -> bool:
        """Does a dotted name stand for a record?"""
        found = self.find_class(parts, is_global=is_global)
        parents = found.ancestry() if found is not None else ()
        return any(part.definition is not None and part.definition.class_kind.endswith("record") for part in parents)

    def _first(self, name: str) -> Member | Environment | None:
        current: Environment | None = self
        while current is not None:
            found = current.member(name) or current._imported(name)  # noqa: SLF001  (of its own class)
            if found is not None:
                return found
            definition = current.definition
            if isinstance(definition, ClassDefinition) and definition.encapsulated is not None:
                return self.classes.predefined(name)
            current = current.around
        return self.classes.top(name)

    def _imported(self, name: str) -> Member | Environment | None:
        for clause in self.body.imports if self.body is not None else []:
            parts = imported_name(clause.green, name)  # type: ignore[arg-type]  # a clause is a node
            # `import P.*` brings no name that leads back to this clause.
            if parts is not None and (clause, name) not in self.classes.importing:
                self.classes.importing.add((clause, name))
                try:
                    found = self.find(parts, is_global=True)
                finally:
                    self.classes.importing.discard((clause, name))
                if found is not None:
                    return found
        return None


class Member:
    """An element of a class in one use: a component or a class, with what reaches it from outside."""

    def __init__(self, name: str, declared: Component | ClassDefinition, owner: Environment) -> None:
        self.name = name
        self.declared = declared  # as it was declared first, before any redeclaration
        self.owner = owner  # the class that declares it; its own names are looked up there
        self._is_looking = False

    def __repr__(self) -> str:
        return f"<Member {self.name} of {self.owner.full_name}>"

    @property
    def is_class(self) -> bool:
        """Is it a class, not a component?"""
        return isinstance(self.declared, ClassDefinition)

    @property
    def element(self) -> Element | None:
        """The element around the first declaration; None for a class with a file of its own."""
        return element_around(self.declared)

    @Remembered
    def _reaching(self) -> list[Modifier[Environment]]:
        found: list[Modifier[Environment]] = []
        for modifier in (*self.owner.modifiers, *self.owner.weaker):
            if modifier.names[:1] == (self.name,):
                # A `redeclare` element is no redeclaration of itself.
                if modifier.view != self.declared:
                    found.append(modifier.with_names(modifier.names[1:]))
            elif not modifier.names and not self.is_class:
                found += member_of_value(modifier, self.name)
        return found

    @Remembered
    def outer_modifiers(self) -> Modifiers:
        """What reaches it from outside of its declaration, the outermost first; redeclarations are not among them."""
        return tuple(found for found in self._reaching if found.names or found.redeclared is None)

    @Remembered
    def redeclarations(self) -> Modifiers:
        """The redeclarations of it, the outermost first: that one counts."""
        return tuple(found for found in self._reaching if not found.names and found.redeclared is not None)

    @property
    def current(self) -> Declared:
        """The declaration that counts."""
        return self._variant(0)[0]

    @property
    def scope(self) -> Environment:
        """What the names in the declaration that counts are looked up in."""
        return self._variant(0)[1]

    def _variant(self, number: int) -> tuple[Declared, Environment]:
        if number < len(self.redeclarations):
            modifier = self.redeclarations[number]
            assert modifier.redeclared is not None
            return modifier.redeclared, modifier.scope
        return self.declared, self.owner

    def _constraints(self, number: int) -> list[Modifier[Environment]]:
        """The modifiers of the constraining clauses from a declaration on.

        What is replaced and has no such clause constrains by its own type and modifiers.
        """
        found: list[Modifier[Environment]] = []
        for index in range(number, len(self.redeclarations) + 1):
            declared, scope = self._variant(index)
            clause = constraint_of(declared)
            if clause is not None:
                found += from_arguments(clause.arguments, scope)
            elif index > number:
                found += _own_modifiers(declared, scope)
        return found

    @Remembered
    def modifiers(self) -> Modifiers:
        """All modifiers of a component, the strongest first: from outside, its own, those of constraining clauses."""
        return (*self.outer_modifiers, *_own_modifiers(self.current, self.scope), *self._constraints(0))

    @Remembered
    def environment(self) -> Environment | None:
        """The class itself, or the class that the component is of; None if it is not found."""
        if self._is_looking:  # `model M = M`
            return None
        self._is_looking = True
        try:
            return self._class(0) if self.is_class else self._type()
        finally:
            self._is_looking = False

    def _class(self, number: int) -> Environment | None:
        definition, around = self._variant(number)
        assert not isinstance(definition, Component | ComponentClause1)
        more = number + 1 <= len(self.redeclarations)
        return Environment(
            self.owner.classes,
            definition,
            around,
            modifiers=self.outer_modifiers,
            weaker=tuple(self._constraints(number)),
            extended=(lambda: self._class(number + 1)) if more else None,
        )

    def _type(self) -> Environment | None:
        name = self.type_name
        found = self.scope.find_class(name.parts, is_global=name.is_global)
        return None if found is None else found.applied(self.modifiers, self)

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
            declared, _ = self._variant(number)
            element = element_around(declared)
            found += element.prefixes if element is not None else ()
            if isinstance(declared, Component):
                found += declared.clause.prefix.words if declared.clause.prefix is not None else ()
            elif isinstance(declared, ComponentClause1):
                found += declared.prefix.words if declared.prefix is not None else ()
        return tuple(dict.fromkeys(found))

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
    """The classes that nothing is around, and the predefined ones."""

    def __init__(self, files: ClassFiles) -> None:
        self.files = files
        self.importing: set[tuple[View, str]] = set()  # the imports that are being followed
        self._tops: dict[str, Environment | None] = {}
        self._predefined = {name: Environment(self, name, None) for name in PREDEFINED}

    def top(self, name: str) -> Environment | None:
        """The top class of a library, or a predefined type."""
        if name not in self._tops:
            library = self.files.libraries.get(name)
            definition = None if library is None else self.files.top(library.root)
            self._tops[name] = None if definition is None else Environment(self, definition, None)
        return self._tops[name] or self.predefined(name)

    def predefined(self, name: str) -> Environment | None:
        """`Real` and the like."""
        return self._predefined.get(name)


def _own_modifiers(declared: Declared, scope: Environment) -> list[Modifier[Environment]]:
    """What is written in the declaration itself."""
    if isinstance(declared, Component):
        return from_modification(declared.modification, scope)
    if isinstance(declared, ComponentClause1):
        return from_modification(declared.declaration.modification, scope)
    specifier = declared.specifier
    return from_arguments(specifier.arguments, scope) if isinstance(specifier, ShortClassSpecifier) else []
