"""`modelica-patch urdf record`: a robot as one record, and generic robots that move as it says."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from urdf_frontend.cli.arguments import add_reading_options
from urdf_frontend.cli.output import add_writing_options, make_and_show
from urdf_frontend.package import TEMPLATES, BuiltPackage, RecordOptions, build_record
from urdf_frontend.robot import NameStyle
from urdf_frontend.urdf import Packages, ReadResult

DESCRIPTION: Final = """
Make one Modelica record of a robot that is described in URDF: how its links hang together, all masses, inertias,
origins, axes, friction and limits as arrays, and a constant for the index of each joint and link. Beside it are two
models that move as the record says: one by its equations of motion, which every compiler takes, one made of MultiBody
parts. The package of all that is one file.

Generic robots have joints that turn, slide or are fixed. A robot with other joints, or with joints that follow others,
is refused: `modelica-patch urdf build` makes the package of any robot.
"""
EXAMPLES: Final = """
  modelica-patch urdf record arm.urdf                          the library arm, in arm.mo
  modelica-patch urdf record arm.urdf --into Robots --name Arm the class Robots.Arm of a library that is there
  modelica-patch urdf record arm.urdf --dry-run                what it would write, and what it leaves out
  modelica-patch urdf record arm.urdf --dry-run --diff         and what would be in it
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
    parser.add_argument("--into", default=".", metavar="DIR", help="a package, or the folder for a new library")
    parser.add_argument("--name", help="what the package is called; without it, as the robot")
    parser.add_argument(
        "--names",
        choices=[style.value for style in NameStyle],
        default=NameStyle.AS_IS.value,
        help="how the constants are called: as the joints and links where that is possible, quoted, or as URDFModelica",
    )
    parser.add_argument("--templates", metavar="DIR", help="a library of templates of your own")
    parser.add_argument("--modelica-version", default="4.0.0", metavar="VERSION", help="of the Standard Library")
    add_reading_options(parser)
    parser.add_argument(
        "--allow", action="append", default=[], metavar="CODE", help="build in spite of errors with this code"
    )
    add_writing_options(parser)


def writes(options: argparse.Namespace) -> bool:
    """Does this call write files?"""
    return not options.dry_run


def run(options: argparse.Namespace) -> int:
    """Build it, and write it unless the user only wants to look."""

    def make(result: ReadResult, packages: Packages) -> BuiltPackage:
        del packages  # a record has no meshes
        return build_record(result.usable_robot(allowed=options.allow), _record_options(options, Path(options.into)))

    return make_and_show(options, make)


def _record_options(options: argparse.Namespace, into: Path) -> RecordOptions:
    return RecordOptions(
        name=options.name,
        into=into,
        modelica_version=options.modelica_version,
        name_style=NameStyle(options.names),
        templates=TEMPLATES if options.templates is None else Path(options.templates),
        allowed=frozenset(options.allow),
        may_be_there=True,
    )
