"""Why a recipe was refused, or where it failed."""

from __future__ import annotations

from modelica_ast.edit.errors import EditError


class RecipeError(EditError):
    """A recipe that is none, or that could not be carried out; no file has changed."""
