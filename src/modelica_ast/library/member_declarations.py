"""An element of a class with all redeclarations and modifiers that reach it: which of them count."""

from __future__ import annotations

from typing import Generic, Protocol, Self, TypeVar

from modelica_ast.library.instance_modifiers import Modifier, from_arguments, from_modification
from modelica_ast.library.record_values import KnowsRecords, member_of_value
from modelica_ast.library.redeclaring import Declared, constraint_of, element_around
from modelica_ast.library.remembered import Remembered
from modelica_ast.views.classes import ClassDefinition, ShortClassSpecifier
from modelica_ast.views.components import Component, ComponentClause1, Element
from modelica_ast.views.names import Name


class HasModifiers(KnowsRecords, Protocol):
    """A class in one use."""

    @property
    def modifiers(self) -> tuple[Modifier[Self], ...]:
        """Those from outside, the outermost first."""

    @property
    def weaker(self) -> tuple[Modifier[Self], ...]:
        """Those of constraining clauses."""


S = TypeVar("S", bound=HasModifiers)


class Declarations(Generic[S]):
    """A component or a class as it was declared first, and as it is in one use of the class that declares it."""

    def __init__(self, name: str, declared: Component | ClassDefinition, owner: S) -> None:
        self.name = name
        self.declared = declared  # as it was declared first, before any redeclaration
        self.owner = owner  # the class that declares it; its own names are looked up there

    @property
    def is_class(self) -> bool:
        """Is it a class, not a component?"""
        return isinstance(self.declared, ClassDefinition)

    @property
    def element(self) -> Element | None:
        """The element around the first declaration; None for a class with a file of its own."""
        return element_around(self.declared)

    @Remembered
    def _reaching(self) -> list[Modifier[S]]:
        found: list[Modifier[S]] = []
        for modifier in (*self.owner.modifiers, *self.owner.weaker):
            if modifier.names[:1] == (self.name,):
                # A `redeclare` element is no redeclaration of itself.
                if modifier.view != self.declared:
                    found.append(modifier.with_names(modifier.names[1:]))
            elif not modifier.names and not self.is_class:
                found += member_of_value(modifier, self.name)
        return found

    @Remembered
    def outer_modifiers(self) -> tuple[Modifier[S], ...]:
        """What reaches it from outside of its declaration, the outermost first; redeclarations are not among them."""
        return tuple(found for found in self._reaching if found.names or found.redeclared is None)

    @Remembered
    def redeclarations(self) -> tuple[Modifier[S], ...]:
        """The redeclarations of it, the outermost first: that one counts."""
        return tuple(found for found in self._reaching if not found.names and found.redeclared is not None)

    @property
    def current(self) -> Declared:
        """The declaration that counts."""
        return self.variant(0)[0]

    @property
    def scope(self) -> S:
        """What the names in the declaration that counts are looked up in."""
        return self.variant(0)[1]

    def variant(self, number: int) -> tuple[Declared, S]:
        """A declaration and what its names are looked up in: the redeclarations, the outermost first, then its own."""
        if number < len(self.redeclarations):
            modifier = self.redeclarations[number]
            assert modifier.redeclared is not None
            return modifier.redeclared, modifier.scope
        return self.declared, self.owner

    def constraints(self, number: int) -> list[Modifier[S]]:
        """The modifiers of the constraining clauses from a declaration on.

        What is replaced and has no such clause constrains by its own type and modifiers.
        """
        found: list[Modifier[S]] = []
        for index in range(number, len(self.redeclarations) + 1):
            declared, scope = self.variant(index)
            clause = constraint_of(declared)
            if clause is not None:
                found += from_arguments(clause.arguments, scope)
            elif index > number:
                found += _own_modifiers(declared, scope)
        return found

    @Remembered
    def modifiers(self) -> tuple[Modifier[S], ...]:
        """All modifiers of a component, the strongest first: from outside, its own, those of constraining clauses."""
        return (*self.outer_modifiers, *_own_modifiers(self.current, self.scope), *self.constraints(0))

    @property
    def type_name(self) -> Name:
        """The type of a component as it is written."""
        declared = self.current
        assert isinstance(declared, Component | ComponentClause1)
        return declared.type

    @property
    def binding(self) -> Modifier[S] | None:
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


def _own_modifiers(declared: Declared, scope: S) -> list[Modifier[S]]:
    """What is written in the declaration itself."""
    if isinstance(declared, Component):
        return from_modification(declared.modification, scope)
    if isinstance(declared, ComponentClause1):
        return from_modification(declared.declaration.modification, scope)
    specifier = declared.specifier
    return from_arguments(specifier.arguments, scope) if isinstance(specifier, ShortClassSpecifier) else []
