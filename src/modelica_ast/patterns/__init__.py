"""Search and rewrite with metavariables, on the tree: blanks, line breaks and comments don't matter.

Start with `pattern`. `$A` becomes an identifier that the pattern does not contain, so the project's own parser reads
patterns and replacements (`trees`). A match is a search with goals and alternatives, without recursion (`matcher`);
whether `$a` is twice the same is told by fingerprints of subtrees. A rewrite builds the replacement's tree, grafts
captures into it (`pieces`), and gives each leaf the blanks of the old leaf that it stands for (`replacement`): that
is why a pattern rewritten to itself changes no byte. The file is proved once, after all its matches.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.patterns.pattern import (
        Capture as Capture,
        Match as Match,
        Pattern as Pattern,
        paths_like as paths_like,
    )
    from modelica_ast.patterns.rewrites import (
        Replacement as Replacement,
        rewrite as rewrite,
        rewrite_code as rewrite_code,
    )
    from modelica_ast.patterns.trees import KIND_NAMES as KIND_NAMES, PatternError as PatternError
    from modelica_ast.patterns.where import (
        CAPTURE_KINDS as CAPTURE_KINDS,
        RegularExpression as RegularExpression,
        Where as Where,
        constraints as constraints,
        parse_where as parse_where,
    )

__all__ = ["Capture", "Match", "Pattern", "PatternError", "Where", "parse_where", "rewrite"]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "pattern": "Capture Match Pattern paths_like",
            "rewrites": "Replacement rewrite rewrite_code",
            "trees": "KIND_NAMES PatternError",
            "where": "CAPTURE_KINDS RegularExpression Where constraints parse_where",
        },
    )
