"""What changed between two versions of a file or a library, apart from what tools do to text."""

from modelica_ast.compare.changes import Change, Changes
from modelica_ast.compare.comparing import compare
from modelica_ast.compare.folders import FolderChanges, compare_paths
from modelica_ast.compare.lines import Styled, lines_of, text_of
from modelica_ast.compare.page import html_page

__all__ = [
    "Change",
    "Changes",
    "FolderChanges",
    "Styled",
    "compare",
    "compare_paths",
    "html_page",
    "lines_of",
    "text_of",
]
