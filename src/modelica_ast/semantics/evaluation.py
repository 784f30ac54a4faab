"""The values of expressions, where they can be decided: literals, parameters, arithmetic, `if`, sizes of arrays.

None means that the value is not known. It is never guessed: a parameter without a value has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from modelica_ast.literals import LiteralError, Reference, evaluate
from modelica_ast.semantics import arithmetic
from modelica_ast.semantics.arithmetic import Value
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.modifiers import Modifier, Names
from modelica_ast.semantics.predefined import PREDEFINED_LITERALS
from modelica_ast.views.base import Expression, Token, View
from modelica_ast.views.classes import ClassDefinition, EnumerationClassSpecifier, ShortClassSpecifier
from modelica_ast.views.components import Component, ComponentClause1
from modelica_ast.views.equations import Assignment
from modelica_ast.views.expressions import (
    Array,
    Binary,
    BooleanLiteral,
    Call,
    IfExpression,
    Matrix,
    NamedArgument,
    NumberLiteral,
    Parenthesized,
    Range,
    StringLiteral,
    Unary,
)
from modelica_ast.views.names import ComponentReference, Subscripts

_DEEPEST: Final = 60  # of expressions and of parameters that depend on parameters; deeper ones are not decided
Sized = tuple[Expression | Token, Environment]  # a subscript of a declaration, and where it is to be read


class Evaluation:
    """One look at values. What is being evaluated is not asked again, so circles end."""

    def __init__(self) -> None:
        self._depth = 0
        self._asked: set[int] = set()
        self._known: dict[int, tuple[Member, Value]] = {}  # the member is kept, or its number could be another's

    # ------------------------------------------------------------ components

    def of_member(self, member: Member) -> Value:
        """The value of a component."""
        if id(member) in self._known:
            return self._known[id(member)][1]
        if id(member) in self._asked:
            return None
        self._asked.add(id(member))
        try:
            found = inner_of(member)
            value = None if found is None or found.binding is None else self.of_modifier(found.binding)
        finally:
            self._asked.discard(id(member))
        self._known[id(member)] = (member, value)
        return value

    def of_modifier(self, modifier: Modifier[Environment]) -> Value:
        """The value that a modifier gives."""
        if not isinstance(modifier.value, Expression):
            return None
        return self.of_part(modifier.value, modifier.member, modifier.scope)

    def sizes(self, member: Member) -> list[int | None]:
        """The sizes of an array, None where it is not known."""
        found: list[int | None] = []
        value: list[int] | None = None
        for subscript, scope in subscripts_of(member):
            if isinstance(subscript, Token):  # `:` takes the size of the value
                value = arithmetic.shape(self.of_member(member)) if value is None else value
                found.append(value[len(found)] if len(found) < len(value) else None)
            else:
                size = self._size(subscript, scope)
                found.append(size)
        return found

    def _size(self, subscript: Expression, scope: Environment) -> int | None:
        if isinstance(subscript, ComponentReference):  # `x[Boolean]`, `x[Colour]`
            found = scope.find_class(subscript.parts, is_global=subscript.is_global)
            end = found.end if found is not None else None
            if end is not None:
                return 2 if end.predefined == "Boolean" else len(literals_of(end)) or None
        size = self.of(subscript, scope)
        return size if isinstance(size, int) and not isinstance(size, bool) else None

    # ------------------------------------------------------------ expressions

    def of_part(self, expression: Expression, member: Names, scope: Environment) -> Value:
        """The value of an expression, or of a member of it."""
        if not member:
            return self.of(expression, scope)
        if isinstance(expression, ComponentReference):
            return self._reference(expression, scope, member)
        if isinstance(expression, IfExpression):
            chosen = self._branch(expression, scope)
            return None if chosen is None else self.of_part(chosen, member, scope)
        if isinstance(expression, Array):
            values = [self.of_part(item, member, scope) for item in expression.items]
            return None if any(value is None for value in values) else values
        if isinstance(expression, Call) and _is_constructor(expression, scope):
            return self._of_constructor(expression, member, scope)
        return None

    def _of_constructor(self, call: Call, member: Names, scope: Environment) -> Value:
        """A member of `R(x=1)`: what the call names, or else the default of R, which need not be the declared type."""
        name = call.function
        arguments = [child for child in call.arguments.children if isinstance(child, NamedArgument | Expression)]
        named = [argument for argument in arguments if isinstance(argument, NamedArgument)]
        for argument in named:
            if argument.name == member[0]:
                value = argument.value
                return self.of_part(value, member[1:], scope) if isinstance(value, Expression) else None
        if len(named) < len(arguments) or not isinstance(name, ComponentReference):
            return None
        record = scope.find_class(name.parts, is_global=name.is_global)
        if record is None:
            return None
        given = tuple(Modifier((each.name,), each, scope, value=each.value) for each in named)
        found: Member | None = record.applied(given, None).member(member[0])
        for part in member[1:]:
            found = found.environment.member(part) if found is not None and found.environment is not None else None
        return None if found is None or found.is_class else self.of_member(found)

    def of(self, expression: Expression, scope: Environment) -> Value:
        """The value of an expression that is written in a class."""
        if self._depth > _DEEPEST:
            return None
        self._depth += 1
        try:
            return self._of(expression, scope)
        finally:
            self._depth -= 1

    def _of(self, expression: Expression, scope: Environment) -> Value:
        match expression:
            case NumberLiteral() | StringLiteral() | BooleanLiteral():
                return _literal(expression)
            case ComponentReference():
                return self._reference(expression, scope, ())
            case Unary():
                return arithmetic.unary(expression.operator.text, self.of(expression.operand, scope))
            case Binary():
                return self._binary(expression, scope)
            case Parenthesized():
                return self._in_parentheses(expression, scope)
            case IfExpression():
                chosen = self._branch(expression, scope)
                return None if chosen is None else self.of(chosen, scope)
            case Array() | Matrix() | Range():
                return self._array(expression, scope)
            case Call():
                return self._call(expression, scope)
            case _:
                return None

    def _array(self, expression: Array | Matrix | Range, scope: Environment) -> Value:
        if isinstance(expression, Array):
            return self._all(expression.items, scope)
        if isinstance(expression, Range):
            step = 1 if expression.step is None else self.of(expression.step, scope)
            return arithmetic.spread(self.of(expression.start, scope), step, self.of(expression.stop, scope))
        rows = [self._all(row.items, scope) for row in expression.rows]
        # `[a, b]` joins arrays; only numbers are put together here.
        is_plain = all(row is not None and not any(isinstance(item, list) for item in row) for row in rows)
        return rows if is_plain else None

    def _all(self, items: Sequence[Expression], scope: Environment) -> list[Value] | None:
        values = [self.of(item, scope) for item in items]
        return None if any(value is None for value in values) else values

    def _binary(self, expression: Binary, scope: Environment) -> Value:
        # `a + b + c + …` in a loop: it may be long.
        chain = [expression]
        while isinstance(left := chain[-1].left, Binary):
            chain.append(left)
        value = self.of(left, scope)
        for part in reversed(chain):
            value = self._joined(part.operator.text, value, self.of(part.right, scope))
        return value

    @staticmethod
    def _joined(sign: str, left: Value, right: Value) -> Value:
        if sign in ("and", "or"):  # one side can be enough
            decides = sign == "or"
            if left is decides or right is decides:
                return decides
        return None if left is None or right is None else arithmetic.binary(sign, left, right)

    def _in_parentheses(self, expression: Parenthesized, scope: Environment) -> Value:
        slots = expression.expressions.slots
        is_plain = len(slots) == 1 and expression.subscripts is None and expression.member is None
        return self.of(slots[0], scope) if is_plain and slots[0] is not None else None

    def _branch(self, expression: IfExpression, scope: Environment) -> Expression | None:
        branches = [(expression.condition, expression.value)]
        branches += [(branch.condition, branch.value) for branch in expression.elseifs]
        for condition, value in branches:
            decided = self.of(condition, scope)
            if decided is True:
                return value
            if decided is not False:
                return None
        return expression.otherwise

    def _call(self, expression: Call, scope: Environment) -> Value:
        arguments = [child for child in expression.arguments.children if not isinstance(child, Token)]
        positional = [child for child in arguments if isinstance(child, Expression)]
        if expression.name == "size" and positional and isinstance(positional[0], ComponentReference):
            return self._size_of(positional[0], positional[1:], scope)
        name = expression.function
        if not isinstance(name, ComponentReference) or any(name.subscripts):
            return None
        found = scope.find(name.parts, is_global=name.is_global)
        if found is None:
            values = self._all(positional, scope) if len(positional) == len(arguments) else None
            return None if values is None or len(name.parts) > 1 else arithmetic.call(name.parts[0], values)
        function = found.environment if isinstance(found, Member) else found
        return None if function is None else self._of_function(function, arguments, scope)

    def _of_function(self, function: Environment, arguments: Sequence[View], scope: Environment) -> Value:
        """A function that is nothing but one assignment, `y := 2*u`: its inputs are set like modifiers."""
        definition = function.definition
        statements = definition.statements if isinstance(definition, ClassDefinition) else []
        if len(statements) != 1 or not isinstance(statements[0], Assignment):
            return None
        inputs = [member.name for member in function.members() if "input" in member.prefixes]
        given: list[Modifier[Environment]] = []
        for number, argument in enumerate(arguments):
            if isinstance(argument, NamedArgument):
                given.append(Modifier((argument.name,), argument, scope, value=argument.value))
            elif isinstance(argument, Expression) and number < len(inputs):
                given.append(Modifier((inputs[number],), argument, scope, value=argument))
            else:
                return None
        target = function.member(str(statements[0].target))
        if target is None or "output" not in target.prefixes:
            return None
        return self.of(statements[0].value, function.applied(tuple(given), None))

    def _size_of(self, reference: ComponentReference, which: Sequence[Expression], scope: Environment) -> Value:
        found = scope.find(reference.parts, is_global=reference.is_global)
        if not isinstance(found, Member) or found.is_class or any(reference.subscripts):
            return None
        sizes = self.sizes(found)
        if not which:
            return None if None in sizes else sizes
        number = self.of(which[0], scope)
        return sizes[number - 1] if isinstance(number, int) and 1 <= number <= len(sizes) else None

    # ------------------------------------------------------------ references

    def _reference(self, reference: ComponentReference, scope: Environment, more: Names) -> Value:
        parts = (*reference.parts, *more)
        found = scope.find(parts[:1], is_global=reference.is_global)
        sizes: list[int | None] = []  # of the arrays of components on the way
        for number, part in enumerate(parts[1:], 2):
            if isinstance(found, Member):
                found = inner_of(found)
                sizes += self.sizes(found) if found is not None and not found.is_class else []
            inside = found.environment if isinstance(found, Member) else found
            end = inside.end if inside is not None and not (isinstance(found, Member) and not found.is_class) else None
            if end is not None and part in literals_of(end):
                return Reference(f"{end.full_name}.{part}") if number == len(parts) else None
            found = inside.member(part) if inside is not None else None
        if not isinstance(found, Member) or found.is_class:
            return None
        value = self.of_member(found)
        if sizes and arithmetic.shape(value)[: len(sizes)] != sizes:  # each item may have a value of its own
            return None
        return self._indexed(value, reference.subscripts, scope)

    def _indexed(self, value: Value, subscripts: Sequence[Subscripts | None], scope: Environment) -> Value:
        *earlier, last = subscripts
        if any(earlier):  # an item of an array of components
            return None
        for item in last.items if last is not None else []:
            index = self.of(item, scope) if isinstance(item, Expression) else None
            if not isinstance(value, list) or not isinstance(index, int) or not 1 <= index <= len(value):
                return None
            value = value[index - 1]
        return value


def _literal(expression: View) -> Value:
    try:
        return evaluate(expression)
    except LiteralError:  # too large for a number
        return None


def _is_constructor(call: Call, scope: Environment) -> bool:
    """Is it the constructor of a record, `Inertia(m=1)`?"""
    name = call.function
    return isinstance(name, ComponentReference) and scope.names_record(name.parts, is_global=name.is_global)


def inner_of(member: Member) -> Member | None:
    """What stands for an `outer` element, None if there is none around; any other element itself."""
    return member.inner() if "outer" in member.prefixes else member


def literals_of(end: Environment) -> tuple[str, ...]:
    """The literals of an enumeration; empty for other types."""
    specifier = end.definition.specifier if end.definition is not None else None
    if isinstance(specifier, EnumerationClassSpecifier):
        return tuple(literal.name for literal in specifier.literals)
    return PREDEFINED_LITERALS.get(end.predefined, ())


def subscripts_of(member: Member) -> list[Sized]:
    """The dimensions of a component as they are written: behind its name, behind its type, in its type."""
    found: list[Sized] = []
    for declared, scope in ((member.current, member.scope), (member.declared, member.owner)):
        if isinstance(declared, Component):
            written = [declared.subscripts, declared.clause.subscripts]
        elif isinstance(declared, ComponentClause1):
            written = [declared.declaration.subscripts, declared.subscripts]
        else:
            written = []
        found += [(item, scope) for subscripts in written if subscripts is not None for item in subscripts.items]
        if found:  # a redeclaration keeps the dimensions if it names none
            break
    environment = member.environment
    for part in environment.ancestry() if environment is not None else ():
        specifier = part.definition.specifier if part.definition is not None else None
        if isinstance(specifier, ShortClassSpecifier) and specifier.subscripts is not None and part.around is not None:
            found += [(item, part.around) for item in specifier.subscripts.items]
    return found
