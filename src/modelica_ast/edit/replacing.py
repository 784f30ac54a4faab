"""Text replaced line by line: what the inverse of a patch is made of.

A replacement names its line and says what stands there, so a patch that meets another text is refused. The pieces
that this module makes are whole lines, and never blank ones alone: they read like a diff, and they don't fit by
accident where a text has moved.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import Any, TypedDict

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.text_edits import TextEdit, apply_text_edits, text_edits
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.green import Green, render
from modelica_ast.reading import read
from modelica_ast.source import Source
from modelica_ast.views.files import StoredDefinition

_SHOWN = 80  # characters of a line that a message shows


class _Place(TypedDict):
    line: int
    old: str
    new: str


class Replacement(_Place, total=False):
    """At a line, and a column if it is not the first, the text `old` becomes `new`; both count from 1."""

    column: int


def replace_text(edit: ExactEditor, file: StoredDefinition, replacements: list[Replacement]) -> None:
    """Replace pieces of the text, all at once: each place is one of the text before; the result must parse."""
    text = render(edit.now(file).green)
    starts = _line_starts(text)
    edits = [_edit(text, starts, replacement) for replacement in replacements]
    edits.sort(key=lambda each: (each.start, each.end))
    for one, other in pairwise(edits):
        if other.start < one.end:
            raise EditError(f"two replacements overlap in line {bisect_right(starts, other.start)}")
    new = apply_text_edits(text, edits)
    if new == text:
        return
    try:
        reading = read(Source(new), recover=edit.is_broken)
        if edit.is_broken and len(reading.errors) > len(read(Source(text), recover=True).errors):
            raise reading.errors[0]
        edit.take(reading.green, is_proved=True)
    except ModelicaSyntaxError as error:
        raise EditError(
            f"the text would not be Modelica: line {error.line}, column {error.column}: {error.message}"
        ) from None


def patch_between(before: Green, after: Green) -> list[dict[str, Any]]:
    """The patch that makes the text of one tree from the text of another: one operation, or none if they are equal."""
    edits = text_edits(before, after)
    if not edits:
        return []
    return [{"op": "replace_text", "replacements": _on_whole_lines(render(before), edits)}]


def _line_starts(text: str) -> list[int]:
    """Where each line starts, as `Source` counts lines."""
    mark = "\n" if "\n" in text else "\r"
    return [0, *(match.end() for match in re.finditer(mark, text))]


def _edit(text: str, starts: list[int], replacement: Replacement) -> TextEdit:
    line, column, old = replacement["line"], replacement.get("column", 1), replacement["old"]
    if not 1 <= line <= len(starts):
        raise EditError(f"there is no line {line}: the text has {len(starts)}")
    end_of_line = starts[line] if line < len(starts) else len(text)
    start = starts[line - 1] + column - 1
    if column < 1 or start > end_of_line:
        raise EditError(f"line {line} has no column {column}")
    if not text.startswith(old, start):
        raise EditError(_what_stands_there(text, starts, start, old))
    return TextEdit(start, start + len(old), replacement["new"])


def _what_stands_there(text: str, starts: list[int], start: int, old: str) -> str:
    """The first line that is not as a replacement says."""
    wanted = old
    while "\n" in wanted and text.startswith(wanted[: wanted.index("\n") + 1], start):
        start += wanted.index("\n") + 1
        wanted = wanted[wanted.index("\n") + 1 :]
    first = wanted.partition("\n")[0][:_SHOWN]
    found = text[start : start + max(len(first), 1)].partition("\n")[0]
    return f"line {bisect_right(starts, start)}: there stands {found!r}, not {first!r}"


def _on_whole_lines(text: str, edits: list[TextEdit]) -> list[Replacement]:
    """Edits widened to lines; those that come to share a line become one."""
    starts = _line_starts(text)
    groups: list[tuple[int, int, list[TextEdit]]] = []
    for edit in edits:
        first, last = _lines_around(text, starts, edit)
        if groups and first < groups[-1][1]:
            first, last = groups[-1][0], max(last, groups[-1][1])
            groups[-1] = (first, last, [*groups[-1][2], edit])
        else:
            groups.append((first, last, [edit]))
    return [_replacement(text, starts, *group) for group in groups]


def _lines_around(text: str, starts: list[int], edit: TextEdit) -> tuple[int, int]:
    """The first line (from 0) of an edit and the one behind its last, with at least one that is not blank."""
    ends = [*starts[1:], len(text)]
    first = bisect_right(starts, edit.start) - 1
    last = bisect_right(starts, edit.end)
    if edit.start < edit.end == starts[last - 1]:  # it ends with a line end
        last -= 1
    while not text[starts[first] : ends[last - 1]].strip() and (first > 0 or last < len(starts)):
        if first > 0:
            first -= 1
        else:
            last += 1
    return first, last


def _replacement(text: str, starts: list[int], first: int, last: int, edits: list[TextEdit]) -> Replacement:
    start = starts[first]
    end = starts[last] if last < len(starts) else len(text)
    moved = [TextEdit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    old = text[start:end]
    return {"line": first + 1, "old": old, "new": apply_text_edits(old, moved)}
