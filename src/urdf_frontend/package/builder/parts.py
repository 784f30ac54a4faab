"""The classes of links and joints: for each a model, and a record with its values.

PERF: a clone is reduced once for all links or joints of a kind. What is left for each is to set its name and the type
of its parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from attrs import define, field, frozen

from modelica_ast.edit import Document, NewComponent
from modelica_ast.generate import CLONE, Templates
from modelica_ast.tree import Constructor
from urdf_frontend.package.builder import part_models
from urdf_frontend.package.builder.documentation import part_info
from urdf_frontend.package.builder.options import BuildOptions, Visualisation
from urdf_frontend.package.builder.part_models import JointKind, LinkKind, joint_model, link_model
from urdf_frontend.package.builder.values import PartValues, geometry_kind
from urdf_frontend.robot import Collision, Joint, Link, Named, NameTable, Robot, Visual

LINKS: Final = "Links"
JOINTS: Final = "Joints"
_LINK_TEMPLATES: Final = {Visualisation.MSL: "Links.Link", Visualisation.VISUALIZATION2: "Links.LinkVisualization2"}
_LINES: Final = 4  # how far the values of a record are indented


@frozen
class Part:
    """One class of a robot: its package, its name, all that its text depends on but the templates, and the text."""

    package: str
    name: str
    inputs: str
    make: Callable[[], bytes]


@define
class Parts:
    """Makes the classes of all links and joints of a robot. `package` is its full name."""

    robot: Robot
    names: NameTable
    package: str
    templates: Templates
    values_of: PartValues
    options: BuildOptions
    parameters: dict[str, frozenset[str]] = field(factory=dict)  # those that each model has, by class
    _models: dict[tuple[str, LinkKind | JointKind], Document] = field(factory=dict)
    _declared: dict[tuple[str, LinkKind | JointKind], frozenset[str]] = field(factory=dict)
    _records: dict[str, Document] = field(factory=dict)

    def classes(self) -> Iterator[Part]:
        """All classes, in the order of the robot."""
        for link in self.robot.links:
            yield from self._link(link, self.names.link(link.name))
        for joint in self.robot.joints:
            yield from self._joint(joint, self.names.joint(joint.name))

    def _link(self, link: Link, named: Named) -> Iterator[Part]:
        visuals, collisions = shown_visuals(link), shown_collisions(link, self.options)
        kind = link_kind(visuals, collisions)
        yield self._model(LINKS, named, kind, "Link")
        fields = self.values_of.link(link, visuals, collisions)
        more = self.values_of.more_of_link(visuals, collisions)
        yield self._record(LINKS, named, "Link", fields, more)

    def _joint(self, joint: Joint, named: Named) -> Iterator[Part]:
        yield self._model(JOINTS, named, JointKind.of(joint), f"{joint.type.value.title()} joint")
        yield self._record(JOINTS, named, "Joint", self.values_of.joint(joint), {})

    # ------------------------------------------------------------ models

    def _model(self, package: str, named: Named, kind: LinkKind | JointKind, what: str) -> Part:
        key = (package, kind)
        if key not in self._models:
            self._models[key] = self._prepared_model(package, kind)
        self.parameters[f"{package}.{named.class_name}"] = self._declared[key]

        def make() -> bytes:
            document = self._models[key].copy()
            clone = document.find_class(CLONE)
            parameters = part_models.LINK_PARAMETERS if isinstance(kind, LinkKind) else part_models.JOINT_PARAMETERS
            clone.rename(named.class_name)
            clone.set_description(f"{what} {_one_line(named.urdf)}")
            clone.find_component(parameters).set_type(named.parameters)
            return document.text.encode()

        return Part(package, named.class_name, repr((named, kind, what)), make)

    def _prepared_model(self, package: str, kind: LinkKind | JointKind) -> Document:
        if isinstance(kind, LinkKind):
            template, what = link_template(self.options), "link"
            document = link_model(self.templates, template, kind)
        else:
            template, what = kind.template, "joint"
            document = joint_model(self.templates, kind)
        document.set_within(f"{self.package}.{package}")
        clone = document.find_class(CLONE)
        parameter = part_models.LINK_PARAMETERS if isinstance(kind, LinkKind) else part_models.JOINT_PARAMETERS
        info = part_info(what, self.templates.full_name(template), parameter)
        clone.set_annotation("Documentation.info", info)
        declared = frozenset(component.name for component in clone.components if "parameter" in component.prefixes)
        self._declared[package, kind] = declared
        return document

    # ------------------------------------------------------------ records

    def _record(
        self, package: str, named: Named, base: str, fields: Mapping[str, Any], more: Mapping[str, Constructor]
    ) -> Part:
        def make() -> bytes:
            base_name = self.templates.full_name(f"Records.{base}")
            if package not in self._records:
                self._records[package] = _empty_record(base_name, f"{self.package}.{package}")
            document = self._records[package].copy()
            record = document.find_class(CLONE)
            record.rename(named.parameters)
            record.set_description(f"Values of the {base.lower()} {_one_line(named.urdf)}")
            record.set_extends_modifiers(base_name, fields, indent=_LINES)
            record.add_components(
                [NewComponent(value.name, name, {"": value}, prefixes=["parameter"]) for name, value in more.items()]
            )
            return document.text.encode()

        return Part(package, named.parameters, repr((named, fields, more)), make)


def _one_line(name: str) -> str:
    """A name of URDF can have line ends in it, and a description should have none."""
    return " ".join(name.split())


def _empty_record(base: str, within: str) -> Document:
    document = Document("")
    document.set_within(within)
    document.add_class(CLONE, "record").add_extends(base)
    return document


def link_template(options: BuildOptions) -> str:
    """The class that links are cloned from."""
    return _LINK_TEMPLATES[options.visualisation]


def link_kind(visuals: list[Visual], collisions: list[Collision]) -> LinkKind:
    """The kind of a link with these shapes."""
    kinds = [tuple(geometry_kind(part.geometry) or "" for part in parts) for parts in (visuals, collisions)]
    return LinkKind(*kinds)


def shown_visuals(link: Link) -> list[Visual]:
    """The visuals that have a shape which the templates know."""
    return [visual for visual in link.visuals if geometry_kind(visual.geometry) is not None]


def shown_collisions(link: Link, options: BuildOptions) -> list[Collision]:
    """The collisions that have a shape which the templates know; none if the user wants none."""
    found = [collision for collision in link.collisions if geometry_kind(collision.geometry) is not None]
    return found if options.collisions else []
