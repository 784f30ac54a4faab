"""Modelica that somebody wrote elsewhere, with the indentation and line ends of the place where it goes."""

from __future__ import annotations

import re
from typing import Final

from modelica_ast.edit.values import parsed
from modelica_ast.green import Green
from modelica_ast.lexer import lex, split_leaf

# A line end, and whether its line is empty.
_LINE_END: Final = re.compile(r"\r?\n(?=(\r?\n)?)")


def laid_out(text: str, start: str, what: str, line_start: str) -> Green:
    """A piece of Modelica whose lines start as `line_start` has it; strings keep their line ends."""
    parsed(text, start, what)  # a message about the caller's own text
    end = "\r\n" if "\r\n" in line_start else "\n"
    indent = line_start.lstrip("\r\n")

    def moved(found: re.Match[str]) -> str:
        return end if found[1] else end + indent

    parts = []
    for number, (leaf, _) in enumerate(lex(text.strip(), lazy=False)):
        prefix, token = split_leaf(leaf)
        parts.append((_LINE_END.sub(moved, prefix) if number and line_start else prefix) + token)
    return parsed("".join(parts), start, what)
