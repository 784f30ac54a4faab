"""YAML of strangers: read by PyYAML, and only as deep as somebody would write it.

Its scanner looks at every bracket that is open for each token that it reads, so 20 KB of brackets take it seconds, and
whoever walks the result recurses. This one stops at the bracket that is too much, before it reads another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import yaml

DEEPEST: Final = 100
LARGEST: Final = 1 << 20  # characters; what people write by hand is a page


class BoundedLoader(yaml.SafeLoader):
    """Plain values only, nested at most `DEEPEST` deep; what is deeper is a YAMLError with its line."""

    def fetch_more_tokens(self) -> None:
        """Refuse, or read on: the scanner asks for each token."""
        if self.flow_level + len(self.indents) > DEEPEST:
            problem = f"it nests more than {DEEPEST} deep"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=self.get_mark())
        super().fetch_more_tokens()


def compose(
    text: str, file: str, what: str, error: Callable[[str], Exception], *, aliases: bool = True
) -> yaml.Node | None:
    """The nodes of a file, which know their places, None if it is empty; an error with the line if it is no YAML.

    Aliases make short files large: who does not count what they repeat can have them refused.
    """
    if len(text) > LARGEST:
        raise error(f"{file}: {what} has at most {LARGEST} characters")
    try:
        for token in () if aliases else yaml.scan(text, Loader=BoundedLoader):
            if isinstance(token, yaml.AliasToken):
                raise error(f"{file}:{token.start_mark.line + 1}: write it out: '*{token.value}' is an alias")
        node: yaml.Node | None = yaml.compose(text, Loader=BoundedLoader)
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        problem = getattr(wrong, "problem", None) or str(wrong).partition("\n")[0]
        raise error(f"{file}:{mark.line + 1 if mark is not None else 1}: no YAML: {problem}") from None
    return node
