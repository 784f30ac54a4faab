"""`modelica-patch urdf assemble` and `split`: robots from modules, as URDF and as Modelica, and cut into modules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli import (
    EXIT_CONFLICTS,
    EXIT_FOUND,
    EXIT_OK,
    EXIT_UNREADABLE,
    Change,
    CommandError,
    changes_of,
    count,
    prepare,
    styled_diff,
    tell,
    write_json,
)
from modelica_ast.edit import Workspace
from modelica_ast.foundation import shown
from modelica_ast.generate import Decide, NewerBaseError, NoBaseError, Update
from urdf_frontend.cli.arguments import add_mesh_options, add_reading_options, xacro_arguments
from urdf_frontend.cli.output import after_assembly, show_result
from urdf_frontend.cli.reports import robot_errors, tell_attention, tell_report, write_changes
from urdf_frontend.modules import (
    AssembledRobot,
    Assembly,
    ModuleError,
    Reassembly,
    ReassemblyOptions,
    SplitRobot,
    assemble_again,
    assemble_into,
    check_module,
    modular_name,
    ros_package,
    split,
)
from urdf_frontend.package import TEMPLATES, BuildOptions, BuiltPackage, write
from urdf_frontend.urdf import Diagnostic, Packages, Severity, UrdfError, check_meshes, read

# ---------------------------------------------------------------- as a package
# `modelica-patch urdf assemble --into`: a robot from modules as a Modelica package, new or brought up to date.

_NEEDS_INTO: Final = ("name", "style", "reroute", "prefer", "prune", "mobile", "templates")


def add_modelica_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the Modelica side."""
    modelica = parser.add_argument_group("Modelica")
    modelica.add_argument(
        "--into", metavar="DIR", help="make a package in this folder or library, or bring it up to date"
    )
    modelica.add_argument("--name", metavar="NAME", help="the package; without it, the robot's name")
    modelica.add_argument(
        "--style",
        choices=["modular", "flat"],
        help="a model for each module (the default), or links and joints as `urdf build` has them",
    )
    modelica.add_argument(
        "--reroute",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="lead your connections to a module that is gone to another one",
    )
    modelica.add_argument(
        "--prefer", choices=["user", "urdf"], help="which side wins where both changed the same value"
    )
    modelica.add_argument(
        "--prune", action="store_true", help="remove classes that stayed although their module is gone"
    )
    modelica.add_argument("--mobile", action="store_true", help="the robot is mobile")
    modelica.add_argument("--templates", metavar="DIR", help="the library of templates, if it is one of your own")


def refuse_without_into(options: argparse.Namespace) -> None:
    """CommandError for options of the Modelica side without `--into`, and for both sides at once."""
    if options.into is None:
        given = next((name for name in _NEEDS_INTO if getattr(options, name)), None)
        if given is not None:
            raise CommandError(f"--{given} is about the Modelica package: say where that is with --into")
    elif options.output is not None:
        raise CommandError("-o makes a ROS package and --into a Modelica package: run the command once for each")


def assemble_modelica(assembly: Assembly, options: argparse.Namespace) -> int:
    """Work the package out, write it unless the user only wants to look, and say what happened."""
    into = Path(options.into)
    templates = None if options.templates is None else Path(options.templates)
    try:
        prepare([into / modular_name(assembly, options.name, into)])
        found = assemble_into(
            assembly,
            into,
            style=options.style,
            build_options=BuildOptions(
                name=options.name,
                new_library=True,
                stationary=not options.mobile,
                templates=templates or TEMPLATES,
            ),
            options=ReassemblyOptions(
                prefer=options.prefer,
                reroutes=dict(map(_route, options.reroute)),
                prune=options.prune,
                templates=templates,
            ),
        )
        if found.new is not None:
            return _show_new(found.new, into, options)
    except NewerBaseError:
        raise
    except NoBaseError as error:
        raise lost_base(error) from None
    assert found.again is not None, "it is new, or it was there"
    return _show_again(found.again, options)


def _show_new(built: BuiltPackage, into: Path, options: argparse.Namespace) -> int:
    if not options.dry_run:
        write(built, into)
    following = after_assembly(built, into, options)
    show_result(built, into, (), options, written=not options.dry_run, following=following)
    return EXIT_FOUND if options.check else EXIT_OK


def _show_again(found: Reassembly, options: argparse.Namespace) -> int:
    update = found.update
    if not options.dry_run:
        update.save()
    if options.json:
        _write_package_json(found, written=bool(update.files) and not options.dry_run)
    else:
        write_changes(update, options, written=not options.dry_run)
    tell_attention(update)
    for sentence in found.rerouted:
        tell(f"  rerouted: {sentence}", quiet=options.quiet)
    tell_report(update, quiet=options.quiet)
    what = "would be written" if options.dry_run else "written"
    tell(f"{update.report.package}: {count(len(update.files), 'file')} {what}", quiet=options.quiet)
    if update.report.needs_user:
        return EXIT_CONFLICTS
    return EXIT_FOUND if options.check and update.files else EXIT_OK


def _write_package_json(found: Reassembly, *, written: bool) -> None:
    changes = [Change(file.path, file.old, file.new) for file in found.update.files]
    data: dict[str, Any] = {
        **found.update.report.as_json(),
        "rerouted": list(found.rerouted),
        "written": written,
        "files": [{"path": change.shown_path, "status": change.status} for change in changes],
    }
    write_json(data)


# ---------------------------------------------------------------- an assembly in place of a URDF file
# `urdf update`, `status` and `export` of packages that were assembled.


def assembled_again(folder: Path, options: argparse.Namespace, *, decide: Decide | None = None) -> Update:
    """What the assembly means for a package; CommandError in place of errors that need advice."""
    if getattr(options, "rename", None) or getattr(options, "no_rename", False):
        raise CommandError(
            "--rename is for links and joints of a URDF file; in an assembly 'as:' keeps a module's name"
        )
    if options.arg:
        raise CommandError("--arg is for xacro files, and this is an assembly")
    wanted = ReassemblyOptions(
        prefer=getattr(options, "prefer", None),
        decide=decide,
        prune=getattr(options, "prune", False),
        templates=None if options.templates is None else Path(options.templates),
    )
    try:
        assembly = Assembly.load(
            options.file, package_folders=tuple(options.package_dir), allow_outside=options.allow_outside
        )
        return assemble_again(folder, assembly, wanted).update
    except NewerBaseError:
        raise
    except NoBaseError as error:
        raise lost_base(error) from None
    except UrdfError as error:
        raise robot_errors(error, "; nothing was changed", file=options.file) from None


def lost_base(error: NoBaseError) -> CommandError:
    """What to do about a package of modules that has lost what it was made from."""
    advice = "  remove the package and assemble it again, or restore the earlier folder Resources/urdf"
    return CommandError(f"{error}\n{advice}", EXIT_UNREADABLE)


def _route(word: str) -> tuple[str, str]:
    old, equals, new = word.partition("=")
    if not (equals and old and new):
        raise CommandError(f"--reroute takes OLD=NEW, not '{word}'")
    return old, new


# ---------------------------------------------------------------- the command
# `modelica-patch urdf assemble`: a robot from modules.


class Assemble:
    """`modelica-patch urdf assemble`: a robot from modules, as URDF and as a Modelica package."""

    DESCRIPTION: Final = """
Make a robot of modules. Each module is a URDF file of its own that ends in a fixed joint `output_connector` to an
empty `virtual_link`; there the next module's first link goes, frame on frame. The assembly file lists the modules from
the base on: which file, under which name (`as`), turned how far (`rotate`), and where it branches (`parent`).

Names end in the module's position (`joint_3`), or begin with its `as` (`elbow_joint1`), which lasts when modules are
inserted before it. Comments, transmissions, gazebo elements and SRDF files of the modules come along, renamed.

With -o the robot becomes a ROS package with its meshes: all files are written, or none. Without, the URDF goes to
standard output.

With --into it becomes a Modelica package: a model for each module, and the robot with its instances connected. If the
package exists, it follows the assembly, and what you wrote in it stays. Your connections to a module that is gone are
listed, and the exit code is 3; --reroute leads them to another module.
"""

    EXAMPLES: Final = """
  modelica-patch urdf assemble arm.yaml                         the robot's URDF on standard output
  modelica-patch urdf assemble arm.yaml -o arm_description      a ROS package: URDF, SRDF, meshes, package.xml
  modelica-patch urdf assemble arm.yaml -o arm_description -d   and what has changed in it
  modelica-patch urdf assemble arm.yaml --check                 what is wrong with the modules; nothing is written
  modelica-patch urdf assemble arm.yaml --into Robots           a Modelica package in Robots, or its update
  modelica-patch urdf assemble arm.yaml --into Robots --reroute elbow=wrist
                                                                your connections to elbow go to wrist
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("file", metavar="ASSEMBLY", help="the assembly file, YAML")
        parser.add_argument("-o", "--output", metavar="DIR", help="the folder of the ROS package")
        parser.add_argument(
            "--package-dir", action="append", default=[], metavar="DIR", help="a ROS package, or a folder of them"
        )
        add_mesh_options(parser)
        parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
        parser.add_argument(
            "--check", action="store_true", help="the same; what is wrong too, exit code 1 if something would change"
        )
        parser.add_argument("-d", "--diff", action="store_true", help="show what changes in the files")
        parser.add_argument("--force", action="store_true", help="replace a URDF file that was not assembled")
        parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
        parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")
        add_modelica_arguments(parser)

    @staticmethod
    def writes(options: argparse.Namespace) -> bool:
        """Does this call write files?"""
        return not (options.check or options.dry_run)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Assemble it, and write it unless the user only wants to look."""
        refuse_without_into(options)
        options.dry_run |= options.check
        try:
            assembly = Assembly.load(
                options.file, package_folders=tuple(options.package_dir), allow_outside=options.allow_outside
            )
            if options.into is not None:
                return assemble_modelica(assembly, options)
            if options.output is None:
                return _show_urdf(assembly, options)
            return _make_package(assembly, options)
        except UrdfError as error:
            raise robot_errors(error, "; nothing was assembled", file=options.file) from None


_LISTED: Final = 3  # at most this many missing files are named; more are counted


def _show_urdf(assembly: Assembly, options: argparse.Namespace) -> int:
    """The URDF on standard output; with --check only what is wrong."""
    robot = assembly.to_urdf(into=Path())  # who writes standard output into a file mostly does it here
    robot.result.usable_robot()
    findings = _findings(assembly)
    if options.json:
        _write_json(robot, findings, options, [], written=False)
    elif not options.check:
        sys.stdout.write(robot.text)
    if options.check and not options.json:
        sys.stdout.writelines(f"{found}\n" for found in findings)
    _tell_summary(robot, findings, options)
    return EXIT_FOUND if options.check and _has_errors(findings) else EXIT_OK


def _make_package(assembly: Assembly, options: argparse.Namespace) -> int:
    package = ros_package(assembly, options.output, force=options.force)
    package.robot.result.usable_robot()
    findings = _findings(assembly)
    changes = changes_of(package.workspace.others.writes())
    if not options.dry_run and changes:
        package.workspace.save()
    if options.json:
        _write_json(package.robot, findings, options, changes, written=bool(changes) and not options.dry_run)
    elif options.diff:
        for change in changes:
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
    if options.check and not options.json:
        sys.stdout.writelines(f"{found}\n" for found in findings)
    _tell_summary(package.robot, findings, options)
    for path in package.unused:
        tell(f"  no longer needed: {shown(path)}", quiet=options.quiet)
    tell(_written_line(changes, options), quiet=options.quiet)
    return EXIT_FOUND if options.check and (changes or _has_errors(findings)) else EXIT_OK


def _findings(assembly: Assembly) -> list[Diagnostic]:
    """All that is wrong with the modules; what is attached is not a module and needs no connector."""
    mated = {placed.module for placed in assembly.tree.placed if not placed.instance.is_attached}
    found: list[Diagnostic] = []
    for module in assembly.modules:
        found += module.result.diagnostics
        found += check_meshes(module.robot, module.packages, urdf=module.path).diagnostics
        if module in mated:
            found += check_module(module.robot, str(module.path))
    return found


def _has_errors(findings: Sequence[Diagnostic]) -> bool:
    return any(found.severity is Severity.ERROR for found in findings)


def _tell_summary(robot: AssembledRobot, findings: Sequence[Diagnostic], options: argparse.Namespace) -> None:
    made = robot.robot
    moving = sum(joint.type.degrees_of_freedom for joint in made.joints if joint.mimic is None)
    parts = [
        count(sum(not each.is_attached for each in robot.instances), "module"),
        count(len(made.links), "link"),
        count(len(made.joints), "joint"),
        f"{moving} degree{'s' * (moving != 1)} of freedom",
    ]
    tell(f"{robot.name}: {', '.join(parts)}", quiet=options.quiet)
    for problem in robot.problems[:_LISTED]:
        tell(f"  {problem}", quiet=options.quiet)
    if len(robot.problems) > _LISTED:
        tell(f"  and {len(robot.problems) - _LISTED} more files were not copied", quiet=options.quiet)
    warnings = sum(found.severity is not Severity.INFO for found in findings)
    if warnings and not options.check:
        tell(f"  {count(warnings, 'warning')}: see {shown(Path(options.file))} with --check", quiet=options.quiet)


def _written_line(changes: Sequence[Change], options: argparse.Namespace) -> str:
    if not changes:
        return "nothing to do: the package is as it should be"
    what = "would be written" if options.dry_run else "written"
    return f"{count(len(changes), 'file')} {what}: {', '.join(change.shown_path for change in changes)}"


def _write_json(
    robot: AssembledRobot,
    findings: Sequence[Diagnostic],
    options: argparse.Namespace,
    changes: Sequence[Change],
    *,
    written: bool,
) -> None:
    data: dict[str, Any] = {
        "robot": robot.name,
        "links": len(robot.robot.links),
        "joints": len(robot.robot.joints),
        "instances": [instance.as_json() for instance in robot.instances],
        "problems": list(robot.problems),
        "findings": [found.as_json() for found in findings],
        "written": written,
        "files": [{"path": change.shown_path, "status": change.status} for change in changes],
    }
    if options.output is None:
        data["urdf"] = robot.text
    write_json(data)


class Split:
    """`modelica-patch urdf split`: a robot cut into modules."""

    DESCRIPTION: Final = """
Cut a robot into modules at joints, and write an assembly file that makes the same robot of them again (see `urdf
assemble`). A fixed joint becomes the output connector itself. A joint that moves goes to the module after the cut,
which then begins with an empty link `input_connector`.

Comments and what URDF does not know go where the links and joints that they belong to go; what belongs to the whole
robot goes to the first module. An SRDF file is cut as well; what is between modules stays together in a file of its
own. A cut between a joint and the one that it mimics is refused.
"""

    EXAMPLES: Final = """
  modelica-patch urdf split arm.urdf --at elbow -o modules                two modules and assembly.yaml
  modelica-patch urdf split arm.urdf --at elbow --at wrist -o modules     three of them
  modelica-patch urdf assemble modules/assembly.yaml                      the same robot again
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
        parser.add_argument(
            "--at", action="append", required=True, metavar="JOINT", help="a joint to cut at; can be repeated"
        )
        parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder for the modules")
        parser.add_argument(
            "--srdf", metavar="FILE", help="its SRDF file; without, the one beside FILE, if there is one"
        )
        add_reading_options(parser)
        parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
        parser.add_argument("-d", "--diff", action="store_true", help="show what is in the files")
        parser.add_argument("--force", action="store_true", help="replace existing files")
        parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
        parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")

    @staticmethod
    def writes(options: argparse.Namespace) -> bool:
        """Does this call write files?"""
        return not options.dry_run

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Cut it, and write the modules unless the user only wants to look."""
        file = Path(options.file)
        result = read(
            file, packages=Packages(options.package_dir, near=file), xacro_arguments=xacro_arguments(options.arg)
        )
        try:
            made = split(result, options.at, into=options.output, srdf=options.srdf)
            workspace = _workspace(made, Path(options.output), force=options.force)
        except UrdfError as error:
            raise robot_errors(error, "; nothing was cut", file=file) from None
        changes = changes_of(workspace.others.writes())
        if changes and not options.dry_run:
            workspace.save()
        if options.json:
            files = [{"path": change.shown_path, "status": change.status} for change in changes]
            data = {"modules": list(made.modules), "written": bool(changes) and not options.dry_run, "files": files}
            write_json(data)
        elif options.diff:
            for change in changes:
                sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
        what = "would be written" if options.dry_run else "written"
        names = ", ".join(change.shown_path for change in changes)
        tell(f"{count(len(made.modules), 'module')}: {', '.join(made.modules)}", quiet=options.quiet)
        tell(f"{count(len(changes), 'file')} {what}{f': {names}' if names else ''}", quiet=options.quiet)
        return EXIT_OK


def _workspace(made: SplitRobot, folder: Path, *, force: bool) -> Workspace:
    """The files, not saved yet; ModuleError for a file that is there and would be lost."""
    existing = folder.resolve()
    while not existing.is_dir():
        if existing.exists():
            raise ModuleError(f"{existing} is a file, and modules go to a folder")
        existing = existing.parent
    workspace = Workspace(existing)
    for name, data in made.files.items():
        path = folder.resolve() / name
        old = workspace.others.read(path)
        if old is not None and old != data and not force:
            raise ModuleError(f"{folder / name} already exists and differs; --force replaces it")
        workspace.others.write(path, data)
    return workspace
