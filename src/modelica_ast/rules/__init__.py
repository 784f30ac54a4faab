"""Static rules of Modelica, and the check that finds where they are broken.

Start with `table` (the codes) and `checker`. A rule gets a `context`: a class, a way to look names up, and a place
for what it finds. One that is not certain does not speak. `edits` runs some rules on what is new in a document: nodes
that two trees share are the same objects, so an edit is judged by what it wrote.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.library import open_with_uses as open_with_uses
    from modelica_ast.rules.checker import check_document as check_document, check_libraries as check_libraries
    from modelica_ast.rules.class_text import TOOL_NAMES as TOOL_NAMES
    from modelica_ast.rules.edits import check_edits as check_edits
    from modelica_ast.rules.table import RULES as RULES, Finding as Finding, Place as Place, Rule as Rule

__all__ = ["RULES", "Finding", "Place", "Rule", "check_document", "check_edits", "check_libraries", "open_with_uses"]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "modelica_ast.library": "open_with_uses",
            "checker": "check_document check_libraries",
            "class_text": "TOOL_NAMES",
            "edits": "check_edits",
            "table": "Finding Place RULES Rule",
        },
    )
