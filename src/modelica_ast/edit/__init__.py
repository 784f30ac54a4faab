"""The verbs: change a document, and only what you meant to change."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modelica_ast.edit.class_handle import ClassHandle
    from modelica_ast.edit.component_handle import ComponentHandle
    from modelica_ast.edit.diagram import LeftAlone
    from modelica_ast.edit.document import Document
    from modelica_ast.edit.errors import AmbiguousError, EditError, NotFoundError
    from modelica_ast.edit.journal import Recovery, recover
    from modelica_ast.edit.lsp import workspace_edit
    from modelica_ast.edit.patch_files import load_patch, load_patches, save_patch, save_patches
    from modelica_ast.edit.several import NewComponent, NewConnection
    from modelica_ast.edit.text_edits import TextEdit
    from modelica_ast.edit.workspace import Workspace

__all__ = [
    "AmbiguousError",
    "ClassHandle",
    "ComponentHandle",
    "Document",
    "EditError",
    "LeftAlone",
    "NewComponent",
    "NewConnection",
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

if not TYPE_CHECKING:  # or else no misspelled name would be found
    _MODULES = {
        "AmbiguousError": "errors",
        "ClassHandle": "class_handle",
        "ComponentHandle": "component_handle",
        "Document": "document",
        "EditError": "errors",
        "LeftAlone": "diagram",
        "NewComponent": "several",
        "NewConnection": "several",
        "NotFoundError": "errors",
        "Recovery": "journal",
        "TextEdit": "text_edits",
        "Workspace": "workspace",
        "load_patch": "patch_files",
        "load_patches": "patch_files",
        "recover": "journal",
        "save_patch": "patch_files",
        "save_patches": "patch_files",
        "workspace_edit": "lsp",
    }

    def __getattr__(name: str) -> Any:
        """Import what is asked for: the command line pays for each module in every run."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib  # noqa: PLC0415  (start-up time)

        value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return [*globals(), *__all__]
