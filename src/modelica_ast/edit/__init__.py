"""The verbs: change a document, and only what you meant to change."""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from modelica_ast.edit.diagram import LeftAlone
    from modelica_ast.edit.document import Document
    from modelica_ast.edit.editor import Editor, Visitor
    from modelica_ast.edit.errors import AmbiguousError, EditError, NotFoundError
    from modelica_ast.edit.handles import ClassHandle, ComponentHandle
    from modelica_ast.edit.lsp import workspace_edit
    from modelica_ast.edit.patch_files import load_patch, load_patches, save_patch, save_patches
    from modelica_ast.edit.several import ComponentCopy, NewComponent, NewConnection
    from modelica_ast.edit.text_edits import TextEdit
    from modelica_ast.edit.workspace import Workspace
    from modelica_ast.files.journal import Recovery, recover

__all__ = [
    "AmbiguousError",
    "ClassHandle",
    "ComponentCopy",
    "ComponentHandle",
    "Document",
    "EditError",
    "Editor",
    "LeftAlone",
    "NewComponent",
    "NewConnection",
    "NotFoundError",
    "Recovery",
    "TextEdit",
    "Visitor",
    "Workspace",
    "load_patch",
    "load_patches",
    "recover",
    "save_patch",
    "save_patches",
    "workspace_edit",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "diagram": "LeftAlone",
            "document": "Document",
            "editor": "Editor Visitor",
            "errors": "AmbiguousError EditError NotFoundError",
            "handles": "ClassHandle ComponentHandle",
            "lsp": "workspace_edit",
            "modelica_ast.files.journal": "Recovery recover",
            "patch_files": "load_patch load_patches save_patch save_patches",
            "several": "ComponentCopy NewComponent NewConnection",
            "text_edits": "TextEdit",
            "workspace": "Workspace",
        },
    )
