"""Fields of graphical annotations that are expressions: what they are while nothing is simulated."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeVar

import attrs

from modelica_ast.graphics import (
    Arrow,
    BorderPattern,
    EllipseClosure,
    FillPattern,
    GraphicRecord,
    GraphicsError,
    LinePattern,
    Smooth,
    TextAlignment,
    TextStyle,
)
from modelica_ast.semantics.environments import Environment
from modelica_ast.semantics.evaluation import Evaluation
from modelica_ast.views.base import Expression
from modelica_ast.views.expressions import Array, Call, CallArguments, IfExpression, Parenthesized
from modelica_ast.views.names import ComponentReference

R = TypeVar("R", bound=GraphicRecord)
Plain = Any  # a graphical record whose fields are values: no expression is in it, and nothing is missing

_DEEPEST: Final = 20  # of arrays and conditions inside each other
_ENUMERATIONS: Final = {
    cls.__name__: {str(member.value): member for member in cls}
    for cls in (LinePattern, FillPattern, BorderPattern, Smooth, EllipseClosure, Arrow, TextStyle, TextAlignment)
}


class Resolved(NamedTuple):
    """A record without expressions, and the fields whose values are not known: they have their defaults."""

    record: Plain
    unknown: tuple[str, ...]


def resolved(record: R, scope: Environment) -> Resolved:
    """A record as it is in one use of the class that it is written in, with the defaults of the specification."""
    changes: dict[str, Any] = {}
    unknown: list[str] = []
    for name, value in record.given.items():
        if isinstance(value, Expression):
            found = static_value(value, scope)
            try:
                attrs.evolve(record, **{name: found})
            except GraphicsError:
                found = None
            changes[name] = found
            if found is None:
                unknown.append(name)
    return Resolved((attrs.evolve(record, **changes) if changes else record).with_defaults(), tuple(unknown))


def static_value(expression: Expression, scope: Environment, depth: int = 0) -> Any:
    """The value of an expression, of `DynamicSelect(static, dynamic)` the static one; None if it is not known."""
    if depth > _DEEPEST:
        return None
    match expression:
        case Call(name="DynamicSelect", arguments=CallArguments(items=[Expression() as static, *_])):
            return static_value(static, scope, depth + 1)
        case IfExpression():
            chosen = _branch(expression, scope)
            return None if chosen is None else static_value(chosen, scope, depth + 1)
        case Array():
            values = [static_value(item, scope, depth + 1) for item in expression.items]
            return None if any(value is None for value in values) else values
        case Parenthesized() if len(expression.expressions.slots) == 1 and expression.expressions.slots[0] is not None:
            return static_value(expression.expressions.slots[0], scope, depth + 1)
        case ComponentReference() if len(expression.parts) == 2 and expression.parts[0] in _ENUMERATIONS:  # noqa: PLR2004
            return _ENUMERATIONS[expression.parts[0]].get(expression.parts[1])
        case _:
            return Evaluation().of(expression, scope)


def _branch(expression: IfExpression, scope: Environment) -> Expression | None:
    branches = [(expression.condition, expression.value)]
    branches += [(branch.condition, branch.value) for branch in expression.elseifs]
    for condition, value in branches:
        decided = static_value(condition, scope)
        if decided is True:
            return value
        if decided is not False:
            return None
    return expression.otherwise
