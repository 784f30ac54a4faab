"""`modelica-patch constraints pairs`: how many pairs of objects are looked at."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from modelica_ast.cli import EXIT_OK, printable, write_json
from urdf_frontend.constraints.cli.output import add_model_arguments, given_model
from urdf_frontend.constraints.synchronisation import count_networks

DESCRIPTION: Final = """
Count the objects of each collector of a model. A compiler has to look at n*m pairs, of a collision object and a
constrained object each; all objects among each other would be N(N-1)/2.
"""
EXAMPLES: Final = """
  modelica-patch constraints pairs Cell.mo                       a line for each collector
  modelica-patch constraints pairs Plant::Plant.Cell             a model of a library
"""
_HEAD: Final = ("collector", "n", "m", "n*m", "N(N-1)/2")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_model_arguments(parser)
    parser.add_argument("--json", action="store_true", help="the same for programs")


def run(options: argparse.Namespace) -> int:
    """Count; the exit code."""
    _, libraries, model = given_model(options)
    networks = count_networks(libraries, model)
    if options.json:
        data = {"model": model, "networks": [network.as_json() for network in networks]}
        write_json(data)
        return EXIT_OK
    rows = [
        (each.name or "(connected)", each.collisions, each.constrained, each.pairs, each.all_pairs) for each in networks
    ]
    table = [_HEAD, *(tuple(map(str, row)) for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(_HEAD))]
    for row in table:
        first, *rest = (f"{row[0]:<{widths[0]}}", *(f"{row[i]:>{widths[i]}}" for i in range(1, len(row))))
        sys.stdout.write("  ".join([printable(first), *rest]) + "\n")
    return EXIT_OK
