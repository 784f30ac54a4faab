"""The model of the robot: every link and joint, connected as the URDF file says."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any, Final

from attrs import define, field, frozen

from modelica_ast.edit import ClassHandle, Document, NewComponent, NewConnection
from modelica_ast.foundation import NotFoundError
from modelica_ast.generate import CLONE, Templates
from modelica_ast.graphics import CoordinateSystem, Placement
from modelica_ast.tree import Reference, evaluate
from urdf_frontend.package.builder.diagram import Diagram, FixedDiagram, TreeDiagram
from urdf_frontend.package.builder.documentation import with_other_links
from urdf_frontend.package.builder.part_models import drop_components
from urdf_frontend.package.builder.part_values import ROOT_FRAME, flanges, given_reals, leaf_frames
from urdf_frontend.robot import Joint, JointType, Kinematics, NameTable, Robot, follows

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
_WITH_CONNECTORS: Final = "Robots.RobotWithConnectors"
BASES: Final = ("PartialRobot", "BaseRobot")  # what robots extend
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


def robot_template(templates: Templates, *, own_connectors: bool) -> str:
    """The template of a robot whose connectors are its own; those of a user may have none, but inherit them all."""
    if own_connectors:
        try:
            templates.clone(_WITH_CONNECTORS)
        except NotFoundError:
            return TEMPLATE
        return _WITH_CONNECTORS
    return TEMPLATE


@define
class RobotModel:
    """Fills the clone of the robot template. `parameters` are those that the model of a part has, by its class."""

    templates: Templates
    kinematics: Kinematics
    names: NameTable
    parameters: dict[str, frozenset[str]]
    own_connectors: bool = field(kw_only=True)
    template: str = field(init=False)
    diagram: Diagram = field(init=False)
    components: list[NewComponent] = field(init=False)
    connections: list[NewConnection] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.template = robot_template(self.templates, own_connectors=self.own_connectors)
        self.diagram = FixedDiagram.of(self.kinematics)
        if self.template != TEMPLATE:
            declared = self.templates.clone(self.template).find_class(CLONE).components
            icons = {each.name: each.placement for each in declared if each.placement is not None}
            self.diagram = TreeDiagram.of(self.kinematics, icons)
        self.components = list(self._new_components())
        self.connections = list(self._new_connections())

    @property
    def inputs(self) -> str:
        """All that the model depends on but the templates."""
        counts = Counts.of(self.kinematics)
        diagram = self.diagram
        return repr((counts, self.components, self.connections, diagram.connectors(), diagram.coordinate_system()))

    def document(self, *, stationary: bool) -> Document:
        """The model, still called CLONE."""
        return filled(
            self.templates,
            self.template,
            Counts.of(self.kinematics),
            self.components,
            self.connections,
            self.diagram.coordinate_system(),
            self.diagram.connectors(),
            stationary=stationary,
        )

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
                placement=self.diagram.link_placement(link.name),
            )
        for joint in robot.joints:
            named = self.names.joint(joint.name)
            handed = {} if follows(joint) else self._handed(f"Joints.{named.class_name}", HANDED_TO_JOINTS)
            yield NewComponent(
                f"Joints.{named.class_name}",
                named.component,
                handed,
                placement=self.diagram.joint_placement(joint),
            )
        for joint, name in self._mimics():
            mimic, leader = joint.mimic, self._leader(joint)
            assert mimic is not None
            yield NewComponent(
                self.templates.full_name(mimic_template(leader.type, joint.type)),
                name,
                given_reals(mimic),
                placement=self.diagram.mimic_placement(joint),
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
        kinematics, diagram = self.kinematics, self.diagram
        root = kinematics.roots[0]
        yield NewConnection(ROOT_FRAME, self._frame_of(root), diagram.line_to_root(root))
        for joint in kinematics.joint_order():
            component = self.names.joint(joint.name).component
            yield NewConnection(self._frame_of(joint.parent), f"{component}.frame_a", diagram.line_to_joint(joint))
            yield NewConnection(f"{component}.frame_b", self._frame_of(joint.child), diagram.line_to_link(joint))
        for leaf, frame in leaf_frames(kinematics).items():
            yield NewConnection(self._frame_of(leaf), frame, diagram.line_from_leaf(leaf))
        yield from self._flange_connections()
        for joint, name in self._mimics():
            leader, follower = (self.names.joint(each.name).component for each in (self._leader(joint), joint))
            line = diagram.line_to_mimic(self._leader(joint), joint)
            yield NewConnection(f"{leader}.flange_a", f"{name}.master", line)
            yield NewConnection(f"{name}.mimic", f"{follower}.flange_a", diagram.line_from_mimic(joint))

    def _flange_connections(self) -> Iterator[NewConnection]:
        """Every joint that can be driven has a pair of flanges outside."""
        for joint, flange, support in flanges(self.kinematics.robot.joints):
            component, diagram = self.names.joint(joint.name).component, self.diagram
            yield NewConnection(f"{component}.flange_a", flange, diagram.line_to_flange(joint, "a"))
            yield NewConnection(f"{component}.flange_b", support, diagram.line_to_flange(joint, "b"))

    def _frame_of(self, link: str) -> str:
        return f"{self.names.link(link).component}.frame_a"


def filled(
    templates: Templates,
    template: str,
    counts: Counts,
    components: list[NewComponent],
    connections: list[NewConnection],
    system: CoordinateSystem,
    connectors: Mapping[str, Placement],
    *,
    stationary: bool,
) -> Document:
    """A clone of a robot template with all of this in it, still called CLONE; `connectors` are where it has its own."""
    document = templates.clone(template)
    clone = document.find_class(CLONE)
    with document.transaction():
        base = next(name for name in clone.extends if name.rpartition(".")[2] in BASES)
        clone.set_extends_modifiers(base, counts.as_modifiers())
        if not stationary:
            for icon in clone.extends:
                if icon.rpartition(".")[2] == _STATIONARY_ICON:
                    clone.add_extends(templates.full_name(_MOBILE_ICON))
                    clone.remove_extends(icon)
        clone.set_placements(connectors)
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
