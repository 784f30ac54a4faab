"""`modelica-patch rewrite`: code replaced by a pattern."""

from __future__ import annotations

import argparse
from pathlib import Path

from modelica_ast.cli.address import STANDARD_STREAM
from modelica_ast.cli.commands.grep import add_pattern_options, lookup
from modelica_ast.cli.exits import cannot_read
from modelica_ast.cli.files import FILES_HELP, Part, some_modelica_parts
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, count, tell
from modelica_ast.foundation import Source

DESCRIPTION = """
Replace code that looks like PATTERN by REPLACEMENT, in which $A and $$REST stand for what they stood for in the match.
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `rewrite` takes."""
    parser.add_argument("pattern", metavar="PATTERN", help="what to look for; in single quotes, for the shell")
    parser.add_argument("replacement", metavar="REPLACEMENT", help="what stands there instead; '' removes it")
    parser.add_argument("places", nargs="+", metavar="FILE", help=FILES_HELP)
    add_pattern_options(parser)
    add_write_options(parser)


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
        tell(f"{count(total, 'match', 'matches')} rewritten", quiet=options.quiet or options.json)
    return finish(session, options, rewritten=total)


def _text(name: str) -> str:
    try:
        return Source.read(name).text
    except OSError as error:
        raise cannot_read(name, error) from None
