"""The check of a document, and of all files of some libraries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from modelica_ast.edit.document import Document
from modelica_ast.library.checked_files import CheckedFile
from modelica_ast.library.checking import topical_problems
from modelica_ast.library.errors import Problem
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library
from modelica_ast.library.manifest import uses_of
from modelica_ast.library.progress import Progress, Tally
from modelica_ast.parse import parse_source
from modelica_ast.rules.assignments import check_assignments
from modelica_ast.rules.class_kinds import check_class_kind
from modelica_ast.rules.connections import check_connections
from modelica_ast.rules.context import ClassCheck, Findings, Known
from modelica_ast.rules.cycles import check_cycles
from modelica_ast.rules.duplicates import check_duplicates
from modelica_ast.rules.findings import Finding
from modelica_ast.rules.graphics import check_graphics
from modelica_ast.rules.lookup import Lookup
from modelica_ast.rules.modifiers import check_modifiers
from modelica_ast.rules.names import check_names
from modelica_ast.rules.roots import DocumentRoots, LibraryRoots
from modelica_ast.rules.suppressing import without_suppressed
from modelica_ast.rules.symbols import ClassSymbol
from modelica_ast.rules.syntax import obsolete_findings, syntax_findings
from modelica_ast.rules.table import RULES
from modelica_ast.rules.unused import Words, check_unused
from modelica_ast.source import Source
from modelica_ast.views.files import StoredDefinition


def check_document(
    document: Document | StoredDefinition, *, libraries: Libraries | None = None, rules: Collection[str] | None = None
) -> list[Finding]:
    """All that breaks a rule in one document or tree, by its place.

    Names are looked up in the document and in the libraries that are given; what leads out of them is not judged. A
    file of one of these libraries is checked in its place there. `rules` are the codes that count, all of them
    without. A tree that was parsed with `recover` is checked as far as it parses.
    """
    chosen = _chosen(rules)
    tree = _read_whole(document.tree if isinstance(document, Document) else document)
    beside = LibraryRoots(libraries, {})
    roots = DocumentRoots(tree, beside)
    findings = Findings()
    lookup = Lookup(roots.top)
    around = beside.package(tree.within) if tree.within else None
    uses = {**uses_of(tree), **(uses_of(_root_of(around)) if isinstance(around, ClassSymbol) else {})}
    known = Known(
        lookup,
        findings,
        is_root_complete=isinstance(around, ClassSymbol),
        is_expected=uses.__contains__,
        extended=_extended(lookup, roots.classes),
    )
    _check_classes(roots.classes, known, Words(tree))
    found = [*_text_findings(tree), *findings.found]
    return _finished(found, tree, chosen)


def check_libraries(
    libraries: Libraries,
    *,
    rules: Collection[str] | None = None,
    files: Collection[Path] | None = None,
    progress: Progress | None = None,
) -> list[Finding]:
    """All that breaks a rule in the files of libraries, those of one file together, by their places.

    Libraries that are read-only are looked into and not judged. `files` are the only ones to judge, all without.
    `progress` is called for each file that is done.
    """
    chosen = _chosen(rules)
    problems: list[Problem] = list(libraries.problems)
    judged = [library for library in libraries if not library.read_only]
    every, unreadable = _read_all(libraries, judged)
    trees = {file.entry.path: file.tree for file in every}
    wanted = [file for file in every if files is None or file.entry.path in files]
    roots = LibraryRoots(libraries, trees)
    lookup = Lookup(roots.top)
    findings = Findings()
    uses = {name for file in every if not file.entry.parent_name for name in uses_of(file.tree)}
    symbols = {file.entry.path: _symbols(file, roots) for file in every}
    known = Known(
        lookup,
        findings,
        is_root_complete=True,
        is_expected=uses.__contains__,
        extended=_extended(lookup, [symbol for each in symbols.values() for symbol in each]),
    )
    tally = Tally(progress)
    tally.expect(len(wanted))
    found: list[Finding] = [finding for finding in unreadable if "unreadable" in chosen]
    about_files = _about_files(libraries, judged if files is None else [], wanted, problems)
    for file in wanted:
        findings.found = []
        _check_classes(symbols[file.entry.path], known, Words(file.tree))
        here = [*_text_findings(file.tree), *findings.found, *about_files.pop(file.entry.path, [])]
        found += _finished(here, file.tree, chosen)
        tally.done(file.entry.path)
    if files is None:
        for _, rest in sorted(about_files.items()):
            found += [finding for finding in rest if finding.code in chosen]
    return found


# ---------------------------------------------------------------- parts


def _chosen(rules: Collection[str] | None) -> frozenset[str]:
    chosen = frozenset(RULES if rules is None else rules)
    unknown = chosen - set(RULES)
    if unknown:
        raise ValueError(f"there is no rule '{min(unknown)}'; there is {', '.join(RULES)}")
    return chosen


def _read_all(libraries: Libraries, judged: Iterable[Library]) -> tuple[list[CheckedFile], list[Finding]]:
    """All files of some libraries, edits included and annotations read; and those that can't be read."""
    files: list[CheckedFile] = []
    unreadable: list[Finding] = []
    for library in judged:
        for entry in library.root.walk():
            try:
                source = Source(libraries.text_of(entry), entry.path)
            except OSError as error:
                message = f"it can't be read: {error.strerror or error}"
                unreadable.append(Finding("unreadable", entry.path, 0, 0, message))
                continue
            files.append(CheckedFile(library, entry, source, parse_source(source, recover=True)))
    return files, unreadable


def _root_of(symbol: ClassSymbol) -> StoredDefinition:
    """The file of the library that a class is in."""
    while isinstance(symbol.around, ClassSymbol):
        symbol = symbol.around
    root = symbol.view.root
    assert isinstance(root, StoredDefinition), "a class of a library is in a file"
    return root


def _read_whole(tree: StoredDefinition) -> StoredDefinition:
    """The same with all annotations read; what does not parse is among its errors."""
    if tree.errors:
        return tree
    return parse_source(tree.source, recover=True)


def _check_classes(tops: Iterable[ClassSymbol], known: Known, words: Words) -> None:
    """All rules about classes, for each class and those inside it."""
    for symbol in _with_inner(tops):
        check = ClassCheck(symbol, known)
        check_duplicates(check)
        check_cycles(check)
        check_names(check)
        check_modifiers(check)
        check_connections(check)
        check_class_kind(check)
        check_assignments(check)
        check_unused(check, words)
        check_graphics(check)


def _with_inner(tops: Iterable[ClassSymbol]) -> Iterator[ClassSymbol]:
    todo = list(tops)[::-1]
    while todo:
        symbol = todo.pop()
        yield symbol
        todo += symbol.classes[::-1]


def _extended(lookup: Lookup, tops: Iterable[ClassSymbol]) -> set[int]:
    """The identities of all classes that others inherit from."""
    return {id(base) for symbol in _with_inner(tops) for base in lookup.bases(symbol)}


def _symbols(file: CheckedFile, roots: LibraryRoots) -> list[ClassSymbol]:
    """The classes of a file. The one that it is named after is the one that names lead to."""
    around = roots.package(file.entry.parent_name) if file.entry.parent_name else None
    own = roots.package(file.entry.full_name)
    return [
        own if isinstance(own, ClassSymbol) and own.view == view else ClassSymbol(view, around)
        for view in file.tree.classes
    ]


def _text_findings(tree: StoredDefinition) -> Iterator[Finding]:
    yield from syntax_findings(tree)
    yield from obsolete_findings(tree)


def _about_files(
    libraries: Libraries, judged: list[Library], files: list[CheckedFile], problems: list[Problem]
) -> dict[Path, list[Finding]]:
    """What is wrong with the files as such, by file."""
    own = tuple(library.path for library in judged)
    found: dict[Path, dict[Finding, None]] = {}
    general = [("library-files", problem) for problem in problems if _is_below(problem.path, own)]
    for code, problem in (*general, *topical_problems(libraries, judged, files)):
        if code == "duplicate-name" and " is there twice in " in problem.message:
            continue  # two in one body: a rule about classes says so, with the column
        finding = Finding(code, problem.path, problem.line, int(problem.line > 0), problem.message)
        found.setdefault(problem.path, {})[finding] = None
    return {path: list(each) for path, each in found.items()}


def _is_below(path: Path, folders: tuple[Path, ...]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _finished(found: Iterable[Finding], tree: StoredDefinition, chosen: frozenset[str]) -> list[Finding]:
    """In the order of the text, without what is not asked for or taken back by a comment."""
    wanted = [finding for finding in found if finding.code in chosen]
    kept = without_suppressed(wanted, tree.source.text) if wanted else []
    return sorted(kept, key=lambda finding: (finding.line, finding.column, finding.code, finding.message))
