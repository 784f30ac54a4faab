"""Whole libraries: found on the shelf, read by need, edited and saved as one; who uses what, and what is wrong.

Start with `libraries`. A library's entries (`layout`) are immutable and belong to the workspace's steps as documents
do, so files, folders, `package.order` and names are undone together. `class_files` is all files of some libraries as
`semantics` sees them, each parsed when a name leads there. `surroundings` looks at a document where it is.
Libraries that are not written yet need no folder: `Libraries(paths, files=…)` has files in memory over those on the
disk, is edited and checked like all others and refuses to be saved. Absent on purpose: a look-up of names of its own.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.library.batch import (
        Edited as Edited,
        Result as Result,
        apply_edits as apply_edits,
        edit_files as edit_files,
        map_files as map_files,
    )
    from modelica_ast.library.cache import ParseCache as ParseCache
    from modelica_ast.library.class_files import (
        LibraryFiles as LibraryFiles,
        checked_classes as checked_classes,
        classes_of as classes_of,
        forget_checked_classes as forget_checked_classes,
        instance as instance,
        lookup_of as lookup_of,
        trees_of as trees_of,
    )
    from modelica_ast.library.errors import (
        LibraryError as LibraryError,
        Problem as Problem,
        Progress as Progress,
        Tally as Tally,
    )
    from modelica_ast.library.file_moves import (
        RESOURCES as RESOURCES,
        Moves as Moves,
        Resources as Resources,
        copy_resources as copy_resources,
        move_resources as move_resources,
    )
    from modelica_ast.library.inspection import (
        CheckedFile as CheckedFile,
        check_library as check_library,
        topical_problems as topical_problems,
    )
    from modelica_ast.library.installation import (
        Copy as Copy,
        brought_libraries as brought_libraries,
        copy_in as copy_in,
        files_of as files_of,
        install as install,
        refuse_others as refuse_others,
        uninstall as uninstall,
        versioned as versioned,
    )
    from modelica_ast.library.layout import (
        ORDER_FILE as ORDER_FILE,
        FileEntry as FileEntry,
        Found as Found,
        brought_folders as brought_folders,
        class_names as class_names,
        fault_in_folder as fault_in_folder,
        libraries_in as libraries_in,
        library_folders as library_folders,
        name_and_version as name_and_version,
        openmodelica_folder as openmodelica_folder,
    )
    from modelica_ast.library.libraries import (
        Libraries as Libraries,
        Position as Position,
        other_files as other_files,
        put_in_order as put_in_order,
        reorder as reorder,
    )
    from modelica_ast.library.library import (
        Library as Library,
        LibraryClass as LibraryClass,
        LibraryComponent as LibraryComponent,
    )
    from modelica_ast.library.links import (
        LinkFollower as LinkFollower,
        follow_in_files as follow_in_files,
        follow_in_tree as follow_in_tree,
        linked_files as linked_files,
    )
    from modelica_ast.library.shelf import (
        Shelf as Shelf,
        conversion_items as conversion_items,
        find_library as find_library,
        library_around as library_around,
        missing_package as missing_package,
        open_with_uses as open_with_uses,
        uses_of as uses_of,
    )
    from modelica_ast.library.surroundings import (
        ClassTarget as ClassTarget,
        Surroundings as Surroundings,
        full_name_at as full_name_at,
        open_class as open_class,
    )
    from modelica_ast.library.uses import (
        DerivedClasses as DerivedClasses,
        Meanings as Meanings,
        Reference as Reference,
        Uses as Uses,
        declared_as as declared_as,
        derived_classes as derived_classes,
        references as references,
        target_of as target_of,
    )
    from modelica_ast.refactor import (
        add_class as add_class,
        copy_class as copy_class,
        insert_class as insert_class,
        move_class as move_class,
        remove_class as remove_class,
        rename as rename,
    )
    from modelica_ast.semantics import (
        Bound as Bound,
        ComponentInstance as ComponentInstance,
        Connection as Connection,
        Dimension as Dimension,
        Instance as Instance,
        Modifier as Modifier,
    )

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
            "class_files": "LibraryFiles checked_classes classes_of forget_checked_classes instance lookup_of trees_of",
            "errors": "LibraryError Problem Progress Tally",
            "file_moves": "Moves RESOURCES Resources copy_resources move_resources",
            "inspection": "CheckedFile check_library topical_problems",
            "installation": "Copy brought_libraries copy_in files_of install refuse_others uninstall versioned",
            "layout": (
                "FileEntry Found ORDER_FILE brought_folders class_names fault_in_folder libraries_in "
                "library_folders name_and_version openmodelica_folder"
            ),
            "libraries": "Libraries Position other_files put_in_order reorder",
            "library": "Library LibraryClass LibraryComponent",
            "links": "LinkFollower follow_in_files follow_in_tree linked_files",
            "modelica_ast.refactor": "add_class copy_class insert_class move_class remove_class rename",
            "modelica_ast.semantics": "Bound ComponentInstance Connection Dimension Instance Modifier",
            "shelf": "Shelf conversion_items find_library library_around missing_package open_with_uses uses_of",
            "surroundings": "ClassTarget Surroundings full_name_at open_class",
            "uses": "DerivedClasses Meanings Reference Uses declared_as derived_classes references target_of",
        },
    )
