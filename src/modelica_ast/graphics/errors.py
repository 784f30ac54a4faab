"""Why a graphical annotation can't be read or written."""

from __future__ import annotations

from modelica_ast.errors import ModelicaError


class GraphicsError(ModelicaError, ValueError):
    """A value of a wrong shape: a colour of two numbers, a pattern that there is not."""
