"""The model of the robot: every link and joint, connected as the URDF file says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import define, field, frozen

from modelica_ast import Reference
from modelica_ast.edit import Document, NewComponent, NewConnection
from modelica_ast.generate import CLONE, Templates
from modelica_ast.graphics import CoordinateSystem
from urdf_frontend.building.connectors import ROOT_FRAME, flanges, leaf_frames
from urdf_frontend.building.layout import Layout
from urdf_frontend.building.values import given_reals
from urdf_frontend.kinematics import Kinematics, follows
from urdf_frontend.model import Joint, JointType, Robot
from urdf_frontend.names import NameTable, plain_identifier

TEMPLATE: Final = "Robots.Robot"
_BASE: Final = "BaseRobot"
_STATIONARY_ICON: Final = "StationaryRobot"
_MOBILE_ICON: Final = "Icons.MobileRobot"
# Parameters of the robot that it hands on to the parts that have one of the same name.
HANDED_TO_LINKS: Final = ("showCollision",)
HANDED_TO_JOINTS: Final = ("startFixed",)
_KINDS: Final = {False: "Translational", True: "Rotational"}


@frozen
class Counts:
    """The numbers that the robot template asks for."""

    numLinks: int  # noqa: N815  (their names in Modelica)
    numLeafLinks: int  # noqa: N815
    numRotationalJoints: int  # noqa: N815
    numTranslationalJoints: int  # noqa: N815
    numMimicJoints: int  # noqa: N815
    numOtherJoints: int  # noqa: N815

    @classmethod
    def of(cls, kinematics: Kinematics) -> Counts:
        """Count."""
        joints = kinematics.robot.joints
        driven = [joint for joint in joints if joint.type.is_single and not follows(joint)]
        turning = sum(joint.type.is_rotational for joint in driven)
        followers = sum(follows(joint) for joint in joints)
        others = len(joints) - len(driven) - followers
        sliding = len(driven) - turning
        return cls(len(kinematics.robot.links), len(kinematics.leaves), turning, sliding, followers, others)

    def as_modifiers(self) -> dict[str, Any]:
        """The modifiers of the base class."""
        return {
            "numLinks": self.numLinks,
            "numLeafLinks": self.numLeafLinks,
            "numRotationalJoints": self.numRotationalJoints,
            "numTranslationalJoints": self.numTranslationalJoints,
            "numMimicJoints": self.numMimicJoints,
            "numOtherJoints": self.numOtherJoints,
        }


@define
class RobotModel:
    """Fills the clone of the robot template. `parameters` are those that the model of a part has, by its class."""

    templates: Templates
    kinematics: Kinematics
    names: NameTable
    parameters: dict[str, frozenset[str]]
    layout: Layout = field(init=False)
    components: list[NewComponent] = field(init=False)
    connections: list[NewConnection] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.layout = Layout.of(self.kinematics)
        self.components = list(self._new_components())
        self.connections = list(self._new_connections())

    @property
    def inputs(self) -> str:
        """All that the model depends on but the templates."""
        counts = Counts.of(self.kinematics)
        return repr((counts, self.components, self.connections, self.layout.coordinate_system()))

    def document(self, *, stationary: bool) -> Document:
        """The model, still called CLONE."""
        counts, system = Counts.of(self.kinematics), self.layout.coordinate_system()
        return filled(self.templates, counts, self.components, self.connections, system, stationary=stationary)

    # ------------------------------------------------------------ components

    def _new_components(self) -> Iterator[NewComponent]:
        robot = self.kinematics.robot
        for link in robot.links:
            named = self.names.link(link.name)
            handed = self._handed(f"Links.{named.class_name}", HANDED_TO_LINKS)
            yield NewComponent(
                f"Links.{named.class_name}",
                named.component,
                handed,
                placement=self.layout.link_placement(link.name),
            )
        for joint in robot.joints:
            named = self.names.joint(joint.name)
            handed = {} if follows(joint) else self._handed(f"Joints.{named.class_name}", HANDED_TO_JOINTS)
            yield NewComponent(
                f"Joints.{named.class_name}",
                named.component,
                handed,
                placement=self.layout.joint_placement(joint),
            )
        for joint, name in self._mimics():
            mimic, leader = joint.mimic, self._leader(joint)
            assert mimic is not None
            yield NewComponent(
                self.templates.full_name(mimic_template(leader.type, joint.type)),
                name,
                given_reals(mimic),
                placement=self.layout.mimic_placement(joint),
            )

    def _handed(self, class_name: str, parameters: tuple[str, ...]) -> dict[str, Any]:
        return {name: Reference(name) for name in parameters if name in self.parameters[class_name]}

    def _mimics(self) -> Iterator[tuple[Joint, str]]:
        """The joints that follow others, and what the element that makes them follow is called."""
        return mimic_components(self.kinematics.robot, self.names)

    def _leader(self, joint: Joint) -> Joint:
        assert joint.mimic is not None
        leader = self.kinematics.robot.get_joint(joint.mimic.joint)
        assert leader is not None, "a robot with errors is not built"
        return leader

    # ------------------------------------------------------------ connections

    def _new_connections(self) -> Iterator[NewConnection]:
        kinematics, layout = self.kinematics, self.layout
        root = kinematics.roots[0]
        yield NewConnection(ROOT_FRAME, self._frame_of(root), layout.line_to_root(root))
        for joint in kinematics.joint_order():
            component = self.names.joint(joint.name).component
            yield NewConnection(self._frame_of(joint.parent), f"{component}.frame_a", layout.line_to_joint(joint))
            yield NewConnection(f"{component}.frame_b", self._frame_of(joint.child), layout.line_to_link(joint))
        for leaf, frame in leaf_frames(kinematics).items():
            yield NewConnection(self._frame_of(leaf), frame, layout.line_from_leaf(leaf))
        yield from self._flange_connections()
        for joint, name in self._mimics():
            leader, follower = (self.names.joint(each.name).component for each in (self._leader(joint), joint))
            yield NewConnection(f"{leader}.flange_a", f"{name}.master")
            yield NewConnection(f"{name}.mimic", f"{follower}.flange_a", layout.line_from_mimic(joint))

    def _flange_connections(self) -> Iterator[NewConnection]:
        """Every joint that can be driven has a pair of flanges outside. They have no lines: these would cross all."""
        for joint, flange, support in flanges(self.kinematics.robot.joints):
            component = self.names.joint(joint.name).component
            yield NewConnection(f"{component}.flange_a", flange)
            yield NewConnection(f"{component}.flange_b", support)

    def _frame_of(self, link: str) -> str:
        return f"{self.names.link(link).component}.frame_a"


def filled(
    templates: Templates,
    counts: Counts,
    components: list[NewComponent],
    connections: list[NewConnection],
    system: CoordinateSystem,
    *,
    stationary: bool,
) -> Document:
    """A clone of the robot template with all of this in it, still called CLONE."""
    document = templates.clone(TEMPLATE)
    clone = document.find_class(CLONE)
    with document.transaction():
        base = next(name for name in clone.extends if name.rpartition(".")[2] == _BASE)
        clone.set_extends_modifiers(base, counts.as_modifiers())
        if not stationary:
            for icon in clone.extends:
                if icon.rpartition(".")[2] == _STATIONARY_ICON:
                    clone.add_extends(templates.full_name(_MOBILE_ICON))
                    clone.remove_extends(icon)
        clone.add_components(components)
        clone.connect_all(connections)
        clone.set_coordinate_system("Diagram", system)
    return document


def mimic_components(robot: Robot, names: NameTable) -> Iterator[tuple[Joint, str]]:
    """The joints that follow others, and what the element that makes them follow is called."""
    taken = {each.component for each in (*names.links.values(), *names.joints.values())}
    for joint in robot.joints:
        if follows(joint):
            name = f"{plain_identifier(joint.name)}_mimic"
            while name in taken:
                name += "_"
            taken.add(name)
            yield joint, name


def needed_icons(templates: Templates, *, stationary: bool) -> list[str]:
    """The classes of the template library that a robot of this kind extends in place of others."""
    bases = templates.clone(TEMPLATE).find_class(CLONE).extends
    is_changed = not stationary and any(base.rpartition(".")[2] == _STATIONARY_ICON for base in bases)
    return [_MOBILE_ICON] if is_changed else []


def mimic_template(leader: JointType, follower: JointType) -> str:
    """The class that lets one type of joint follow another."""
    return f"Joints.Mimic{_KINDS[leader.is_rotational]}{_KINDS[follower.is_rotational]}"


def needed_mimics(robot: Robot) -> list[str]:
    """The classes of the template library that a robot's followers need."""
    found = []
    for joint in robot.joints:
        leader = robot.get_joint(joint.mimic.joint) if joint.mimic is not None and follows(joint) else None
        if leader is not None:
            found.append(mimic_template(leader.type, joint.type))
    return list(dict.fromkeys(found))
