"""The check of a document, and of all files of some libraries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from modelica_ast import garbage
from modelica_ast.edit.document import Document
from modelica_ast.edit.working import split_name
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.library.checked_files import CheckedFile
from modelica_ast.library.checking import topical_problems
from modelica_ast.library.class_files import LibraryFiles
from modelica_ast.library.errors import Problem
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library
from modelica_ast.library.manifest import uses_of
from modelica_ast.library.progress import Progress, Tally
from modelica_ast.library.references import files_with
from modelica_ast.library.within_clauses import missing_package
from modelica_ast.parse import parse_source
from modelica_ast.rules.annotations import check_annotations
from modelica_ast.rules.assignments import check_assignments
from modelica_ast.rules.builtins import builtin_names
from modelica_ast.rules.class_kinds import check_class_kind
from modelica_ast.rules.connections import check_connections
from modelica_ast.rules.context import ClassCheck, Findings, Known
from modelica_ast.rules.cycles import check_cycles
from modelica_ast.rules.duplicates import check_duplicates
from modelica_ast.rules.findings import Finding
from modelica_ast.rules.modifiers import check_modifiers
from modelica_ast.rules.names import check_names
from modelica_ast.rules.suppressing import without_suppressed
from modelica_ast.rules.syntax import obsolete_findings, syntax_findings
from modelica_ast.rules.table import RULES
from modelica_ast.rules.unused import Words, check_unused
from modelica_ast.semantics.definitions import Definition, imported_names
from modelica_ast.semantics.environments import Classes
from modelica_ast.semantics.lone import LoneFile
from modelica_ast.semantics.meanings import Meanings
from modelica_ast.source import Source
from modelica_ast.views.files import StoredDefinition


def check_document(
    document: Document | StoredDefinition,
    *,
    libraries: Libraries | None = None,
    rules: Collection[str] | None = None,
    tools: Collection[str] = (),
) -> list[Finding]:
    """All that breaks a rule in one document or tree, by its place.

    Names are looked up in the document and in the libraries that are given; what leads out of them is not judged. A
    file of one of these libraries is checked in its place there. `rules` are the codes that count, all of them
    without. A tree that was parsed with `recover` is checked as far as it parses. `tools` are those whose own functions
    and types are known: `dymola`, `openmodelica`.
    """
    chosen = _chosen(rules)
    tree = _read_whole(document.tree if isinstance(document, Document) else document)
    beside = None if libraries is None else LibraryFiles(libraries)
    file = LoneFile(tree, beside)
    lookup = Meanings(Classes(file), builtin_names(tools))
    findings = Findings()
    uses = {**uses_of(tree), **(_uses_around(libraries, file) if libraries is not None else {})}
    known = Known(
        lookup,
        findings,
        is_root_complete=file.is_in_known_package,
        are_libraries_open=file.is_in_known_package and _are_open(libraries, uses),
        is_expected=_expected(libraries, uses),
        is_extended=_Extended(lookup, file.tops).__contains__,
    )
    _check_classes(file.tops, known, Words(tree))
    if tree.within and not file.is_in_known_package:
        _missing_package(tree, libraries or Libraries([]), findings)
    found = [*_text_findings(tree), *findings.found]
    return _finished(found, tree, chosen)


def check_libraries(
    libraries: Libraries,
    *,
    rules: Collection[str] | None = None,
    files: Collection[Path] | None = None,
    tools: Collection[str] = (),
    progress: Progress | None = None,
) -> list[Finding]:
    """All that breaks a rule in the files of libraries, those of one file together, by their places.

    Libraries that are read-only are looked into and not judged. `files` are the only ones to judge, all without.
    Of other files only what names lead to is read then. `tools` are those whose own functions and types are known:
    `dymola`, `openmodelica`. `progress` is called for each file that is done.
    """
    chosen = _chosen(rules)
    # PERF: a check keeps nearly all that it makes to its end, and to look through all trees for garbage took an eighth.
    with garbage.REST:
        return _check_files(libraries, chosen, files, builtin_names(tools), Tally(progress))


# ---------------------------------------------------------------- parts


def _check_files(
    libraries: Libraries,
    chosen: frozenset[str],
    files: Collection[Path] | None,
    builtins: frozenset[str],
    tally: Tally,
) -> list[Finding]:
    problems: list[Problem] = list(libraries.problems)
    judged = [library for library in libraries if not library.read_only]
    # Of other files than those that are judged only what names lead to is read.
    wanted, unreadable = _read_all(libraries, judged, files)
    trees = {file.entry.path: file.tree for file in wanted}
    sources = LibraryFiles(libraries, trees)
    lookup = Meanings(Classes(sources), builtins)
    findings = Findings()
    uses = {name for library in judged for name in _uses_of_library(libraries, library, trees)}
    tops = {file.entry.path: sources.tops(file.entry) for file in wanted}
    every = [top for each in tops.values() for top in each]
    known = Known(
        lookup,
        findings,
        is_root_complete=True,
        are_libraries_open=_are_open(libraries, uses),
        is_expected=_expected(libraries, uses),
        is_extended=(_Extended(lookup, every) if files is None else _ExtendedAnywhere(lookup, libraries)).__contains__,
    )
    tally.expect(len(wanted))
    found: list[Finding] = [finding for finding in unreadable if "unreadable" in chosen]
    own = judged if files is None else []
    about_files = _about_files(topical_problems(libraries, own, wanted, trees), own, problems)
    for file in wanted:
        findings.found = []
        _check_classes(tops[file.entry.path], known, Words(file.tree))
        here = [*_text_findings(file.tree), *findings.found, *about_files.pop(file.entry.path, [])]
        found += _finished(here, file.tree, chosen)
        tally.done(file.entry.path)
    if files is None:
        for _, rest in sorted(about_files.items()):
            found += [finding for finding in rest if finding.code in chosen]
    return found


def _chosen(rules: Collection[str] | None) -> frozenset[str]:
    chosen = frozenset(RULES if rules is None else rules)
    unknown = chosen - set(RULES)
    if unknown:
        raise ValueError(f"there is no rule '{min(unknown)}'; there is {', '.join(RULES)}")
    return chosen


def _read_all(
    libraries: Libraries, judged: Iterable[Library], wanted: Collection[Path] | None
) -> tuple[list[CheckedFile], list[Finding]]:
    """The wanted files of some libraries, edits included and annotations read; and those that can't be read."""
    files: list[CheckedFile] = []
    unreadable: list[Finding] = []
    for library in judged:
        for entry in library.root.walk():
            if wanted is not None and entry.path not in wanted:
                continue
            try:
                source = Source(libraries.text_of(entry), entry.path)
            except OSError as error:
                message = f"it can't be read: {error.strerror or error}"
                unreadable.append(Finding("unreadable", entry.path, 0, 0, message))
                continue
            files.append(CheckedFile(library, entry, source, parse_source(source, recover=True)))
    return files, unreadable


def _expected(libraries: Libraries | None, uses: Collection[str]) -> Callable[[str], bool]:
    """Is a name that of a library that is used and not open?"""
    return lambda name: name in uses and (libraries is None or libraries.get(name) is None)


def _are_open(libraries: Libraries | None, uses: Iterable[str]) -> bool:
    return libraries is not None and all(libraries.get(name) is not None for name in uses)


def _uses_of_library(
    libraries: Libraries, library: Library, trees: Mapping[Path, StoredDefinition]
) -> Mapping[str, str]:
    """What a library says that it uses."""
    try:
        tree = trees.get(library.root.path) or libraries.document(library.root).tree
    except (ModelicaSyntaxError, OSError):
        return {}  # the check of that file says what is wrong with it
    return uses_of(tree)


def _uses_around(libraries: Libraries, file: LoneFile) -> Mapping[str, str]:
    """What the library uses that a document says it is in."""
    library = libraries.get(file.within[0]) if file.is_in_known_package else None
    return {} if library is None else _uses_of_library(libraries, library, {})


def _missing_package(tree: StoredDefinition, libraries: Libraries, findings: Findings) -> None:
    """Say of a file whose package is not there what is missing, and that its names are not judged."""
    within = tree.within or ""
    missing = missing_package(libraries, within)
    if not missing:
        return
    clause = tree.within_clauses[0]
    name = split_name(within)[0]
    if libraries.get(name) is not None:
        findings.add("within", clause, f"it says 'within {within};', but {missing}")
    else:
        # The same for all packages of a library: who checks many files wants to read it once.
        message = f"{missing}, and the file is in it: names that may be there are not judged"
        findings.add("library-not-open", clause, message, f"give the folder of '{name}'")


def _read_whole(tree: StoredDefinition) -> StoredDefinition:
    """The same with all annotations read; what does not parse is among its errors."""
    if tree.errors:
        return tree
    return parse_source(tree.source, recover=True)


def _check_classes(tops: Iterable[Definition], known: Known, words: Words) -> None:
    """All rules about classes, for each class and those inside it."""
    for definition in _with_inner(tops):
        check = ClassCheck(definition, known)
        check_duplicates(check)
        check_cycles(check)
        check_names(check)
        check_modifiers(check)
        check_connections(check)
        check_class_kind(check)
        check_assignments(check)
        check_unused(check, words)
        check_annotations(check)


def _with_inner(tops: Iterable[Definition]) -> Iterator[Definition]:
    todo = list(tops)[::-1]
    while todo:
        definition = todo.pop()
        yield definition
        todo += list(definition.inner_classes)[::-1]


class _Extended:
    """The classes that some classes, and those inside them, inherit from."""

    def __init__(self, lookup: Meanings, tops: Iterable[Definition]) -> None:
        self._lookup = lookup
        self._tops = tops

    @cached_property
    def _found(self) -> set[Definition]:
        return {
            base.environment.written
            for definition in _with_inner(self._tops)
            for base in self._lookup.classes.as_written(definition).bases
            if base.environment is not None and base.environment.written is not None
        }

    def __contains__(self, definition: Definition) -> bool:
        return definition in self._found


class _ExtendedAnywhere:
    """The classes that any class of the libraries inherits from. Only files that have its name in them are read."""

    def __init__(self, lookup: Meanings, libraries: Libraries) -> None:
        self._lookup = lookup
        self._libraries = libraries

    def __contains__(self, definition: Definition) -> bool:
        files = self._lookup.classes.files
        assert isinstance(files, LibraryFiles)
        for entry in files_with(self._libraries, frozenset({definition.name}), Tally(None)):
            for other in _with_inner(files.tops(entry)):
                # Who imports it under another name may extend that.
                if any(
                    definition.name in parts for clause in other.import_clauses for _, parts in imported_names(clause)
                ):
                    return True
                bases = self._lookup.classes.as_written(other).bases
                if any(base.environment is not None and base.environment.written is definition for base in bases):
                    return True
        return False


def _text_findings(tree: StoredDefinition) -> Iterator[Finding]:
    yield from syntax_findings(tree)
    yield from obsolete_findings(tree)


def _about_files(
    topical: Iterable[tuple[str, Problem]], judged: list[Library], problems: list[Problem]
) -> dict[Path, list[Finding]]:
    """What is wrong with the files as such, by file."""
    own = tuple(library.path for library in judged)
    found: dict[Path, dict[Finding, None]] = {}
    general = [("library-files", problem) for problem in problems if _is_below(problem.path, own)]
    for code, problem in (*general, *topical):
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
