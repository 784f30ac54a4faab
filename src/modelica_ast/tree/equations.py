"""Equations (chapter 8), connections (chapter 9) and statements (chapter 11)."""

from __future__ import annotations

from modelica_ast.tree.base import Equation, Expression, Field, Flag, Items, Section, Statement, Token, View
from modelica_ast.tree.expressions import Call, CallArguments, ForIndices, OutputExpressions
from modelica_ast.tree.modifications import Annotation, ComponentReference, Description


class _Described(View):
    __slots__ = ()
    description: Field[Description | None] = Field("description_string", default=None)
    annotation: Field[Annotation | None] = Field("annotation_clause", default=None)


class EquationSection(Section):
    """`equation …`, `initial equation …`."""

    __slots__ = ()
    kinds = ("equation_section",)
    initial: Flag = Flag("INITIAL_SECTION", default=None)
    keyword: Field[Token] = Field("EQUATION", init=False)
    equations: Items[Equation] = Items("_equation", default=())


class AlgorithmSection(Section):
    """`algorithm …`, `initial algorithm …`."""

    __slots__ = ()
    kinds = ("algorithm_section",)
    initial: Flag = Flag("INITIAL_SECTION", default=None)
    keyword: Field[Token] = Field("ALGORITHM", init=False)
    statements: Items[Statement] = Items("_statement", default=())


class SimpleEquation(Equation, _Described):
    """`left = right;`."""

    __slots__ = ()
    kinds = ("simple_equation",)
    left: Field[Expression] = Field("simple_expression")
    right: Field[Expression] = Field("expression")


class CallEquation(Equation, _Described):
    """`assert(…);` and other calls."""

    __slots__ = ()
    kinds = ("call_equation",)
    call: Field[Call] = Field("function_call")


class ConnectEquation(Equation, _Described):
    """`connect(a, b);`."""

    __slots__ = ()
    kinds = ("connect_equation",)
    left: Field[ComponentReference] = Field("component_reference", 0)
    right: Field[ComponentReference] = Field("component_reference", 1)

    @property
    def loops(self) -> tuple[str, ...]:
        """The ranges of the loops around it, `i in 1:3`, the outermost first."""
        around = [each for each in self.ancestors if isinstance(each, ForEquation)]
        return tuple(" ".join(index.text.split()) for each in reversed(around) for index in each.indices.items)


class IfEquation(Equation, _Described):
    """`if c then … elseif d then … else … end if;`."""

    __slots__ = ()
    kinds = ("if_equation",)
    condition: Field[Expression] = Field("expression")
    equations: Items[Equation] = Items("_equation", default=())
    elseifs: Items[ElseifEquation] = Items("elseif_equation", default=())
    otherwise: Field[ElseEquation | None] = Field("else_equation", default=None)


class ElseifEquation(View):
    """`elseif c then …`."""

    __slots__ = ()
    kinds = ("elseif_equation",)
    condition: Field[Expression] = Field("expression")
    equations: Items[Equation] = Items("_equation", default=())


class ElseEquation(View):
    """`else …`."""

    __slots__ = ()
    kinds = ("else_equation",)
    equations: Items[Equation] = Items("_equation", default=())


class ForEquation(Equation, _Described):
    """`for i in 1:3 loop … end for;`."""

    __slots__ = ()
    kinds = ("for_equation",)
    indices: Field[ForIndices] = Field("for_indices")
    equations: Items[Equation] = Items("_equation", default=())


class WhenEquation(Equation, _Described):
    """`when c then … elsewhen d then … end when;`."""

    __slots__ = ()
    kinds = ("when_equation",)
    condition: Field[Expression] = Field("expression")
    equations: Items[Equation] = Items("_equation", default=())
    elsewhens: Items[ElsewhenEquation] = Items("elsewhen_equation", default=())


class ElsewhenEquation(View):
    """`elsewhen c then …`."""

    __slots__ = ()
    kinds = ("elsewhen_equation",)
    condition: Field[Expression] = Field("expression")
    equations: Items[Equation] = Items("_equation", default=())


class Assignment(Statement, _Described):
    """`x := value;`."""

    __slots__ = ()
    kinds = ("assignment",)
    target: Field[ComponentReference] = Field("component_reference")
    value: Field[Expression] = Field("expression")


class DerAssignment(Statement, _Described):
    """`der(x) := value;`."""

    __slots__ = ()
    kinds = ("der_assignment",)
    target: Field[CallArguments] = Field("function_call_args")
    value: Field[Expression] = Field("expression")


class MultipleAssignment(Statement, _Described):
    """`(a, , b) := f(x);`."""

    __slots__ = ()
    kinds = ("multiple_assignment",)
    targets: Field[OutputExpressions] = Field("output_expression_list")
    call: Field[Call] = Field("function_call")


class CallStatement(Statement, _Described):
    """`f(x);`."""

    __slots__ = ()
    kinds = ("call_statement",)
    call: Field[Call] = Field("function_call")


class BreakStatement(Statement, _Described):
    """`break;`."""

    __slots__ = ()
    kinds = ("break_statement",)


class ReturnStatement(Statement, _Described):
    """`return;`."""

    __slots__ = ()
    kinds = ("return_statement",)


class IfStatement(Statement, _Described):
    """`if c then … elseif d then … else … end if;`."""

    __slots__ = ()
    kinds = ("if_statement",)
    condition: Field[Expression] = Field("expression")
    statements: Items[Statement] = Items("_statement", default=())
    elseifs: Items[ElseifStatement] = Items("elseif_statement", default=())
    otherwise: Field[ElseStatement | None] = Field("else_statement", default=None)


class ElseifStatement(View):
    """`elseif c then …`."""

    __slots__ = ()
    kinds = ("elseif_statement",)
    condition: Field[Expression] = Field("expression")
    statements: Items[Statement] = Items("_statement", default=())


class ElseStatement(View):
    """`else …`."""

    __slots__ = ()
    kinds = ("else_statement",)
    statements: Items[Statement] = Items("_statement", default=())


class ForStatement(Statement, _Described):
    """`for i in 1:3 loop … end for;`."""

    __slots__ = ()
    kinds = ("for_statement",)
    indices: Field[ForIndices] = Field("for_indices")
    statements: Items[Statement] = Items("_statement", default=())


class WhileStatement(Statement, _Described):
    """`while c loop … end while;`."""

    __slots__ = ()
    kinds = ("while_statement",)
    condition: Field[Expression] = Field("expression")
    statements: Items[Statement] = Items("_statement", default=())


class WhenStatement(Statement, _Described):
    """`when c then … elsewhen d then … end when;`."""

    __slots__ = ()
    kinds = ("when_statement",)
    condition: Field[Expression] = Field("expression")
    statements: Items[Statement] = Items("_statement", default=())
    elsewhens: Items[ElsewhenStatement] = Items("elsewhen_statement", default=())


class ElsewhenStatement(View):
    """`elsewhen c then …`."""

    __slots__ = ()
    kinds = ("elsewhen_statement",)
    condition: Field[Expression] = Field("expression")
    statements: Items[Statement] = Items("_statement", default=())
