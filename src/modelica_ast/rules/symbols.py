"""What names stand for in a check: classes and components as they are written, and how far that is known.

A check must not guess. So looking for a name has four ends: it is found; it is surely not there (`MISSING`); it would
be the top of something that is not open (`NOT_OPEN`); or too little is known to say (`UNKNOWN`), because a base class
is not found, a file does not parse, or what is replaceable may be replaced by something that has more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final

from modelica_ast.semantics.predefined import PREDEFINED, PREDEFINED_LITERALS
from modelica_ast.semantics.remembered import Remembered
from modelica_ast.views.classes import (
    ClassDefinition,
    DerClassSpecifier,
    EnumerationClassSpecifier,
    LongClassSpecifier,
    ShortClassDefinition,
    ShortClassSpecifier,
)
from modelica_ast.views.components import Component, Element, ExtendsClause, ImportClause, Unparsed
from modelica_ast.views.names import Name

Definition = ClassDefinition | ShortClassDefinition


class Absence(Enum):
    """Why a name has no meaning."""

    MISSING = "missing"
    NOT_OPEN = "not open"
    UNKNOWN = "unknown"


MISSING: Final = Absence.MISSING
NOT_OPEN: Final = Absence.NOT_OPEN
UNKNOWN: Final = Absence.UNKNOWN


class BuiltinType:
    """`Real` and the other types that Modelica brings along."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.attributes = PREDEFINED[name]
        self.literals = PREDEFINED_LITERALS.get(name, ())


class BuiltinName:
    """`time`, a function that Modelica brings along, a literal of an enumeration: it has no members."""

    def __init__(self, name: str) -> None:
        self.name = name


class ComponentSymbol:
    """A component where it is declared."""

    def __init__(self, view: Component, owner: ClassSymbol, element: Element) -> None:
        self.view = view
        self.owner = owner
        self.element = element
        self.name = view.name

    @Remembered
    def prefixes(self) -> tuple[str, ...]:
        """All prefixes: of the element, then of the type."""
        return self.view.prefixes

    @property
    def is_replaceable(self) -> bool:
        """May its type be replaced from outside?"""
        return "replaceable" in self.element.prefixes


class ClassSymbol:
    """A class where it is defined. What it declares is looked at when somebody asks."""

    def __init__(
        self,
        view: Definition,
        around: ClassSymbol | Absence | None,
        files: Mapping[str, ClassSymbol | Absence] | None = None,
    ) -> None:
        self.view = view
        self.around = around  # None at the top; UNKNOWN where a `within` leads to nothing that is open
        # The classes of a package that have files of their own; UNKNOWN for one that can't be read.
        self.files: Mapping[str, ClassSymbol | Absence] = files or {}
        self.name = view.name
        self.kind = view.class_kind.split()[-1]  # `record` for an operator record too
        # For `Inheritance`: what was found so far.
        self.bases: list[ClassSymbol | BuiltinType | Absence] | None = None
        self.ancestry: Ancestry | None = None
        self.is_looking_for_bases = False
        # For `cycles`: one of the classes that inherit from each other with this one; None without a cycle.
        self.cycle: ClassSymbol | None = None
        self.is_cycle_known = False

    def __repr__(self) -> str:
        return f"<ClassSymbol {self.full_name}>"

    @property
    def full_name(self) -> str:
        """The name with all classes around it that are known."""
        names = [self.name]
        around = self.around
        while isinstance(around, ClassSymbol):
            names.append(around.name)
            around = around.around
        return ".".join(reversed(names))

    @property
    def element(self) -> Element | None:
        """The element that it stands in; None at the top of a file and in modifiers."""
        return self.view.parent if isinstance(self.view.parent, Element) else None

    @Remembered
    def is_replaceable(self) -> bool:
        """May it be replaced from outside?"""
        return self.element is not None and "replaceable" in self.element.prefixes

    @Remembered
    def is_expandable(self) -> bool:
        """Is it a connector that gets members from its connections?"""
        return "expandable" in self.view.class_kind

    @property
    def is_encapsulated(self) -> bool:
        """Does no name inside lead to the classes around it?"""
        return isinstance(self.view, ClassDefinition) and self.view.encapsulated is not None

    @property
    def is_class_extends(self) -> bool:
        """Is it `model extends M`?"""
        specifier = self.view.specifier
        return isinstance(specifier, LongClassSpecifier) and specifier.extends is not None

    @Remembered
    def elements(self) -> list[Element]:
        """All elements of the body, in source order."""
        return self.view.elements if isinstance(self.view, ClassDefinition) else []

    @Remembered
    def is_broken(self) -> bool:
        """Is there something in its body that does not parse?"""
        composition = self.view.composition if isinstance(self.view, ClassDefinition) else None
        if composition is None:
            return False
        groups: Iterable[object] = [composition, *composition.sections]
        return any(isinstance(item, Unparsed) for group in groups for item in getattr(group, "elements", ()))

    @Remembered
    def components(self) -> list[ComponentSymbol]:
        """All components of the body, in source order."""
        found = []
        for element in self.elements:
            clause = element.component_clause
            if clause is not None:
                found += [ComponentSymbol(view, self, element) for view in clause.declarations]
        return found

    @Remembered
    def classes(self) -> list[ClassSymbol]:
        """All classes of the body, in source order."""
        return [ClassSymbol(view, self) for element in self.elements if (view := element.class_definition) is not None]

    @property
    def declared(self) -> list[ClassSymbol | ComponentSymbol]:
        """All components, then all classes of the body."""
        return [*self.components, *self.classes]

    @Remembered
    def imports(self) -> list[ImportClause]:
        """All import clauses of the body."""
        return [clause for element in self.elements if (clause := element.import_clause) is not None]

    @Remembered
    def extends(self) -> list[ExtendsClause]:
        """All extends clauses of the body."""
        return [clause for element in self.elements if (clause := element.extends_clause) is not None]

    @Remembered
    def own(self) -> dict[str, Symbol]:
        """What it declares itself, by name; the first of two."""
        found: dict[str, Symbol] = {}
        for symbol in self.declared:
            found.setdefault(symbol.name, symbol)
        specifier = self.view.specifier
        if isinstance(specifier, EnumerationClassSpecifier):
            for literal in specifier.literals:
                found.setdefault(literal.name, BuiltinName(literal.name))
        return found

    def own_member(self, name: str) -> Symbol | Absence | None:
        """What it declares itself under a name, in its own file or in others; None if nothing."""
        return self.own.get(name) or self.files.get(name)

    @property
    def base_names(self) -> list[Name]:
        """The classes that it extends or is short for, as they are written."""
        specifier = self.view.specifier
        if isinstance(specifier, ShortClassSpecifier):
            return [specifier.type]
        if isinstance(specifier, DerClassSpecifier):
            return [specifier.function]
        return [clause.type for clause in self.extends]


Symbol = ClassSymbol | ComponentSymbol | BuiltinType | BuiltinName


class Ancestry:
    """A class and all that it inherits from, directly or not, each once, the nearest first."""

    def __init__(self) -> None:
        self.classes: list[ClassSymbol] = []
        self.builtin: BuiltinType | None = None
        self.is_complete = True  # every base class is found, and no file of theirs is broken
        self.is_certain = True  # none of them can be replaced by one that has more
        self.members: dict[str, Symbol | Absence] = {}  # what was looked for so far
