"""`modelica-patch fmi migrate`: another word for `modelica-patch convert` with the Standard Library."""

from __future__ import annotations

import argparse
from typing import Final

from modelica_ast.cli import add_library_option, add_write_options, convert_places

DESCRIPTION: Final = """
Bring models to a newer Standard Library, so that today's tools export them: another word for
'modelica-patch convert FILE --uses Modelica --version VERSION', for several files at once.
"""
EXAMPLES: Final = """
  modelica-patch fmi migrate --msl 4.0.0 SimpleElectricalActuator.mo       see what would change
  modelica-patch fmi migrate --msl 4.0.0 *.mo -i                           change them, all or none
  modelica-patch fmi migrate MyLib/ -i                                     to the newest that is installed
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("places", nargs="+", metavar="FILE", help="a .mo file, or the folder of a library")
    parser.add_argument(
        "--msl", metavar="VERSION", help="of the Standard Library; the newest that is installed if not given"
    )
    add_library_option(parser)
    add_write_options(parser)


def run(options: argparse.Namespace) -> int:
    """Convert the files; the exit code."""
    options.uses, options.version = "Modelica", options.msl
    return convert_places(options.places, options)
