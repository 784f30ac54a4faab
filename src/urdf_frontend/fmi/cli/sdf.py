"""`modelica-patch fmi sdf`: the plugins that run FMUs at the joints and links of a robot in Gazebo."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from modelica_ast.cli import EXIT_OK, EXIT_UNREADABLE, Change, CommandError, count, reading, tell, write_diff
from modelica_ast.foundation import nearest
from urdf_frontend.fmi.cli.arguments import bytes_of, pairs_of, write
from urdf_frontend.fmi.profiles import FmiError
from urdf_frontend.fmi.sdf import (
    ACTUATOR,
    FLUID,
    Kind,
    Plugin,
    RobotFile,
    in_gazebo_element,
    plugin_element,
    read_robot_file,
    text_of,
    with_plugins,
)
from urdf_frontend.urdf import read

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
        "-i", "--into", nargs="?", const="", metavar="FILE", help="put it into this file; without a name into ROBOT"
    )
    writing.add_argument("-n", "--dry-run", action="store_true", help="with -i: show the diff and write nothing")
    writing.add_argument("-q", "--quiet", action="store_true", help="errors only")


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
            sys.stdout.write(text_of(in_gazebo_element(element) if robot.is_urdf else element) + "\n")
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
