"""From plain values to typed ones: what a field of a record may be given as, and what it is then.

Each function here takes what is typed already, the lists and names of JSON or of a literal, and passes an expression
(`DynamicSelect(…)`, a parameter) and None (not given) through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from modelica_ast.graphics.enumerations import ENUMERATIONS, GraphicEnumeration
from modelica_ast.graphics.errors import GraphicsError
from modelica_ast.graphics.geometry import Color, Extent, Point
from modelica_ast.graphics.numbers import Number, as_number, number_text
from modelica_ast.literals import LiteralError, Reference, evaluate, literal
from modelica_ast.strings import quote
from modelica_ast.views.base import Expression

T = TypeVar("T")
E = TypeVar("E", bound=GraphicEnumeration)

Points = tuple[Point, ...]
Given: TypeAlias = T | Expression | None

_PAIR: Final = 2
_TRIPLE: Final = 3


def _kept(convert: Callable[[Any], T]) -> Callable[[Any], Given[T]]:
    """The conversion for all that is neither an expression nor missing."""

    def converted(value: Any) -> Given[T]:
        if isinstance(value, Reference):  # a name in a patch
            value = literal_or_kept(literal(value))
        return value if value is None or isinstance(value, Expression) else convert(value)

    return converted


def _is_list(value: Any, length: int | None = None) -> bool:
    return isinstance(value, list | tuple) and length in (None, len(value))


def _point(value: Any) -> Point:
    if isinstance(value, Point):
        return value
    if not _is_list(value, _PAIR):
        raise GraphicsError(f"a point is two numbers, not {shown(value)}")
    return Point(*value)


def _extent(value: Any) -> Extent:
    if isinstance(value, Extent):
        return value
    if not _is_list(value, _PAIR):
        raise GraphicsError(f"an extent is two points, not {shown(value)}")
    return Extent(*map(_point, value))


def _points(value: Any) -> Points:
    if not _is_list(value):
        raise GraphicsError(f"points are a list, not {shown(value)}")
    return tuple(map(_point, value))


def _color(value: Any) -> Color:
    if isinstance(value, Color):
        return value
    if not _is_list(value, _TRIPLE):
        raise GraphicsError(f"a colour is three whole numbers from 0 to 255, not {shown(value)}")
    return Color(*value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise GraphicsError(f"{shown(value)} is not true or false")
    return value


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise GraphicsError(f"{shown(value)} is not a string")
    return value


def _spacing(value: Any) -> tuple[Number, Number]:
    if not _is_list(value, _PAIR):
        raise GraphicsError(f"a grid is two numbers, not {shown(value)}")
    return as_number(value[0]), as_number(value[1])


as_number_or_kept = _kept(as_number)
as_boolean = _kept(_boolean)
as_string = _kept(_string)
as_point = _kept(_point)
as_points = _kept(_points)
as_extent = _kept(_extent)
as_color = _kept(_color)
as_spacing = _kept(_spacing)


def as_texts(value: Any) -> tuple[str, ...]:
    """Pieces of Modelica that are kept as they stand."""
    if not _is_list(value) or not all(isinstance(item, str) for item in value):
        raise GraphicsError(f"a list of texts is needed, not {shown(value)}")
    return tuple(value)


def as_literal_of(enumeration: type[E]) -> Callable[[Any], Given[E]]:
    """A literal of one enumeration: itself, or its name as JSON has it."""
    return _kept(lambda value: _literal_of(enumeration, value))


def as_literals_of(enumeration: type[E], length: int | None = None) -> Callable[[Any], Given[tuple[E, ...]]]:
    """Literals of one enumeration, as many as there are or exactly so many."""

    def converted(value: Any) -> tuple[E, ...]:
        if not _is_list(value, length):
            number = "a list" if length is None else f"a list of {length}"
            raise GraphicsError(f"{number} of {enumeration.__name__} is needed, not {shown(value)}")
        return tuple(_literal_of(enumeration, item) for item in value)

    return _kept(converted)


def _literal_of(enumeration: type[E], value: Any) -> E:
    if isinstance(value, enumeration):
        return value
    name = value.removeprefix(f"{enumeration.__name__}.") if isinstance(value, str) else None
    for member in enumeration:
        if member.value == name:
            return member
    known = ", ".join(str(member.value) for member in enumeration)
    raise GraphicsError(f"{shown(value)} is not a {enumeration.__name__}; there is {known}")


# ---------------------------------------------------------------- from and to Modelica


def literal_or_kept(expression: Expression) -> Any:
    """The value of a literal with enumerations typed; the expression itself where it is no literal."""
    try:
        value = evaluate(expression)
    except LiteralError:
        return expression
    try:
        return _typed_names(value)
    except KeyError:  # a name that is no enumeration's: a parameter, a constant
        return expression


def _typed_names(value: Any) -> Any:
    if isinstance(value, list):
        return [_typed_names(item) for item in value]
    if not isinstance(value, Reference):
        return value
    enumeration, _, member = value.name.rpartition(".")
    return _literal_of(ENUMERATIONS[enumeration], member)


def text_of(value: Any) -> str:
    """A field's value as Modelica, without blanks behind commas as in the Standard Library."""
    match value:
        case Expression():
            return value.text
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number_text(value)
        case str():
            return quote(value)
        case Point() | Color() | Extent() | tuple() | list():
            return "{" + ",".join(map(text_of, parts(value))) + "}"
        case _:  # an enumeration, or a record, which knows how
            return str(value)


def parts(value: Any) -> tuple[Any, ...]:
    """What stands between the braces."""
    match value:
        case Point():
            return value.x, value.y
        case Extent():
            return value.first, value.second
        case Color():
            return value.red, value.green, value.blue
        case _:
            return tuple(value)


def shown(value: Any) -> str:
    """A value as a message shows it."""
    try:
        return text_of(value)
    except (TypeError, ValueError, OverflowError):
        return repr(value)
