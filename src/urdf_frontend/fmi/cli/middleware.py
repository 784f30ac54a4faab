"""`modelica-patch fmi ros-params` and `sdf`: what ROS 2 and Gazebo read beside an FMU."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli import (
    EXIT_FOUND,
    EXIT_OK,
    EXIT_UNREADABLE,
    Change,
    CommandError,
    changes_of,
    complain,
    count,
    reading,
    tell,
    write_diff,
    write_json,
    writing,
)
from modelica_ast.foundation import nearest
from urdf_frontend.fmi.cli.arguments import add_model_arguments, bytes_of, given_model, pairs_of, text_of, write
from urdf_frontend.fmi.interface import OpenModel
from urdf_frontend.fmi.parameter_files import DEFAULT_NODE, checked_node, chosen_node, nodes_of
from urdf_frontend.fmi.parameter_output import Wanted, Written, launch_text, new_text, updated_text
from urdf_frontend.fmi.profiles import FmiError
from urdf_frontend.fmi.ros_parameters import ApplyReport, apply_parameters, ros_parameters, tunable_interface
from urdf_frontend.fmi.sdf import (
    ACTUATOR,
    FLUID,
    Kind,
    Plugin,
    RobotFile,
    element_text,
    in_gazebo_element,
    plugin_element,
    read_robot_file,
    with_plugins,
)
from urdf_frontend.urdf import read


class RosParams:
    """`modelica-patch fmi ros-params`: the parameters of a model for ROS 2, and tuned ones back."""

    DESCRIPTION: Final = """
Write the Real parameters of a model into a YAML file for a node of fmi_adapter (ROS 2): names as the adapter makes
them, numbers that ROS takes for doubles, units and descriptions as comments. Parameters that can't be set from there
are named in comments. A model without parameters of its own, such as a shell, has those of its components: motor.R.
--launch writes a launch file that starts, configures and activates the node.

A YAML file that already exists keeps its comments, its order and all other keys; what is missing is added. If a value
in it differs from that of the model, nothing is written: --force takes those of the model.

--apply is the way back: values of the YAML file go into the model, each in place of the number there. Names that the
model does not have, expressions and final parameters are reported with their lines, and the exit code is 1.
"""

    EXAMPLES: Final = """
  modelica-patch fmi ros-params Motor.mo --fmu Motor.fmu                      see the YAML
  modelica-patch fmi ros-params Motor.mo --fmu Motor.fmu -o params.yaml       write it, or bring it up to date
  modelica-patch fmi ros-params Lib/::Lib.Motor --node arm/motor --nested -o params.yaml --launch motor.launch.py
  modelica-patch fmi ros-params Motor.mo --apply params.yaml                  see what tuning would change in the model
  modelica-patch fmi ros-params Motor.mo --apply params.yaml -i               change it
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_model_arguments(parser)
        parser.add_argument(
            "--node", metavar="NAME", help=f"the node, with its name space if it has one ({DEFAULT_NODE})"
        )
        writing = parser.add_argument_group("to ROS")
        writing.add_argument("--fmu", metavar="PATH", help="the FMU, as the node will find it")
        writing.add_argument(
            "--step-size", type=float, metavar="S", help="of the FMU, in seconds; else that of its own"
        )
        writing.add_argument("--update-period", type=float, metavar="S", help="between two messages, in seconds")
        writing.add_argument("--nested", action="store_true", help="parameters of all components too: winding.R")
        writing.add_argument(
            "-o", "--output", metavar="FILE.yaml", help="write this file; without it, the text is shown"
        )
        writing.add_argument("--launch", metavar="FILE.py", help="write a launch file too; needs -o")
        back = parser.add_argument_group("from ROS")
        back.add_argument("--apply", metavar="FILE.yaml", help="bring the values of this file into the model")
        back.add_argument("-i", "--in-place", action="store_true", help="write the model; without, you see the diff")
        parser.add_argument("--force", action="store_true", help="values and files that differ are replaced")
        parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
        parser.add_argument("--json", action="store_true", help="what happened, as JSON; needs -o or --apply")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Write the parameters, or bring them back; the exit code."""
        _check(options)
        opened = given_model(options)
        return _write(opened, options) if options.apply is None else _apply(opened, options)


def _check(options: argparse.Namespace) -> None:
    if options.apply is None:
        if options.in_place:
            raise CommandError("--in-place goes with --apply; -o names the file to write")
        if options.output is None and (options.launch is not None or options.json):
            raise CommandError("--launch and --json need -o: the file of parameters")
    else:
        others = ("fmu", "step_size", "update_period", "output", "launch")
        wrong = next((name for name in others if getattr(options, name) is not None), None)
        if wrong is not None:
            raise CommandError(f"--{wrong.replace('_', '-')} is for the way to ROS, and --apply is the way back")
    for name in ("step_size", "update_period"):
        value = getattr(options, name)
        if value is not None and not 0 < value < float("inf"):
            raise CommandError(f"--{name.replace('_', '-')} is a number of seconds above zero, not {value}")


# ------------------------------------------------------------ to ROS


def _write(opened: OpenModel, options: argparse.Namespace) -> int:
    interface = tunable_interface(opened.libraries, opened.name, nested=options.nested)
    for sentence in interface.unresolved:
        tell(f"not known: {sentence}", quiet=options.quiet)
    node = checked_node(options.node or DEFAULT_NODE)
    parameters = ros_parameters(interface)
    wanted = Wanted(opened.name, node, parameters, options.fmu, options.step_size, options.update_period)
    if options.output is None:
        sys.stdout.write(new_text(wanted))
        return EXIT_OK
    path = Path(options.output)
    old = text_of(path) if path.exists() else None
    written = Written(new_text(wanted), (), ()) if old is None else _updated(old, wanted, options)
    launch = None if options.launch is None else _launch(opened, node, options)
    is_new = written.text != old
    if is_new:
        write(path, written.text.encode())
    if launch is not None:
        write(Path(options.launch), launch.encode())
    if options.json:
        write_json(
            {
                "file": options.output,
                "written": is_new,
                "parameters": {each.name: each.value for each in parameters.written},
                "left_out": {each.name: each.reason for each in parameters.left_out},
                "replaced": [each.name for each in written.replaced],
                "unknown": [each.path[-1] for each in written.unknown],
            }
        )
        return EXIT_OK
    for each in written.replaced:
        tell(f"{options.output}:{each.line}: replaced: {each}", quiet=options.quiet)
    for entry in written.unknown:
        what = f"'{entry.path[-1]}' is not a parameter that is written from the model; it stays"
        tell(f"{options.output}:{entry.line}: {what}", quiet=options.quiet)
    done = f"{count(len(parameters.written), 'parameter')}" if is_new else "nothing to change"
    left = f", {len(parameters.left_out)} left out" if parameters.left_out and is_new else ""
    tell(f"{options.output}: {done}{left}", quiet=options.quiet)
    return EXIT_OK


def _updated(old: str, wanted: Wanted, options: argparse.Namespace) -> Written:
    return updated_text(old, wanted, options.output, force=options.force)


def _launch(opened: OpenModel, node: str, options: argparse.Namespace) -> str | None:
    """The text of the launch file; None if it already exists."""
    path = Path(options.launch)
    parameters = os.path.relpath(Path(options.output).resolve(), path.resolve().parent)
    text = launch_text(opened.name, node, Path(parameters).as_posix())
    if path.exists():
        if text_of(path) == text:
            return None
        if not options.force:
            raise CommandError(f"{options.launch} already exists with other content: --force replaces it")
    return text


# ------------------------------------------------------------ from ROS


def _apply(opened: OpenModel, options: argparse.Namespace) -> int:
    text = text_of(Path(options.apply))
    with reading(FmiError):
        node = chosen_node(nodes_of(text, options.apply), options.node, options.apply)
    report = apply_parameters(opened.libraries, opened.name, node)
    workspace = opened.libraries.workspace
    changes = [] if workspace is None else changes_of(workspace.writes())
    if options.in_place:
        with writing():
            opened.libraries.save(force=options.force)
    if options.json:
        write_json(_data(report, written=bool(changes) and options.in_place))
    elif not options.in_place:
        write_diff(changes)
    for entry in node.parameters:
        if entry.is_integer:
            tell(
                f"{options.apply}:{entry.line}: '{entry.path[-1]}' is an integer there, and the node wants a number "
                f"with a dot: {entry.text}.0",
                quiet=options.quiet,
            )
    for each in report.not_applied:
        complain(f"{options.apply}:{each.line}: '{each.name}' is not brought back: {each.reason}")
    done = "brought back" if options.in_place else "would change; add --in-place to write"
    told = f"{count(len(report.applied), 'value')} {done}" if report.applied else "nothing to change"
    tell(told, quiet=options.quiet or options.json)
    return EXIT_FOUND if report.not_applied else EXIT_OK


def _data(report: ApplyReport, *, written: bool) -> dict[str, Any]:
    return {
        "written": written,
        "applied": [
            {"name": each.name, "line": each.line, "old": each.old, "new": each.new} for each in report.applied
        ],
        "not_applied": [{"name": each.name, "line": each.line, "reason": each.reason} for each in report.not_applied],
        "unchanged": report.unchanged,
    }


class Sdf:
    """`modelica-patch fmi sdf`: plugins that run FMUs at joints and links in Gazebo."""

    DESCRIPTION: Final = """
Write the plugins of gazebo-fmi that run an FMU as the actuator of a joint (--map), or as the forces of a fluid on a
link (--link). The robot's file is URDF or SDF; joints and links must be in it, and a joint must have one axis.

Without -i you see the XML: <gazebo> elements for URDF, <plugin> elements for SDF. -i puts it into the robot's file, or
into another one; every other byte stays, and a second time changes nothing. A plugin that already exists for the same
joint gets the new values and keeps what else is in it.

Gazebo looks for FMUs in GAZEBO_RESOURCE_PATH and for plugins in GAZEBO_PLUGIN_PATH, and only prints what goes wrong.
"""

    EXAMPLES: Final = """
  modelica-patch fmi sdf arm.urdf --map shoulder=Motor.fmu --map elbow=Motor.fmu   see the XML
  modelica-patch fmi sdf arm.urdf --map shoulder=Motor.fmu -i                      put it into arm.urdf
  modelica-patch fmi sdf arm.urdf --map shoulder=Motor.fmu -i model.sdf            put it into another file
  modelica-patch fmi sdf boat.sdf --link hull=Water.fmu -n -i                      see what would change
  modelica-patch fmi sdf arm.urdf --map elbow=Motor.fmu --variable-name elbow:jointTorque=tau
                                                                                   the FMU calls it something else
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("robot", metavar="ROBOT", help="a .urdf or .sdf file")
        parser.add_argument("--map", action="append", default=[], metavar="JOINT=FMU", help="an actuator; repeatable")
        parser.add_argument("--link", action="append", default=[], metavar="LINK=FMU", help="a fluid; repeatable")
        parser.add_argument(
            "--variable-name",
            action="append",
            default=[],
            metavar="[TARGET:]NAME=OTHER",
            help="the FMU's name of a variable of the plugin; of all FMUs, or of one joint or link; repeatable",
        )
        actuators = parser.add_argument_group("actuators")
        actuators.add_argument("--verbose", action="store_true", default=None, help="the plugin tells what it does")
        actuators.add_argument("--disabled", action="store_true", default=None, help="write them, but as not enabled")
        actuators.add_argument(
            "--disable-limits",
            action="store_true",
            default=None,
            help="no limits of velocity and effort: for inputs that are not torques, such as voltages",
        )
        writing = parser.add_argument_group("writing")
        writing.add_argument(
            "-i",
            "--in-place",
            "--into",
            dest="into",
            nargs="?",
            const="",
            metavar="FILE",
            help="put it into this file; without a name into ROBOT",
        )
        writing.add_argument("-n", "--dry-run", action="store_true", help="with -i: show the diff and write nothing")
        writing.add_argument("-q", "--quiet", action="store_true", help="errors only")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Make the plugins; the exit code."""
        plugins = _plugins(options)
        robot = _robot_of(_robot_bytes(Path(options.robot)), options.robot)
        warnings = [warning for plugin in plugins for warning in robot.check(plugin, options.robot)]
        for warning in warnings:
            tell(f"warning: {warning}", quiet=options.quiet)
        if options.into is None:
            for plugin in plugins:
                element = plugin_element(plugin)
                sys.stdout.write(element_text(in_gazebo_element(element) if robot.is_urdf else element) + "\n")
            return EXIT_OK
        place = options.into or options.robot
        old = bytes_of(Path(place))
        for plugin in plugins if options.into and not _is_xacro(Path(place)) else ():
            _robot_of(old, place).check(plugin, place)
        return _insert(place, old, with_plugins(old, plugins, place), plugins, options)


def _robot_bytes(path: Path) -> bytes:
    """The robot's file; one of xacro is expanded, for its macros may make joints."""
    if not _is_xacro(path):
        return bytes_of(path)
    result = read(path)
    if result.document is None:
        raise CommandError("\n".join(map(str, result.errors)), EXIT_UNREADABLE)
    return result.document.encode()


def _is_xacro(path: Path) -> bool:
    return path.suffix == ".xacro"


def _robot_of(data: bytes, file: str) -> RobotFile:
    with reading(FmiError):
        return read_robot_file(data, file)


def _insert(place: str, old: bytes, new: bytes, plugins: list[Plugin], options: argparse.Namespace) -> int:
    if new == old:
        tell(f"{place}: nothing to change", quiet=options.quiet)
        return EXIT_OK
    if options.dry_run:
        write_diff([Change(Path(place).resolve(), old, new)])
        return EXIT_OK
    write(Path(place), new)
    tell(f"{place}: {count(len(plugins), 'plugin')}", quiet=options.quiet)
    return EXIT_OK


def _plugins(options: argparse.Namespace) -> list[Plugin]:
    joints, links = pairs_of(options.map, "--map"), pairs_of(options.link, "--link")
    if not joints and not links:
        raise CommandError("there is nothing to write: add --map JOINT=FMU or --link LINK=FMU")
    names = _VariableNames(options.variable_name, [*joints, *links])
    enabled = None if options.disabled is None else False
    found = [
        Plugin(ACTUATOR, joint, fmu, options.verbose, enabled, options.disable_limits, names.of(ACTUATOR, joint))
        for joint, fmu in joints.items()
    ]
    found += [Plugin(FLUID, link, fmu, variable_names=names.of(FLUID, link)) for link, fmu in links.items()]
    names.refuse_unused()
    return found


class _VariableNames:
    """What `--variable-name` says: for one joint or link, or for all whose plugin has such a variable."""

    def __init__(self, words: list[str], targets: list[str]) -> None:
        self._one: dict[str, dict[str, str]] = {}
        self._all: dict[str, str] = {}
        self._used: set[str] = set()
        for key, other in pairs_of(words, "--variable-name").items():
            target, colon, name = key.rpartition(":")

            if not colon:
                self._all[name] = other
            elif target in targets:
                self._one.setdefault(target, {})[name] = other
            else:
                raise CommandError(f"--variable-name is about '{target}', which has no FMU{nearest(target, targets)}")

    def of(self, kind: Kind, target: str) -> dict[str, str]:
        """Those of a joint or link."""
        fitting = {name: other for name, other in self._all.items() if kind.profile.get(name) is not None}
        self._used.update(fitting)
        return {**fitting, **self._one.get(target, {})}

    def refuse_unused(self) -> None:
        """CommandError for a name that no plugin has."""
        known = [wanted.name for kind in (ACTUATOR, FLUID) for wanted in kind.profile.required]
        for name in self._all:
            if name not in self._used:
                raise CommandError(f"no plugin here has a variable '{name}'{nearest(name, known)}")
