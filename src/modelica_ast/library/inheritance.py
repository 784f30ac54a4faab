"""Classes in one use, with the classes that they inherit from and the modifiers that reach each of them.

A class that extends others has one more use for each of them, with the modifiers of the extends clause behind its
own. So a name in the text of a base class is looked up in the use of that base, and still sees what a derived class
has redeclared.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeVar

from modelica_ast.edit.scopes import Target
from modelica_ast.library.class_bodies import Body, ClassFiles, Definition, place_of
from modelica_ast.library.instance_modifiers import Broken, Modifier, from_arguments
from modelica_ast.library.redeclaring import is_redeclaration
from modelica_ast.library.remembered import Remembered
from modelica_ast.views.classes import (
    EnumerationClassSpecifier,
    LongClassSpecifier,
    ShortClassDefinition,
    ShortClassSpecifier,
)
from modelica_ast.views.components import ExtendsClause
from modelica_ast.views.names import Name

_DEEPEST: Final = 100  # classes that inherit from each other; what is above them is not found
_MOST_BASES: Final = 1000  # of one class, each counted for each way to it; ways may double with every step

E = TypeVar("E")


class KnowsFiles(Protocol):
    """Where the definitions of classes come from."""

    @property
    def files(self) -> ClassFiles:
        """The files of some libraries."""


class Base(NamedTuple, Generic[E]):
    """A class that another one extends, or is short for; None if it is not found."""

    type: Name
    environment: E | None


class Derivation(NamedTuple, Generic[E]):
    """How a class is inherited by another one."""

    whole: E  # the class that has all of it in the end
    broken: Broken
    is_protected: bool  # by an extends clause in a protected section
    chain: frozenset[Target]  # the classes on the way, and itself: none inherits from itself


class Inheriting(ABC):
    """A class in one use; a predefined type is given by its name."""

    def __init__(
        self,
        classes: KnowsFiles,
        definition: Definition | str,
        around: Self | None,
        *,
        modifiers: tuple[Modifier[Self], ...] = (),
        weaker: tuple[Modifier[Self], ...] = (),
        holder: Any = None,
        derived: Derivation[Self] | None = None,
        extended: Callable[[], Self | None] | None = None,
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
        self.count_of_bases = 0  # of the whole class, so far
        self._found_bases: list[Base[Self]] = []
        self._bases_state = "unknown"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.full_name}>"

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

    def applied(self, modifiers: tuple[Modifier[Self], ...], holder: Any) -> Self:
        """The class as the type of a component."""
        return type(self)(
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
    def bases(self) -> list[Base[Self]]:
        """The classes that it extends, in source order; while they are looked up, those found so far."""
        if self._bases_state == "unknown":
            self._bases_state = "looking"
            for base in self._look_for_bases():
                self._found_bases.append(base)
            self._bases_state = "known"
        return self._found_bases

    def _look_for_bases(self) -> Iterator[Base[Self]]:
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
        found: Self | None,
        own: Sequence[Modifier[Self]],
        clause: ExtendsClause | None,
        *,
        is_protected: bool,
    ) -> Self | None:
        self.whole.count_of_bases += 1
        if found is None or len(self._chain) > _DEEPEST or self.whole.count_of_bases > _MOST_BASES:
            return None
        if found.definition is not None and place_of(found.definition) in self._chain:
            return None
        weaker = () if isinstance(self._specifier, ShortClassSpecifier) else self.weaker
        broken = Broken(clause.arguments if clause is not None else None, self.broken)
        return type(self)(
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

    def _redeclared_here(self) -> list[Modifier[Self]]:
        """`redeclare` elements: they reach what is inherited like modifiers of the extends clauses."""
        parts = self.body.parts if self.body is not None else []
        return [
            Modifier((part.name,), part, self, redeclared=part)
            for part in parts
            if not isinstance(part, ExtendsClause) and is_redeclaration(part)
        ]

    def ancestry(self) -> Iterator[Self]:
        """The class and all that it inherits from, directly or not; each once for each way to it."""
        todo = [self]
        while todo:
            current = todo.pop()
            yield current
            todo += [base.environment for base in reversed(current.bases) if base.environment is not None]

    @Remembered
    def end(self) -> Self | None:
        """The predefined type or the enumeration that it ends at; None for a class with components."""
        for environment in self.ancestry():
            if environment.predefined or isinstance(environment._specifier, EnumerationClassSpecifier):  # noqa: SLF001
                return environment
        return None

    @abstractmethod
    def find_class(self, parts: Sequence[str], *, is_global: bool = False) -> Self | None:
        """The class that a dotted name stands for where it is written in the text of this class."""
