"""`modelica://` links that lead to nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from modelica_ast.edit.working import split_name
from modelica_ast.lexer import lex, trivia_length
from modelica_ast.library.checked_files import CheckedFile
from modelica_ast.library.class_bodies import ClassFiles
from modelica_ast.library.environments import Classes, Environment, Member
from modelica_ast.library.errors import Problem
from modelica_ast.library.libraries import Libraries
from modelica_ast.tables import NUMBER

_LINK: Final = re.compile(r"modelica://(?P<rest>[^\s\"<>\\#?]+)", re.IGNORECASE)
_STRING: Final = NUMBER["STRING"]


class LinkCheck:
    """Looks where links lead, by the names of classes and by the files beside them."""

    def __init__(self, libraries: Libraries) -> None:
        self._libraries = libraries
        self._classes = Classes(ClassFiles(libraries))
        self._known: dict[str, str] = {}

    def problems(self, file: CheckedFile) -> Iterator[Problem]:
        """The links of a file that lead to nothing."""
        for offset, link in _links(file.source.text):
            if link not in self._known:
                self._known[link] = self._wrong(link)
            if self._known[link]:
                line = file.source.position(offset).line
                yield Problem(
                    file.entry.path, line, f"the link modelica://{link} leads to nothing: {self._known[link]}"
                )

    def _wrong(self, link: str) -> str:
        """Why a link leads to nothing; '' for one that leads somewhere, or out of the libraries that are open."""
        name, _, resource = link.partition("/")
        parts = split_name(name)
        if self._libraries.get(parts[0]) is None:
            return ""
        if not self._is_class(parts):
            return f"there is no class '{name}'"
        if not resource:
            return ""
        library = self._libraries[parts[0]]
        entry = library.root
        for part in parts[1:]:  # the innermost package with a folder of its own
            inside = entry.children.get(part)
            if inside is None or inside.folder is None:
                break
            entry = inside
        folder = entry.folder if entry.folder is not None else entry.path.parent
        return "" if (folder / resource).exists() else f"there is no '{resource}' in {folder}"

    def _is_class(self, parts: list[str]) -> bool:
        found: Member | Environment | None = self._classes.top(parts[0])
        for part in parts[1:]:
            inside = found.environment if isinstance(found, Member) else found
            found = inside.member(part) if inside is not None else None
        return found is not None or self._is_in_a_broken_file(parts)

    def _is_in_a_broken_file(self, parts: list[str]) -> bool:
        """Nobody knows what is in a file that does not parse; it is a problem already."""
        entry, _ = self._libraries[parts[0]].entry_of(".".join(parts))
        return any(problem.path == entry.path for problem in self._classes.files.problems)


def _links(text: str) -> Iterator[tuple[int, str]]:
    """(offset, what stands behind `modelica://`) of each link in a string; those in comments are none."""
    if "odelica://" not in text:
        return
    offset = 0
    for leaf, kind in lex(text, lazy=False):
        if kind == _STRING and "odelica://" in leaf:
            start = offset + trivia_length(leaf)
            for found in _LINK.finditer(leaf[trivia_length(leaf) :]):
                # A sentence, an attribute in single quotes, or HTML that is shown as text goes on behind the link.
                link = unquote(re.split('["<>]', html.unescape(found["rest"]))[0]).rstrip(".,;:)")
                link = link.removesuffix("'") if link.count("'") % 2 else link
                if link:
                    yield start + found.start(), link
        offset += len(leaf)
