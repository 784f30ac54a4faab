"""Typed views of green trees: one class for each meaning in the language, by the chapters of the specification.

Start with `base`: a view is three words, the green subtree, the view around it and its place in there. A view class
is a list of fields, found by grammar position, so its children in source order are its text and there is one
renderer. A lone token can be all there is of a rule: in `x = a` the leaf `a` is a `component_reference`; which rule
it is follows from its place.

`roots` has the ways from text to a tree: a parse makes the root's view and no other, and the others are imported when
somebody looks, for a script that only parses should start fast. `construction` makes new nodes from the fields of a
view: the grammar chooses the production, or refuses. `traverse` walks, finds and prints, `literals` turns values to
Python and back, `neighbours` knows how what is beside new text is written. Absent on purpose: a `render` per
class.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.tree.base import (
        LEAF_PLACES as LEAF_PLACES,
        NODE_CLASSES as NODE_CLASSES,
        Argument as Argument,
        Equation as Equation,
        Expression as Expression,
        Root as Root,
        Section as Section,
        Specifier as Specifier,
        Statement as Statement,
        Token as Token,
        View as View,
        child_view as child_view,
    )
    from modelica_ast.tree.classes import (
        ClassAnnotation as ClassAnnotation,
        ClassDefinition as ClassDefinition,
        ClassPrefixes as ClassPrefixes,
        Composition as Composition,
        DerClassSpecifier as DerClassSpecifier,
        ElementSection as ElementSection,
        EnumerationClassSpecifier as EnumerationClassSpecifier,
        EnumerationLiteral as EnumerationLiteral,
        EnumList as EnumList,
        ExternalClause as ExternalClause,
        ExternalFunctionCall as ExternalFunctionCall,
        LongClassSpecifier as LongClassSpecifier,
        ProtectedSection as ProtectedSection,
        PublicSection as PublicSection,
        ShortClassDefinition as ShortClassDefinition,
        ShortClassSpecifier as ShortClassSpecifier,
        StoredClass as StoredClass,
        WithinClause as WithinClause,
    )
    from modelica_ast.tree.components import (
        Component as Component,
        ComponentClause as ComponentClause,
        ComponentClause1 as ComponentClause1,
        ComponentDeclaration1 as ComponentDeclaration1,
        ConditionAttribute as ConditionAttribute,
        ConstrainingClause as ConstrainingClause,
        Element as Element,
        ExtendsClause as ExtendsClause,
        ImportAlias as ImportAlias,
        ImportClause as ImportClause,
        ImportList as ImportList,
        TypePrefix as TypePrefix,
        Unparsed as Unparsed,
    )
    from modelica_ast.tree.construction import (
        as_kind as as_kind,
        gap as gap,
        indentation_of as indentation_of,
        line_start_before as line_start_before,
        line_start_of as line_start_of,
        owned_line as owned_line,
        relaid as relaid,
        relined as relined,
        relined_blanks as relined_blanks,
    )
    from modelica_ast.tree.equations import (
        AlgorithmSection as AlgorithmSection,
        Assignment as Assignment,
        BreakStatement as BreakStatement,
        CallEquation as CallEquation,
        CallStatement as CallStatement,
        ConnectEquation as ConnectEquation,
        DerAssignment as DerAssignment,
        ElseEquation as ElseEquation,
        ElseifEquation as ElseifEquation,
        ElseifStatement as ElseifStatement,
        ElseStatement as ElseStatement,
        ElsewhenEquation as ElsewhenEquation,
        ElsewhenStatement as ElsewhenStatement,
        EquationSection as EquationSection,
        ForEquation as ForEquation,
        ForStatement as ForStatement,
        IfEquation as IfEquation,
        IfStatement as IfStatement,
        MultipleAssignment as MultipleAssignment,
        ReturnStatement as ReturnStatement,
        SimpleEquation as SimpleEquation,
        WhenEquation as WhenEquation,
        WhenStatement as WhenStatement,
        WhileStatement as WhileStatement,
    )
    from modelica_ast.tree.expressions import (
        Array as Array,
        ArrayComprehension as ArrayComprehension,
        Binary as Binary,
        BooleanLiteral as BooleanLiteral,
        Call as Call,
        CallArguments as CallArguments,
        CallMember as CallMember,
        ElseifExpression as ElseifExpression,
        EndIndex as EndIndex,
        ExpressionList as ExpressionList,
        ForIndex as ForIndex,
        ForIndices as ForIndices,
        IfExpression as IfExpression,
        Matrix as Matrix,
        NamedArgument as NamedArgument,
        NumberLiteral as NumberLiteral,
        OutputExpressions as OutputExpressions,
        Parenthesized as Parenthesized,
        PartialApplication as PartialApplication,
        Range as Range,
        ReductionArguments as ReductionArguments,
        StringLiteral as StringLiteral,
        Unary as Unary,
    )
    from modelica_ast.tree.literals import (
        Constructor as Constructor,
        LiteralError as LiteralError,
        Real as Real,
        Reference as Reference,
        evaluate as evaluate,
        literal as literal,
        no_literal_for as no_literal_for,
    )
    from modelica_ast.tree.modifications import (
        Annotation as Annotation,
        Arguments as Arguments,
        ComponentReference as ComponentReference,
        Description as Description,
        ElementModification as ElementModification,
        ElementRedeclaration as ElementRedeclaration,
        ElementReplaceable as ElementReplaceable,
        InheritanceModification as InheritanceModification,
        Modification as Modification,
        Name as Name,
        Subscripts as Subscripts,
    )
    from modelica_ast.tree.neighbours import (
        annotation_opening as annotation_opening,
        binding_style as binding_style,
        examples as examples,
        first_connection as first_connection,
        modifier_style as modifier_style,
        near_annotations as near_annotations,
        styled as styled,
    )
    from modelica_ast.tree.oddities import Note as Note, notes as notes
    from modelica_ast.tree.roots import (
        Fragment as Fragment,
        StoredDefinition as StoredDefinition,
        parse as parse,
        parse_annotation as parse_annotation,
        parse_argument as parse_argument,
        parse_class as parse_class,
        parse_element as parse_element,
        parse_equation as parse_equation,
        parse_expression as parse_expression,
        parse_file as parse_file,
        parse_modification as parse_modification,
        parse_name as parse_name,
        parse_reference as parse_reference,
        parse_source as parse_source,
        parse_statement as parse_statement,
        parse_whole as parse_whole,
        render as render,
        render_bytes as render_bytes,
        view_of_fragment as view_of_fragment,
    )
    from modelica_ast.tree.traverse import (
        dump as dump,
        find as find,
        find_all as find_all,
        view_at as view_at,
        walk as walk,
    )

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

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "base": (
                "Argument Equation Expression LEAF_PLACES NODE_CLASSES Root Section Specifier "
                "Statement Token View child_view"
            ),
            "classes": (
                "ClassAnnotation ClassDefinition ClassPrefixes Composition DerClassSpecifier "
                "ElementSection EnumList EnumerationClassSpecifier EnumerationLiteral ExternalClause "
                "ExternalFunctionCall LongClassSpecifier ProtectedSection PublicSection "
                "ShortClassDefinition ShortClassSpecifier StoredClass WithinClause"
            ),
            "components": (
                "Component ComponentClause ComponentClause1 ComponentDeclaration1 ConditionAttribute "
                "ConstrainingClause Element ExtendsClause ImportAlias ImportClause ImportList "
                "TypePrefix Unparsed"
            ),
            "construction": (
                "as_kind gap indentation_of line_start_before line_start_of owned_line relaid relined relined_blanks"
            ),
            "equations": (
                "AlgorithmSection Assignment BreakStatement CallEquation CallStatement "
                "ConnectEquation DerAssignment ElseEquation ElseStatement ElseifEquation "
                "ElseifStatement ElsewhenEquation ElsewhenStatement EquationSection ForEquation "
                "ForStatement IfEquation IfStatement MultipleAssignment ReturnStatement "
                "SimpleEquation WhenEquation WhenStatement WhileStatement"
            ),
            "expressions": (
                "Array ArrayComprehension Binary BooleanLiteral Call CallArguments CallMember "
                "ElseifExpression EndIndex ExpressionList ForIndex ForIndices IfExpression Matrix "
                "NamedArgument NumberLiteral OutputExpressions Parenthesized PartialApplication "
                "Range ReductionArguments StringLiteral Unary"
            ),
            "literals": "Constructor LiteralError Real Reference evaluate literal no_literal_for",
            "modifications": (
                "Annotation Arguments ComponentReference Description ElementModification "
                "ElementRedeclaration ElementReplaceable InheritanceModification Modification Name "
                "Subscripts"
            ),
            "neighbours": (
                "annotation_opening binding_style examples first_connection modifier_style near_annotations styled"
            ),
            "oddities": "Note notes",
            "roots": (
                "Fragment StoredDefinition parse parse_annotation parse_argument parse_class "
                "parse_element parse_equation parse_expression parse_file parse_modification "
                "parse_name parse_reference parse_source parse_statement parse_whole render "
                "render_bytes view_of_fragment"
            ),
            "traverse": "dump find find_all view_at walk",
        },
    )
