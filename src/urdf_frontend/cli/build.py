"""`modelica-patch urdf build`, `record` and `export`: a robot as a package, as one record, and as a URDF file again."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from modelica_ast.cli import EXIT_FOUND, EXIT_OK, CommandError, complain, count, tell, write_json, write_result
from modelica_ast.foundation import shown
from modelica_ast.generate import NewerBaseError, NoBaseError
from urdf_frontend.cli.arguments import add_mesh_options, add_package_argument, add_reading_options, package_folder
from urdf_frontend.cli.output import add_writing_options, after_build, after_record, make_and_show
from urdf_frontend.cli.reports import no_base
from urdf_frontend.package import (
    MODULAR,
    STYLE,
    TEMPLATES,
    BuildOptions,
    BuiltPackage,
    RecordOptions,
    Visualisation,
    build,
    build_record,
    export,
    read_memory,
    with_base,
)
from urdf_frontend.robot import NameStyle
from urdf_frontend.urdf import Packages, ReadResult

if TYPE_CHECKING:
    from urdf_frontend.package import Exported


INTO_HELP: Final = "a library or package, new or not; or a folder, for a library of its own (this one)"


class Build:
    """`modelica-patch urdf build`: a Modelica package of a robot."""

    DESCRIPTION: Final = """
Make a Modelica package of a robot that is described in URDF: a model and a record of values for each link and joint,
the robot with all of them connected, a run model and a test model. Every class is a copy of a template, with what its
link or joint needs, and can be changed on its own. Meshes and textures of the robot's folder and packages are copied
into the package; others are left out, unless you say --allow-outside.

The root link of a mobile robot, or a link that is fixed to it, needs mass and inertia: without them no tool may be
able to compute how it moves. The summary says so, and names joints that move nothing that has a mass.

--into names the library that gets the robot as another class; one that does not exist is made. In a folder that exists
and is no package, this one without --into, the robot is a library of its own. A robot with errors is not built, and all
its errors are listed. All files are written, or none. The last lines say what to do next.
"""
    EXAMPLES: Final = """
  modelica-patch urdf build arm.urdf --into Robots            the class Robots.arm; the library is made if need be
  modelica-patch urdf build arm.urdf                          the library arm in this folder
  modelica-patch urdf build arm.urdf --into Robots --bundle   and UrdfRobots, which it uses, beside the library
  modelica-patch urdf build rover.urdf --mobile               it is mobile: its root link is free
  modelica-patch urdf build arm.urdf --dry-run                which files it would make, and what it leaves out
  modelica-patch urdf build arm.urdf --dry-run --diff         and what would be in them
  modelica-patch urdf build arm.urdf --templates MyRobots     from templates of your own
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
        parser.add_argument("--into", default=".", metavar="DIR", help=INTO_HELP)
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
            help="how links and joints are called: as plainly as can be, escaped so that each name depends on itself "
            "alone, quoted, or as URDFModelica does",
        )
        parser.add_argument(
            "--visualisation",
            choices=[kind.value for kind in Visualisation],
            default=Visualisation.MSL.value,
            help="whose shapes show the robot",
        )
        parser.add_argument("--no-collisions", action="store_true", help="leave out collision elements")
        parser.add_argument("--no-meshes", action="store_true", help="copy no mesh files")
        parser.add_argument(
            "--bundle", action="store_true", help="put a copy of the library that it uses beside that of the package"
        )
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

        return make_and_show(options, make, after_build)


def _build_options(options: argparse.Namespace, file: Path, into: Path, packages: Packages) -> BuildOptions:
    return BuildOptions(
        name=options.name,
        into=into,
        new_library=True,
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

Generic robots have joints that turn, slide or are fixed, and joints that follow others. A robot with other joints is
refused: `modelica-patch urdf build` makes the package of any robot.
"""
    EXAMPLES: Final = """
  modelica-patch urdf record arm.urdf                          the library arm, in arm.mo
  modelica-patch urdf record arm.urdf --into Robots --name Arm the class Robots.Arm; the library is made if need be
  modelica-patch urdf record arm.urdf --dry-run                what it would write, and what it leaves out
  modelica-patch urdf record arm.urdf --dry-run --diff         and what would be in it
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
        parser.add_argument("--into", default=".", metavar="DIR", help=INTO_HELP)
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

        return make_and_show(options, make, after_record)


def _record_options(options: argparse.Namespace, into: Path) -> RecordOptions:
    return RecordOptions(
        name=options.name,
        into=into,
        new_library=True,
        modelica_version=options.modelica_version,
        name_style=NameStyle(options.names),
        templates=TEMPLATES if options.templates is None else Path(options.templates),
        allowed=frozenset(options.allow),
        may_be_there=True,
    )


class Export:
    """`modelica-patch urdf export`: the URDF file with the values of a package."""

    DESCRIPTION: Final = """
Write the values of a robot's package back into URDF: masses, inertias, origins, axes, limits, shapes and colours as
they are in its parameter records now. The result is the exact text that the package was built or updated from, with
these numbers in it and every other byte as it was.

What URDF can't express, such as an expression in place of a number, is listed, and the exit code is then 1. Of a robot
that was described in xacro this is the expanded file. Of a robot of modules these are the module files, and -o names a
folder for them: that of the assembly, to change them there.
"""

    EXAMPLES: Final = """
  modelica-patch urdf export --package Robots.Arm                 to standard output
  modelica-patch urdf export --package Robots.Arm -o arm.urdf     into a file
  modelica-patch urdf export --package Robots.Arm -o arm.urdf -n  which values that would be
  modelica-patch urdf export --package Plant/arm -o modules       the files of modules
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_package_argument(parser)
        parser.add_argument("--templates", metavar="DIR", help="the library of templates, if it is one of your own")
        parser.add_argument(
            "-o", "--output", metavar="FILE", help="write to this file; of a robot of modules, into this folder"
        )
        parser.add_argument("-n", "--dry-run", action="store_true", help="with -o: write nothing")
        parser.add_argument("-q", "--quiet", action="store_true", help="what can't be written, and nothing else")
        parser.add_argument("--json", action="store_true", help="what changed, as JSON on standard output; needs -o")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Export it."""
        if options.json and options.output is None:
            raise CommandError("--json needs -o: the URDF text and JSON can't both go to standard output")
        folder = package_folder(options.package)
        templates = None if options.templates is None else Path(options.templates)
        if _is_of_modules(folder):
            return _export_modules(folder, templates, options)
        try:
            result = export(folder, templates=templates)
        except NoBaseError as error:
            raise no_base(error, "FILE", options.package) from None
        if options.output is None:
            sys.stdout.flush()
            sys.stdout.buffer.write(result.data)
        elif not options.dry_run:
            write_result(options.output, result.data)
        _tell([result], options)
        return EXIT_FOUND if result.problems else EXIT_OK


def _is_of_modules(folder: Path) -> bool:
    """Is it? A package without a side-car is not, and whoever reads it says what is wrong with it."""
    try:
        return read_memory(folder).options.get(STYLE) == MODULAR
    except NoBaseError:
        return False


def _export_modules(folder: Path, templates: Path | None, options: argparse.Namespace) -> int:
    """The module files of a robot of modules, all or none."""
    from modelica_ast.edit import Workspace  # noqa: PLC0415  (PERF: most robots are of one file)
    from urdf_frontend.cli.assemble import lost_base  # noqa: PLC0415
    from urdf_frontend.modules import export_modular  # noqa: PLC0415

    if options.output is None:
        raise CommandError(f"{options.package} is of modules, a file for each: say with -o FOLDER where these go")
    try:
        modules = export_modular(folder, templates=templates)
    except NewerBaseError:
        raise
    except NoBaseError as error:
        raise lost_base(error) from None
    target = Path(options.output).resolve()
    existing = next(path for path in (target, *target.parents) if path.is_dir())
    workspace = Workspace(existing)
    for module in modules:
        place = target / _file_of(PurePosixPath(module.use), options.output)
        there = workspace.others.read(place)
        if there is not None and there not in (module.source, module.exported.data):
            raise CommandError(
                f"{shown(place)} is there, and is not what the package was made from: update the package first, or "
                "name another folder"
            )
        workspace.others.write(place, module.exported.data)
    if not options.dry_run:
        workspace.save()
    results = [module.exported for module in modules]
    _tell(results, options)
    return EXIT_FOUND if any(result.problems for result in results) else EXIT_OK


def _file_of(use: PurePosixPath, folder: str) -> PurePosixPath:
    """Where a module file goes in the folder; xacro is expanded, so its file gets another name."""
    if use.is_absolute() or ".." in use.parts:
        raise CommandError(f"the module file {use} is not below its assembly, so it has no place in {folder}")
    if use.suffix != ".xacro":
        return use
    return use.with_suffix("") if use.with_suffix("").suffix == ".urdf" else use.with_suffix(".urdf")


def _tell(results: Sequence[Exported], options: argparse.Namespace) -> None:
    written = [each for result in results for each in result.written]
    problems = list(dict.fromkeys(problem for result in results for problem in result.problems))
    if options.json:
        values = [
            {"file": each.file, "path": each.path, "line": each.line, "old": each.old, "new": each.new}
            for each in written
        ]
        write_json({"written": values, "problems": problems})
    for each in written:
        tell(f"  {each}", quiet=options.quiet or options.json)
    for problem in problems:
        complain(f"not written: {problem}")
    what = "would be written back" if options.dry_run else "written back"
    tell(f"{count(len(written), 'value')} {what}", quiet=options.quiet)
