"""The check of a document, and of all files of some libraries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

from modelica_ast.edit import Document
from modelica_ast.foundation import ModelicaSyntaxError, Source, split_name
from modelica_ast.library import (
    CheckedFile,
    FileEntry,
    Libraries,
    Library,
    LibraryFiles,
    Problem,
    Progress,
    Tally,
    checked_classes,
    forget_checked_classes,
    missing_package,
    topical_problems,
    uses_of,
)
from modelica_ast.rules.annotations import check_annotations
from modelica_ast.rules.class_kinds import check_class_kind, check_cycles
from modelica_ast.rules.class_text import builtin_names
from modelica_ast.rules.connections import check_connections
from modelica_ast.rules.context import ClassCheck, Extended, ExtendedAnywhere, Findings, Known
from modelica_ast.rules.modifiers import check_assignments, check_modifiers
from modelica_ast.rules.names import Words, check_duplicates, check_names, check_unused
from modelica_ast.rules.table import RULES, Finding, without_suppressed
from modelica_ast.semantics import Classes, Definition, LoneFile, Meanings, with_inner
from modelica_ast.syntax import REST
from modelica_ast.tree import StoredDefinition, notes, parse_source

# ---------------------------------------------------------------- syntax
# What does not parse, and what parses only because old files are read too.


def syntax_findings(tree: StoredDefinition) -> Iterator[Finding]:
    """All errors of a tree that was parsed with `recover`."""
    for error in tree.errors:
        yield Finding(
            "syntax", tree.file, error.line, error.column, error.message, error.hint, error.offset, error.offset
        )


def obsolete_findings(tree: StoredDefinition) -> Iterator[Finding]:
    """Old and foreign syntax."""
    for note in notes(tree):
        at = note.position
        yield Finding("obsolete", tree.file, at.line, at.column, note.message, "", at.offset, at.offset)


# ---------------------------------------------------------------- checking


def check_document(
    document: Document | StoredDefinition,
    *,
    libraries: Libraries | None = None,
    rules: Collection[str] | None = None,
    tools: Collection[str] = (),
    is_all: bool = False,
) -> list[Finding]:
    """All that breaks a rule in one document or tree, by its place.

    Names are looked up in the document and in the libraries that are given; what leads out of them is not judged,
    unless it `is_all` that there is. A file of one of these libraries is checked in its place there. `rules` are the
    codes that count, all of them without. A tree that was parsed with `recover` is checked as far as it parses. `tools`
    are those whose own functions and types are known: `dymola`, `openmodelica`.
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
        is_root_complete=file.is_in_known_package or (is_all and not file.within),
        are_libraries_open=file.is_in_known_package and _are_open(libraries, uses),
        is_expected=_expected(libraries, uses),
        is_extended=Extended(lookup.classes, file.tops).__contains__,
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
    with REST:
        try:
            return _check_files(libraries, chosen, files, builtin_names(tools), Tally(progress))
        except BaseException:
            forget_checked_classes(libraries)
            raise


# ---------------------------------------------------------------- parts


def _check_files(
    libraries: Libraries,
    chosen: frozenset[str],
    files: Collection[Path] | None,
    builtins: frozenset[str],
    tally: Tally,
) -> list[Finding]:
    judged = [library for library in libraries if not library.read_only]
    # Of other files than those that are judged only what names lead to is read.
    wanted, unreadable = _read_all(libraries, judged) if files is None else _read_some(libraries, files)
    trees = {file.entry.path: file.tree for file in wanted}
    if files is None:
        sources = LibraryFiles(libraries, trees)
        lookup = Meanings(Classes(sources), builtins)
        every = [top for file in wanted for top in sources.tops(file.entry)]
        extended: Extended | ExtendedAnywhere = Extended(lookup.classes, every)
    else:
        lookup, extended = _kept_lookup(libraries, trees, builtins)
        assert isinstance(lookup.classes.files, LibraryFiles)
        sources = lookup.classes.files
    findings = Findings()
    uses = {name for library in judged for name in _uses_of_library(libraries, library, trees)}
    known = Known(
        lookup,
        findings,
        is_root_complete=True,
        are_libraries_open=_are_open(libraries, uses),
        is_expected=_expected(libraries, uses),
        is_extended=extended.__contains__,
    )
    tally.expect(len(wanted))
    found: list[Finding] = [finding for finding in unreadable if "unreadable" in chosen]
    own = [library for library in judged if files is None or library.path in files]
    topical = topical_problems(libraries, own, wanted, lookup.classes)
    about_files = _about_files(topical, judged, libraries.problems)
    for file in wanted:
        findings.found = []
        _check_classes(sources.tops(file.entry), known, Words(file.tree))
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


def _kept_lookup(
    libraries: Libraries, trees: Mapping[Path, StoredDefinition], builtins: frozenset[str]
) -> tuple[Meanings, ExtendedAnywhere]:
    """What the check of some files looks names up with, and the classes that others extend; as long as they hold."""
    classes = checked_classes(libraries, trees)
    known = getattr(libraries.memory, "meanings", None)
    if known is None or known[0].classes is not classes or known[1] != builtins:
        known = Meanings(classes, builtins), builtins, ExtendedAnywhere(classes)
        libraries.memory.meanings = known
    return known[0], known[2]


def _read_all(libraries: Libraries, judged: Iterable[Library]) -> tuple[list[CheckedFile], list[Finding]]:
    """All files of some libraries, edits included and annotations read; and those that can't be read."""
    unreadable: list[Finding] = []
    every = ((library, entry) for library in judged for entry in library.root.walk())
    read = (_read(libraries, library, entry, {}, unreadable) for library, entry in every)
    return [file for file in read if file is not None], unreadable


def _read_some(libraries: Libraries, wanted: Collection[Path]) -> tuple[list[CheckedFile], list[Finding]]:
    """The wanted files of the libraries that may be written, in the same way.

    PERF: the libraries are not gone through for it, and a file that has not changed since its last check is not parsed.
    """
    unreadable: list[Finding] = []
    read_before: dict[Path, CheckedFile] = getattr(libraries.memory, "judged", {})
    libraries.memory.judged = read_before
    files: list[CheckedFile] = []
    for path in wanted:
        entry = libraries.entry_at(path)
        library = None if entry is None else libraries.library_of(entry.full_name)
        if entry is not None and library is not None and not library.read_only:
            file = _read(libraries, library, entry, read_before, unreadable)
            if file is not None:
                files.append(file)
                read_before[path] = file
    if len(files) > 1:
        places = {entry.path: place for place, (_, entry) in enumerate(libraries.files())}
        files.sort(key=lambda file: places[file.entry.path])
    return files, unreadable


def _read(
    libraries: Libraries,
    library: Library,
    entry: FileEntry,
    read_before: Mapping[Path, CheckedFile],
    unreadable: list[Finding],
) -> CheckedFile | None:
    try:
        text = libraries.text_of(entry)
    except OSError as error:
        message = f"it can't be read: {error.strerror or error}"
        unreadable.append(Finding("unreadable", entry.path, 0, 0, message))
        return None
    known = read_before.get(entry.path)
    if known is not None and known.source.text == text:
        return CheckedFile(library, entry, known.source, known.tree)
    source = Source(text, entry.path)
    return CheckedFile(library, entry, source, parse_source(source, recover=True))


def _expected(libraries: Libraries | None, uses: Collection[str]) -> Callable[[str], bool]:
    """Is a name that of a library that is used and not open?"""
    return lambda name: name in uses and (libraries is None or libraries.get(name) is None)


def _are_open(libraries: Libraries | None, uses: Iterable[str]) -> bool:
    return libraries is not None and all(libraries.get(name) is not None for name in uses)


def _uses_of_library(
    libraries: Libraries, library: Library, trees: Mapping[Path, StoredDefinition]
) -> Mapping[str, str]:
    """What a library says that it uses."""
    tree = trees.get(library.root.path)
    try:
        return uses_of(libraries.document(library.root).tree if tree is None else tree)
    except ModelicaSyntaxError:
        source = Source(libraries.text_of(library.root), library.root.path)
        return uses_of(parse_source(source, recover=True))
    except OSError:
        return {}  # the check of that file says what is wrong with it


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
    for definition in with_inner(tops):
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
