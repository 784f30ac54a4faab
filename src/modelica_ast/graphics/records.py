"""The base of graphical annotations: records whose fields are given or not, in Modelica and in JSON.

A field that was not given is None and is not written. `with_defaults()` gives what the specification says then.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, Self, TypeAlias, TypeVar

import attrs

from modelica_ast.foundation import ModelicaSyntaxError, did_you_mean
from modelica_ast.graphics.geometry import (
    ENUMERATIONS,
    Color,
    Extent,
    GraphicEnumeration,
    GraphicsError,
    Number,
    Point,
    as_number,
    number_text,
)
from modelica_ast.syntax import Green, quote, tokens
from modelica_ast.tree import (
    Arguments,
    Call,
    CallArguments,
    ElementModification,
    Expression,
    LiteralError,
    NamedArgument,
    Real,
    Reference,
    View,
    evaluate,
    literal,
    parse_argument,
    parse_expression,
    view_of_fragment,
)

# ---------------------------------------------------------------- shapes
# From plain values to typed ones: what a field of a record may be given as, and what it is then.
#
# Each function here takes what is typed already, the lists and names of JSON or of a literal, and passes an
# expression (`DynamicSelect(…)`, a parameter) and None (not given) through.

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
    """Pieces of Modelica that are kept as they are."""
    if not _is_list(value) or not all(isinstance(item, str) for item in value):
        raise GraphicsError(f"a list of texts is needed, not {shown(value)}")
    return tuple(value)


def as_literal_of(enumeration: type[E]) -> Callable[[Any], Given[E]]:
    """A literal of one enumeration: itself, or its name as JSON has it."""
    return _kept(lambda value: _literal_of(enumeration, value))


def as_literals_of(enumeration: type[E], length: int | None = None) -> Callable[[Any], Given[tuple[E, ...]]]:
    """Literals of one enumeration, as many as there are or exactly this many."""

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
    """The value of a literal with enumerations typed; the expression itself where it is not a literal."""
    try:
        value = evaluate(expression)
    except LiteralError:
        return expression
    try:
        return _typed_names(value)
    except KeyError:  # a name that is not an enumeration's: a parameter, a constant
        return expression


def _typed_names(value: Any) -> Any:
    if isinstance(value, list):
        return [_typed_names(item) for item in value]
    if not isinstance(value, Reference):
        return value
    enumeration, _, member = value.name.rpartition(".")
    return _literal_of(ENUMERATIONS[enumeration], member)


def text_of(value: Any) -> str:
    """A field's value as Modelica, without blanks after commas as in the Standard Library."""
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
    """What is between the braces."""
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


# ---------------------------------------------------------------- records

_DEFAULT: Final = "default"


def given(convert: Callable[[Any], Any], default: Any = None) -> Any:
    """A field: how its value is read, and what the specification says if it is not given."""
    return attrs.field(default=None, converter=convert, metadata={_DEFAULT: default})


class GraphicValue(ABC):
    """What can be written as Modelica and as JSON."""

    __slots__ = ()

    @abstractmethod
    def to_text(self) -> str:
        """As Modelica, on one line."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """As JSON."""

    def __str__(self) -> str:
        return self.to_text()


@attrs.frozen(eq=False, kw_only=True)
class GraphicRecord(GraphicValue):
    """A record of chapter 18.6. `others` are arguments that it does not have, as they are: a vendor's."""

    modelica_name: ClassVar[str] = ""
    others: tuple[str, ...] = attrs.field(default=(), converter=as_texts)

    def __init_subclass__(cls) -> None:
        cls.modelica_name = cls.__dict__.get("modelica_name", cls.__name__)

    # Expressions are equal by their tokens here: a value that is written and read again is the same value.

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, GraphicRecord) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        values = self.given.values()
        keys = (("expression", *tokens(value.green)) if isinstance(value, Expression) else value for value in values)
        return (type(self), tuple(self.given), *keys, *self.others)

    # ------------------------------------------------------------ fields

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """The fields of the specification, in the order in which they are written."""
        return tuple(field.name for field in attrs.fields(cls) if _DEFAULT in field.metadata)

    @classmethod
    def default_of(cls, name: str) -> Any:
        """What the specification says for a field that is not given; None where it says nothing."""
        return getattr(attrs.fields(cls), name).metadata[_DEFAULT]

    @property
    def given(self) -> dict[str, Any]:
        """The fields that are given, by name."""
        values = {name: getattr(self, name) for name in self.field_names()}
        return {name: value for name, value in values.items() if value is not None}

    def with_defaults(self) -> Self:
        """The same with the specification's default for every field that was not given."""
        missing = {name: self.default_of(name) for name in self.field_names() if name not in self.given}
        return attrs.evolve(self, **missing)

    # ------------------------------------------------------------ Modelica

    @classmethod
    def from_expression(cls, source: View | Green) -> Self:
        """Read `Line(points=…)`: a call in a list of graphics, or a modifier in an annotation."""
        view = source if isinstance(source, View) else view_of_fragment(source, "expression")
        name = _name_of(view)
        if name is not None and name != cls.modelica_name:
            raise GraphicsError(f"expected {cls.modelica_name}(…), found {name}(…){_place(view)}")
        found: dict[str, Any] = {}
        others = []
        for argument, value in _arguments_of(view, cls):
            key = _name_of(argument)
            if value is None or key not in cls.field_names():
                others.append(argument.text)
            elif key in found:
                raise GraphicsError(f"{cls.modelica_name}: '{key}' is given twice{_place(argument)}")
            else:
                found[key] = cls._converted(key, value)
        return cls(others=others, **found)

    @classmethod
    def _converted(cls, name: str, value: View) -> Any:
        convert = getattr(attrs.fields(cls), name).converter
        try:
            return convert(literal_or_kept(value) if isinstance(value, Expression) else value)
        except GraphicsError as error:
            if ", column " in str(error):  # from a record inside, which knows its place better
                raise
            raise GraphicsError(f"{cls.modelica_name}.{name}: {error}{_place(value)}") from None

    def to_text(self) -> str:
        """As Modelica, on one line: `Line(points={{0,0},{10,0}}, color={0,0,255})`; only what is given."""
        return self.text_as(self.modelica_name)

    def text_as(self, name: str) -> str:
        """The same under another name."""
        written = [
            # A record inside is named by its field: `iconTransformation(…)` is a transformation too.
            value.text_as(key) if isinstance(value, GraphicRecord) else f"{key}={text_of(value)}"
            for key, value in self.given.items()
        ]
        return f"{name}({', '.join([*written, *self.others])})"

    def to_argument(self) -> ElementModification:
        """As an argument of an annotation."""
        argument = written(self.to_text(), parse_argument)
        assert isinstance(argument, ElementModification)  # a name and what is in its parentheses
        return argument

    # ------------------------------------------------------------ JSON

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read `{"points": [[0, 0], [10, 0]], "color": [0, 0, 255]}`; an expression is `{"expression": "…"}`."""
        fields = dict(mapping(data, cls.modelica_name))
        kind = fields.pop("kind", cls.modelica_name)
        if kind != cls.modelica_name:
            raise GraphicsError(f"a {cls.modelica_name} is needed here, not a {kind}")
        known = (*cls.field_names(), "others")
        for name in fields:
            if name not in known:
                hint = did_you_mean(name, known) or f"it has {', '.join(known)}"
                raise GraphicsError(f"a {cls.modelica_name} has no '{name}'; {hint}")
        values = {name: _from_json(value) for name, value in fields.items()}
        try:
            return cls(**values)
        except GraphicsError as error:
            raise GraphicsError(f"{cls.modelica_name}: {error}") from None

    def to_json(self) -> dict[str, Any]:
        """The form that `from_json` reads; only what is given."""
        data = {name: _to_json(value) for name, value in self.given.items()}
        return {**data, "others": list(self.others)} if self.others else data


def written(text: str, parse: Callable[[str], T]) -> T:
    """What was written, as a tree; GraphicsError if a part that is kept as it stands does not fit there."""
    try:
        return parse(text)
    except ModelicaSyntaxError as error:
        raise GraphicsError(f"'{text}' can't be written: {error.message}") from None


def mapping(data: Any, what: str) -> Mapping[str, Any]:
    """The data itself; GraphicsError if it has no named fields."""
    if isinstance(data, Mapping):
        return data
    raise GraphicsError(f"a {what} is written with named fields, not as {data!r}")


def _arguments_of(view: View, cls: type[GraphicRecord]) -> Iterator[tuple[View, View | None]]:
    """(argument, value) of a call or a modifier; the value of `transformation(…)` is what is in its parentheses."""
    match view:
        case CallArguments() | Call(arguments=CallArguments()):
            arguments = view.arguments if isinstance(view, Call) else view
            assert isinstance(arguments, CallArguments)
            for item in arguments.items:
                if isinstance(item, NamedArgument):
                    yield item, item.value
                else:
                    raise GraphicsError(f"{cls.modelica_name}: '{item.text}' has no name{_place(item)}")
        case ElementModification() | Arguments():
            inside = view if isinstance(view, Arguments) else view.arguments
            for argument in inside.items if inside else ():
                value = argument.value or argument.arguments if isinstance(argument, ElementModification) else None
                yield argument, value
        case _:
            raise GraphicsError(f"expected {cls.modelica_name}(…), found '{view.text}'{_place(view)}")


def _name_of(view: View) -> str | None:
    match view:
        case Call() | NamedArgument():
            return view.name
        case ElementModification():
            return str(view.name)
        case _:
            return None


def _place(view: View) -> str:
    position = view.position
    file = getattr(view.root, "file", None)  # a fragment has none
    return f" ({'' if file is None else f'{file}, '}line {position.line}, column {position.column})"


def _from_json(value: Any) -> Any:
    match value:
        case {"expression": str(text)} if len(value) == 1:
            try:
                return parse_expression(text)
            except ModelicaSyntaxError as error:
                raise GraphicsError(f"'{text}' is not an expression: {error.message}") from None
        case {"real": str(text)} if len(value) == 1:
            try:
                return Real(text)
            except ValueError:
                raise GraphicsError(f"'{text}' is not a number") from None
        case list() | tuple():
            return [_from_json(item) for item in value]
        case _:
            return value


def _to_json(value: Any) -> Any:
    match value:
        case Expression():
            return {"expression": value.text}
        case GraphicValue():
            return value.to_json()
        case GraphicEnumeration():
            return value.value
        case Point() | Extent() | Color() | tuple():
            return [_to_json(part) for part in parts(value)]
        case Real():
            return float(value)
        case _:
            return value
