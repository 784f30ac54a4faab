"""Packages that are generated from data, and follow it while the edits of their users stay.

A generator gives files in memory for a package of a full name; what it must know the next time is in a side-car beside
them, which is JSON. When the data change, three versions are merged as trees: what was generated last, what the user
has now, what is generated today. Start with `update.work_out`. Nothing here knows what the data are, and nothing writes
but `Update.save`.
"""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from modelica_ast.generate.adoption import Comparison, compared, in_place_of
    from modelica_ast.generate.conflicts import USER, DataPlace, Places, UpdateConflict, value_key
    from modelica_ast.generate.departures import Part
    from modelica_ast.generate.errors import BuildError, ChangedError, NoBaseError, UnreadableError, UpdateError
    from modelica_ast.generate.generation import Generated
    from modelica_ast.generate.outcome import Decisions, FileUpdate, Update, save_updates
    from modelica_ast.generate.package_files import order_file, package_document
    from modelica_ast.generate.packages import (
        ORDER_FILE,
        PACKAGE_FILE,
        UserPackage,
        class_chain,
        older_files,
        parent_and_name,
        read_user_package,
        refuse_linked_folders,
        untouched_files,
    )
    from modelica_ast.generate.reconciliation import Decide
    from modelica_ast.generate.renames import Outside, Question, RenamedPackage, renamed_package
    from modelica_ast.generate.report import Edit, Report, Taken
    from modelica_ast.generate.side_car import (
        KeptPart,
        RememberedConflict,
        SideCar,
        digest,
        is_modelica,
        read_side_car,
        text_digest,
    )
    from modelica_ast.generate.surroundings import Surroundings
    from modelica_ast.generate.templates import CLONE, Templates, templates_digest
    from modelica_ast.generate.update import Memory, Plan, work_out
    from modelica_ast.generate.usage import overlaid
    from modelica_ast.generate.versions import (
        Versions,
        differs,
        versions_of,
        with_line_ends_of,
    )
    from modelica_ast.generate.wording import short, shown_path
else:
    # PERF: a build writes a side-car, and must not wait for the merge.
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "adoption": "Comparison compared in_place_of",
            "conflicts": "USER DataPlace Places UpdateConflict value_key",
            "departures": "Part",
            "errors": "BuildError ChangedError NoBaseError UnreadableError UpdateError",
            "generation": "Generated",
            "package_files": "order_file package_document",
            "packages": (
                "ORDER_FILE PACKAGE_FILE UserPackage class_chain older_files parent_and_name read_user_package "
                "refuse_linked_folders untouched_files"
            ),
            "reconciliation": "Decide",
            "renames": "Outside Question RenamedPackage renamed_package",
            "report": "Edit Report Taken",
            "side_car": "KeptPart RememberedConflict SideCar digest is_modelica read_side_car text_digest",
            "outcome": "Decisions FileUpdate Update save_updates",
            "surroundings": "Surroundings",
            "templates": "CLONE Templates templates_digest",
            "update": "Memory Plan work_out",
            "usage": "overlaid",
            "versions": "Versions differs versions_of with_line_ends_of",
            "wording": "short shown_path",
        },
    )

__all__ = [
    "CLONE",
    "ORDER_FILE",
    "PACKAGE_FILE",
    "USER",
    "BuildError",
    "ChangedError",
    "Comparison",
    "DataPlace",
    "Decide",
    "Decisions",
    "Edit",
    "FileUpdate",
    "Generated",
    "KeptPart",
    "Memory",
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
    "compared",
    "differs",
    "digest",
    "in_place_of",
    "is_modelica",
    "older_files",
    "order_file",
    "overlaid",
    "package_document",
    "parent_and_name",
    "read_side_car",
    "read_user_package",
    "refuse_linked_folders",
    "renamed_package",
    "save_updates",
    "short",
    "shown_path",
    "templates_digest",
    "text_digest",
    "untouched_files",
    "value_key",
    "versions_of",
    "with_line_ends_of",
    "work_out",
]
