"""Classes with the modifiers that reach them: which elements they have, and what names stand for inside.

An `Environment` is a class in one use: its definition, the modifiers from outside (the outermost first), and what is
around its text. `inheritance.py` has what it inherits, `member_declarations.py` what becomes of its elements.

Nothing is done before somebody asks, and what was found is kept: an environment belongs to one look at the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modelica_ast.edit.clauses import brings_all_names, imported_name
from modelica_ast.library.class_bodies import ClassFiles
from modelica_ast.library.inheritance import Base, Inheriting
from modelica_ast.library.member_declarations import Declarations
from modelica_ast.library.predefined import PREDEFINED
from modelica_ast.library.redeclaring import is_redeclaration
from modelica_ast.library.remembered import Remembered
from modelica_ast.views.base import View
from modelica_ast.views.classes import ClassDefinition, LongClassSpecifier, ShortClassSpecifier
from modelica_ast.views.components import Component, ComponentClause1, ExtendsClause


class Environment(Inheriting):
    """A class in one use; a predefined type is given by its name."""

    classes: Classes
    holder: Member | None  # the component whose type it is

    @Remembered
    def _members(self) -> dict[str, Member | None]:
        """Those that were found, or found missing."""
        return {}

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
    def _inherited(base: Base[Environment] | None) -> Iterator[Member]:
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
        clauses = self.body.imports if self.body is not None else []
        for clause in sorted(clauses, key=lambda each: brings_all_names(each.green)):  # type: ignore[arg-type]  # nodes
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


class Member(Declarations[Environment]):
    """An element of a class in one use: a component or a class, with what reaches it from outside."""

    def __init__(self, name: str, declared: Component | ClassDefinition, owner: Environment) -> None:
        super().__init__(name, declared, owner)
        self._is_looking = False

    def __repr__(self) -> str:
        return f"<Member {self.name} of {self.owner.full_name}>"

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
        definition, around = self.variant(number)
        assert not isinstance(definition, Component | ComponentClause1)
        more = number + 1 <= len(self.redeclarations)
        return Environment(
            self.owner.classes,
            definition,
            around,
            modifiers=self.outer_modifiers,
            weaker=tuple(self.constraints(number)),
            extended=(lambda: self._class(number + 1)) if more else None,
        )

    def _type(self) -> Environment | None:
        name = self.type_name
        found = self.scope.find_class(name.parts, is_global=name.is_global)
        return None if found is None else found.applied(self.modifiers, self)

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
