"""Three versions of a file become one: ours, with what theirs changed; what both changed differently is a conflict."""

from modelica_ast.compare.three_way.folders import MergedFiles, merge_files, merge_order
from modelica_ast.compare.three_way.texts import merge
from modelica_ast.compare.three_way.versions import Conflict, Labels, Merged, MergeError

__all__ = ["Conflict", "Labels", "MergeError", "Merged", "MergedFiles", "merge", "merge_files", "merge_order"]
