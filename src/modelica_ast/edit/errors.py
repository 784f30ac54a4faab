"""Why an edit was refused."""

from __future__ import annotations

from modelica_ast.errors import AmbiguousError, EditError, NotFoundError

__all__ = ["AmbiguousError", "EditError", "NotFoundError"]
