"""The classes of links and joints: for each a model, cloned from a template, and a record with its values.

PERF: a clone is reduced once for all links or joints of a kind. What is left for each is to set its name and the type
of its parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field, frozen

from modelica_ast.edit import ClassHandle, ComponentCopy, Document, NewComponent, NewConnection
from modelica_ast.generate import CLONE, Pattern, Templates
from modelica_ast.graphics import Line, Placement
from modelica_ast.syntax import quote
from modelica_ast.tree import (
    Annotation,
    Component,
    ComponentReference,
    ConnectEquation,
    Constructor,
    Reference,
    find_all,
)
from urdf_frontend.package.builder.documentation import part_info
from urdf_frontend.package.builder.options import BuildOptions, Visualisation
from urdf_frontend.package.builder.part_values import (
    PartValues,
    coordinate_system,
    frame_line,
    geometry_kind,
    placement,
)
from urdf_frontend.robot import (
    SHAPES,
    Collision,
    Joint,
    JointType,
    Link,
    Named,
    NameTable,
    Robot,
    Visual,
    follows,
    numbered,
    values_of,
)

# ---------------------------------------------------------------- models of joints
# The model of a joint: a clone of the template of its type, with the limits, stops and friction that it has.


# ---------------------------------------------------------------- reducing
# Take out of a clone what its link or joint does not need: components, their connections, what only they used.


def drop_components(clone: ClassHandle, names: Collection[str]) -> None:
    """Remove components with their connections, and the parameters that nothing uses any more without them."""
    remove_components(clone, [*names, *parameters_only_of(clone, names)])


def remove_components(clone: ClassHandle, names: Collection[str]) -> None:
    """Remove components with their connections; a name that is not declared is not one of them."""
    gone = {component.name for component in clone.view.components} & set(names)
    clone.disconnect_all([both for both in clone.connections if gone & set(map(first_name, both))])
    clone.remove_components(gone)


def parameters_only_of(clone: ClassHandle, names: Collection[str]) -> list[str]:
    """The parameters that nothing would use any more without some components and their connections."""
    gone = set(names)
    theirs, others = set(), set()
    for reference in find_all(clone.view, ComponentReference):
        around = list(reference.ancestors)
        if any(isinstance(each, Annotation) for each in around):
            continue  # a dialog uses no parameter
        if any(isinstance(each, Component) and each.name in gone for each in around):
            theirs.add(first_name(str(reference)))
        elif not any(isinstance(each, ConnectEquation) and _touches(each, gone) for each in around):
            others.add(first_name(str(reference)))
    idle = theirs - others - gone
    return [each.name for each in clone.components if each.name in idle and "parameter" in each.prefixes]


def drop_equations(clone: ClassHandle, reference: str) -> None:
    """Remove the equations, assertions for the most part, that refer to this name."""
    for equation in clone.view.equations:
        if any(str(found) == reference for found in find_all(equation, ComponentReference)):
            clone.remove_equation(equation.text)


def first_name(reference: str) -> str:
    """The component that a connector belongs to: `body` for `body.frame_a`."""
    return reference.split(".", 1)[0].split("[", 1)[0]


def _touches(connection: ConnectEquation, components: set[str]) -> bool:
    return first_name(str(connection.left)) in components or first_name(str(connection.right)) in components


# ---------------------------------------------------------------- joint models

JOINT_PARAMETERS: Final = "jointParams"
LIMITS: Final = ("lower", "upper", "effort", "velocity")
_BOUNDS: Final = ("lower", "upper")
_TEMPLATES: Final = {
    JointType.FIXED: "Joints.Fixed",
    JointType.REVOLUTE: "Joints.Revolute",
    JointType.CONTINUOUS: "Joints.Continuous",
    JointType.PRISMATIC: "Joints.Prismatic",
    JointType.PLANAR: "Joints.Planar",
    JointType.FLOATING: "Joints.Floating",
}


@frozen
class JointKind:
    """What two joints have in common if their models differ in names only."""

    type: JointType
    limits: tuple[str, ...]
    has_friction: bool
    is_follower: bool

    @classmethod
    def of(cls, joint: Joint) -> JointKind:
        """The kind of a joint. What a type of joint has no use for does not count."""
        if not joint.type.is_single:
            return cls(joint.type, (), has_friction=False, is_follower=False)
        limit = joint.effective_limit
        limits = () if limit is None else tuple(name for name in LIMITS if getattr(limit, name) is not None)
        has_friction = joint.dynamics is not None and any(values_of(joint.dynamics))
        return cls(joint.type, limits, has_friction=has_friction, is_follower=follows(joint))

    @property
    def template(self) -> str:
        """The class that it is cloned from."""
        return _TEMPLATES[self.type]

    @property
    def needed_components(self) -> list[str]:
        """The components that its template must have."""
        found = [JOINT_PARAMETERS]
        if self.type.is_single:
            found += ["flange_a", "flange_b"]
        if self.has_friction:
            found.append("friction")
        if self.is_follower:
            found.append("startFixed")
        return found


def joint_model(templates: Templates, kind: JointKind) -> Document:
    """A model for all joints of a kind, still without its name."""
    return templates.kept(kind, lambda: _reduced(templates, kind))


def _reduced(templates: Templates, kind: JointKind) -> Document:
    document = templates.clone(kind.template)
    clone = document.find_class(CLONE)
    with document.transaction():
        for limit in LIMITS:
            if limit not in kind.limits:
                drop_equations(clone, f"{JOINT_PARAMETERS}.limit.{limit}")
        if kind.type.is_single and not kind.has_friction:
            drop_components(clone, ["friction"])
        if not set(kind.limits) & set(_BOUNDS):
            drop_components(clone, ["endStop"])
        if kind.is_follower:  # its motion is that of the joint that it follows
            clone.find_component("startFixed").set("", value=False)
    return document


# ---------------------------------------------------------------- link models
# The model of a link: a clone of the template with the shapes that the link has, all of them and no other.

LINK_PARAMETERS: Final = "linkParams"
_SIDES: Final = ("visual", "collision")
_SHAPE: Final = re.compile(rf"(visual|collision)({'|'.join(SHAPES).title()})\w*")
_ROW: Final = 30  # between two shapes in the diagram
_HALF: Final = 10
_USUAL_HALF: Final = 100
_FRAME_X: Final = -100
_TRUNK_X: Final = -80
_TRAFO_X: Final = -50
_BRANCH_X: Final = -20
_SHAPE_X: Final = 10


@frozen
class LinkKind:
    """What two links have in common if their models differ in names only: the kinds of their shapes, in order."""

    visuals: tuple[str, ...]
    collisions: tuple[str, ...]

    def of(self, side: str) -> tuple[str, ...]:
        """The kinds of the visuals, or of the collisions."""
        return self.visuals if side == "visual" else self.collisions


def needed_components(kind: LinkKind) -> list[str]:
    """The components that a template must have for links of this kind."""
    found = [LINK_PARAMETERS, "trafoInertial", "body"]
    for side in _SIDES:
        if kind.of(side):
            found += [_trafo(side), *(f"{side}{shape.title()}" for shape in dict.fromkeys(kind.of(side)))]
    return found


def link_model(templates: Templates, template: str, kind: LinkKind) -> Document:
    """A model for all links of a kind, still without its name."""
    return templates.kept((template, kind), lambda: _link_models_reduced(templates, template, kind))


def _link_models_reduced(templates: Templates, template: str, kind: LinkKind) -> Document:
    document = templates.clone(template)
    clone = document.find_class(CLONE)
    with document.transaction():
        # PERF: what goes is looked for while there is little.
        heights = [
            _shape_side(clone, side, kind.of(side)) for side in sorted(_SIDES, key=lambda side: len(kind.of(side)) > 0)
        ]
        half = max(_USUAL_HALF, *heights)
        clone.set_coordinate_system("Diagram", coordinate_system((-_USUAL_HALF, -half), (_USUAL_HALF, half)))
    return document


def _shape_side(clone: ClassHandle, side: str, kinds: Sequence[str]) -> int:
    """Keep, copy and place the shapes of one side, and drop those that no link of this kind has; how high it is."""
    groups = _groups(clone, side)
    if not kinds:
        drop_components(clone, [_trafo(side), *(name for names in groups.values() for name in names)])
        return 0
    idle = parameters_only_of(clone, [name for kind, names in groups.items() if kind not in kinds for name in names])
    for name in (name for kind in dict.fromkeys(kinds) for name in groups[kind]):
        _settle_animation(clone, side, name)
    copies = [_Copy(side, number, groups[kind]) for number, kind in enumerate(kinds[1:], 2)]
    connections = clone.connections
    clone.copy_components([component for copy in copies for component in copy.components])
    clone.connect_all([each for copy in reversed(copies) for each in copy.connections(connections)])
    others = [name for kind, names in groups.items() if kind != kinds[0] for name in names]
    remove_components(clone, [*others, *idle])
    return _draw(clone, side, [groups[kinds[0]], *(copy.shapes for copy in copies)])


def _groups(clone: ClassHandle, side: str) -> dict[str, list[str]]:
    """The shapes of the template by their kind; a capsule has several."""
    groups: dict[str, list[str]] = {kind: [] for kind in SHAPES}
    for component in clone.components:
        found = _SHAPE.fullmatch(component.name)
        if found is not None and found[1] == side:
            groups[found[2].lower()].append(component.name)
    return groups


@frozen
class _Copy:
    """The frame of a side and the shapes on it, once more, for the visual or collision of a number."""

    side: str
    number: int
    originals: list[str]  # the shapes that are copied

    @property
    def shapes(self) -> list[str]:
        """What the copies of the shapes are called."""
        return [_numbered(name, self.number) for name in self.originals]

    @property
    def components(self) -> Iterator[ComponentCopy]:
        """The frame and the shapes."""
        references = {f"{LINK_PARAMETERS}.{self.side}": f"{LINK_PARAMETERS}.{numbered(self.side, self.number)}"}
        for name in (_trafo(self.side), *self.originals):
            yield ComponentCopy(name, _numbered(name, self.number), references)

    def connections(self, known: Sequence[tuple[str, str]]) -> Iterator[NewConnection]:
        """Those of the shapes, and then those that lead to the frame, as the originals have them."""
        trafo = _trafo(self.side)
        found = [both for both in known if set(map(first_name, both)) & set(self.originals)]
        found += [both for both in known if both[1] == f"{trafo}.frame_a"]
        for one, other in found:
            yield NewConnection(self._renamed(one), self._renamed(other))

    def _renamed(self, end: str) -> str:
        component, dot, connector = end.partition(".")
        is_copied = component in (_trafo(self.side), *self.originals)
        return (_numbered(component, self.number) if is_copied else component) + dot + connector


def _settle_animation(clone: ClassHandle, side: str, shape: str) -> None:
    """The template asks which geometry it is; here that is known, and parameters that decide nothing can't mislead."""
    component = clone.find_component(shape)
    shown = component.get("animation")
    if shown is None or "geometryType" not in shown.text:
        return
    if side == "visual":
        component.remove_modifier("animation")
    else:
        component.set("animation", Reference("showCollision"))


# ---------------------------------------------------------------- the diagram


def _draw(clone: ClassHandle, side: str, shapes: list[list[str]]) -> int:
    """Visuals above the frame of the link, collisions below it, each shape in a row of its own; how high they are."""
    up = 1 if side == "visual" else -1
    rows = _rows(up)
    placements: dict[str, Placement] = {}
    lines: dict[tuple[str, str], Line] = {}
    for number, names in enumerate(shapes, 1):
        trafo = _numbered(_trafo(side), number)
        heights = [next(rows) for _ in names]
        placements[trafo] = placement(_TRAFO_X, heights[0], _HALF)
        points = [(_FRAME_X, 0), (_TRUNK_X, 0), (_TRUNK_X, heights[0]), (_TRAFO_X - _HALF, heights[0])]
        lines["frame_a", f"{trafo}.frame_a"] = frame_line(*points)
        for name, height in zip(names, heights, strict=True):
            placements[name] = placement(_SHAPE_X, height, _HALF)
            start, end = (_TRAFO_X + _HALF, heights[0]), (_SHAPE_X - _HALF, height)
            bends = [] if height == heights[0] else [(_BRANCH_X, heights[0]), (_BRANCH_X, height)]
            lines[f"{trafo}.frame_b", f"{name}.frame_a"] = frame_line(start, *bends, end)
    clone.set_placements(placements)
    clone.set_lines(lines)
    return abs(next(rows))


def _rows(up: int) -> Iterator[int]:
    height = up * (_ROW + _HALF)
    while True:
        yield height
        height += up * _ROW


def _trafo(side: str) -> str:
    return f"trafo{side.title()}"


def _numbered(name: str, number: int) -> str:
    """The name of a copy; the first one keeps its own."""
    if number == 1:
        return name
    return f"{name}_{number}" if name[-1].isdigit() else f"{name}{number}"


# ---------------------------------------------------------------- models and records


LINKS: Final = "Links"
JOINTS: Final = "Joints"
_LINK_TEMPLATES: Final = {Visualisation.MSL: "Links.Link", Visualisation.VISUALIZATION2: "Links.LinkVisualization2"}
_LINES: Final = 4  # how far the values of a record are indented
# Words of patterns, as CLONE is one for the name of the class.
_DESCRIPTION: Final = quote(CLONE)
_TYPE: Final = f"{CLONE}Type"


@frozen
class Part:
    """One class of a robot: its package, its name, all that its text depends on but the templates, and the text."""

    package: str
    name: str
    inputs: str
    make: Callable[[], bytes]
    is_record: bool = False


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
    _patterns: dict[tuple[str, LinkKind | JointKind], Pattern] = field(factory=dict)
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
            document = self._models[key] = self._prepared_model(package, kind)
            worded = document.copy()
            clone = worded.find_class(CLONE)
            clone.set_description(CLONE)
            clone.find_component(_parameters_of(kind)).set_type(_TYPE)
            self._patterns[key] = Pattern(worded, CLONE, _DESCRIPTION, _TYPE)
        self.parameters[f"{package}.{named.class_name}"] = self._declared[key]

        def make() -> bytes:
            description = f"{what} {_one_line(named.urdf)}"
            pattern = self._patterns[key]
            if pattern.takes(named.class_name, named.parameters):
                words = {CLONE: named.class_name, _DESCRIPTION: quote(description), _TYPE: named.parameters}
                return pattern.text(words).encode()
            document = self._models[key].copy()
            clone = document.find_class(CLONE)
            clone.rename(named.class_name)
            clone.set_description(description)
            clone.find_component(_parameters_of(kind)).set_type(named.parameters)
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
        info = part_info(what, self.templates.full_name(template), _parameters_of(kind))
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
            record.set_extends_modifiers(base_name, fields, indent=_LINES)
            if more:
                record.add_components(
                    [NewComponent(each.name, name, {"": each}, prefixes=["parameter"]) for name, each in more.items()]
                )
            description = f"Values of the {base.lower()} {_one_line(named.urdf)}"
            pattern = Pattern(document, CLONE, _DESCRIPTION)
            if pattern.takes(named.parameters):
                return pattern.text({CLONE: named.parameters, _DESCRIPTION: quote(description)}).encode()
            record.rename(named.parameters)
            document.find_class(named.parameters).set_description(description)
            return document.text.encode()

        return Part(package, named.parameters, repr((named, fields, more)), make, is_record=True)


def _one_line(name: str) -> str:
    """A name of URDF can have line ends in it, and a description should have none."""
    return " ".join(name.split())


def _empty_record(base: str, within: str) -> Document:
    document = Document("")
    document.set_within(within)
    record = document.add_class(CLONE, "record", description=CLONE)
    record.add_extends(base)
    return document


def _parameters_of(kind: LinkKind | JointKind) -> str:
    """The component of a model that has its values."""
    return LINK_PARAMETERS if isinstance(kind, LinkKind) else JOINT_PARAMETERS


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
