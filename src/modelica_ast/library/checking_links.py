"""`modelica://` links that lead to nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from modelica_ast.green import leaves
from modelica_ast.identifiers import split_name
from modelica_ast.lexer import kind_of, lex, trivia_length
from modelica_ast.library.checked_files import CheckedFile
from modelica_ast.library.errors import Problem
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.links import class_of, decoded, folder_of, is_there, links_in, readings
from modelica_ast.semantics.definitions import MISSING
from modelica_ast.semantics.environments import Classes
from modelica_ast.tables import NUMBER

_STRING: Final = NUMBER["STRING"]


class LinkCheck:
    """Looks where links lead, by the names of classes and by the files beside them."""

    def __init__(self, libraries: Libraries, classes: Classes) -> None:
        self._libraries = libraries
        self._classes = classes
        self._known: dict[tuple[str, str], str] = {}

    def problems(self, file: CheckedFile) -> Iterator[Problem]:
        """The links of a file that lead to nothing."""
        for offset, links in _links(file):
            for link in links:
                if link not in self._known:
                    self._known[link] = self._wrong(*link)
            if all(self._known[link] for link in links):
                line, link = file.source.position(offset).line, links[-1]
                shown = "/".join(part for part in link if part)
                yield Problem(
                    file.entry.path, line, f"the link modelica://{shown} leads to nothing: {self._known[link]}"
                )

    def _wrong(self, name: str, resource: str) -> str:
        """Why a link leads to nothing; '' for one that leads somewhere, or out of the libraries that are open."""
        parts = split_name(name)
        if self._libraries.get(parts[0]) is None:
            return ""
        if not self._is_class(parts):
            return f"there is no class '{name}'"
        if not resource:
            return ""
        folder = folder_of(self._libraries[parts[0]].root, parts)
        return (
            ""
            if is_there(self._libraries, Path(os.path.normpath(folder / resource)))
            else f"there is no '{resource}' in {folder}"
        )

    def _is_class(self, parts: list[str]) -> bool:
        """Is it there, or in a file that does not parse? That is a problem already."""
        return self._classes.member_at(parts) is not MISSING


def _links(file: CheckedFile) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """(offset, which class and which file may be meant) of each link in a string; those in comments are none."""
    text = file.source.text
    if "odelica://" not in text:
        return
    offset = 0
    # What does not parse need not be leaves of tokens.
    written = [leaf for leaf, _ in lex(text, lazy=False)] if file.is_broken else leaves(file.tree.green)
    for leaf in written:
        if "odelica://" in leaf and kind_of(leaf) == _STRING:
            start = offset + trivia_length(leaf)
            for found in links_in(leaf[trivia_length(leaf) :]):
                files = [decoded(written) for written, _ in readings(found["file"])] if found["file"] else [""]
                yield start + found.start(), [(class_of(found), file) for file in files]
        offset += len(leaf)
