"""Why an edit was refused."""

from __future__ import annotations

from modelica_ast.errors import EditError

__all__ = ["AmbiguousError", "EditError", "NotFoundError"]


class NotFoundError(EditError, LookupError):
    """A selector that matches nothing; the message names the nearest."""


class AmbiguousError(EditError):
    """A selector that matches more than one thing; the message names them."""
