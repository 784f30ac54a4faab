"""The model of the robot: every link and joint, connected as the URDF file says."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any, Final

from attrs import define, field, frozen

from modelica_ast.edit import ClassHandle, Document, NewComponent, NewConnection
from modelica_ast.generate import CLONE, Templates
from modelica_ast.graphics import CoordinateSystem, Line, Placement
from modelica_ast.tree import Reference, evaluate
from urdf_frontend.package.builder.documentation import with_other_links
from urdf_frontend.package.builder.part_models import drop_components
from urdf_frontend.package.builder.part_values import (
    ROOT_FRAME,
    Xy,
    coordinate_system,
    flange_line,
    flanges,
    frame_line,
    given_reals,
    leaf_frames,
    placement,
    turned_placement,
)
from urdf_frontend.robot import Joint, JointType, Kinematics, NameTable, Robot, follows

# ---------------------------------------------------------------- layout
# Where the links and joints of a robot stand in its diagram: a tree from left to right, in linear time.
#
# Every leaf has a row of its own, and what leads to it without a branch is in the same row. Branches start at a line
# after their link, and those of different links never meet: a subtree has its rows for itself. So no component
# covers another, and no line crosses one.

_LEFT: Final = -60  # the root link
_TOP: Final = -60  # below the frames of the robot, which are at the height 0
_COLUMN: Final = 80  # from a link to the next
_ROW: Final = 40
_JOINT_BEFORE_LINK: Final = 40
_BRANCH_BEHIND_LINK: Final = 20
_HALF: Final = 10
_HALF_OF_MIMIC: Final = 6
_MIMIC_ABOVE_JOINT: Final = 20
_FRAME_A: Final = (-100, 0)
_FRAME_B: Final = (100, 0)
_BEHIND_FRAME_A: Final = -80
_BUS: Final = 140  # at least: the line to which all leaves go, to the right of the robot's frame_b
_USUAL: Final = 100


@frozen
class Layout:
    """The places of a robot's links, by name: the point where the link's frame is, at the bottom of its icon."""

    links: Mapping[str, Xy]
    bus: int
    bottom: int

    @classmethod
    def of(cls, kinematics: Kinematics) -> Layout:
        """Lay out a tree."""
        places: dict[str, Xy] = {}
        rows = 0
        for link in kinematics.order:
            above = kinematics.joint_above(link)
            if above is None:
                places[link] = (_LEFT, _TOP)
                rows += 1
                continue
            x, y = places[above.parent]
            if kinematics.joints_below(above.parent)[0] is not above:
                y = _TOP - _ROW * rows
                rows += 1
            places[link] = (x + _COLUMN, y)
        bus = max([_BUS, *(x + _BRANCH_BEHIND_LINK for x, _ in places.values())])
        return cls(places, bus, _TOP - _ROW * rows)

    # ------------------------------------------------------------ components

    def link_placement(self, link: str) -> Placement:
        """A link is on its row, turned so that its frame is at the bottom."""
        x, y = self.links[link]
        return turned_placement(x, y + _HALF, _HALF, 90)

    def joint_placement(self, joint: Joint) -> Placement:
        """A joint comes before the link that it moves."""
        x, y = self._joint(joint)
        return placement(x, y, _HALF)

    def mimic_placement(self, joint: Joint) -> Placement:
        """What makes a joint follow is above that joint."""
        x, y = self._joint(joint)
        return placement(x, y + _MIMIC_ABOVE_JOINT, _HALF_OF_MIMIC)

    def coordinate_system(self) -> CoordinateSystem:
        """The whole diagram."""
        right = max(_USUAL, self.bus + _BRANCH_BEHIND_LINK)
        return coordinate_system((-_USUAL, min(-_USUAL, self.bottom)), (right, _USUAL))

    # ------------------------------------------------------------ lines

    def line_to_root(self, root: str) -> Line:
        """From the frame of the robot to its root link."""
        x, y = self.links[root]
        return frame_line(_FRAME_A, (_BEHIND_FRAME_A, 0), (_BEHIND_FRAME_A, y), (x, y))

    def line_to_joint(self, joint: Joint) -> Line:
        """From a link to a joint below it."""
        start = self.links[joint.parent]
        x, y = self._joint(joint)
        end = (x - _HALF, y)
        if start[1] == y:
            return frame_line(start, end)
        branch = start[0] + _BRANCH_BEHIND_LINK
        return frame_line(start, (branch, start[1]), (branch, y), end)

    def line_to_link(self, joint: Joint) -> Line:
        """From a joint to the link that it moves."""
        x, y = self._joint(joint)
        return frame_line((x + _HALF, y), self.links[joint.child])

    def line_from_mimic(self, joint: Joint) -> Line:
        """From what makes a joint follow to the flange at the top of that joint."""
        x, y = self._joint(joint)
        right, middle = x + _HALF, y + _HALF + (_MIMIC_ABOVE_JOINT - _HALF_OF_MIMIC - _HALF) // 2
        start = (x + _HALF_OF_MIMIC, y + _MIMIC_ABOVE_JOINT)
        bends = [(right, y + _MIMIC_ABOVE_JOINT), (right, middle), (x, middle)]
        return flange_line(start, *bends, (x, y + _HALF), rotational=joint.type.is_rotational)

    def line_from_leaf(self, link: str) -> Line:
        """From a leaf to the frame at the ends of the robot."""
        x, y = self.links[link]
        return frame_line((x, y), (self.bus, y), (self.bus, 0), _FRAME_B)

    def _joint(self, joint: Joint) -> Xy:
        x, y = self.links[joint.child]
        return x - _JOINT_BEFORE_LINK, y


# ---------------------------------------------------------------- followers
# What makes joints follow others, by name.


def mimic_components(robot: Robot, names: NameTable) -> Iterator[tuple[Joint, str]]:
    """The joints that follow others, and what the element that makes them follow is called: as before, if it was."""
    taken = {each.component for each in (*names.links.values(), *names.joints.values())} | {*names.followers.values()}
    for joint in robot.joints:
        if follows(joint):
            name = names.followers.get(joint.name)
            if name is None:
                # Its class is called as plainly as can be, and its component perhaps after its kind.
                name = free_name(f"{names.joint(joint.name).class_name.rstrip('_')}_mimic", taken)
                taken.add(name)
            yield joint, name


def free_name(name: str, taken: Container[str]) -> str:
    """A name, with underscores after it if something else has it."""
    while name in taken:
        name += "_"
    return name


# ---------------------------------------------------------------- robot model

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


# ---------------------------------------------------------------- run models
# The models that are simulated: the run model puts the robot into a world, the test model moves its joints.

STATIONARY: Final = "Robots.RunStationary"
MOBILE: Final = "Robots.RunMobile"
TEST: Final = "Robots.Test"
ROBOT: Final = "robot"  # the component
_RUN_TEMPLATES: Final = ("RunStationary", "RunMobile")
_DRIVES: Final = ("Reference", "Drive")


def run_template(*, stationary: bool) -> str:
    """The class that the run model is cloned from."""
    return STATIONARY if stationary else MOBILE


def run_model(templates: Templates, robot: str, *, stationary: bool) -> Document:
    """The run model of a robot whose class is called `robot`, still without its own name."""
    document = templates.clone(run_template(stationary=stationary))
    document.find_class(CLONE).find_component(ROBOT).set_type(robot)
    return document


def testing_model(templates: Templates, run: str, counts: Counts) -> Document:
    """The test model: it extends the run model, so the world is at its top too."""
    document = templates.clone(TEST)
    clone = document.find_class(CLONE)
    with document.transaction():
        for base in clone.extends:
            if base.rpartition(".")[2] in _RUN_TEMPLATES:
                start = clone.get_extends_modifier(base, f"{ROBOT}.startFixed")
                clone.add_extends(run, {} if start is None else {f"{ROBOT}.startFixed": start})
                clone.remove_extends(base)
        declared = {component.name for component in clone.components}
        for name, number in counts.as_modifiers().items():
            if name in declared:
                clone.find_component(name).set("", number)
        if not counts.numRotationalJoints:
            drop_components(clone, [f"rotational{part}" for part in _DRIVES])
        if not counts.numTranslationalJoints:
            drop_components(clone, [f"translational{part}" for part in _DRIVES])
    return document


# ---------------------------------------------------------------- class files
# The files of models that were cloned from the templates of whole robots.

RUN: Final = "Run"
TEST_SUFFIX: Final = "Test"


def own_models(templates: Templates, package: str, name: str, *, stationary: bool) -> dict[str, str]:
    """The full names of a robot's three models by those of their templates; `package` is where they are."""
    own = {TEMPLATE: name, run_template(stationary=stationary): name + RUN, TEST: name + TEST_SUFFIX}
    return {templates.full_name(template): f"{package}.{model}" for template, model in own.items()}


def class_file(document: Document, name: str, description: str, within: str, links: Mapping[str, str]) -> bytes:
    """The file of a clone, which gets its name at last; its page leads to `links` in place of other classes."""
    clone = document.find_class(CLONE)
    with document.transaction():
        clone.rename(name)
        clone.set_description(description)
        _link(clone, links)
        document.set_within(within)
    return document.text.encode()


def _link(model: ClassHandle, links: Mapping[str, str]) -> None:
    """A page that came with its template leads to the other models of this robot, not to their templates."""
    page = model.get_annotation("Documentation.info")
    if page is None:
        return
    info = str(evaluate(page))
    linked = with_other_links(info, links)
    if linked != info:
        model.set_annotation("Documentation.info", linked)
