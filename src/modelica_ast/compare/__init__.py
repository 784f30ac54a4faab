"""What changed between two versions of a file or a library by meaning, and three versions made one.

Start with `things`: a file is taken apart into things that cover every byte, each with an identity: a class by its
path, a component or modifier by its name, a connection by its ends. `comparison` compares thing by thing; blanks, the
order of named arguments and how a number is written are noise. The merge in `three_way/` makes a plan: what one side
changed is that side's, what both changed differently is a choice, written for a side or with markers. Then its
`proof` counts what the three versions say without looking at the plan; a class that does not add up becomes a
conflict.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.compare.changes import Change as Change, Changes as Changes
    from modelica_ast.compare.comparison import (
        FolderChanges as FolderChanges,
        compare as compare,
        compare_paths as compare_paths,
    )
    from modelica_ast.compare.pages import (
        Styled as Styled,
        html_page as html_page,
        lines_of as lines_of,
        text_of as text_of,
    )
    from modelica_ast.compare.three_way.folders import (
        MergedFiles as MergedFiles,
        merge_files as merge_files,
        merge_order as merge_order,
    )
    from modelica_ast.compare.three_way.git import (
        Scope as Scope,
        drive as drive,
        install as install,
        labels_from_git as labels_from_git,
        uninstall as uninstall,
    )
    from modelica_ast.compare.three_way.merge import merge as merge
    from modelica_ast.compare.three_way.versions import (
        Conflict as Conflict,
        Labels as Labels,
        Merged as Merged,
        MergeError as MergeError,
    )

__all__ = [
    "Change",
    "Changes",
    "Conflict",
    "FolderChanges",
    "Labels",
    "MergeError",
    "Merged",
    "MergedFiles",
    "Styled",
    "compare",
    "compare_paths",
    "html_page",
    "lines_of",
    "merge",
    "merge_files",
    "merge_order",
    "text_of",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "changes": "Change Changes",
            "comparison": "FolderChanges compare compare_paths",
            "pages": "Styled html_page lines_of text_of",
            "modelica_ast.compare.three_way.folders": "MergedFiles merge_files merge_order",
            "modelica_ast.compare.three_way.git": "Scope drive install labels_from_git uninstall",
            "modelica_ast.compare.three_way.merge": "merge",
            "modelica_ast.compare.three_way.versions": "Conflict Labels MergeError Merged",
        },
    )
