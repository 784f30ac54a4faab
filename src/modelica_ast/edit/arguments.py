"""The arguments of an operation: JSON, checked against the type hints of its verb and turned into Python values."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from modelica_ast.edit.errors import EditError
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.literals import Real, Reference
from modelica_ast.parse import parse_expression
from modelica_ast.record import Record

_DEEPEST: Final = 100  # levels of lists in a value; no array has more dimensions
_SHOWN: Final = 60  # characters of a wrong value that a message shows
_WORDS: Final[dict[Any, str]] = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
}


class Parameter(Record):
    """One argument that a verb takes: its key in a patch, its name in Python, its type."""

    key: str
    name: str
    hint: Any
    required: bool


@cache
def parameters(verb: Callable[..., None]) -> tuple[Parameter, ...]:
    """What a verb takes behind the working tree. `class_` is `class` in a patch, where it is no keyword."""
    hints = get_type_hints(verb)
    found = list(inspect.signature(verb).parameters.values())[1:]
    return tuple(Parameter(p.name.rstrip("_"), p.name, hints[p.name], p.default is p.empty) for p in found)


def keywords(name: str, verb: Callable[..., None], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an operation as its verb takes them; EditError names the key that is wrong."""
    known = {parameter.key: parameter for parameter in parameters(verb)}
    for key in given:
        if key not in known:
            raise EditError(f"'{name}' has no '{key}'; it has {', '.join(known)}")
    for key, parameter in known.items():
        if parameter.required and key not in given:
            raise EditError(f"'{name}': missing a required argument: '{key}'")
    return {known[key].name: converted(known[key].hint, value, f"'{name}': '{key}'") for key, value in given.items()}


def kind_of(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type hint as one of few kinds, and what it is made of.

    The kinds are Any, a plain type, `list`, `Mapping`, `Literal`, `Union` and, for a TypedDict, `dict`.
    """
    origin, inner = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return dict, ()
    if origin in (Union, types.UnionType):
        return Union, inner
    if origin in (list, Sequence):
        return list, inner
    if origin in (dict, Mapping):
        return Mapping, inner[1:]
    if origin is Literal:
        return Literal, inner
    if hint is Any or hint in _WORDS:
        return hint, ()
    raise TypeError(f"{hint!r} has no form in a patch")


def converted(hint: Any, value: Any, where: str) -> Any:
    """A JSON value as a verb takes it; EditError, with the place, if its type is another."""
    kind, inner = kind_of(hint)
    if kind is Any:
        try:
            return from_json(value)
        except EditError as error:
            raise EditError(f"{where}: {error}") from None
    if kind is Union:
        fitting = [one for one in inner if _fits(one, value)]
        if fitting:
            return converted(fitting[0], value, where)
    elif _fits(hint, value):
        if kind is list:
            return [converted(inner[0], item, f"{where}[{place}]") for place, item in enumerate(value)]
        if kind is Mapping:
            return {key: converted(inner[0], item, f"{where}, '{key}'") for key, item in value.items()}
        if kind is dict:
            return _typed_dict(hint, value, where)
        return value
    raise EditError(f"{where} must be {described(hint)}, not {_shown(value)}")


def _fits(hint: Any, value: Any) -> bool:
    """Is a value of this kind, whatever is inside it?"""
    kind, inner = kind_of(hint)
    if kind is Any:
        return True
    if kind is list:
        return isinstance(value, list | tuple)
    if kind in (Mapping, dict):
        return isinstance(value, Mapping) and all(isinstance(key, str) for key in value)
    if kind is Literal:
        return value in inner
    if kind in (int, float) and isinstance(value, bool):  # which is a number in Python only
        return False
    return isinstance(value, int | float if kind is float else kind)


def _typed_dict(hint: Any, value: Mapping[str, Any], where: str) -> dict[str, Any]:
    hints = get_type_hints(hint)
    for key in value:
        if key not in hints:
            raise EditError(f"{where} has no '{key}'; it has {', '.join(hints)}")
    for key in hints:
        if key in hint.__required_keys__ and key not in value:
            raise EditError(f"{where}: missing '{key}'")
    return {key: converted(hints[key], item, f"{where}, '{key}'") for key, item in value.items()}


def described(hint: Any) -> str:
    """A type in the words of a message: `a string or null`."""
    kind, inner = kind_of(hint)
    if kind is Union:
        return " or ".join(map(described, inner))
    if kind is Literal:
        return " or ".join(map(repr, inner))
    if kind is list:
        return "a list"
    return "an object" if kind in (Mapping, dict) else _WORDS.get(kind, "a value")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def from_json(value: Any, depth: int = 0) -> Any:
    """A value of a patch as a value for a verb."""
    match value:
        case {"expression": str(text)} if len(value) == 1:
            try:
                return parse_expression(text)
            except ModelicaSyntaxError as error:
                raise EditError(f"'{text}' is not an expression: {error.message}") from None
        case {"reference": str(name)} if len(value) == 1:
            return Reference(name)
        case {"real": str(text)} if len(value) == 1:
            try:
                return Real(text)
            except ValueError:
                raise EditError(f"'{text}' is not a number") from None
        case dict():
            raise EditError(
                f"{_shown(value)} is no value: a value is a JSON literal, or has one key: expression, reference or real"
            )
        case list():
            if depth >= _DEEPEST:
                raise EditError(f"a list nested deeper than {_DEEPEST} levels")
            return [from_json(item, depth + 1) for item in value]
        case _:
            return value
