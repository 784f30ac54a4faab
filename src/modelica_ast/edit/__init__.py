"""The verbs: change a document, and only what you meant to change."""

from modelica_ast.edit.document import ClassHandle, ComponentHandle, Document
from modelica_ast.edit.errors import AmbiguousError, EditError, NotFoundError

__all__ = ["AmbiguousError", "ClassHandle", "ComponentHandle", "Document", "EditError", "NotFoundError"]
