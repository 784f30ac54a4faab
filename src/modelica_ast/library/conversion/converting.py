"""Libraries of users converted to a new version of a library that they use: all their files, or none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.occurrences import Opened
from modelica_ast.green import Node
from modelica_ast.library.class_files import LibraryFiles, lookup_of, trees_of
from modelica_ast.library.conversion.deciding import decide
from modelica_ast.library.conversion.file_work import FileWork
from modelica_ast.library.conversion.names import Names
from modelica_ast.library.conversion.report import Change, Note, Report
from modelica_ast.library.conversion.rules import Rules
from modelica_ast.library.conversion.versions import Conversions, conversions_of, rules_of, used_libraries, used_version
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library
from modelica_ast.library.progress import Progress, Tally
from modelica_ast.semantics.environments import Classes
from modelica_ast.semantics.lookup import Lookup

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_USES: Final = re.compile(r"\buses\s*\(")
_NO_LIBRARIES: Final = frozenset({"Real", "Integer", "Boolean", "String", "Complex"})
_PART_OF_THE_STANDARD: Final = frozenset({"Modelica", "ModelicaServices", "Complex"})


class Aim(NamedTuple):
    """The library that is used, and the version that it shall be of."""

    used: str
    version: str


def convert(
    libraries: Libraries,
    rules: Rules,
    used: str,
    version: str,
    *,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Convert the libraries that may be written, or `only` some of them, to a version of a library that they use.

    A library that says `uses(…)` of this version already is left as it is; so a second run changes nothing.
    """
    todo = [library for library in _chosen(libraries, rules, only) if used_version(libraries, library, used) != version]
    with libraries.transaction():
        return _converted(libraries, todo, rules, Aim(used, version), Tally(progress))


def upgrade(
    libraries: Libraries, used: str, *, only: Iterable[str] | None = None, progress: Progress | None = None
) -> Report:
    """Convert libraries to the version of `used` that is among the libraries, by what its annotation says.

    Each library starts from the version that it says it uses, and goes on from step to step.
    """
    new = libraries[used]
    known = conversions_of(libraries, new)
    if not known.version:
        raise LibraryError(f"'{used}' has no version to convert to: its annotation lacks 'version'")
    report = Report()
    tally = Tally(progress)
    with libraries.transaction():
        for library in _chosen(libraries, Rules(()), only):
            if library is not new:
                report += _upgraded(libraries, library, new, known, tally)
    return report


def _upgraded(libraries: Libraries, library: Library, new: Library, known: Conversions, tally: Tally) -> Report:
    report = Report()
    seen: set[str] = set()
    while True:
        version = used_version(libraries, library, new.name)
        if version is None:
            return _without_version(libraries, library, new.name)
        if version == known.version or version in seen:
            return report
        seen.add(version)
        if version in known.unchanged_from:
            return report + _set_used(libraries, library, new.name, known.version)
        step = known.step_from(version)
        if step is None:
            raise LibraryError(
                f"'{library.name}' uses {new.name} {version}, and {new.name} {known.version} has no conversion from it"
            )
        aim = Aim(new.name, step.to or known.version)
        report += _converted(libraries, [library], rules_of(step, new), aim, tally)


def _without_version(libraries: Libraries, library: Library, used: str) -> Report:
    """Nobody knows where to start from, if a library uses another one at all."""
    if not any(used in _WORD.findall(libraries.text_of(entry)) for entry in library.root.walk()):
        return Report()
    text = f"it does not say which version of '{used}' it uses: add 'uses(…)', or convert it with a script"
    return Report((), (Note(library.root.path, 1, "", "", text),))


def _chosen(libraries: Libraries, rules: Rules, only: Iterable[str] | None) -> list[Library]:
    if only is not None:
        chosen = [libraries[name] for name in only]
        for library in chosen:
            if library.read_only:
                raise LibraryError(f"'{library.name}' is read-only: it can't be converted")
        return chosen
    return [library for library in libraries if not library.read_only and library.name not in rules.roots]


def _converted(libraries: Libraries, todo: list[Library], rules: Rules, aim: Aim, tally: Tally) -> Report:
    used, version = aim
    opened = _opened(libraries, todo, rules, tally)
    roots: dict[Path, Node] = {path: each.root for path, each in opened.items()}
    users = Lookup(Classes(LibraryFiles(libraries, trees_of(roots)), outside=rules))
    names = Names(users, rules, lookup_of(libraries))
    report = Report()
    tally.expect(len(opened))
    for library in todo:
        found = Report()
        for entry in library.root.walk():
            if entry.path in opened:
                work = FileWork(names, entry.path, opened[entry.path])
                decide(work)
                libraries.document(entry).edit(ExactEditor.take, work.converted())
                found += Report(work.changes, (*work.notes, *_needed(entry.path, work.new_roots)))
                tally.done(entry.path)
        if found.changes or used_version(libraries, library, used) is not None:
            found += _set_used(libraries, library, used, version)
        found += _other_libraries(libraries, library, rules, used)
        report += found
    return report


def _opened(libraries: Libraries, todo: Iterable[Library], rules: Rules, tally: Tally) -> dict[Path, Opened]:
    """The trees of the files that have a word in them of which the rules speak, with the annotations read that do."""
    found = {}
    quoted = [word for word in rules.words if word.startswith("'")]
    for library in todo:
        files = library.files()
        tally.expect(len(files))
        for entry in files:
            text = libraries.text_of(entry)
            # A quote in a text is no start of a quoted name, so these are looked for one by one.
            words = rules.words.intersection(_WORD.findall(text)) | {word for word in quoted if word in text}
            if words:
                found[entry.path] = Opened(libraries.document(entry).work.root, words, entry.path)
            tally.done(entry.path)
    return found


def _set_used(libraries: Libraries, library: Library, used: str, version: str) -> Report:
    old = used_version(libraries, library, used)
    if old == version:
        return Report()
    document = libraries.document(library.root)
    document.find_class(library.name).set_annotation(f"uses.{used}.version", version)
    written = _USES.search(document.text)
    line = document.text.count("\n", 0, written.start()) + 1 if written else 1
    before = "" if old is None else f'uses({used}(version="{old}"))'
    return Report((Change(library.root.path, line, "", 0, before, f'uses({used}(version="{version}"))'),))


def _needed(file: Path, roots: dict[str, int]) -> Iterable[Note]:
    for root, line in sorted(roots.items()):
        if root not in _NO_LIBRARIES:
            yield Note(file, line, "", "", f"the library '{root}' is needed now: add it to 'uses'")


def _other_libraries(libraries: Libraries, library: Library, rules: Rules, used: str) -> Report:
    """What a person should know about the other libraries that a library uses."""
    texts = []
    for name in used_libraries(libraries, library):
        if name in rules.roots and name != used:
            texts.append(f"'{name}' is part of '{used}' now: take it out of 'uses'")
        elif name not in rules.roots | _PART_OF_THE_STANDARD and libraries.get(name) is None:
            texts.append(f"'{name}' is not among the libraries: what comes from there was not looked into")
    return Report((), tuple(Note(library.root.path, 1, "", "", text) for text in texts))
