"""`modelica-patch urdf check`: all that is wrong with URDF files, and what is in them."""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from modelica_ast.cli import (
    EXIT_FOUND,
    EXIT_OK,
    EXIT_UNREADABLE,
    EXIT_USAGE,
    CommandError,
    Finding,
    Progress,
    add_format_option,
    count,
    printable,
    write_findings,
    write_line,
    write_result,
)
from urdf_frontend.cli.arguments import add_mesh_options, packages_of
from urdf_frontend.robot import (
    JointValue,
    Kinematics,
    Pose,
    Robot,
    follows,
    short_name,
    shown_name,
    tree_lines,
    tree_svg,
)
from urdf_frontend.urdf import CODES, Diagnostic, ReadResult, Severity, check_meshes, cross_check, in_order, read

# ---------------------------------------------------------------- summaries
# A robot in one line, for people and for programs.


def degrees_of_freedom(robot: Robot) -> int:
    """How many numbers say how the robot stands; joints that follow others add none."""
    return sum(joint.type.degrees_of_freedom for joint in robot.joints if not follows(joint))


def mass(robot: Robot) -> float:
    """The sum of all masses."""
    return math.fsum(
        link.inertial.mass.value for link in robot.links if link.inertial is not None and link.inertial.mass is not None
    )


def summary_line(result: ReadResult, diagnostics: Sequence[Diagnostic]) -> str:
    """`arm: 7 links, 6 joints, 6 degrees of freedom, 12.5 kg; 0 errors, 2 warnings`."""
    numbers = Counter(found.severity for found in diagnostics)
    problems = f"{count(numbers[Severity.ERROR], 'error')}, {count(numbers[Severity.WARNING], 'warning')}"
    robot = result.robot
    if robot is None:
        return f"no robot; {problems}"
    freedom = count(degrees_of_freedom(robot), "degree of freedom", "degrees of freedom")
    parts = [count(len(robot.links), "link"), count(len(robot.joints), "joint"), freedom, f"{mass(robot):g} kg"]
    return f"{short_name(robot.name or '')}: {', '.join(parts)}; {problems}"


def robot_data(path: Path, result: ReadResult) -> dict[str, Any]:
    """What programs may want to know of a file, for JSON."""
    robot = result.robot
    if robot is None:
        return {"file": str(path), "robot": None}
    kinematics = Kinematics.of(robot)
    return {
        "file": str(path),
        "robot": robot.name,
        "usable": result.is_usable,
        "links": [link.name for link in robot.links],
        "joints": [
            {"name": joint.name, "type": joint.type_text, "parent": joint.parent, "child": joint.child}
            for joint in robot.joints
        ],
        "roots": kinematics.roots,
        "leaves": kinematics.leaves,
        "degrees_of_freedom": degrees_of_freedom(robot),
        "mass": mass(robot),
    }


def pose_line(link: str, pose: Pose, width: int) -> str:
    """The position of a link in metres, and its orientation as roll, pitch and yaw."""
    xyz, rpy = (" ".join(map(_rounded, numbers)) for numbers in (pose.translation, pose.angles))
    return f"{shown_name(link):<{width}}  xyz {xyz}  rpy {rpy}"


def _rounded(number: float) -> str:
    """Six digits, and no traces of rounding where there should be a zero."""
    return f"{round(number, 9) + 0.0:.6g}"


# ---------------------------------------------------------------- check

DESCRIPTION: Final = """
Check robots that are described in URDF: XML, names, the tree of links and joints, numbers, axes, limits, masses,
inertias, shapes, mesh files, and what xacro should have expanded. Everything that is wrong is reported with its line;
docs/urdf.md explains each code. Nothing is changed and nothing is fetched.

Mesh files of package://NAME/… are looked for in --package-dir, upwards of the URDF file, and in ROS_PACKAGE_PATH and
AMENT_PREFIX_PATH. A .xacro file is expanded first, which runs the Python expressions in it.
"""
EXAMPLES: Final = """
  modelica-patch urdf check arm.urdf                            all that is wrong with it
  modelica-patch urdf check --tree arm.urdf                     and the tree of its links and joints
  modelica-patch urdf check --svg arm.svg arm.urdf              and the tree as a drawing
  modelica-patch urdf check arm.urdf --fk shoulder=0.5 elbow=1  and where its links are then
  modelica-patch urdf check --summary robots/*.urdf             a line for each file
  modelica-patch urdf check arm.urdf.xacro --arg hand=true      expand it with an argument first
  modelica-patch urdf check --module elbow.urdf                 as a module for urdf assemble
  modelica-patch urdf check --format sarif arm.urdf             for code hosts
"""
_SEVERITIES: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


@frozen
class _Checked:
    """One file after all checks."""

    path: Path
    result: ReadResult
    diagnostics: tuple[Diagnostic, ...]
    poses: Mapping[str, Pose]

    @property
    def errors(self) -> int:
        return sum(found.severity is Severity.ERROR for found in self.diagnostics)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a .urdf or .xacro file")
    add_format_option(parser)
    parser.add_argument("--summary", action="store_true", help="one line for each file and no findings")
    severity = parser.add_mutually_exclusive_group()
    severity.add_argument("--errors-only", action="store_true", help="leave out warnings and notes")
    severity.add_argument("--strict", action="store_true", help="treat warnings as errors: exit code 1")
    parser.add_argument("--tree", action="store_true", help="draw the tree of links and joints as text")
    parser.add_argument("--svg", metavar="OUT", help="write a drawing of the tree to this file, for one robot")
    parser.add_argument(
        "--fk",
        nargs="*",
        metavar="JOINT=VALUE",
        help="where each link is; radians or metres, '1,2,3' for planar joints",
    )
    parser.add_argument(
        "--package-dir", action="append", default=[], metavar="DIR", help="a ROS package, or a folder of them"
    )
    parser.add_argument("--no-meshes", action="store_true", help="do not look for mesh files")
    add_mesh_options(parser)
    parser.add_argument("--module", action="store_true", help="they are modules of robots: check their connectors too")
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE", help="an argument for xacro")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace) -> int:
    """Check all files; the exit code."""
    values = None if options.fk is None else _joint_values(options.fk)
    arguments = dict(_pair(word, "--arg") for word in options.arg) or None
    if options.svg is not None and len(options.files) > 1:
        raise CommandError("--svg draws one robot, but several files are given")
    with Progress("checking", quiet=options.quiet) as progress:
        checked = [_check(Path(name), options, values, arguments) for name in progress.over(options.files)]
    if options.svg is not None:
        _write_svg(checked[0], options.svg)
    _write(checked, options)
    if any(found.code == "urdf-file" for each in checked for found in each.diagnostics):
        return EXIT_UNREADABLE
    counted = {Severity.ERROR, Severity.WARNING} if options.strict else {Severity.ERROR}
    bad = any(found.severity in counted for each in checked for found in each.diagnostics)
    return EXIT_FOUND if bad else EXIT_OK


def _check(
    path: Path,
    options: argparse.Namespace,
    values: Mapping[str, JointValue] | None,
    arguments: Mapping[str, str] | None,
) -> _Checked:
    packages = packages_of(options, path)
    result = read(path, packages=packages, xacro_arguments=arguments)
    diagnostics = [*result.diagnostics, *cross_check(result)]
    poses: Mapping[str, Pose] = {}
    if result.robot is not None:
        if options.module:
            from urdf_frontend.modules import check_module  # noqa: PLC0415  (PERF: others do without YAML)

            diagnostics += check_module(result.robot, str(path))
        if not options.no_meshes:
            diagnostics += check_meshes(result.robot, packages, urdf=path).diagnostics
        if values is not None:
            try:
                poses = Kinematics.of(result.robot).forward(values)
            except ValueError as wrong:
                raise CommandError(f"{path}: {wrong}", EXIT_USAGE) from None
    return _Checked(path, result, in_order(diagnostics), poses)


def _write(checked: list[_Checked], options: argparse.Namespace) -> None:
    shown = [
        _finding(found, with_path=options.format == "text")
        for each in checked
        for found in each.diagnostics
        if found.severity is Severity.ERROR or not options.errors_only
    ]
    rules = {code: about.meaning for code, about in CODES.items()}
    if options.format != "text":
        robots = [_data(each, tree=options.tree) for each in checked]
        write_findings(shown, options.format, files=len(checked), rules=rules, robots=robots)
        return
    if options.summary:
        for each in checked:
            write_line(f"{each.path}: {summary_line(each.result, each.diagnostics)}")
    else:
        write_findings(shown, "text", files=len(checked), rules=rules)
    for each in checked:
        if each.result.robot is not None and options.tree:
            sys.stdout.writelines(f"{printable(line)}\n" for line in tree_lines(Kinematics.of(each.result.robot)))
        width = max(map(len, each.poses), default=0)
        sys.stdout.writelines(printable(pose_line(link, pose, width)) + "\n" for link, pose in each.poses.items())


def _data(each: _Checked, *, tree: bool) -> dict[str, Any]:
    data = robot_data(each.path, each.result)
    if each.poses:
        data["poses"] = {link: pose.matrix for link, pose in each.poses.items()}
    if tree and each.result.robot is not None:
        data["tree"] = list(tree_lines(Kinematics.of(each.result.robot)))
    return data


def _finding(found: Diagnostic, *, with_path: bool) -> Finding:
    path = f"{found.xpath}: " if found.xpath and with_path else ""
    return Finding(
        _SEVERITIES[found.severity],
        found.file,
        max(found.line, 1),  # what is wrong with a file as a whole is said at its start
        max(found.column, 1),
        path + found.message,
        found.code,
        found.hint or None,
        more={"xpath": found.xpath},
    )


def _write_svg(checked: _Checked, place: str) -> None:
    if checked.result.robot is None:
        return  # the findings say why there is nothing to draw
    write_result(place, tree_svg(Kinematics.of(checked.result.robot)))


def _pair(word: str, option: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise CommandError(f"{option} takes NAME=VALUE, not '{word}'")
    return name, value


def _joint_values(words: list[str]) -> Mapping[str, JointValue]:
    values: dict[str, JointValue] = {}
    for word in words:
        name, text = _pair(word, "--fk")
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = [math.nan]
        if not all(map(math.isfinite, numbers)):
            raise CommandError(f"--fk takes numbers, not '{text}'")
        values[name] = numbers[0] if len(numbers) == 1 else numbers
    return values
