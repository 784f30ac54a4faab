"""`modelica-patch grep` and `rewrite`: code found by a pattern, and replaced by one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modelica_ast.cli.address import STANDARD_STREAM
from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, EXIT_UNREADABLE, CommandError, cannot_read
from modelica_ast.cli.files import FILES_HELP, Part, some_modelica_parts
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.places import add_library_option, opened
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import (
    Progress,
    complain,
    count,
    printable,
    printable_error,
    source_text,
    styled,
    tell,
    write_json,
)
from modelica_ast.foundation import ModelicaSyntaxError, Source, split_name

if TYPE_CHECKING:
    from modelica_ast.library import Libraries
    from modelica_ast.patterns import Match, Pattern
    from modelica_ast.tree import Root


# ---------------------------------------------------------------- grep


class Grep:
    """`modelica-patch grep`: code found by a pattern."""

    DESCRIPTION = """
Find code that looks like PATTERN: Modelica in which $A stands for one thing and $$REST for any number of things in a
list. The tree is searched, so blanks, line breaks and comments don't matter; a declaration may have what the pattern
does not mention (prefixes, modifiers, a description). 'modelica-patch help patterns' explains it all. Exit code 1 if
nothing is found.
"""
    EXAMPLES = """
  modelica-patch grep 'connect($A.flange_a, $B)' Lib/          connections of such a flange, either way round
  modelica-patch grep 'parameter Real $p = $v' Arm.mo          parameters with a value
  modelica-patch grep 'parameter Real $p = $v' Arm.mo::Arm.Joint
  modelica-patch grep 'Modelica.Blocks.Math.Gain $g(k=$k, $$rest)' Lib/ --json
  modelica-patch grep '$x = $y' Arm.mo --kind equation         not the modifiers, which look alike
  modelica-patch grep '$T $x' Lib/ --where 'x ~ ^motor' --where 'T is name'
  modelica-patch grep '$T $x' Lib/ --where 'x : Modelica.Units.SI.Length' --library ~/Modelica
  modelica-patch grep 'annotation(Evaluate=true, $$a)' Lib/    annotations
"""
    USAGE = "modelica-patch grep PATTERN [FILE or FOLDER ...] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `grep` takes."""
        parser.add_argument("pattern", metavar="PATTERN", help="what to look for; in single quotes, for the shell")
        parser.add_argument("places", nargs="*", metavar="FILE", help=FILES_HELP + " (default)")
        add_pattern_options(parser)
        parser.add_argument("-l", "--files", action="store_true", help="only the names of files with a match")
        parser.add_argument("--json", action="store_true", help="matches with their captures, as JSON")
        parser.add_argument("-q", "--quiet", action="store_true", help="no count at the end")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Find and print; 1 if there is none."""
        from modelica_ast.patterns import Pattern, PatternError, parse_where  # noqa: PLC0415  (PERF: only here)

        pattern = Pattern.compile(options.pattern, options.kind)
        where = parse_where(options.where)
        data: list[dict[str, Any]] = []
        total = files = 0
        unread: list[Path] = []
        for name, tree, classes in _trees(options, pattern, unread):
            libraries = lookup(options, tree.file, where, pattern)
            try:
                found = pattern.find(
                    tree, where=where, libraries=libraries, annotations=options.annotations, classes=classes
                )
            except PatternError as error:
                raise CommandError(f"{name}: {error}") from None
            total += len(found)
            files += bool(found)
            if options.json:
                data += [_data(name, match) for match in found]
            elif options.files:
                sys.stdout.write(f"{printable(name)}\n" if found else "")
            else:
                for match in found:
                    _show(name, match)
        if options.json:
            write_json({"pattern": options.pattern, "matches": data})
        else:
            tell(f"{count(total, 'match', 'matches')} in {count(files, 'file')}", quiet=options.quiet)
        if unread:
            return EXIT_UNREADABLE
        return EXIT_OK if total else EXIT_FOUND


def add_pattern_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that `grep` and `rewrite` share."""
    parser.add_argument("--kind", metavar="KIND", help="read PATTERN as this: equation, argument, expression, …")
    parser.add_argument(
        "--where",
        metavar="CONSTRAINT",
        action="append",
        default=[],
        help="'x ~ regex', 'x !~ regex', 'x is number', 'x : type' (repeatable)",
    )
    add_library_option(parser)
    parser.add_argument("--annotations", action="store_true", help="look into annotations, too")


def lookup(
    options: argparse.Namespace, file: Path | None, where: dict[str, dict[str, str]], pattern: Pattern
) -> Libraries | None:
    """Where classes are looked up: the library that a file is in, and all that are at hand and named."""
    types = [constraint["type"] for constraint in where.values() if "type" in constraint]
    types += sorted(pattern.classes)
    if not types:
        return None
    from modelica_ast.library import Shelf  # noqa: PLC0415

    own = Session().library_around(str(file)) if file is not None else None
    place = own or (Path() if file is None else file.parent)
    known: dict[Path, Libraries] = options.__dict__.setdefault("lookups", {})
    if place not in known:
        names = [split_name(name.strip().removeprefix("."))[0] for name in types]
        shelf = Shelf(options.library, around=[place])
        known[place] = opened(lambda: shelf.open([] if own is None else [own], names=names))
    return known[place]


def _trees(
    options: argparse.Namespace, pattern: Pattern, unread: list[Path]
) -> Iterator[tuple[str, Root, list[str] | None]]:
    """The trees that may have a match, with the classes that are meant; None is all of them.

    The others are not parsed. A file that can't be read is reported, and noted.
    """
    from modelica_ast.foundation import Source  # noqa: PLC0415
    from modelica_ast.tree import parse_source  # noqa: PLC0415  (PERF: see run)

    if options.places in ([], ["-"]):
        yield "<standard input>", Session().document("-").tree, None
        return
    parts = some_modelica_parts(options.places, Session(libraries=options.library))
    files = {part.path: [each.class_ for each in parts if each.path == part.path] for part in parts}
    with Progress("searching", quiet=options.quiet) as progress:
        for number, (file, classes) in enumerate(files.items(), 1):
            try:
                source = Source.read(file)
                tree = parse_source(source) if pattern.may_match(source.text) else None
            except (ModelicaSyntaxError, OSError) as error:
                progress.clear()
                if isinstance(error, ModelicaSyntaxError):
                    complain(printable_error(error))
                else:
                    complain(printable(f"{file}: {error.strerror}"))
                unread.append(file)
                continue
            if tree is not None:
                within = f"{tree.within}." if tree.within else ""
                yield str(file), tree, None if classes == [""] else [within + name for name in classes]
            progress(number, len(files))


def _show(name: str, match: Match) -> None:
    start = match.span.start
    place = styled(f"{name}:{start.line}:{start.column}", "place", sys.stdout)
    first, *more = match.text.splitlines()
    sys.stdout.write(f"{place}: {source_text(first, sys.stdout)}{' …' if more else ''}\n")


def _data(name: str, match: Match) -> dict[str, Any]:
    captures: dict[str, dict[str, Any]] = {}
    for key, capture in match.captures.items():
        captures[key] = {"text": capture.text, "items": list(capture.texts)}
        if capture.span is not None:
            captures[key] |= {"line": capture.span.start.line, "column": capture.span.start.column}
    start, end = match.span.start, match.span.end
    return {
        "file": name,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "class": match.path,
        "kind": match.kind,
        "text": match.text,
        "captures": captures,
    }


# ---------------------------------------------------------------- rewrite


class Rewrite:
    """`modelica-patch rewrite`: code replaced by a pattern."""

    DESCRIPTION = """
Replace code that looks like PATTERN by REPLACEMENT, in which $A and $$REST stand for what they stand for in the match.
What the pattern does not mention stays, and so does every byte that the two have in common; no comment is lost. An
equation or a declaration may become several, 'a = $x; b = $x;', or nothing, ''. All files change or none.
'modelica-patch help patterns' explains it all.
"""
    EXAMPLES = """
  modelica-patch rewrite 'connect($A.flange_a, $B)' 'connect($A.axis, $B)' Lib/    see the diff
  modelica-patch rewrite 'Modelica.SIunits.$X' 'Modelica.Units.SI.$X' Lib/ -i      and write it
  modelica-patch rewrite 'Gain $g(k=$k, $$r)' 'Amplifier $g(factor=$k, $$r)' A.mo  another block, its modifiers kept
  modelica-patch rewrite 'when $c then $$b; end when' 'if $c then $$b; end if' A.mo
  modelica-patch rewrite 'assert($c, $$r)' '' A.mo --kind equation                 remove them
  modelica-patch rewrite 'old($x)' 'new($x)' - < A.mo > B.mo                       from stream to stream
"""
    USAGE = "modelica-patch rewrite PATTERN REPLACEMENT FILE or FOLDER ... [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `rewrite` takes."""
        parser.add_argument("pattern", metavar="PATTERN", help="what to look for; in single quotes, for the shell")
        parser.add_argument("replacement", metavar="REPLACEMENT", help="what to put there instead; '' removes it")
        parser.add_argument("places", nargs="+", metavar="FILE", help=FILES_HELP)
        add_pattern_options(parser)
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Rewrite, and show or write the result."""
        from modelica_ast.patterns import (  # noqa: PLC0415  (PERF: only here)
            Pattern,
            Replacement,
            parse_where,
            rewrite,
        )

        pattern = Pattern.compile(options.pattern, options.kind)
        Replacement(pattern, options.replacement)  # what is wrong with it is said even if nothing matches
        where = parse_where(options.where)
        session = Session()
        total = 0
        is_stream = options.places == [STANDARD_STREAM]
        parts = [Part(Path(STANDARD_STREAM))]
        if not is_stream:
            parts = some_modelica_parts(options.places, session, for_writing=True)
        with Progress("rewriting", quiet=options.quiet) as progress:
            for number, part in enumerate(parts, 1):
                name = str(part.path)
                if is_stream or pattern.may_match(_text(name)):
                    document = session.document(name)
                    libraries = lookup(options, None if is_stream else document.path, where, pattern)
                    total += rewrite(
                        document,
                        pattern,
                        options.replacement,
                        where=where,
                        libraries=libraries,
                        annotations=options.annotations,
                        classes=[".".join(filter(None, [document.within, part.class_]))] if part.class_ else None,
                    )
                progress(number, len(parts))
        if not is_stream:
            done = "rewritten" if options.in_place else "to rewrite"
            tell(f"{count(total, 'match', 'matches')} {done}", quiet=options.quiet or options.json)
        return finish(session, options, rewritten=total)


def _text(name: str) -> str:
    try:
        return Source.read(name).text
    except OSError as error:
        raise cannot_read(name, error) from None
