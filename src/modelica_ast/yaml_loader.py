"""YAML of strangers: read by PyYAML, and only as deep as somebody would write it.

Its scanner looks at every bracket that is open for each token that it reads, so 20 KB of brackets take it seconds, and
whoever walks the result recurses. This one stops at the bracket that is too much, before it reads another.
"""

from __future__ import annotations

from typing import Final

import yaml

DEEPEST: Final = 100


class BoundedLoader(yaml.SafeLoader):
    """Plain values only, nested at most `DEEPEST` deep; what is deeper is a YAMLError with its line."""

    def fetch_more_tokens(self) -> None:
        """Refuse, or read on: the scanner asks for each token."""
        if self.flow_level + len(self.indents) > DEEPEST:
            problem = f"it nests more than {DEEPEST} deep"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=self.get_mark())
        super().fetch_more_tokens()
