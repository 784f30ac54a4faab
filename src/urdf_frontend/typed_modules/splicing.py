"""New statements in the place of old ones: every byte outside of them stays."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from urdf_frontend.typed_modules.layout import is_same, text_of
from urdf_frontend.typed_modules.python_text import PythonText
from urdf_frontend.typed_modules.statements import Statement

_REST_OF_LINE: Final = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")
_BLANK_LINES: Final = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*")


@frozen
class _Edit:
    start: int
    end: int
    text: str


def spliced(
    python: PythonText, old: Mapping[str, ast.stmt], new: Sequence[tuple[str, Statement]], imports: Sequence[ast.stmt]
) -> str:
    """The text with the new statements; both are known by their roles.

    A statement that says what the new one says stays as it is laid out. One that is new comes behind the one before
    it, one that is gone goes with its line.
    """
    edits: list[_Edit] = []
    first = min((python.span(node)[0] for node in old.values()), default=len(python.text))
    there = [node for node in python.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    missing = [node for node in imports if not any(is_same(node, each) for each in there)]
    if missing:
        edits.append(_Edit(first, first, "".join(f"{text_of(node)}\n" for node in missing) + "\n"))
    place, before = first, ""
    for role, statement in new:
        text = text_of(statement.node)
        if role in old:
            start, end = python.span(old[role])
            if not is_same(old[role], statement.node):
                edits.append(_Edit(start, end, text))
            place = python.line_after(end)
        else:
            edits.append(_Edit(place, place, _gap(before, text) + text))
        before = text
    wanted = {role for role, _ in new}
    edits += [_removal(python, node) for role, node in old.items() if role not in wanted]
    return _applied(python, edits)


def _gap(before: str, text: str) -> str:
    is_large = any(each.startswith(("class ", "def ", "@")) for each in (before, text))
    return "\n\n\n" if is_large else "\n\n"


def _removal(python: PythonText, node: ast.stmt) -> _Edit:
    """The statement; with its line, and the blank lines behind it, if nothing else stands there."""
    start, end = python.span(node)
    is_first = start == 0 or python.text[start - 1] in "\r\n"
    rest = _REST_OF_LINE.match(python.text, end)
    if not is_first or rest is None:
        return _Edit(start, end, "")
    blank = _BLANK_LINES.match(python.text, rest.end())
    assert blank is not None, "it matches nothing too"
    return _Edit(start, blank.end(), "")


def _applied(python: PythonText, edits: Sequence[_Edit]) -> str:
    pieces: list[str] = []
    done = 0
    # Sorting is stable: what is inserted at one place stays in its order.
    for edit in sorted(edits, key=lambda edit: edit.start):
        pieces += [python.text[done : edit.start], edit.text.replace("\n", python.line_end)]
        done = edit.end
    return "".join([*pieces, python.text[done:]])
