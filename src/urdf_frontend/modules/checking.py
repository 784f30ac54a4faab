"""What is wrong with a module, beyond what can be wrong with any robot."""

from __future__ import annotations

from typing import Final

from urdf_frontend.checks.tree import listed
from urdf_frontend.diagnostics import Diagnostic, Findings, in_order, quoted
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import JointType, Link, Robot
from urdf_frontend.modules.module_file import OUTPUT_CONNECTOR, Port, ports_of

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
