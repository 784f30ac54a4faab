"""`modelica-patch edit`: several commands as one step."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import Final

from modelica_ast.cli.address import STANDARD_STREAM
from modelica_ast.cli.catalogue import load, nearest_command, parsed, parser_of
from modelica_ast.cli.exits import CommandError, cannot_read, exit_code
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.foundation import ModelicaError, read_regular

DESCRIPTION = """
Carry out several commands on a file or a library as one step: if one is refused, nothing is written. A command is a
line like those of the shell, without 'modelica-patch' and with addresses that leave FILE:: away. Lines come from -e or
from a script; '#' starts a comment. Commands see what those before them did.
"""
EXAMPLES = """
  modelica-patch edit Arm.mo -e 'set Arm.m 2' -e 'rename Arm.body link1' -e 'connect Arm link1.frame_a world.frame_b'
  modelica-patch edit Lib/ --script changes.txt --in-place
  modelica-patch edit Arm.mo --script - < changes.txt
"""
USAGE = "modelica-patch edit PLACE (-e COMMAND | --script FILE) ... [options]"
EDITING: Final = (
    "set add remove rename move copy connect disconnect annotate".split()
)  # those that only change what is opened


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `edit` takes."""
    parser.add_argument("place", metavar="PLACE", help="a .mo file, a library's folder, or - for standard input")
    parser.add_argument(
        "-e", "--execute", metavar="COMMAND", action="append", default=[], help="a command (repeatable)"
    )
    parser.add_argument(
        "--script", metavar="FILE", action="append", default=[], help="a file of commands; - is standard input"
    )
    parser.add_argument("--with", dest="also", metavar="LIBRARY", action="append", default=[], help="see 'rename'")
    add_write_options(parser, names=True)


def run(options: argparse.Namespace) -> int:
    """Carry them out, and show or write the result."""
    session = Session(options.also, place=options.place)
    lines = [(f"-e {number}", text) for number, text in enumerate(options.execute, 1)]
    for name in options.script:
        lines += _script_lines(name)
    if not lines:
        raise CommandError("there is no command: -e COMMAND, or --script FILE")
    for where, line in lines:
        _carry_out(session, where, line, quiet=options.quiet)
    return finish(session, options)


def _script_lines(name: str) -> list[tuple[str, str]]:
    try:
        text = sys.stdin.read() if name == STANDARD_STREAM else read_regular(name).decode()
    except OSError as error:
        raise cannot_read(name, error) from None
    except UnicodeDecodeError:
        raise CommandError(f"{name}: a script is UTF-8 text") from None
    lines = enumerate(text.splitlines(), 1)
    return [(f"{name}:{number}", line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]


def _carry_out(session: Session, where: str, line: str, *, quiet: bool) -> None:
    from modelica_ast.cli.catalogue import OWN_COMMANDS  # noqa: PLC0415  (the table names this module)

    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        raise CommandError(f"{where}: {error}: {line}") from None
    if words[:1] == ["modelica-patch"]:
        words = words[1:]
    if not words or words[0] not in EDITING:
        name = words[0] if words else line
        near = nearest_command(name, EDITING)
        raise CommandError(f"{where}: '{name}' is no command that edits{near} (there is {', '.join(EDITING)})")
    module = load(OWN_COMMANDS[words[0]])
    inner = parsed(parser_of(module, f"{where}: {words[0]}"), words[1:])
    once = (inner.in_place, inner.dry_run, inner.diff, inner.json, inner.force, getattr(inner, "strict", False))
    if any(once) or inner.output is not None:
        raise CommandError(f"{where}: say where to write once, for all commands, behind 'edit' itself")
    inner.quiet = quiet or inner.quiet
    try:
        module.edits(inner, session)
    except (CommandError, ModelicaError) as error:
        raise CommandError(f"{where}: {error}", exit_code(error)) from None
