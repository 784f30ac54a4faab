"""`modelica-patch help`: subjects, with worked examples."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from modelica_ast.cli.commands import load, nearest_command, parser_of
from modelica_ast.cli.exits import EXIT_OK, CommandError

DESCRIPTION = """
Explain a subject with worked examples, or a command. Without a subject, list them.
"""
EXAMPLES = """
  modelica-patch help                  the subjects
  modelica-patch help addresses        how to name what you mean
  modelica-patch help set              the same as modelica-patch set --help
"""
_FOLDER: Final = Path(__file__).parent / "topics"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `help` takes."""
    parser.add_argument("topic", nargs="?", metavar="TOPIC", help="a subject or a command")


def topics() -> dict[str, str]:
    """The texts by their subjects; the first line of each is its title."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.txt"))}


def run(options: argparse.Namespace) -> int:
    """Print the explanation."""
    from modelica_ast.cli.table import OWN_COMMANDS  # noqa: PLC0415  (the table names this module)

    known = topics()
    name = options.topic
    if name is None:
        width = max(map(len, known))
        for topic, text in known.items():
            sys.stdout.write(f"  {topic:<{width}}  {text.splitlines()[0]}\n")
        return EXIT_OK
    if name in known:
        sys.stdout.write(known[name])
        return EXIT_OK
    if name in OWN_COMMANDS and not hasattr(load(OWN_COMMANDS[name]), "COMMANDS"):
        sys.stdout.write(parser_of(load(OWN_COMMANDS[name]), f"modelica-patch {name}").format_help())
        return EXIT_OK
    near = nearest_command(name, [*known, *OWN_COMMANDS])
    raise CommandError(f"there is no subject '{name}'{near or '; there is ' + ', '.join(known)}")
