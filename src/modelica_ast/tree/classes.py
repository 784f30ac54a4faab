"""Classes and what a file is made of (chapters 4 and 13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from modelica_ast.syntax import NUMBER, TOKEN_TEXTS, kind_of, tokens
from modelica_ast.tree.base import (
    Equation,
    Field,
    Flag,
    Items,
    MaybeWord,
    Section,
    Specifier,
    Statement,
    Token,
    View,
    Word,
    Written,
)
from modelica_ast.tree.components import Component, Element, ExtendsClause, ImportClause, TypePrefix, Unparsed
from modelica_ast.tree.equations import AlgorithmSection, EquationSection
from modelica_ast.tree.expressions import ExpressionList
from modelica_ast.tree.modifications import Annotation, Arguments, ComponentReference, Description, Name, Subscripts
from modelica_ast.tree.roots import StoredDefinition

_IDENT: Final = NUMBER["IDENT"]


class WithinClause(View):
    """`within A.B;`."""

    __slots__ = ()
    kinds = ("within_clause",)
    name: Field[Name | None] = Field("name", default=None)


class StoredClass(View):
    """A class of a file with its semicolon."""

    __slots__ = ()
    kinds = ("stored_class",)
    final: Flag = Flag("FINAL", default=None)
    definition: Field[ClassDefinition] = Field("class_definition")


class _Definition(View):
    """What class definitions have in common, wherever they are."""

    __slots__ = ()
    prefixes: Field[ClassPrefixes] = Field("class_prefixes")
    specifier: Field[Specifier] = Field("_class_specifier")

    @property
    def name(self) -> str:
        """The name of the class."""
        # PERF: without views; it is asked about every class of a library, by everybody.
        specifier = self.specifier.green
        return next(TOKEN_TEXTS[child] for child in specifier[1:] if type(child) is str and kind_of(child) == _IDENT)

    @property
    def class_kind(self) -> str:
        """`model`, `operator record`, `pure function`, …: the prefixes without `partial`."""
        return " ".join(word for word in tokens(self.prefixes.green) if word != "partial")

    @property
    def is_partial(self) -> bool:
        """Is it declared `partial`?"""
        return tokens(self.prefixes.green)[0] == "partial"

    @property
    def description(self) -> Description | None:
        """The string after the name or at the end of a short class."""
        found = getattr(self.specifier, "description", None)
        return found if isinstance(found, Description) else None


class ShortClassDefinition(_Definition):
    """A class inside a modification: `redeclare model M = N`."""

    __slots__ = ()
    kinds = ("short_class_definition",)


class ClassDefinition(_Definition):
    """A class: its prefixes, and how it is specified."""

    __slots__ = ()
    kinds = ("class_definition",)
    encapsulated: Flag = Flag("ENCAPSULATED", default=None)

    @property
    def full_name(self) -> str:
        """The name with `within` and the classes around it."""
        within = self.root.within if isinstance(self.root, StoredDefinition) else None
        return f"{within}.{self.name_in_file}" if within else self.name_in_file

    @property
    def name_in_file(self) -> str:
        """The name with those of the classes around it, without `within`."""
        names = [self.name, *(view.name for view in self.ancestors if isinstance(view, ClassDefinition))]
        return ".".join(reversed(names))

    @property
    def composition(self) -> Composition | None:
        """The body of a long class; None for short, enumeration and der classes."""
        specifier = self.specifier
        return specifier.composition if isinstance(specifier, LongClassSpecifier) else None

    @property
    def sections(self) -> list[Section]:
        """Sections after the first elements, in source order."""
        return self.composition.sections if self.composition else []

    @property
    def elements(self) -> list[Element]:
        """All elements, public and protected, in source order."""
        composition = self.composition
        if composition is None:
            return []
        found = list(composition.elements)
        for section in composition.sections:
            if isinstance(section, ElementSection | ClassAnnotation):
                found += section.elements
        return [element for element in found if isinstance(element, Element)]

    @property
    def components(self) -> list[Component]:
        """All components; `Real a, b, c;` gives three that know their clause."""
        clauses = [element.component_clause for element in self.elements]
        return [component for clause in clauses if clause for component in clause.declarations]

    @property
    def classes(self) -> list[ClassDefinition]:
        """The classes defined inside."""
        return [found for element in self.elements if (found := element.class_definition)]

    @property
    def extends(self) -> list[ExtendsClause]:
        """The extends clauses."""
        return [found for element in self.elements if (found := element.extends_clause)]

    @property
    def imports(self) -> list[ImportClause]:
        """The import clauses."""
        return [found for element in self.elements if (found := element.import_clause)]

    @property
    def equations(self) -> list[Equation]:
        """The equations of all sections that are not initial."""
        return [
            equation for section in self._sections(EquationSection, initial=False) for equation in section.equations
        ]

    @property
    def initial_equations(self) -> list[Equation]:
        """The equations of all initial sections."""
        return [equation for section in self._sections(EquationSection, initial=True) for equation in section.equations]

    @property
    def statements(self) -> list[Statement]:
        """The statements of all algorithm sections that are not initial."""
        return [found for section in self._sections(AlgorithmSection, initial=False) for found in section.statements]

    @property
    def initial_statements(self) -> list[Statement]:
        """The statements of all initial algorithm sections."""
        return [found for section in self._sections(AlgorithmSection, initial=True) for found in section.statements]

    def _sections(self, kind: type[Any], *, initial: bool) -> Iterator[Any]:
        for section in self.sections:
            if isinstance(section, kind) and (section.initial is not None) is initial:
                yield section

    @property
    def external(self) -> ExternalClause | None:
        """The external clause of a function."""
        return next((section for section in self.sections if isinstance(section, ExternalClause)), None)

    @property
    def annotation(self) -> Annotation | None:
        """The annotation of the class itself."""
        specifier = self.specifier
        if isinstance(specifier, LongClassSpecifier):
            found = [s.annotation for s in self.sections if isinstance(s, ClassAnnotation)]
            return found[-1] if found else None
        short = getattr(specifier, "annotation", None)
        return short if isinstance(short, Annotation) else None

    def get_class(self, name: str) -> ClassDefinition | None:
        """The class of this name defined inside, or None."""
        return next((found for found in self.classes if found.name == name), None)

    def get_component(self, name: str) -> Component | None:
        """The component of this name declared inside, or None."""
        return next((found for found in self.components if found.name == name), None)


class ClassPrefixes(View):
    """`partial model`, `operator record`, …."""

    __slots__ = ()
    kinds = ("class_prefixes",)
    text: Written = Written()

    @property
    def words(self) -> tuple[str, ...]:
        """The keywords in source order."""
        return tuple(tokens(self.green))


class LongClassSpecifier(Specifier):
    """`Name "description" … end Name`, or `extends Name(…) … end Name`."""

    __slots__ = ()
    kinds = ("long_class_specifier",)
    extends: Flag = Flag("EXTENDS", default=None)
    arguments: Field[Arguments | None] = Field("class_modification", default=None)
    description: Field[Description | None] = Field("description_string", default=None)
    composition: Field[Composition] = Field("composition")
    end_identifier: Word = Word("IDENT", 1)


class ShortClassSpecifier(Specifier):
    """`Name = Base(x=1) "description"`."""

    __slots__ = ()
    kinds = ("short_class_specifier",)
    prefix: Field[TypePrefix | None] = Field("base_prefix", default=None)
    type: Field[Name] = Field("type_specifier")
    subscripts: Field[Subscripts | None] = Field("array_subscripts", default=None)
    arguments: Field[Arguments | None] = Field("class_modification", default=None)
    description: Field[Description | None] = Field("description_string", default=None)
    annotation: Field[Annotation | None] = Field("annotation_clause", default=None)


class EnumerationClassSpecifier(Specifier):
    """`Name = enumeration(a, b)`, or `Name = enumeration(:)`."""

    __slots__ = ()
    kinds = ("enumeration_class_specifier",)
    enum_list: Field[EnumList | None] = Field("enum_list", default=None)
    colon: Flag = Flag("COLON", default=None)
    description: Field[Description | None] = Field("description_string", default=None)
    annotation: Field[Annotation | None] = Field("annotation_clause", default=None)

    @property
    def literals(self) -> list[EnumerationLiteral]:
        """The literals in their order; empty for `enumeration(:)`."""
        return self.enum_list.items if self.enum_list else []


class EnumList(View):
    """The literals of an enumeration."""

    __slots__ = ()
    kinds = ("enum_list",)
    items: Items[EnumerationLiteral] = Items("enumeration_literal", default=())


class EnumerationLiteral(View):
    """One literal of an enumeration."""

    __slots__ = ()
    kinds = ("enumeration_literal",)
    identifier: Word = Word("IDENT")
    description: Field[Description | None] = Field("description_string", default=None)
    annotation: Field[Annotation | None] = Field("annotation_clause", default=None)

    @property
    def name(self) -> str:
        """The literal's name."""
        return self.identifier.text


class DerClassSpecifier(Specifier):
    """`Name = der(f, x, y)`: the partial derivative of a function."""

    __slots__ = ()
    kinds = ("der_class_specifier",)
    function: Field[Name] = Field("type_specifier")
    description: Field[Description | None] = Field("description_string", default=None)
    annotation: Field[Annotation | None] = Field("annotation_clause", default=None)

    @property
    def variables(self) -> tuple[str, ...]:
        """The inputs that the function is differentiated by."""
        found = [child.text for child in self.children if child.kind == "IDENT" and isinstance(child, Token)]
        return tuple(found[1:])


class Composition(View):
    """The body of a class: first elements, then sections."""

    __slots__ = ()
    kinds = ("composition",)
    elements: Items[Element | Unparsed] = Items("_element", default=())
    sections: Items[Section] = Items("_section", default=())


class ElementSection(Section):
    """Elements after `public` or `protected`."""

    __slots__ = ()
    elements: Items[Element | Unparsed] = Items("_element", default=())


class PublicSection(ElementSection):
    """`public` and its elements."""

    __slots__ = ()
    kinds = ("public_section",)


class ProtectedSection(ElementSection):
    """`protected` and its elements."""

    __slots__ = ()
    kinds = ("protected_section",)


class ClassAnnotation(Section):
    """The annotation of a class with its semicolon; what old files put after it belongs to it."""

    __slots__ = ()
    kinds = ("class_annotation",)
    annotation: Field[Annotation] = Field("annotation_clause")
    equations: Items[Equation] = Items("_equation", default=())
    statements: Items[Statement] = Items("_statement", default=())
    elements: Items[Element | Unparsed] = Items("_element", default=())


class ExternalClause(Section):
    """`external "C" y = f(x) annotation(…);`."""

    __slots__ = ()
    kinds = ("external_clause",)
    language: MaybeWord = MaybeWord("STRING", default=None)
    call: Field[ExternalFunctionCall | None] = Field("external_function_call", default=None)
    annotation: Field[Annotation | None] = Field("annotation_clause", default=None)


class ExternalFunctionCall(View):
    """`y = f(x)` of an external clause."""

    __slots__ = ()
    kinds = ("external_function_call",)
    result: Field[ComponentReference | None] = Field("component_reference", default=None)
    identifier: Word = Word("IDENT")
    arguments: Field[ExpressionList | None] = Field("expression_list", default=None)

    @property
    def name(self) -> str:
        """The external function's name."""
        return self.identifier.text
