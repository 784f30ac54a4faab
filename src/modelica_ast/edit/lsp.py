"""Edits for editors: what has changed in documents, in the form of the Language Server Protocol.

A position there is a line and a number of code units; LF, CRLF and CR each end a line. A byte order mark is not
counted: editors keep it out of the text that they show.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal

from modelica_ast.edit.document import Document
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.text_edits import TextEdit

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]
_BOM: Final = "\ufeff"
# How a text is encoded to be counted, and how many bytes a code unit has.
_UNITS: Final[dict[str, tuple[str, int]]] = {
    "utf-8": ("utf-8", 1),
    "utf-16": ("utf-16-le", 2),
    "utf-32": ("utf-32-le", 4),
}


def workspace_edit(
    documents: Iterable[Document], *, deleted: Iterable[Path] = (), encoding: PositionEncoding = "utf-16"
) -> dict[str, Any]:
    """A WorkspaceEdit that brings an editor from the saved texts to the texts as they are now.

    `encoding` is the one that client and server agreed on. For a workspace give `workspace.documents` and
    `workspace.deleted`; documents of files that are not there yet become CreateFile operations.
    """
    changes: list[dict[str, Any]] = []
    for document in documents:
        if document.path is None:
            raise EditError("a document without a path has no place in an editor")
        edits = document_edits(document, encoding=encoding)
        uri = _uri(document.path)
        if document.saved_text is None:
            changes.append({"kind": "create", "uri": uri})
        if edits:
            changes.append({"textDocument": {"uri": uri, "version": None}, "edits": edits})
    changes += [{"kind": "delete", "uri": _uri(path)} for path in deleted]
    return {"documentChanges": changes}


def document_edits(document: Document, *, encoding: PositionEncoding = "utf-16") -> list[dict[str, Any]]:
    """The TextEdits from a document's saved text to its text as it is now; all refer to the saved text."""
    if encoding not in _UNITS:
        raise EditError(f"{encoding!r} is no position encoding; there is {', '.join(_UNITS)}")
    text = document.saved_text or ""
    places = _Places(text, encoding)
    found = []
    for edit in document.text_edits():
        start, end, new = _expressible(text, edit)
        if start < end or new:
            found.append({"range": {"start": places.of(start), "end": places.of(end)}, "newText": new})
    return found


def _uri(path: Path) -> str:
    return path.absolute().as_uri()


def _expressible(text: str, edit: TextEdit) -> tuple[int, int, str]:
    """An edit that starts and ends where a position can be: not inside of CRLF, not before a byte order mark."""
    start, end, new = edit.start, edit.end, edit.text
    if start == 0:
        new = new.removeprefix(_BOM)
        if text.startswith(_BOM):
            start, end = 1, max(end, 1)
    if 0 < start < len(text) and text[start - 1 : start + 1] == "\r\n":
        start, new = start - 1, "\r" + new
    if 0 < end < len(text) and text[end - 1 : end + 1] == "\r\n":
        end, new = end + 1, new + "\n"
    return start, end, new


class _Places:
    """Offsets of a text as positions."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text = text
        self._codec, self._size = _UNITS[encoding]
        first = 1 if text.startswith(_BOM) else 0
        self._starts = [first, *(match.end() for match in re.finditer(r"\r\n?|\n", text))]

    def of(self, offset: int) -> dict[str, int]:
        """The position of a character."""
        line = bisect_right(self._starts, offset) - 1
        before = self._text[self._starts[line] : offset]
        return {"line": line, "character": len(before.encode(self._codec, "surrogatepass")) // self._size}
