"""Equations and statements as their author wrote them, found by their text."""

from __future__ import annotations

from modelica_ast.edit.connections import add_equation as put_equation
from modelica_ast.edit.connections import nested_equations
from modelica_ast.edit.errors import AmbiguousError, NotFoundError
from modelica_ast.edit.surgery import Path, at, remove
from modelica_ast.edit.values import parsed
from modelica_ast.edit.working import Working
from modelica_ast.green import render, tokens


def add_equation(work: Working, class_: str, equation: str) -> None:
    """Add an equation, given as Modelica with or without its semicolon: `x = 2*y`."""
    put_equation(work, class_, parsed(_with_semicolon(equation), "_equation", "an equation"))


def remove_equation(work: Working, class_: str, equation: str) -> None:
    """Remove an equation, found by its tokens: blanks, comments, description and annotation don't matter."""
    path = equation_path(work, class_, equation)
    work.changed(remove(work.root, path), path[:-1])


def equation_path(work: Working, class_: str, equation: str) -> Path:
    """The equation with these tokens, also inside `for`, `if` and `when`."""
    wanted = tokens(parsed(_with_semicolon(equation), "_equation", "an equation"))[:-1]
    found = [path for path in nested_equations(work, class_) if tokens(at(work.root, path))[: len(wanted)] == wanted]
    exact = [path for path in found if tokens(at(work.root, path))[len(wanted)][:1] in (";", '"', "a")]
    if not exact:
        raise NotFoundError(f"no equation '{equation}' in '{class_}'")
    if len(exact) > 1:
        places = "; ".join(" ".join(render(at(work.root, path)).split()) for path in exact)
        raise AmbiguousError(f"'{equation}' stands {len(exact)} times in '{class_}': {places}")
    return exact[0]


def _with_semicolon(equation: str) -> str:
    return equation if equation.rstrip().endswith(";") else equation + ";"
