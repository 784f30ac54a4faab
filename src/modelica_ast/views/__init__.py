"""One class for each meaning in the language; the files follow the chapters of the specification.

They are imported when the first of them is asked for or made: parsing needs none but the root's, and a script that
only parses should start fast.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from modelica_ast.green import Green

if TYPE_CHECKING:
    from modelica_ast.views.base import (
        Argument,
        Equation,
        Expression,
        Root,
        Section,
        Specifier,
        Statement,
        Token,
        View,
    )
    from modelica_ast.views.classes import (
        ClassAnnotation,
        ClassDefinition,
        ClassPrefixes,
        Composition,
        DerClassSpecifier,
        ElementSection,
        EnumerationClassSpecifier,
        EnumerationLiteral,
        EnumList,
        ExternalClause,
        ExternalFunctionCall,
        LongClassSpecifier,
        ProtectedSection,
        PublicSection,
        ShortClassDefinition,
        ShortClassSpecifier,
        StoredClass,
        WithinClause,
    )
    from modelica_ast.views.components import (
        Component,
        ComponentClause,
        ComponentClause1,
        ComponentDeclaration1,
        ConditionAttribute,
        ConstrainingClause,
        Element,
        ExtendsClause,
        ImportAlias,
        ImportClause,
        ImportList,
        TypePrefix,
        Unparsed,
    )
    from modelica_ast.views.equations import (
        AlgorithmSection,
        Assignment,
        BreakStatement,
        CallEquation,
        CallStatement,
        ConnectEquation,
        DerAssignment,
        ElseEquation,
        ElseifEquation,
        ElseifStatement,
        ElseStatement,
        ElsewhenEquation,
        ElsewhenStatement,
        EquationSection,
        ForEquation,
        ForStatement,
        IfEquation,
        IfStatement,
        MultipleAssignment,
        ReturnStatement,
        SimpleEquation,
        WhenEquation,
        WhenStatement,
        WhileStatement,
    )
    from modelica_ast.views.expressions import (
        Array,
        ArrayComprehension,
        Binary,
        BooleanLiteral,
        Call,
        CallArguments,
        CallMember,
        ElseifExpression,
        EndIndex,
        ExpressionList,
        ForIndex,
        ForIndices,
        IfExpression,
        Matrix,
        NamedArgument,
        NumberLiteral,
        OutputExpressions,
        Parenthesized,
        PartialApplication,
        Range,
        ReductionArguments,
        StringLiteral,
        Unary,
    )
    from modelica_ast.views.files import Fragment, StoredDefinition
    from modelica_ast.views.modifications import (
        Annotation,
        Arguments,
        Description,
        ElementModification,
        ElementRedeclaration,
        ElementReplaceable,
        InheritanceModification,
        Modification,
    )
    from modelica_ast.views.names import ComponentReference, Name, Subscripts

__all__ = [
    "AlgorithmSection",
    "Annotation",
    "Argument",
    "Arguments",
    "Array",
    "ArrayComprehension",
    "Assignment",
    "Binary",
    "BooleanLiteral",
    "BreakStatement",
    "Call",
    "CallArguments",
    "CallEquation",
    "CallMember",
    "CallStatement",
    "ClassAnnotation",
    "ClassDefinition",
    "ClassPrefixes",
    "Component",
    "ComponentClause",
    "ComponentClause1",
    "ComponentDeclaration1",
    "ComponentReference",
    "Composition",
    "ConditionAttribute",
    "ConnectEquation",
    "ConstrainingClause",
    "DerAssignment",
    "DerClassSpecifier",
    "Description",
    "Element",
    "ElementModification",
    "ElementRedeclaration",
    "ElementReplaceable",
    "ElementSection",
    "ElseEquation",
    "ElseStatement",
    "ElseifEquation",
    "ElseifExpression",
    "ElseifStatement",
    "ElsewhenEquation",
    "ElsewhenStatement",
    "EndIndex",
    "EnumList",
    "EnumerationClassSpecifier",
    "EnumerationLiteral",
    "Equation",
    "EquationSection",
    "Expression",
    "ExpressionList",
    "ExtendsClause",
    "ExternalClause",
    "ExternalFunctionCall",
    "ForEquation",
    "ForIndex",
    "ForIndices",
    "ForStatement",
    "Fragment",
    "IfEquation",
    "IfExpression",
    "IfStatement",
    "ImportAlias",
    "ImportClause",
    "ImportList",
    "InheritanceModification",
    "LongClassSpecifier",
    "Matrix",
    "Modification",
    "MultipleAssignment",
    "Name",
    "NamedArgument",
    "NumberLiteral",
    "OutputExpressions",
    "Parenthesized",
    "PartialApplication",
    "ProtectedSection",
    "PublicSection",
    "Range",
    "ReductionArguments",
    "ReturnStatement",
    "Root",
    "Section",
    "ShortClassDefinition",
    "ShortClassSpecifier",
    "SimpleEquation",
    "Specifier",
    "Statement",
    "StoredClass",
    "StoredDefinition",
    "StringLiteral",
    "Subscripts",
    "Token",
    "TypePrefix",
    "Unary",
    "Unparsed",
    "View",
    "WhenEquation",
    "WhenStatement",
    "WhileStatement",
    "WithinClause",
]


@cache
def import_all() -> None:
    """Import every view, so that each of them is known by its kind and is a name of this module."""
    from modelica_ast.views import (  # noqa: PLC0415  (start-up time: see above)
        base,
        classes,
        components,
        equations,
        expressions,
        files,
        modifications,
        names,
    )

    for module in (base, names, expressions, modifications, equations, components, files, classes):
        globals().update({name: value for name, value in vars(module).items() if name in __all__})


class _Making(Protocol):
    """What makes views from fields."""

    def made(self, cls: type["View"], fields: Mapping[str, object]) -> Green:
        """The green tree of a new view."""

    def changed(self, view: "View", fields: Mapping[str, object]) -> Green:
        """The green tree of a view with some fields changed."""


def maker() -> _Making:
    """The module that makes views from fields; few programs need it."""
    from modelica_ast.views import making as found  # noqa: PLC0415  (start-up time: see above)

    import_all()
    return found


if not TYPE_CHECKING:  # or else no misspelled name would be found

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import_all()
        return globals()[name]

    def __dir__() -> list[str]:
        return [*globals(), *__all__]
