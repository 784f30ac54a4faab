"""Why a pattern, a replacement or a constraint was refused."""

from __future__ import annotations

from modelica_ast.edit.errors import EditError


class PatternError(EditError):
    """A pattern that is none, or that can't be used as somebody asked; nothing has changed."""
