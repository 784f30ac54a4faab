"""The base of graphical annotations: records whose fields are given or not, in Modelica and in JSON.

A field that was not given is None and is not written. `with_defaults()` gives what the specification says then.
"""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, Self, TypeVar

import attrs

from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.graphics.enumerations import GraphicEnumeration
from modelica_ast.graphics.errors import GraphicsError
from modelica_ast.graphics.geometry import Color, Extent, Point
from modelica_ast.graphics.shapes import as_texts, literal_or_kept, parts, text_of
from modelica_ast.green import Green, tokens
from modelica_ast.literals import Real
from modelica_ast.parse import parse_argument, parse_expression, view_of_fragment
from modelica_ast.views.base import Expression, View
from modelica_ast.views.expressions import Call, CallArguments, NamedArgument
from modelica_ast.views.modifications import Arguments, ElementModification

T = TypeVar("T")

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
    """A record of chapter 18.6. `others` are arguments that it does not have, as they stand: a vendor's."""

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
            raise GraphicsError(f"{name}(…) is no {cls.modelica_name}{_place(view)}")
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
                close = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean '{close[0]}'?" if close else f"it has {', '.join(known)}"
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
    raise GraphicsError(f"a {what} has named fields; {data!r} is none")


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
            raise GraphicsError(f"'{view.text}' is no {cls.modelica_name}{_place(view)}")


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
