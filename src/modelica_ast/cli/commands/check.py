"""`modelica-patch check`: is it Modelica, and does it keep the static rules?"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, EXIT_UNREADABLE, CommandError
from modelica_ast.cli.files import modelica_parts
from modelica_ast.cli.findings import Finding as Shown, add_format_option, write_findings
from modelica_ast.cli.places import add_library_option, opened, shortened
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, complain, printable, tell
from modelica_ast.edit import Document
from modelica_ast.foundation import ModelicaSyntaxError, Source, Span, shown
from modelica_ast.library import Libraries, Shelf, library_around, map_files, uses_of
from modelica_ast.rules import RULES, TOOL_NAMES, Finding, check_document, check_libraries
from modelica_ast.tree import StoredDefinition, parse_source

DESCRIPTION = """\
Check the syntax of files, annotations included, and the static rules of Modelica: names that are not found, names that
are declared twice, wrong modifiers and connections, elements that a class of its kind can't have, and more (--rules
lists them).

A folder with a package.mo is a library: names are followed through all its files and into the libraries that it says
it uses ('modelica-patch help libraries' says where they are looked for), and its files must fit together. A file of a
library is checked in its place there. Files in other folders stand alone. A file that does not say which Standard
Library it uses is checked against the installed one. Names that lead into a library that is not open are not judged.

A name that only one simulation tool knows, such as 'simulateModel' of Dymola, is not found unless --tool names that
tool. The comment '// modelica-patch: ignore CODE' silences what is found in its line, or in the next one if it stands
alone.
"""

EXAMPLES = """\
  modelica-patch check Arm.mo                                one file
  modelica-patch check MyLib/                                a library, all of its files
  modelica-patch check MyLib::MyLib.Drives                   a package of it, or one class
  modelica-patch check MyLib/ --library ../Parts             a library, or a folder of them, to look into
  modelica-patch check MyLib/ --ignore unused-import,graphics
  modelica-patch check MyLib/ --select syntax,duplicate-name
  modelica-patch check MyLib/ --tool dymola                  functions and types of Dymola are known
  modelica-patch check MyLib/ --format sarif > check.sarif   for the review on a code host
  modelica-patch check --rules                               all rules with their codes
"""
_PATHS = "a .mo file, a library, a folder with files, or the address of a class"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `check`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS)
    add_format_option(parser)
    parser.add_argument("--select", metavar="CODES", help="only these rules, with commas between them")
    parser.add_argument("--ignore", metavar="CODES", help="all rules but these")
    parser.add_argument("--no-warnings", action="store_true", help="errors only")
    parser.add_argument("--rules", action="store_true", help="list all rules, and check nothing")
    text = "know the functions and types that only this tool has; repeatable"
    parser.add_argument("--tool", action="append", default=[], choices=list(TOOL_NAMES), help=text)
    add_library_option(parser)
    parser.add_argument("--no-library", action="store_true", help="do not look for the libraries that are used")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="check files that stand alone in N processes")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no summary")


def run(options: argparse.Namespace) -> int:
    """Check all that is named; the exit code."""
    if options.rules:
        return _list_rules()
    if not options.paths:
        raise CommandError("a file or a folder is missing; 'modelica-patch check --help' explains")
    if options.jobs < 1:
        raise CommandError(f"--jobs must be at least 1, not {options.jobs}")
    job = _Job(options)
    job.check()
    findings = [_shown(finding) for finding in job.findings]
    sentences = {code: rule.sentence for code, rule in RULES.items()}
    write_findings(findings, options.format, files=job.files, rules=sentences, summary=not options.quiet)
    for note in job.notes:
        tell(f"note: {shortened(note)}", quiet=options.quiet)
    for complaint in job.complaints:
        complain(printable(complaint))
    if job.complaints:
        return EXIT_UNREADABLE
    return EXIT_FOUND if any(finding.severity == "error" for finding in findings) else EXIT_OK


def _list_rules() -> int:
    width = max(map(len, RULES))
    for rule in RULES.values():
        section = f" ({rule.section})" if rule.section else ""
        sys.stdout.write(f"{rule.code:<{width}}  {rule.severity:<7}  {rule.sentence}{section}\n")
    return EXIT_OK


def _chosen(options: argparse.Namespace) -> frozenset[str]:
    """The codes of the rules that count."""
    chosen = _codes(options.select, "--select") if options.select is not None else frozenset(RULES)
    chosen -= _codes(options.ignore, "--ignore") if options.ignore is not None else frozenset()
    if options.no_warnings:
        chosen = frozenset(code for code in chosen if RULES[code].severity == "error")
    return chosen


def _codes(text: str, option: str) -> frozenset[str]:
    codes = frozenset(code.strip() for code in text.split(",") if code.strip())
    for code in sorted(codes - set(RULES)):
        raise CommandError(f"{option}: there is no rule '{code}'; 'modelica-patch check --rules' lists them")
    return codes


class _Job:
    """What one call has to check."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._rules = _chosen(options)
        self.findings: list[Finding] = []
        self.complaints: list[str] = []
        self.files = 0
        self.notes: dict[str, None] = {}
        self._told: set[str] = set()  # a library that is not open is noted once
        self._extents: dict[Path, list[Span]] = {}  # of the classes that are meant in some files

    def check(self) -> None:
        """All paths, libraries first."""
        libraries, alone = self._sorted()
        for folder, files in libraries.items():
            self._check_library(folder, files)
        self._check_alone(alone)
        self.findings = [finding for finding in self.findings if self._is_meant(finding)]

    def _is_meant(self, finding: Finding) -> bool:
        if not self._extents or finding.path is None:
            return True
        extents = self._extents.get(Path(os.path.realpath(finding.path)))
        if extents is None or not finding.offset:  # some know the line only
            return extents is None or any(span.start.line <= finding.line <= span.end.line for span in extents)
        return any(span.start.offset <= finding.offset < span.end.offset for span in extents)

    def _sorted(self) -> tuple[dict[Path, set[Path] | None], list[Path]]:
        """Libraries with the files of theirs that are meant, None for all of them; and files that stand alone."""
        libraries: dict[Path, set[Path] | None] = {}
        alone: list[Path] = []
        all_of: set[Path] = set()
        for name in self._options.paths:
            parts, complaints = modelica_parts([name], Session(libraries=self._options.library))
            self.complaints += complaints
            whole = Path(name).resolve() if Path(name).is_dir() else None
            for part in parts:
                file = part.path
                if part.class_:
                    span = Document.open(file).find_class(part.class_).view.span
                    self._extents.setdefault(file.resolve(), []).append(span)
                else:
                    all_of.add(file.resolve())
                folder = library_around(file)
                if folder is None:
                    alone.append(file)
                elif whole is not None and folder.is_relative_to(whole):
                    libraries[folder] = None
                else:
                    known = libraries.setdefault(folder, set())
                    if known is not None:
                        known.add(file.resolve())
        self._extents = {path: extents for path, extents in self._extents.items() if path not in all_of}
        return libraries, list(dict.fromkeys(alone))

    # ------------------------------------------------------------ libraries

    def _check_library(self, folder: Path, files: set[Path] | None) -> None:
        libraries = self._open([folder])
        with Progress("checking", quiet=self._options.quiet) as bar:
            found = check_libraries(
                libraries,
                rules=self._rules | {"unreadable"},
                files=files,
                tools=self._options.tool,
                progress=lambda done, of, _: bar(done, of),
            )
        judged = [entry.path for library, entry in libraries.files() if not library.read_only]
        self.files += len(judged) if files is None else len(files & set(judged))
        self._take(found)
        if files is not None:  # a file that is beside those of the library and no part of it
            self._check_alone(sorted(files - set(judged)))

    def _open(self, folders: list[Path]) -> Libraries:
        shelf = Shelf(self._options.library, around=folders, search=not self._options.no_library)
        libraries = opened(lambda: shelf.open(folders))
        self.notes.update(dict.fromkeys(shelf.notes))
        return libraries

    def _take(self, found: Iterable[Finding]) -> None:
        for finding in found:
            if finding.code == "unreadable":
                self.complaints.append(f"{_place(finding.path)}: {finding.message}")
            elif finding.code != "library-not-open" or finding.message not in self._told:
                self.findings.append(finding)
                self._told.add(finding.message)

    # ------------------------------------------------------------ files

    def _check_alone(self, files: list[Path]) -> None:
        if not files:
            return
        shelves = _Shelves(self._options.library, search=not self._options.no_library)
        check = partial(check_file, rules=self._rules, tools=self._options.tool, shelves=shelves)
        jobs = min(self._options.jobs, len(files))
        pool: ProcessPoolExecutor | nullcontext[None] = ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext()
        with Progress("checking", quiet=self._options.quiet) as bar, pool as executor:
            workers: Executor | None = executor
            results = map_files(
                check,
                files,
                executor=workers,
                progress=lambda done, of, _: bar(done, of),
                chunksize=max(1, len(files) // (jobs * 8)),
            )
        for result in results:
            self.files += result.error is None
            if result.error is not None:
                self.complaints.append(f"{result.path}: {result.error.message}")
            found, notes = result.value or ([], [])
            self.notes.update(dict.fromkeys(notes))
            self._take(_with_path(finding, result.path) for finding in found)


def check_file(
    path: Path, *, rules: frozenset[str], tools: list[str], shelves: _Shelves
) -> tuple[list[Finding], list[str]]:
    """Check a file that stands alone, and say what is to be noted; in a worker, so it takes and gives plain values."""
    tree = parse_source(Source.read(path), recover=True)
    libraries, notes = shelves.open(path.resolve().parent, tree)
    return check_document(tree, libraries=libraries, rules=rules, tools=tools, is_all=shelves.search), notes


class _Shelves:
    """The libraries of files that stand alone. PERF: files beside each other that use the same ones share them."""

    def __init__(self, named: list[str], *, search: bool) -> None:
        self._named = named
        self.search = search
        self._shelves: dict[Path, Shelf] = {}
        self._opened: dict[tuple[Path, tuple[tuple[str, str], ...], tuple[str, ...]], tuple[Libraries, list[str]]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return partial(_Shelves, search=self.search), (self._named,)  # each worker opens its own

    def open(self, folder: Path, tree: StoredDefinition) -> tuple[Libraries, list[str]]:
        """What a file uses, and what is to be noted about it."""
        if folder not in self._shelves:
            self._shelves[folder] = Shelf(self._named, around=[folder], search=self.search)
        shelf = self._shelves[folder]
        own = {each.name for each in tree.classes}
        names = tuple(name for name in shelf.mentioned_in(tree.source.text) if name not in own) if self.search else ()
        key = folder, tuple(sorted(uses_of(tree).items())), names
        if key not in self._opened:
            self._opened[key] = opened(lambda: shelf.open(file=tree, names=names)), shelf.notes
        return self._opened[key]


# ---------------------------------------------------------------- what people see


def _with_path(finding: Finding, path: Path) -> Finding:
    """The path as it was given, not as a worker needs it."""
    return Finding(
        finding.code, path, finding.line, finding.column, finding.message, finding.hint, finding.offset, finding.end
    )


def _place(path: Path | None) -> str:
    """A path as a person would write it from here."""
    return "<text>" if path is None else shown(path)


def _shown(finding: Finding) -> Shown:
    lines: tuple[str, ...] = ()
    if finding.code == "syntax" and finding.path is not None:
        # The line with a mark below helps where a token is wrong; where a name is wrong, the message has it.
        error = ModelicaSyntaxError(finding.message, Source.read(finding.path), finding.offset)
        lines = tuple(str(error)[len(error.headline) + 1 :].splitlines())  # its file may have a strange name
    return Shown(
        finding.severity,
        _place(finding.path),
        finding.line,
        finding.column,
        finding.message,
        finding.code,
        finding.hint or None,
        lines,
    )
