"""Operations that are about a file and no class of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

from modelica_ast.testing.operations import Operations, fields
from modelica_ast.testing.values import dotted_names


def _set_within(_text: str) -> Operations:
    return fields(within=st.none() | st.just("") | dotted_names())


def _replace_text(text: str) -> Operations:
    """Some line gets blanks at its end: that parses wherever it is."""
    lines = text.split("\n")

    def blanks_behind(number: int, blanks: str) -> dict[str, object]:
        line = lines[number].removesuffix("\r")
        return {"replacements": [{"line": number + 1, "old": line, "new": line + blanks}]}

    return st.builds(blanks_behind, st.integers(0, len(lines) - 1), st.sampled_from((" ", "  ", "\t")))


# For each verb a function from the text of a file to the arguments that fit there.
FILE_GENERATORS: Final[dict[str, Callable[[str], Operations]]] = {
    "replace_text": _replace_text,
    "set_within": _set_within,
}
