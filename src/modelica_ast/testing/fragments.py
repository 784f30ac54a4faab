"""Pieces of Modelica as text, every syntax that the grammar has, valid for `parse`.

They are derivations of the grammar, so they look like nobody's code: they find what nobody thought of. For files that
look like people's, see `documents`.
"""

from __future__ import annotations

from hypothesis import strategies as st

from modelica_ast.green import render
from modelica_ast.testing.derivations import green_trees


def fragments(rule: str, *, size: int = 40, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """The text of any rule of the grammar: `modification`, `annotation_clause`, `_element`.

    `size` is about how many symbols are drawn. `between` is what stands before each token, `trivia()` unless given:
    `between=st.just(" ")` gives plain text. A file or a class of about 40 symbols is 200 characters long.
    """
    return green_trees(rule, size, valid=True, between=between).map(render)


def expressions(*, size: int = 20, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Expressions, for `parse_expression`: `a + 2*b[end]`."""
    return fragments("expression", size=size, between=between)


def equations(*, size: int = 30, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Equations with their semicolon, for `parse_equation`: `connect(a, b);`."""
    return fragments("_equation", size=size, between=between)


def statements(*, size: int = 30, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Statements with their semicolon, for `parse_statement`: `x := 1;`."""
    return fragments("_statement", size=size, between=between)


def components(*, size: int = 30, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Declarations of one or more components with their semicolon, for `parse_element`: `parameter Real a = 1, b;`."""
    return fragments("component_clause", size=size, between=between).map(lambda clause: clause + ";")


def classes(*, size: int = 50, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Classes with their semicolon, for `parse_class`: `model M Real x; end M;`."""
    return fragments("stored_class", size=size, between=between)


def definitions(*, size: int = 60, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """The text of whole files, for `parse`; also empty ones."""
    return fragments("stored_definition", size=size, between=between)
