"""Expressions (chapter 3) and calls (chapter 12)."""

from __future__ import annotations

from modelica_ast.tree.base import Child, Expression, Field, Items, MaybeWord, Operator, Token, View, Word, Written
from modelica_ast.tree.modifications import ComponentReference, Name, Subscripts


class NumberLiteral(Expression):
    """`1`, `1.5e-3`. A sign is a `Unary`."""

    __slots__ = ()
    leaf_rules = ("primary",)
    leaf_terminals = ("UNSIGNED_NUMBER",)
    text: Written = Written()

    @property
    def is_integer(self) -> bool:
        """Does it have no point and no exponent?"""
        return self.text.isdigit()


class StringLiteral(Expression):
    """`"text"`, with its quotes and escapes."""

    __slots__ = ()
    leaf_rules = ("primary",)
    leaf_terminals = ("STRING",)
    text: Written = Written()


class BooleanLiteral(Expression):
    """`true` or `false`."""

    __slots__ = ()
    leaf_rules = ("primary",)
    leaf_terminals = ("TRUE", "FALSE")
    text: Written = Written()


class EndIndex(Expression):
    """`end` inside subscripts."""

    __slots__ = ()
    leaf_rules = ("primary",)
    leaf_terminals = ("END",)  # what the lexer calls it on its own
    text: Written = Written()

    @property
    def kind(self) -> str:
        """The grammar's name of the terminal."""
        return "END_SUBSCRIPT"


class Binary(Expression):
    """`left operator right`: arithmetic, comparison, `and`, `or`."""

    __slots__ = ()
    kinds = ("binary",)
    left: Child[Expression] = Child(1)
    operator: Operator = Operator(2)
    right: Child[Expression] = Child(3)


class Unary(Expression):
    """`-x`, `+x`, `not x`."""

    __slots__ = ()
    kinds = ("unary",)
    operator: Operator = Operator(1)
    operand: Child[Expression] = Child(2)


class Range(Expression):
    """`start : stop` or `start : step : stop`."""

    __slots__ = ()
    kinds = ("range",)
    start: Child[Expression] = Child(1)
    step: Child[Expression | None] = Child(3, of=5, default=None)
    stop: Child[Expression] = Child(-1)


class IfExpression(Expression):
    """`if c then a elseif d then b else e`."""

    __slots__ = ()
    kinds = ("if_expression",)
    condition: Field[Expression] = Field("expression", 0)
    value: Field[Expression] = Field("expression", 1)
    elseifs: Items[ElseifExpression] = Items("elseif_expression", default=())
    otherwise: Field[Expression] = Field("expression", 2)


class ElseifExpression(View):
    """`elseif c then a` inside an if-expression."""

    __slots__ = ()
    kinds = ("elseif_expression",)
    condition: Field[Expression] = Field("expression", 0)
    value: Field[Expression] = Field("expression", 1)


class Call(Expression):
    """`f(x, y=2)`, `der(x)`, `initial()`, `pure(f(x))`."""

    __slots__ = ()
    kinds = ("function_call",)
    function: Child[ComponentReference | Token] = Child(1)
    arguments: Child[CallArguments | ReductionArguments] = Child(2)

    @property
    def name(self) -> str:
        """The function's name as it is written."""
        return "".join(self.function.text.split())


class CallArguments(View):
    """`(x, y=2)`: positional, then named arguments."""

    __slots__ = ()
    kinds = ("function_call_args",)
    items: Items[Expression | NamedArgument | PartialApplication] = Items("_function_argument", default=())


class ReductionArguments(View):
    """`(x[i] for i in 1:3)`."""

    __slots__ = ()
    kinds = ("reduction_args",)
    value: Field[Expression] = Field("expression")
    indices: Field[ForIndices] = Field("for_indices")


class NamedArgument(View):
    """`name = value` in a call."""

    __slots__ = ()
    kinds = ("named_argument",)
    identifier: Word = Word("IDENT")
    value: Child[Expression | PartialApplication] = Child(-1)

    @property
    def name(self) -> str:
        """The name of the input."""
        return self.identifier.text


class PartialApplication(View):
    """`function f(a=1)`: a function as an argument."""

    __slots__ = ()
    kinds = ("function_partial_application",)
    function: Field[Name] = Field("type_specifier")
    arguments: Items[NamedArgument] = Items("named_argument", default=())


class CallMember(Expression):
    """`f(x).y`: a field of what a call returns."""

    __slots__ = ()
    kinds = ("call_member",)
    call: Child[Call] = Child(1)

    @property
    def members(self) -> tuple[str, ...]:
        """The identifiers after the call."""
        return tuple(c.text for c in self.children[1:] if c.text != ".")


class Parenthesized(Expression):
    """`(a)`, `(a, , b)` on the left of a call, `(a)[1]`, `(a).b`."""

    __slots__ = ()
    kinds = ("parenthesized",)
    expressions: Field[OutputExpressions] = Field("output_expression_list")
    subscripts: Field[Subscripts | None] = Field("array_subscripts", default=None)
    member: MaybeWord = MaybeWord("IDENT", default=None)


class OutputExpressions(View):
    """The inside of parentheses: expressions that may be left out."""

    __slots__ = ()
    kinds = ("output_expression_list",)
    items: Items[Expression] = Items("expression", default=())

    @property
    def slots(self) -> list[Expression | None]:
        """One for each place between commas, None where there is nothing."""
        found: list[Expression | None] = [None]
        for child in self.children:
            if isinstance(child, Expression):
                found[-1] = child
            else:
                found.append(None)
        return found


class ExpressionList(View):
    """Expressions with commas between them: a row of a matrix, arguments of an external function."""

    __slots__ = ()
    kinds = ("expression_list",)
    items: Items[Expression] = Items("expression", default=())


class Matrix(Expression):
    """`[1, 2; 3, 4]`."""

    __slots__ = ()
    kinds = ("matrix",)
    rows: Items[ExpressionList] = Items("expression_list", default=())


class Array(Expression):
    """`{1, 2, 3}`."""

    __slots__ = ()
    kinds = ("array",)
    items: Items[Expression] = Items("expression", default=())


class ArrayComprehension(Expression):
    """`{x[i] for i in 1:3}`."""

    __slots__ = ()
    kinds = ("array_comprehension",)
    value: Field[Expression] = Field("expression")
    indices: Field[ForIndices] = Field("for_indices")


class ForIndices(View):
    """`i in 1:3, j in 1:2`."""

    __slots__ = ()
    kinds = ("for_indices",)
    items: Items[ForIndex] = Items("for_index", default=())


class ForIndex(View):
    """`i in 1:3`, or `i` where the range follows from its use."""

    __slots__ = ()
    kinds = ("for_index",)
    identifier: Word = Word("IDENT")
    range: Field[Expression | None] = Field("expression", default=None)

    @property
    def name(self) -> str:
        """The name of the loop variable."""
        return self.identifier.text
