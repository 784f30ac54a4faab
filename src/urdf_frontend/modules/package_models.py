"""The model of a robot that is made of modules: instances, connected from frame to frame."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import define, field, frozen

from modelica_ast.edit import Document, NewComponent, NewConnection
from modelica_ast.generate import CLONE, Templates
from modelica_ast.graphics import Line
from modelica_ast.tree import Reference
from urdf_frontend.modules import package_names as places
from urdf_frontend.modules.module_file import Module
from urdf_frontend.modules.package_names import (
    MODULES_PACKAGE,
    ModularNames,
    Outlet,
    driven_joints,
    links_inside,
    open_ends,
    outlet_height,
    outlets_of,
    virtual_link_at,
)
from urdf_frontend.modules.structure import Placed, Tree
from urdf_frontend.package import (
    HANDED_TO_LINKS,
    ROOT_FRAME,
    TEMPLATE as ROBOT_TEMPLATE,
    BuildOptions,
    Counts,
    RobotModel,
    Xy,
    filled,
    flanges,
    frame_line,
    link_template,
    placement,
    real_of,
    shown_collisions,
)
from urdf_frontend.robot import NameTable, follows

# ---------------------------------------------------------------- module model
# The model of a module: its links and joints as a robot has them, between connectors.
#
# A joint that moves has its flanges outside, called after it. A virtual link is not a link here: the connector before
# it ends in the frame of the module.

TEMPLATE: Final = "Robots.Module"
HANDED: Final = ("startFixed", "showCollision")  # parameters that robots hand on to their modules
_FRAME_TYPE: Final = "Modelica.Mechanics.MultiBody.Interfaces.Frame_b"
_FLANGE_TYPES: Final = {
    True: "Modelica.Mechanics.Rotational.Interfaces.Flange",
    False: "Modelica.Mechanics.Translational.Interfaces.Flange",
}
_SIDES: Final = {"a": "Axis", "b": "Support"}
_EDGE: Final = 100
_HALF_OF_FRAME: Final = 16
_HALF_OF_FLANGE: Final = 6
_FLANGES: Final = (-80, 80)  # from where to where they are spread over the upper edge


def flange_of(component: str, side: str) -> str:
    """What a flange of a joint is called outside of its module; `side` is `a`, the axis, or `b`, the support."""
    return f"{component}_flange_{side}"


@define
class ModuleModel:
    """Fills the clone of the module template. `parameters` are those that the model of a part has, by its class."""

    templates: Templates
    module: Module
    names: NameTable
    parameters: dict[str, frozenset[str]]
    _whole: RobotModel = field(init=False)  # the module as if it were a robot, virtual links and all
    _outlets: dict[str, Outlet] = field(init=False)  # by the components of virtual links
    _input: str | None = field(init=False)  # the component of an empty link at the input

    def __attrs_post_init__(self) -> None:
        module = self.module
        self._whole = RobotModel(self.templates, module.kinematics, self.names, self.parameters, own_connectors=False)
        self._outlets = {
            self.names.link(outlet.link).component: outlet for outlet in outlets_of(module) if outlet.is_connector
        }
        self._input = self.names.link(module.root_link).component if module.has_empty_input else None

    def document(self) -> Document:
        """The model, still called CLONE."""
        document = self.templates.clone(TEMPLATE)
        clone = document.find_class(CLONE)
        with document.transaction():
            clone.add_components([*self._connectors(), *self._components()])
            clone.connect_all(list(self._connections()))
            clone.set_coordinate_system("Diagram", self._whole.diagram.coordinate_system())
        return document

    # ------------------------------------------------------------ components

    def _connectors(self) -> Iterator[NewComponent]:
        for number, outlet in enumerate(outlets_of(self.module)):
            yield NewComponent(
                _FRAME_TYPE,
                outlet.frame,
                description=_frame_description(outlet),
                placement=placement(_EDGE, outlet_height(number), _HALF_OF_FRAME),
            )
        joints = driven_joints(self.module)
        first, last = _FLANGES
        for number, joint in enumerate(joints):
            x = first if len(joints) == 1 else first + (last - first) * number // len(joints)
            for offset, (side, what) in enumerate(_SIDES.items()):
                yield NewComponent(
                    f"{_FLANGE_TYPES[joint.type.is_rotational]}_{side}",
                    flange_of(self.names.joint(joint.name).component, side),
                    description=f"{what} of the joint {' '.join(joint.name.split())}",
                    placement=placement(x + 3 * _HALF_OF_FLANGE * offset, _EDGE, _HALF_OF_FLANGE),
                )

    def _components(self) -> list[NewComponent]:
        inside = {self.names.link(link.name).component for link in links_inside(self.module)}
        links = {named.component for named in self.names.links.values()}
        return [each for each in self._whole.components if each.name in inside or each.name not in links]

    # ------------------------------------------------------------ connections

    def _connections(self) -> Iterator[NewConnection]:
        outside = self._outer_flanges()
        drawn = self._outlet_lines()
        for each in self._whole.connections:
            if each.other in outside:
                yield NewConnection(each.one, outside[each.other])
            elif each.other.startswith("frame_b[") or self._is_of_empty_input(each):
                continue  # the ends of a module follow below
            elif each.one == f"{self._input}.frame_a":
                yield NewConnection(ROOT_FRAME, each.other, self._line_to_first_joint(each.line))
            elif (component := each.other.removesuffix(".frame_a")) in self._outlets:
                yield NewConnection(each.one, self._outlets[component].frame, drawn[component])
            else:
                yield each
        for number, outlet in enumerate(outlets_of(self.module)):
            if not outlet.is_connector:
                component = self.names.link(outlet.link).component
                yield NewConnection(f"{component}.frame_a", outlet.frame, self._line_from(outlet.link, number))

    def _is_of_empty_input(self, connection: NewConnection) -> bool:
        return (connection.one, connection.other) == (ROOT_FRAME, f"{self._input}.frame_a")

    def _outer_flanges(self) -> dict[str, str]:
        """The flanges outside of the module by those that a robot would have."""
        found: dict[str, str] = {}
        for joint, flange, support in flanges(self.module.robot.joints):
            component = self.names.joint(joint.name).component
            found |= {flange: flange_of(component, "a"), support: flange_of(component, "b")}
        return found

    def _outlet_lines(self) -> Mapping[str, Line]:
        """From the joint of each connector to its frame."""
        diagram, kinematics = self._whole.diagram, self.module.kinematics
        lines = {}
        for number, (component, outlet) in enumerate(self._outlets.items()):
            joint = kinematics.joint_above(outlet.link)
            assert joint is not None, "a virtual link is attached to its connector"
            start = _points(diagram.line_to_link(joint))[0]
            lines[component] = frame_line(start, *_points(self._line_from(outlet.link, number))[1:])
        return lines

    def _line_from(self, link: str, number: int) -> Line:
        """From the place of a link to the frame of an outlet."""
        points = _points(self._whole.diagram.line_from_leaf(link))
        height = outlet_height(number)
        return frame_line(*points[:-2], *((x, y + height) for x, y in points[-2:]))

    def _line_to_first_joint(self, line: Line | None) -> Line | None:
        """From the frame of the module past the place of the link that is left out."""
        if line is None:
            return None
        start = self._whole.diagram.line_to_root(self.module.root_link)
        return frame_line(*_points(start)[:-1], *_points(line)[1:])


def _points(line: Line) -> list[Xy]:
    assert isinstance(line.points, tuple), "these lines have points, and no expressions"
    return [(int(point.x), int(point.y)) for point in line.points]


def _frame_description(outlet: Outlet) -> str:
    name = " ".join(outlet.key.split())
    return f"Output connector {name}" if outlet.is_connector else f"Frame of the link {name}"


# ---------------------------------------------------------------- robot model

_TURN: Final = "Modelica.Mechanics.MultiBody.Parts.FixedRotation"


@frozen
class ModularRobot:
    """Fills the clone of the robot template."""

    templates: Templates
    tree: Tree
    names: ModularNames
    options: BuildOptions

    def document(self) -> Document:
        """The model, still called CLONE."""
        return filled(
            self.templates,
            ROBOT_TEMPLATE,
            self.counts(),
            list(self._components()),
            list(self._connections()),
            places.diagram(self.names.cells.values()),
            {},
            stationary=self.options.stationary,
        )

    def counts(self) -> Counts:
        """The numbers that the robot template asks for; its leaves are the open ends."""
        names = self.names
        joints = [joint for placed in self.tree.placed for joint in placed.module.robot.joints]
        followers = sum(follows(joint) for joint in joints)
        return Counts(
            sum(len(links_inside(placed.module)) for placed in self.tree.placed) + len(list(self._end_links())),
            len(names.ends),
            len(names.rotational),
            len(names.translational),
            followers,
            len(joints) - followers - len(names.rotational) - len(names.translational),
        )

    def _components(self) -> Iterator[NewComponent]:
        names = self.names
        ends: dict[str, list[str]] = {}
        for placed, _, link in self._end_links():
            ends.setdefault(placed.name, []).append(link)
        for placed in self.tree.placed:
            class_name, cell = names.class_of(placed), names.cells[placed.name]
            if placed.instance.rotate:
                yield NewComponent(
                    _TURN,
                    names.turn(placed),
                    {"n": [0, 0, 1], "angle": real_of(math.degrees(placed.instance.rotate)), "animation": False},
                    placement=places.turn_placement(cell),
                )
            yield NewComponent(
                f"{MODULES_PACKAGE}.{class_name}.{class_name}",
                names.component(placed),
                {name: Reference(name) for name in HANDED},
                placement=places.module_placement(cell),
            )
            for link in ends.get(placed.name, ()):
                yield NewComponent(
                    f"{MODULES_PACKAGE}.{class_name}.Links.{names.parts[class_name].link(link).class_name}",
                    names.end_link(placed, link),
                    self._handed_to_link(placed, link),
                    placement=places.end_link_placement(cell),
                )

    def _handed_to_link(self, placed: Placed, name: str) -> dict[str, Reference]:
        """The models of links without collisions have no parameter that shows them."""
        link = placed.module.robot.get_link(name)
        if link is None or not shown_collisions(link, self.options):
            return {}
        template = self.templates.clone(link_template(self.options)).find_class(CLONE)
        declared = {component.name for component in template.components}
        return {parameter: Reference(parameter) for parameter in HANDED_TO_LINKS if parameter in declared}

    def _connections(self) -> Iterator[NewConnection]:
        names = self.names
        for placed in self.tree.placed:
            yield from self._to_instance(placed)
        for placed, key in open_ends(self.tree):
            frame, height = self._outlet(placed, key)
            end = f"frame_b[{names.ends[placed.name, key]}]"
            yield NewConnection(frame, end, places.line_to_end(names.cells[placed.name], height))
        for placed, key, link in self._end_links():
            frame, height = self._outlet(placed, key)
            line = places.line_to_end_link(names.cells[placed.name], height)
            yield NewConnection(frame, f"{names.end_link(placed, link)}.frame_a", line)
        for placed in self.tree.placed:
            yield from self._flanges(placed)

    def _to_instance(self, placed: Placed) -> Iterator[NewConnection]:
        cells, component = self.names.cells, self.names.component(placed)
        cell = cells[placed.name]
        if placed.parent is None or placed.port is None:
            yield NewConnection(ROOT_FRAME, f"{component}.frame_a", places.line_to_first(cell))
            return
        parent = self.tree.placed[placed.parent]
        frame, height = self._outlet(parent, placed.port.joint)
        is_turned = bool(placed.instance.rotate)
        line = places.line_between(cells[parent.name], height, cell, to_turn=is_turned)
        if is_turned:
            turn = self.names.turn(placed)
            yield NewConnection(frame, f"{turn}.frame_a", line)
            yield NewConnection(f"{turn}.frame_b", f"{component}.frame_a", places.line_from_turn(cell))
        else:
            yield NewConnection(frame, f"{component}.frame_a", line)

    def _outlet(self, placed: Placed, key: str) -> tuple[str, int]:
        """The frame of an outlet, and how high it is in the icon."""
        outlets = outlets_of(placed.module)
        number = next(number for number, outlet in enumerate(outlets) if outlet.key == key)
        return f"{self.names.component(placed)}.{outlets[number].frame}", places.outlet_height(number)

    def _end_links(self) -> Iterator[tuple[Placed, str, str]]:
        """The virtual links at open ends that have a mass or a shape: instance, outlet, link."""
        for placed, key in open_ends(self.tree):
            link = virtual_link_at(placed, key, self.options)
            if link is not None:
                yield placed, key, link

    def _flanges(self, placed: Placed) -> Iterator[NewConnection]:
        """They have no lines: these would cross all."""
        names = self.names
        component, parts = names.component(placed), names.parts[names.class_of(placed)]
        for joint in driven_joints(placed.module):
            numbers = names.rotational if joint.type.is_rotational else names.translational
            kind = "rotational" if joint.type.is_rotational else "translational"
            number = numbers[placed.name, joint.name]
            for side in "ab":
                flange = flange_of(parts.joint(joint.name).component, side)
                yield NewConnection(f"{component}.{flange}", f"{kind}_flange_{side}[{number}]")
