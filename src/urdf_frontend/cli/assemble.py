"""`modelica-patch urdf assemble`: a robot from modules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli import EXIT_FOUND, EXIT_OK, Change, changes_of, count, styled_diff, tell, write_json
from modelica_ast.foundation import shown
from urdf_frontend.cli.arguments import add_mesh_options
from urdf_frontend.cli.assemble_modelica import add_modelica_arguments, assemble_modelica, refuse_without_into
from urdf_frontend.cli.reports import robot_errors
from urdf_frontend.modules import AssembledRobot, Assembly, check_module, ros_package
from urdf_frontend.urdf import Diagnostic, Severity, UrdfError, check_meshes

DESCRIPTION: Final = """
Make a robot of modules. Each module is a URDF file of its own that ends in a fixed joint `output_connector` to an
empty `virtual_link`; there the next module's first link goes, frame on frame. The assembly file lists the modules
from the base on: which file, under which name (`as`), turned how far (`rotate`), and where it branches (`parent`).

Names end in the module's position (`joint_3`), or begin with its `as` (`elbow_joint1`), which lasts when modules are
inserted before it. Comments, transmissions, gazebo elements and SRDF files of the modules come along, renamed.

With -o the robot becomes a ROS package with its meshes: all files are written, or none. Without, the URDF goes to
standard output.

With --into it becomes a Modelica package: a model for each module, and the robot with its instances connected. If the
package is there, it follows the assembly, and what you wrote in it stays. Connections of yours to a module that is
gone are listed, and the exit code is 3; --reroute leads them to another module.
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
_LISTED: Final = 3  # so many files that are missing are named; more are counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("file", metavar="ASSEMBLY", help="the assembly file, YAML")
    parser.add_argument("-o", "--output", metavar="DIR", help="the folder of the ROS package")
    parser.add_argument(
        "--package-dir", action="append", default=[], metavar="DIR", help="a ROS package, or their folder"
    )
    add_mesh_options(parser)
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if something would change")
    parser.add_argument("-d", "--diff", action="store_true", help="show what changes in the files")
    parser.add_argument("--force", action="store_true", help="replace a URDF file that was not assembled")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
    parser.add_argument("--json", action="store_true", help="what happened, as JSON on standard output")
    add_modelica_arguments(parser)


def writes(options: argparse.Namespace) -> bool:
    """Does this call write files?"""
    return not options.check


def run(options: argparse.Namespace) -> int:
    """Assemble it, and write it unless the user only wants to look."""
    refuse_without_into(options)
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
    if not options.check and changes:
        package.workspace.save()
    if options.json:
        _write_json(package.robot, findings, options, changes, written=bool(changes) and not options.check)
    elif options.diff:
        for change in changes:
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
    if options.check and not options.json:
        sys.stdout.writelines(f"{found}\n" for found in findings)
    _tell_summary(package.robot, findings, options)
    for path in package.unused:
        tell(f"  not needed any more: {shown(path)}", quiet=options.quiet)
    tell(_written_line(changes, options), quiet=options.quiet)
    return EXIT_FOUND if options.check and (changes or _has_errors(findings)) else EXIT_OK


def _findings(assembly: Assembly) -> list[Diagnostic]:
    """All that is wrong with the modules; what is attached is no module and needs no connector."""
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
    what = "would be written" if options.check else "written"
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
