"""What is wrong with the files of libraries: one report, and nothing is written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from modelica_ast.files import Disk
from modelica_ast.foundation import ModelicaSyntaxError, Source, split_name
from modelica_ast.library.class_files import LibraryFiles
from modelica_ast.library.errors import Problem, Progress, Tally
from modelica_ast.library.layout import ORDER_FILE, FileEntry, Found, libraries_in, library_folders, order_lines
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library
from modelica_ast.library.links import class_of, decoded, folder_of, is_there, links_in, readings
from modelica_ast.library.shelf import missing_package
from modelica_ast.semantics import MISSING, Classes
from modelica_ast.syntax import NUMBER, kind_of, leaves, lex, trivia_length
from modelica_ast.tree import (
    ClassDefinition,
    ElementModification,
    Expression,
    LiteralError,
    StoredDefinition,
    View,
    evaluate,
    parse_source,
)

# ---------------------------------------------------------------- checked files
# Files as a check sees them: every one that can be read, whatever is wrong with it.


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


# ---------------------------------------------------------------- checking links
# `modelica://` links that lead to nothing.

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
                yield Problem(file.entry.path, line, f"the link modelica://{shown} leads nowhere: {self._known[link]}")

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
    """(offset, which class and which file may be meant) of each link in a string; those in comments do not count."""
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


# ---------------------------------------------------------------- checking


def check_library(libraries: Libraries, *, progress: Progress | None = None) -> list[Problem]:
    """All problems of the files, those of one file together, by line.

    A file that does not parse is one problem for each error in it, and the rest of the library is checked all the
    same. A link into a library that is not open is not judged.
    """
    problems = list(libraries.problems)
    files = read_all(libraries, problems, Tally(progress))
    classes = Classes(LibraryFiles(libraries))
    problems += [problem for _, problem in topical_problems(libraries, list(libraries), files, classes, in_bodies=True)]
    return sorted(set(problems), key=lambda problem: (str(problem.path), problem.line, problem.message))


def topical_problems(
    libraries: Libraries,
    judged: Iterable[Library],
    files: Iterable[CheckedFile],
    classes: Classes,
    *,
    in_bodies: bool = False,
) -> Iterator[tuple[str, Problem]]:
    """(what it is about, problem) for all that is wrong with some of the libraries, and with some files of theirs.

    `classes` are those that links are followed in. With `in_bodies` classes that appear twice in one body are reported
    of too, which a rule about classes does with their columns.
    """
    links = LinkCheck(libraries, classes)
    at_hand = _AtHand(libraries)
    for library in judged:
        yield from (("library-files", problem) for problem in _dead_links(library, libraries.disk))
        yield from (("library-files", problem) for problem in _other_versions(library, at_hand.found))
    for file in files:
        yield from (("within", problem) for problem in _within(file, libraries))
        yield from (("file-name", problem) for problem in _classes_of_file(file))
        yield from (("duplicate-name", problem) for problem in _also_in_other_files(file))
        if in_bodies:
            yield from (("duplicate-name", problem) for problem in _twice_in_a_body(file))
        yield from (("broken-link", problem) for problem in links.problems(file))
        if not file.is_broken:
            yield from (("package-order", problem) for problem in _order(file, libraries.disk))
        if not file.entry.parent_name:
            yield from (("missing-library", problem) for problem in _uses(file, libraries, at_hand))
    yield from (("library-files", problem) for problem in at_hand.unreadable)


# ---------------------------------------------------------------- folders


def _dead_links(library: Library, disk: Disk) -> Iterator[Problem]:
    """Links in the folders of packages that lead nowhere, or in a circle."""
    for entry in library.root.walk():
        try:
            items = [entry.folder / name for name in disk.names_in(entry.folder)] if entry.folder is not None else []
        except OSError:  # noted when the library was opened
            continue
        for path in items:
            if path.is_symlink() and not path.exists():
                yield Problem(path, 0, "the link leads nowhere, or to itself; it is left out")


class _AtHand:
    """All libraries in the folders where libraries are looked for, and beside those that are open.

    Those that were left out when the libraries were opened are not among them: they are a problem already. The folders
    are looked through when somebody asks; `unreadable` says of which of them that was not possible.
    """

    def __init__(self, libraries: Libraries) -> None:
        self._libraries = libraries
        self.unreadable: list[Problem] = []

    @cached_property
    def found(self) -> list[Found]:
        """The libraries."""
        folders = [*library_folders(), *(library.path.parent for library in self._libraries)]
        told = {problem.path for problem in self._libraries.problems}
        found: dict[Path, Found] = {}
        for folder in dict.fromkeys(path.resolve() for path in folders):
            try:
                for each in libraries_in(folder, self._libraries.disk):
                    found.setdefault(each.path.resolve(), each)
            except OSError as error:
                message = f"the folder can't be read: {error.strerror or error}"
                self.unreadable.append(Problem(folder, 0, message))
        return [each for path, each in found.items() if path not in told]


def _other_versions(library: Library, known: list[Found]) -> Iterator[Problem]:
    """Which of two versions a tool takes depends on the order of its folders."""
    for other in known:
        if other.name == library.name and other.path.resolve() != library.path:
            yield Problem(library.path, 0, f"there is another '{library.name}': {other.path}")


# ---------------------------------------------------------------- files


def _within(file: CheckedFile, libraries: Libraries) -> Iterator[Problem]:
    written, parent = file.tree.within, file.entry.parent_name
    clauses = file.tree.within_clauses
    if len(clauses) > 1:
        yield file.problem("there is more than one 'within'", clauses[1])
    if written == parent or (not parent and written is None):
        return
    if written is None:
        yield file.problem(f"'within {parent};' is missing")
        return
    place = f"in the folder of '{parent}'" if parent else "the top of a library"
    missing = missing_package(libraries, written) if written else ""
    if missing:
        yield file.problem(f"it says 'within {written};', but {missing}; the file is {place}", clauses[0])
    else:
        yield file.problem(f"it says 'within {written};' and is {place}", clauses[0])


def _classes_of_file(file: CheckedFile) -> Iterator[Problem]:
    """A file of a folder has one class, and the class has its name."""
    classes, name = file.tree.classes, file.entry.name
    if not classes:
        if not file.is_broken:
            yield file.problem(f"there is no class in it; '{name}' is expected")
        return
    if all(found.name != name for found in classes):
        first = classes[0].name
        what = "folder" if file.entry.folder is not None else "file"
        only = "; they differ only in case" if first.lower() == name.lower() else ""
        yield file.problem(f"the class is called '{first}', but the {what} '{name}'{only}", classes[0])
    if file.library.root.folder is not None:
        for other in classes[1:]:
            yield file.problem(f"'{other.name}' is a second class in the file: only the first one counts", other)


def _twice_in_a_body(file: CheckedFile) -> Iterator[Problem]:
    """Classes that appear twice in one class."""
    todo = list(file.tree.classes)
    while todo:
        definition = todo.pop()
        seen: set[str] = set()
        for inner in definition.classes:
            if inner.name in seen:
                yield file.problem(f"class '{inner.name}' appears twice in '{definition.name}'", inner)
            seen.add(inner.name)
            todo.append(inner)


def _also_in_other_files(file: CheckedFile) -> Iterator[Problem]:
    """Classes that are in the package's own file and in another one."""
    top = _top(file)
    for inner in top.classes if top is not None else []:
        other = file.entry.children.get(inner.name)
        if other is not None:
            yield file.problem(f"class '{inner.name}' appears twice: here and in {other.path}", inner)


def _top(file: CheckedFile) -> ClassDefinition | None:
    return next((found for found in file.tree.classes if found.name == file.entry.name), None)


def _order(file: CheckedFile, disk: Disk) -> Iterator[Problem]:
    """package.order names each class of the package, and nothing else."""
    entry, top = file.entry, _top(file)
    if entry.folder is None or entry.order is None or top is None:
        return
    path = entry.folder / ORDER_FILE
    declared = {inner.name for inner in top.classes}
    components = {component.name for component in top.components}
    for name in entry.order:
        if name not in entry.children and name not in declared | components:
            yield Problem(path, _line_of(entry, name, disk), f"'{name}' is not found in '{entry.full_name}'")
    for name in (*entry.children, *sorted(declared - set(entry.children))):
        if name not in entry.order:
            yield Problem(path, 0, f"'{name}' of '{entry.full_name}' is not named")


def _line_of(entry: FileEntry, name: str, disk: Disk) -> int:
    assert entry.folder is not None
    lines = order_lines(entry.folder / ORDER_FILE, disk)
    return next((number for number, line in enumerate(lines, 1) if line == name), 0)


# ---------------------------------------------------------------- other libraries


def _uses(file: CheckedFile, libraries: Libraries, at_hand: _AtHand) -> Iterator[Problem]:
    """`annotation(uses(Modelica(version="4.1.0")))` names libraries that can be found."""
    top = _top(file)
    annotation = top.annotation if top is not None else None
    uses = annotation.arguments.get("uses") if annotation is not None else None
    for item in uses.arguments.items if uses is not None and uses.arguments is not None else []:
        if not isinstance(item, ElementModification):
            continue
        name = str(item.name)
        if libraries.get(name) is None and all(found.name != name for found in at_hand.found):
            version = _version(item)
            yield file.problem(f"it uses the library '{name}{version}', which does not exist", item)


def _version(used: ElementModification) -> str:
    """A blank and the version, or '' if none is named."""
    found = used.arguments.get("version") if used.arguments is not None else None
    if found is None or not isinstance(found.value, Expression):
        return ""
    try:
        return f" {evaluate(found.value)}"
    except LiteralError:
        return ""
