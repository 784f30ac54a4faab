"""Why an edit was refused."""

from __future__ import annotations

from modelica_ast.errors import ModelicaError


class EditError(ModelicaError, ValueError):
    """An edit that was refused; nothing has changed."""


class NotFoundError(EditError, LookupError):
    """A selector that matches nothing; the message names the nearest."""


class AmbiguousError(EditError):
    """A selector that matches more than one thing; the message names them."""
