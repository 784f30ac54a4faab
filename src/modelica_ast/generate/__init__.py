"""Packages that are generated from data, and follow it while the edits of their users stay.

A generator gives files in memory for a package of a full name; what it must know the next time is in a side-car beside
them, which is JSON. When the data change, three versions are merged as trees: what was generated last, what the user
has now, what is generated today. Start with `update.work_out`. Nothing here knows what the data are, and nothing writes
but `Update.save`.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.generate.comments import commented as commented
    from modelica_ast.generate.conflicts import (
        USER as USER,
        DataPlace as DataPlace,
        Decide as Decide,
        Places as Places,
        UpdateConflict as UpdateConflict,
        value_key as value_key,
    )
    from modelica_ast.generate.departures import Part as Part, modifiers_of as modifiers_of
    from modelica_ast.generate.outcome import (
        BuildError as BuildError,
        ChangedError as ChangedError,
        Decisions as Decisions,
        Edit as Edit,
        FileUpdate as FileUpdate,
        NewerBaseError as NewerBaseError,
        NoBaseError as NoBaseError,
        Report as Report,
        Taken as Taken,
        UnreadableError as UnreadableError,
        Update as Update,
        UpdateError as UpdateError,
        save_updates as save_updates,
        short as short,
        shown_path as shown_path,
    )
    from modelica_ast.generate.packages import (
        ORDER_FILE as ORDER_FILE,
        PACKAGE_FILE as PACKAGE_FILE,
        UserPackage as UserPackage,
        class_chain as class_chain,
        file_of_class as file_of_class,
        older_files as older_files,
        parent_and_name as parent_and_name,
        read_package_files as read_package_files,
        read_user_package as read_user_package,
        refuse_linked_folders as refuse_linked_folders,
        shown_class as shown_class,
        untouched_files as untouched_files,
    )
    from modelica_ast.generate.side_car import (
        KeptPart as KeptPart,
        RememberedConflict as RememberedConflict,
        SideCar as SideCar,
        digest as digest,
        is_modelica as is_modelica,
        read_side_car as read_side_car,
        templates_digest as templates_digest,
        text_digest as text_digest,
    )
    from modelica_ast.generate.templates import (
        CLONE as CLONE,
        Generated as Generated,
        Pattern as Pattern,
        Surroundings as Surroundings,
        Templates as Templates,
        order_file as order_file,
        package_document as package_document,
    )
    from modelica_ast.generate.update import Memory as Memory, Plan as Plan, work_out as work_out
    from modelica_ast.generate.usage import (
        ChangedName as ChangedName,
        Followed as Followed,
        Outside as Outside,
        Question as Question,
        RenamedPackage as RenamedPackage,
        followed as followed,
        overlaid as overlaid,
        renamed_package as renamed_package,
    )
    from modelica_ast.generate.versions import (
        Comparison as Comparison,
        Versions as Versions,
        compared as compared,
        differs as differs,
        in_place_of as in_place_of,
        is_as_generated as is_as_generated,
        kept_up as kept_up,
        most_like as most_like,
        versions_of as versions_of,
        with_line_ends_of as with_line_ends_of,
    )

__all__ = [
    "CLONE",
    "ORDER_FILE",
    "PACKAGE_FILE",
    "USER",
    "BuildError",
    "ChangedError",
    "ChangedName",
    "Comparison",
    "DataPlace",
    "Decide",
    "Decisions",
    "Edit",
    "FileUpdate",
    "Followed",
    "Generated",
    "KeptPart",
    "Memory",
    "NewerBaseError",
    "NoBaseError",
    "Outside",
    "Part",
    "Places",
    "Plan",
    "Question",
    "RememberedConflict",
    "RenamedPackage",
    "Report",
    "SideCar",
    "Surroundings",
    "Taken",
    "Templates",
    "UnreadableError",
    "Update",
    "UpdateConflict",
    "UpdateError",
    "UserPackage",
    "Versions",
    "class_chain",
    "commented",
    "compared",
    "differs",
    "digest",
    "file_of_class",
    "followed",
    "in_place_of",
    "is_modelica",
    "modifiers_of",
    "most_like",
    "older_files",
    "order_file",
    "overlaid",
    "package_document",
    "parent_and_name",
    "read_package_files",
    "read_side_car",
    "read_user_package",
    "refuse_linked_folders",
    "renamed_package",
    "save_updates",
    "short",
    "shown_class",
    "shown_path",
    "templates_digest",
    "text_digest",
    "untouched_files",
    "value_key",
    "versions_of",
    "with_line_ends_of",
    "work_out",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "comments": "commented",
            "conflicts": "DataPlace Decide Places USER UpdateConflict value_key",
            "departures": "Part modifiers_of",
            "outcome": (
                "BuildError ChangedError Decisions Edit FileUpdate NewerBaseError NoBaseError Report "
                "Taken UnreadableError Update UpdateError save_updates short shown_path"
            ),
            "packages": (
                "ORDER_FILE PACKAGE_FILE UserPackage class_chain file_of_class older_files "
                "parent_and_name read_package_files read_user_package refuse_linked_folders "
                "shown_class untouched_files"
            ),
            "side_car": (
                "KeptPart RememberedConflict SideCar digest is_modelica read_side_car templates_digest text_digest"
            ),
            "templates": "CLONE Generated Pattern Surroundings Templates order_file package_document",
            "update": "Memory Plan work_out",
            "usage": ("ChangedName Followed Outside Question RenamedPackage followed overlaid renamed_package"),
            "versions": (
                "Comparison Versions compared differs in_place_of is_as_generated kept_up most_like versions_of "
                "with_line_ends_of"
            ),
        },
    )
