"""The model of a robot that is made of modules: instances, connected from frame to frame."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from modelica_ast import Reference
from modelica_ast.edit import Document, NewComponent, NewConnection
from modelica_ast.generate import CLONE, Templates
from urdf_frontend.building import BuildOptions
from urdf_frontend.building.connectors import ROOT_FRAME
from urdf_frontend.building.parts import link_template, shown_collisions
from urdf_frontend.building.robot_model import HANDED_TO_LINKS, Counts, filled
from urdf_frontend.building.values import real_of
from urdf_frontend.kinematics import follows
from urdf_frontend.modular import places
from urdf_frontend.modular.module_model import HANDED, flange_of
from urdf_frontend.modular.naming import MODULES, ModularNames, driven_joints, open_ends, virtual_link_at
from urdf_frontend.modular.outlets import links_inside, outlets_of
from urdf_frontend.modules.placing import Placed, Tree

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
            self.counts(),
            list(self._components()),
            list(self._connections()),
            places.diagram(self.names.cells.values()),
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
                f"{MODULES}.{class_name}.{class_name}",
                names.component(placed),
                {name: Reference(name) for name in HANDED},
                placement=places.module_placement(cell),
            )
            for link in ends.get(placed.name, ()):
                yield NewComponent(
                    f"{MODULES}.{class_name}.Links.{names.parts[class_name].link(link).class_name}",
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
