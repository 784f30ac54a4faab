"""Static rules of Modelica, and the check that finds where they are broken."""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from modelica_ast.library.shelf import open_with_uses
    from modelica_ast.rules.checking import check_document, check_libraries
    from modelica_ast.rules.edits import check_edits
    from modelica_ast.rules.findings import Finding, Place
    from modelica_ast.rules.table import RULES, Rule
else:
    # PERF: an edit asks some rules about what it has written, and must not wait for all of them.
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "modelica_ast.library.shelf": "open_with_uses",
            "checking": "check_document check_libraries",
            "edits": "check_edits",
            "findings": "Finding Place",
            "table": "RULES Rule",
        },
    )

__all__ = [
    "RULES",
    "Finding",
    "Place",
    "Rule",
    "check_document",
    "check_edits",
    "check_libraries",
    "open_with_uses",
]
