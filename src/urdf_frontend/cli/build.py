"""`modelica-patch urdf build` and `record`: a robot as a Modelica package, and as one record for generic robots."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from urdf_frontend.cli.arguments import add_mesh_options, add_reading_options
from urdf_frontend.cli.output import add_writing_options, make_and_show
from urdf_frontend.package import (
    TEMPLATES,
    BuildOptions,
    BuiltPackage,
    RecordOptions,
    Visualisation,
    build,
    build_record,
    with_base,
)
from urdf_frontend.robot import NameStyle
from urdf_frontend.urdf import Packages, ReadResult


class Build:
    """`modelica-patch urdf build`: a Modelica package of a robot."""

    DESCRIPTION: Final = """
Make a Modelica package of a robot that is described in URDF: a model and a record of values for each link and joint,
the robot with all of them connected, a run model and a test model. Every class is a copy of a template, with what its
link or joint needs, and can be changed on its own. Meshes and textures of the robot's folder and packages are copied
into the package; others are left out, unless you say --allow-outside.

The root link of a mobile robot, or a link that is fixed to it, needs mass and inertia: without them no tool may be able
to compute how it moves. The summary says so, and names joints that move nothing that has a mass.

If --into is a package, it gets the robot as another class; otherwise the robot is a library of its own in that folder.
A robot with errors is not built, and all its errors are listed. All files are written, or none.
"""
    EXAMPLES: Final = """
  modelica-patch urdf build arm.urdf                          the library arm in this folder
  modelica-patch urdf build arm.urdf --into Robots --name Arm the class Robots.Arm of a library that is there
  modelica-patch urdf build rover.urdf --mobile               it is mobile: its root link is free
  modelica-patch urdf build arm.urdf --dry-run                which files it would make, and what it leaves out
  modelica-patch urdf build arm.urdf --dry-run --diff         and what would be in them
  modelica-patch urdf build arm.urdf --templates MyRobots     from templates of your own
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
        parser.add_argument("--into", default=".", metavar="DIR", help="a package, or the folder for a new library")
        parser.add_argument("--name", help="the name of the package; without it, that of the robot")
        motion = parser.add_mutually_exclusive_group()
        motion.add_argument(
            "--stationary", action="store_true", help="its root link is fixed to the world (the default)"
        )
        motion.add_argument(
            "--mobile", action="store_true", help="its root link moves freely; it needs mass and inertia"
        )
        parser.add_argument(
            "--names",
            choices=[style.value for style in NameStyle],
            default=NameStyle.AS_IS.value,
            help="how links and joints are called: as they are where that is possible, quoted, or as URDFModelica does",
        )
        parser.add_argument(
            "--visualisation",
            choices=[kind.value for kind in Visualisation],
            default=Visualisation.MSL.value,
            help="whose shapes show the robot",
        )
        parser.add_argument("--no-collisions", action="store_true", help="leave out collision elements")
        parser.add_argument("--no-meshes", action="store_true", help="copy no mesh files")
        parser.add_argument("--templates", metavar="DIR", help="a library of templates of your own")
        parser.add_argument("--modelica-version", default="4.0.0", metavar="VERSION", help="of the Standard Library")
        add_reading_options(parser)
        add_mesh_options(parser)
        parser.add_argument(
            "--allow", action="append", default=[], metavar="CODE", help="build in spite of errors with this code"
        )
        add_writing_options(parser)

    @staticmethod
    def writes(options: argparse.Namespace) -> bool:
        """Does this call write files?"""
        return not options.dry_run

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Build it, and write it unless the user only wants to look."""

        def make(result: ReadResult, packages: Packages) -> BuiltPackage:
            wanted = _build_options(options, Path(options.file), Path(options.into), packages)
            return with_base(build(result.usable_robot(allowed=options.allow), wanted), result, wanted)

        return make_and_show(options, make)


def _build_options(options: argparse.Namespace, file: Path, into: Path, packages: Packages) -> BuildOptions:
    return BuildOptions(
        name=options.name,
        into=into,
        stationary=not options.mobile,
        modelica_version=options.modelica_version,
        visualisation=Visualisation(options.visualisation),
        collisions=not options.no_collisions,
        name_style=NameStyle(options.names),
        templates=TEMPLATES if options.templates is None else Path(options.templates),
        copy_meshes=not options.no_meshes,
        allowed=frozenset(options.allow),
        may_be_there=True,
        urdf=file,
        packages=packages,
    )


class Record:
    """`modelica-patch urdf record`: a robot as one record, and generic robots that move as it says."""

    DESCRIPTION: Final = """
Make one Modelica record of a robot that is described in URDF: how its links are connected, all masses, inertias,
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

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
        parser.add_argument("--into", default=".", metavar="DIR", help="a package, or the folder for a new library")
        parser.add_argument("--name", help="the name of the package; without it, that of the robot")
        parser.add_argument(
            "--names",
            choices=[style.value for style in NameStyle],
            default=NameStyle.AS_IS.value,
            help="how the constants are called: as the joints and links where that is possible, quoted, "
            "or as URDFModelica",
        )
        parser.add_argument("--templates", metavar="DIR", help="a library of templates of your own")
        parser.add_argument("--modelica-version", default="4.0.0", metavar="VERSION", help="of the Standard Library")
        add_reading_options(parser)
        parser.add_argument(
            "--allow", action="append", default=[], metavar="CODE", help="build in spite of errors with this code"
        )
        add_writing_options(parser)

    @staticmethod
    def writes(options: argparse.Namespace) -> bool:
        """Does this call write files?"""
        return not options.dry_run

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Build it, and write it unless the user only wants to look."""

        def make(result: ReadResult, packages: Packages) -> BuiltPackage:
            del packages  # a record has no meshes
            return build_record(
                result.usable_robot(allowed=options.allow), _record_options(options, Path(options.into))
            )

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
