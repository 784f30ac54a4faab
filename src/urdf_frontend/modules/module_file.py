"""A module: a URDF file that begins at an input connector and ends at output connectors."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Final

from attrs import frozen
from lxml import etree

from urdf_frontend.modules.instances import ModuleError
from urdf_frontend.modules.xml_files import parse_robot
from urdf_frontend.robot import IDENTITY, JointType, Kinematics, Link, Pose, Robot
from urdf_frontend.urdf import Diagnostic, Findings, Packages, ReadResult, in_order, listed, quoted, read

OUTPUT_CONNECTOR: Final = "output_connector"
INPUT_CONNECTOR: Final = "input_connector"


@frozen
class Port:
    """An output connector: a fixed joint to a virtual link. `short_name` is what follows `output_connector_`."""

    joint: str
    parent_link: str
    virtual_link: str
    pose: Pose  # in the frame of the parent link

    @property
    def short_name(self) -> str:
        """What else the port is called in an assembly."""
        return self.joint.removeprefix(OUTPUT_CONNECTOR).removeprefix("_") or self.joint


class Module:
    """A module file that has been read. `name` is unique among the modules of an assembly."""

    def __init__(self, path: Path, name: str, result: ReadResult, packages: Packages) -> None:
        self.path = path
        self.name = name
        self.result = result
        self.packages = packages
        self.robot: Robot = result.usable_robot()
        self.kinematics = Kinematics.of(self.robot)

    def __repr__(self) -> str:
        return f"Module({str(self.path)!r})"

    @property
    def root_link(self) -> str:
        """The link whose frame is the input connector."""
        return self.kinematics.roots[0]

    @cached_property
    def ports(self) -> tuple[Port, ...]:
        """The output connectors, in the order of the file."""
        return ports_of(self.robot, self.kinematics)

    @cached_property
    def has_empty_input(self) -> bool:
        """Is its first link an empty one called `input_connector`? It is left out where it coincides with another."""
        root = self.robot.get_link(self.root_link)
        return root is not None and root.name == INPUT_CONNECTOR and is_empty(root) and not self._root_is_port

    @property
    def _root_is_port(self) -> bool:
        return any(port.parent_link == self.root_link for port in self.ports)

    def get_port(self, name: str) -> Port | None:
        """A port by the name of its joint, or by its short name."""
        exact = next((port for port in self.ports if port.joint == name), None)
        return exact or next((port for port in self.ports if port.short_name == name), None)

    @property
    def root_element(self) -> etree._Element:
        """The XML, parsed anew, for somebody who changes it."""
        assert self.result.document is not None, "a robot that was read has a document"
        return parse_robot(self.result.document)


def ports_of(robot: Robot, kinematics: Kinematics) -> tuple[Port, ...]:
    """The fixed joints called `output_connector…` with nothing behind their virtual links."""
    return tuple(
        Port(joint.name, joint.parent, joint.child, IDENTITY if joint.origin is None else joint.origin.pose)
        for joint in robot.joints
        if joint.name.startswith(OUTPUT_CONNECTOR)
        and joint.type is JointType.FIXED
        and not kinematics.joints_below(joint.child)
    )


def is_empty(link: Link) -> bool:
    """Has a link neither mass nor shapes?"""
    return link.inertial is None and not link.visuals and not link.collisions


def read_module(
    path: Path, name: str, *, place: str, package_folders: tuple[Path, ...] = (), allow_outside: bool = False
) -> Module:
    """Read a module file; ModuleError if it is not there, UrdfError if there is something wrong with it.

    `place` is where it is asked for, for the message. `allow_outside` lets it name meshes that are anywhere.
    """
    if not path.is_file():
        raise ModuleError(f"{place}: there is no module file {path}")
    packages = Packages(package_folders, near=path, allow_outside=allow_outside)
    result = read(path, packages=packages)
    module = Module(path, name, result, packages)
    implicit = [link.name for link in module.robot.links if link.is_implicit]
    if implicit:
        raise ModuleError(f"{path}: its link '{implicit[0]}' is not defined; a module has to define all of its links")
    return module


# ---------------------------------------------------------------- checking
# What is wrong with a module, beyond what can be wrong with any robot.

_NEGLIGIBLE: Final = 1e-3  # the share of a module's mass that its virtual link may have


def check_module(robot: Robot, file: str) -> tuple[Diagnostic, ...]:
    """All that keeps a robot from being a good module; the checks of any robot are not repeated."""
    findings = Findings(file)
    kinematics = Kinematics.of(robot)
    ports = ports_of(robot, kinematics)
    _check_connectors(robot, kinematics, ports, findings)
    for link in robot.links:
        if link.is_implicit:
            message = f"the link {quoted(link.name)} is not defined, and it would get another name in a robot"
            findings.report("urdf-module-world", link.place, message, f'add <link name="{link.name}"/>')
    _check_masses(robot, ports, findings)
    if kinematics.is_tree:
        _check_directions(robot, kinematics, ports, findings)
    return in_order(findings.diagnostics)


def _check_connectors(robot: Robot, kinematics: Kinematics, ports: tuple[Port, ...], findings: Findings) -> None:
    known = {port.joint for port in ports}
    called_so = [joint for joint in robot.joints if joint.name.startswith(OUTPUT_CONNECTOR)]
    for joint in called_so:
        if joint.name in known:
            continue
        if joint.type is not JointType.FIXED:
            message = f"the output connector {quoted(joint.name)} is {joint.type_text}, and a connector is fixed"
            hint = "put a joint before it"
        else:
            below = ", ".join(quoted(other.name) for other in kinematics.joints_below(joint.child))
            message = f"the virtual link of the output connector {quoted(joint.name)} has joints on it: {below}"
            hint = "nothing hangs on it in its own module"
        findings.report("urdf-module-connector", joint.place, message, hint)
    if not called_so:
        message = f"there is no output connector: no fixed joint is called {quoted(OUTPUT_CONNECTOR)}"
        findings.report("urdf-module-end", robot.place, message, "without one the module is an end of the robot")
    if len(ports) > 1:
        message = f"there are {len(ports)} output connectors: {listed(port.joint for port in ports)}"
        hint = "what hangs on it says which, with 'parent: instance.port'"
        findings.report("urdf-module-branches", robot.place, message, hint)


def _check_masses(robot: Robot, ports: tuple[Port, ...], findings: Findings) -> None:
    whole = sum(map(_mass, robot.links))
    for port in ports:
        link = robot.get_link(port.virtual_link)
        mass = 0.0 if link is None else _mass(link)
        if link is not None and mass > _NEGLIGIBLE * whole:
            message = f"the virtual link {quoted(link.name)} has {mass:g} of the module's {whole:g} kg"
            hint = "its mass is lost where another module takes its place; make it light"
            findings.report("urdf-module-virtual-mass", link.place, message, hint)


def _mass(link: Link) -> float:
    return 0.0 if link.inertial is None or link.inertial.mass is None else link.inertial.mass.value


def _check_directions(robot: Robot, kinematics: Kinematics, ports: tuple[Port, ...], findings: Findings) -> None:
    """The z axis of the input connector leads into the module, so its outputs are ahead."""
    poses = kinematics.forward()
    for port in ports:
        place = poses[port.virtual_link].translation
        joint = robot.get_joint(port.joint)
        if joint is not None and any(place) and place[2] <= 0.0:
            message = f"the output connector {quoted(port.joint)} is at z = {place[2]:g} of the input connector"
            hint = "the z axis of the input connector should point into the module, that of the output out of it"
            findings.report("urdf-module-direction", joint.place, message, hint)
