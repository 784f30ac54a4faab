"""Three versions of a file become one: ours, with what theirs changed; what both changed differently is a conflict."""

from modelica_ast.merge.files import MergedFiles, merge_files
from modelica_ast.merge.orders import merge_order
from modelica_ast.merge.result import Conflict, Labels, Merged, MergeError
from modelica_ast.merge.three_way import merge

__all__ = ["Conflict", "Labels", "MergeError", "Merged", "MergedFiles", "merge", "merge_files", "merge_order"]
