"""The verbs: change a document, and only what you meant to change."""

from modelica_ast.edit.class_handle import ClassHandle
from modelica_ast.edit.component_handle import ComponentHandle
from modelica_ast.edit.diagram import LeftAlone
from modelica_ast.edit.document import Document
from modelica_ast.edit.errors import AmbiguousError, EditError, NotFoundError
from modelica_ast.edit.journal import Recovery, recover
from modelica_ast.edit.lsp import workspace_edit
from modelica_ast.edit.patch_files import load_patch, load_patches, save_patch, save_patches
from modelica_ast.edit.text_edits import TextEdit
from modelica_ast.edit.workspace import Workspace

__all__ = [
    "AmbiguousError",
    "ClassHandle",
    "ComponentHandle",
    "Document",
    "EditError",
    "LeftAlone",
    "NotFoundError",
    "Recovery",
    "TextEdit",
    "Workspace",
    "load_patch",
    "load_patches",
    "recover",
    "save_patch",
    "save_patches",
    "workspace_edit",
]
