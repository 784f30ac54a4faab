"""Pieces of Python as trees of `ast`, in the form in which `ast.parse` would give them back."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

_LOAD: Final = ast.Load()
RUNTIME: Final = "typed"  # what generated modules call `urdf_frontend.typed`


def name(dotted: str) -> ast.expr:
    """A name, or what it leads to: `typing.Final`."""
    first, *rest = dotted.split(".")
    node: ast.expr = ast.Name(first, _LOAD)
    for attribute in rest:
        node = ast.Attribute(node, attribute, _LOAD)
    return node


def runtime(attribute: str) -> ast.expr:
    """A name of the runtime."""
    return name(f"{RUNTIME}.{attribute}")


def literal(value: float | str | None) -> ast.expr:
    """A text or a finite number. What is negative is a minus and a number: that is how Python reads it."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.copysign(1.0, value) < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def numbers(values: Iterable[float]) -> ast.expr:
    """A tuple of numbers."""
    return tuple_of(literal(value) for value in values)


def texts(values: Iterable[str]) -> ast.expr:
    """A tuple of texts."""
    return tuple_of(literal(value) for value in values)


def tuple_of(elements: Iterable[ast.expr]) -> ast.expr:
    """A tuple."""
    return ast.Tuple(list(elements), _LOAD)


def mapping(pairs: Iterable[tuple[ast.expr, ast.expr]]) -> ast.expr:
    """A dictionary."""
    both = list(pairs)
    return ast.Dict([key for key, _ in both], [value for _, value in both])


def call(function: str, *positional: ast.expr, named: Mapping[str, ast.expr | None] | None = None) -> ast.Call:
    """A call of something of the runtime; named arguments that are None are left out."""
    keywords = [ast.keyword(key, value) for key, value in (named or {}).items() if value is not None]
    return ast.Call(runtime(function), list(positional), keywords)


def subscript(value: ast.expr, *elements: ast.expr) -> ast.expr:
    """`value[a, b]`."""
    inside = elements[0] if len(elements) == 1 else tuple_of(elements)
    return ast.Subscript(value, inside, _LOAD)


def union(*types: ast.expr) -> ast.expr:
    """`A | B`."""
    node = types[0]
    for each in types[1:]:
        node = ast.BinOp(node, ast.BitOr(), each)
    return node


def assignment(target: str, value: ast.expr) -> ast.stmt:
    """`target = value`."""
    return ast.fix_missing_locations(ast.Assign([ast.Name(target, ast.Store())], value))


def annotated(target: str, annotation: ast.expr, value: ast.expr) -> ast.stmt:
    """`target: annotation = value`."""
    return ast.fix_missing_locations(ast.AnnAssign(ast.Name(target, ast.Store()), annotation, value, 1))


def class_of(title: str, base: ast.expr, body: list[ast.stmt]) -> ast.ClassDef:
    """A class with one base."""
    # Versions of Python differ in what further fields the node has; those get their defaults.
    parts: dict[str, Any] = {"keywords": [], "decorator_list": []}
    if "type_params" in ast.ClassDef._fields:
        parts["type_params"] = []
    return ast.fix_missing_locations(ast.ClassDef(title, [base], body=body, **parts))


def function(
    title: str,
    parameters: Mapping[str, ast.expr | None],
    returns: ast.expr,
    body: list[ast.stmt],
    decorators: Iterable[ast.expr] = (),
) -> ast.FunctionDef:
    """A function whose parameters have types, but for `self`."""
    arguments = ast.arguments([], [ast.arg(key, type_) for key, type_ in parameters.items()], None, [], [], None, [])
    parts: dict[str, Any] = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}
    made = ast.FunctionDef(title, arguments, body, list(decorators), returns, None, **parts)
    return ast.fix_missing_locations(made)


def text_line(text: str) -> ast.stmt:
    """A text that stands alone: a docstring."""
    return ast.Expr(ast.Constant(text))


ELLIPSIS: Final = ast.Expr(ast.Constant(...))
