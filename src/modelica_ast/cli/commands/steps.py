"""`modelica-patch edit` and `patch`: several edits as one step, as commands and as JSON."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli.address import STANDARD_STREAM
from modelica_ast.cli.catalogue import load, nearest_command, parsed, parser_of
from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError, cannot_read, exit_code, reading, writing
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.foundation import ModelicaError, read_regular

# ---------------------------------------------------------------- edit

EDITING: Final = (
    "set add remove rename move copy connect disconnect annotate".split()
)  # those that only change what is opened


class Edit:
    """`modelica-patch edit`: several commands as one step."""

    DESCRIPTION = """
Carry out several commands on a file or a library as one step: if one is refused, nothing is written. A command is a
line like those of the shell, without 'modelica-patch' and with addresses without FILE::. Lines come from -e or from a
script; '#' starts a comment. Commands see what those before them did.
"""
    EXAMPLES = """
  modelica-patch edit Arm.mo -e 'set Arm.m 2' -e 'rename Arm.body link1' -e 'connect Arm link1.frame_a world.frame_b'
  modelica-patch edit Lib/ --script changes.txt --in-place
  modelica-patch edit Arm.mo --script - < changes.txt
"""
    USAGE = "modelica-patch edit PLACE (-e COMMAND | --script FILE) ... [options]"

    @staticmethod
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

    @staticmethod
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
        raise CommandError(f"{name}: a script must be UTF-8 text") from None
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
        raise CommandError(f"{where}: '{name}' is not a command that edits{near} (there is {', '.join(EDITING)})")
    module = load(OWN_COMMANDS[words[0]])
    inner = parsed(parser_of(module, f"{where}: {words[0]}"), words[1:])
    once = (inner.in_place, inner.dry_run, inner.diff, inner.json, inner.force, getattr(inner, "strict", False))
    if any(once) or inner.output is not None:
        raise CommandError(f"{where}: say where to write only once, after 'edit' itself: it applies to all commands")
    inner.quiet = quiet or inner.quiet
    try:
        module.edits(inner, session)
    except (CommandError, ModelicaError) as error:
        raise CommandError(f"{where}: {error}", exit_code(error)) from None


# ---------------------------------------------------------------- patch


class Patch:
    """`modelica-patch patch`: edits as JSON."""

    DESCRIPTION = """
Apply patches: lists of operations as JSON, one for every verb (docs/verbs.md shows them all; patch.schema.json is for
editors). All operations are applied or none. --inverse keeps the patch that takes everything back.
"""
    EXAMPLES = """
  modelica-patch patch Arm.mo changes.json                      see what would change
  modelica-patch patch Arm.mo changes.json -i --inverse undo.json
  modelica-patch patch Arm.mo --operation '{"op": "rename_class", "class": "Arm", "name": "Robot"}'
"""
    USAGE = "modelica-patch patch FILE [PATCH.json ...] [--operation JSON ...] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `patch` takes."""
        parser.add_argument("place", metavar="FILE", help="the .mo file that is changed; - is standard input")
        parser.add_argument("patches", nargs="*", metavar="PATCH.json", help="files of operations; - is standard input")
        parser.add_argument(
            "--operation", metavar="JSON", action="append", default=[], help="an operation (repeatable)"
        )
        parser.add_argument(
            "--inverse", metavar="FILE", help="with --in-place or --output, write the patch that undoes this one"
        )
        add_write_options(parser, names=True)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Carry them out, and show or write the result."""
        operations: list[Any] = []
        for name in options.patches:
            if name == options.place == STANDARD_STREAM:
                raise CommandError("the file and the patch can't both come from standard input")
            operations += _operations(name)
        for text in options.operation:
            operations.append(_json(text, "--operation"))
        if not operations:
            raise CommandError("there is no operation: name a PATCH.json, or give --operation")
        session = Session()
        document = session.document(options.place)
        # A text, as inverses have it, is taken as it is: what it names was there before, or somebody wrote it so.
        if not any(isinstance(each, dict) and each.get("op") == "replace_text" for each in operations):
            session.watch(document)
        inverse = document.apply(operations)
        is_written = not options.dry_run and (options.in_place or options.output is not None)
        if options.inverse is None or not is_written:
            return finish(session, options)
        from modelica_ast.edit import save_patch  # noqa: PLC0415  (PERF: only when asked for)

        place = Path(options.inverse)
        if place.resolve() in {Path(name).resolve() for name in (options.place, options.output) if name is not None}:
            raise CommandError(f"--inverse {options.inverse} would overwrite the model: name another file")
        is_new = not place.exists()
        with writing():
            save_patch(place, inverse)  # first: without the way back, nothing is changed
        try:
            return finish(session, options)
        except BaseException:
            if is_new:
                place.unlink(missing_ok=True)
            raise


def _operations(name: str) -> list[Any]:
    from modelica_ast.edit import load_patch  # noqa: PLC0415  (PERF: only for files)

    if name == STANDARD_STREAM:
        data = _json(_standard_input(), "standard input")
        if isinstance(data, dict):
            data = data.get("operations", [data])
        if not isinstance(data, list):
            raise CommandError("standard input: a patch must be a list of operations", EXIT_UNREADABLE)
        return data
    with reading(ModelicaError, place=name):
        return list(load_patch(Path(name)))


def _json(text: str, what: str) -> Any:
    from modelica_ast.edit import read_json  # noqa: PLC0415  (PERF: help does without)

    with reading(ModelicaError):
        return read_json(text, what)


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"standard input is not UTF-8: byte {error.start}", EXIT_UNREADABLE) from None
