"""Whole libraries: names, references, moves, instance trees."""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names
from modelica_ast.library.references import Reference, references  # not late: the module is called like the function

if TYPE_CHECKING:
    from modelica_ast.library.batch import Edited, Result, apply_edits, edit_files, map_files
    from modelica_ast.library.cache import ParseCache
    from modelica_ast.library.checking import check_library
    from modelica_ast.library.class_files import instance
    from modelica_ast.library.class_target import ClassTarget, open_class
    from modelica_ast.library.errors import LibraryError, Problem
    from modelica_ast.library.folders import Found, brought_folders, libraries_in, library_folders
    from modelica_ast.library.handles import LibraryClass, LibraryComponent
    from modelica_ast.library.libraries import Libraries
    from modelica_ast.library.library import Library
    from modelica_ast.library.moving import add_class, copy_class, insert_class, move_class, remove_class
    from modelica_ast.library.progress import Progress
    from modelica_ast.library.renaming import rename
    from modelica_ast.library.shelf import Shelf, find_library, library_around, open_with_uses
    from modelica_ast.library.surroundings import Surroundings
    from modelica_ast.semantics.instances import Bound, ComponentInstance, Connection, Dimension, Instance
    from modelica_ast.semantics.modifiers import Modifier

__all__ = [
    "Bound",
    "ClassTarget",
    "ComponentInstance",
    "Connection",
    "Dimension",
    "Edited",
    "Found",
    "Instance",
    "Libraries",
    "Library",
    "LibraryClass",
    "LibraryComponent",
    "LibraryError",
    "Modifier",
    "ParseCache",
    "Problem",
    "Progress",
    "Reference",
    "Result",
    "Shelf",
    "Surroundings",
    "add_class",
    "apply_edits",
    "brought_folders",
    "check_library",
    "copy_class",
    "edit_files",
    "find_library",
    "insert_class",
    "instance",
    "libraries_in",
    "library_around",
    "library_folders",
    "map_files",
    "move_class",
    "open_class",
    "open_with_uses",
    "references",
    "remove_class",
    "rename",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "batch": "Edited Result apply_edits edit_files map_files",
            "cache": "ParseCache",
            "checking": "check_library",
            "class_files": "instance",
            "class_target": "ClassTarget open_class",
            "errors": "LibraryError Problem",
            "folders": "Found brought_folders libraries_in library_folders",
            "handles": "LibraryClass LibraryComponent",
            "libraries": "Libraries",
            "library": "Library",
            "moving": "add_class copy_class insert_class move_class remove_class",
            "progress": "Progress",
            "renaming": "rename",
            "shelf": "Shelf find_library library_around open_with_uses",
            "surroundings": "Surroundings",
            "modelica_ast.semantics.instances": "Bound ComponentInstance Connection Dimension Instance",
            "modelica_ast.semantics.modifiers": "Modifier",
        },
    )
