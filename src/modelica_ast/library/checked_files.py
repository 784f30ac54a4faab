"""Files as a check sees them: every one that can be read, whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.library.errors import Problem
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library
from modelica_ast.library.progress import Tally
from modelica_ast.parse import parse_source
from modelica_ast.source import Source
from modelica_ast.views.base import View
from modelica_ast.views.files import StoredDefinition


class CheckedFile:
    """A file with its tree; of one that does not parse, the classes that do."""

    def __init__(self, library: Library, entry: FileEntry, source: Source, tree: StoredDefinition) -> None:
        self.library = library
        self.entry = entry
        self.source = source
        self.tree = tree

    @property
    def is_broken(self) -> bool:
        """Is there something in it that does not parse?"""
        return bool(self.tree.errors)

    def problem(self, message: str, view: View | None = None) -> Problem:
        """Something wrong with the file, or with a place in it."""
        return Problem(self.entry.path, 0 if view is None else view.position.line, message)


def read_all(libraries: Libraries, problems: list[Problem], tally: Tally | None = None) -> Iterator[CheckedFile]:
    """Every file of the libraries, edits included; what can't be read or does not parse is noted."""
    every = list(libraries.files())
    tally = tally or Tally()
    tally.expect(len(every))
    for library, entry in every:
        try:
            source = Source(libraries.text_of(entry), entry.path)
        except OSError as error:
            problems.append(Problem(entry.path, 0, f"it can't be read: {error.strerror or error}"))
            tally.done(entry.path)
            continue
        try:
            tree = parse_source(source, strict=True)
        except ModelicaSyntaxError:
            tree = parse_source(source, recover=True)
            problems += [Problem(entry.path, error.line, error.message) for error in tree.errors]
        yield CheckedFile(library, entry, source, tree)
        tally.done(entry.path)
