"""`modelica-patch patch`: edits as JSON."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from modelica_ast.cli.address import STANDARD_STREAM
from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError, reading, writing
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.foundation import ModelicaError

DESCRIPTION = """
Carry out patches: lists of operations as JSON, one for every verb that there is (docs/verbs.md shows them all; editors
know patch.schema.json). All of them or none. --inverse keeps the patch that takes everything back.
"""
EXAMPLES = """
  modelica-patch patch Arm.mo changes.json                      see what would change
  modelica-patch patch Arm.mo changes.json -i --inverse undo.json
  modelica-patch patch Arm.mo --operation '{"op": "rename_class", "class": "Arm", "name": "Robot"}'
"""
USAGE = "modelica-patch patch FILE [PATCH.json ...] [--operation JSON ...] [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `patch` takes."""
    parser.add_argument("place", metavar="FILE", help="the .mo file that is changed; - is standard input")
    parser.add_argument("patches", nargs="*", metavar="PATCH.json", help="files of operations; - is standard input")
    parser.add_argument("--operation", metavar="JSON", action="append", default=[], help="an operation (repeatable)")
    parser.add_argument(
        "--inverse", metavar="FILE", help="with --in-place or --output, write the patch that undoes this one"
    )
    add_write_options(parser, names=True)


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
        raise CommandError(f"--inverse {options.inverse} would take the place of the model: name another file")
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
            raise CommandError("standard input: a patch is a list of operations", EXIT_UNREADABLE)
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
