"""The record itself: the structure and the values of a robot, and constants that name its joints and links."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final

from attrs import define, evolve, field, frozen

from modelica_ast.edit import ClassHandle, Document, NewComponent
from modelica_ast.format import format_class
from modelica_ast.generate import CLONE, BuildError, Surroundings, Templates
from urdf_frontend.package.builder.joint_order import FIELDS, FOLLOWING, MOTION, Arrays, Structure
from urdf_frontend.package.builder.notes import leftovers
from urdf_frontend.package.builder.options import TEMPLATES, BuiltPackage, Summary
from urdf_frontend.package.builder.scaffold import admit, old_files
from urdf_frontend.robot import Kinematics, Link, NameStyle, NameTable, Robot, make_names

BASE: Final = "Records.Robot"
NAME: Final = "name"
_COUNTS: Final = ("nRevolute", "nPrismatic", "nFixed")
_PARENT, _ORDER = "parent", "order"
_FOLLOWER_COUNT, _FOLLOWERS, _LEADER = "nFollowers", "followers", "leader"
_CONNECTIONS: Final = "connectionMatrix"
_MOVEABLE: Final = "moveableJoints"
_JOINT_NAMES: Final = "jointNames"
_LINK_NAMES: Final = "linkNames"
# What the template has to declare, for the generic robots read it; the record adds the other fields itself.
NEEDED: Final = (NAME, *_COUNTS, _PARENT, _ORDER, *(field.name for field in MOTION))
# The same for robots with joints that follow others.
_FOLLOWING: Final = (_FOLLOWER_COUNT, _FOLLOWERS, _LEADER, *(field.name for field in FOLLOWING))
# No joint and no link can be called like these, whatever a robot makes use of.
TAKEN: Final = frozenset(
    [*NEEDED, *_FOLLOWING, _CONNECTIONS, _MOVEABLE, _JOINT_NAMES, _LINK_NAMES, *(field.name for field in FIELDS)]
)
_LINES: Final = 4  # how far the values are indented
_COLUMNS: Final = 2  # of the matrices


@define
class RobotRecord:
    """Fills the record of one robot."""

    urdf_name: str | None
    structure: Structure
    names: NameTable
    templates: Templates
    arrays: Arrays

    def fill(self, record: ClassHandle) -> None:
        """Put the robot into a record that extends the template, in place of the one that is there."""
        base = self.templates.full_name(BASE)
        if base not in record.extends:
            raise BuildError(f"the record of the template library {self.templates.name} must extend {base}")
        for component in record.components:
            if component.prefixes == ["constant"]:  # the indices of the template's own robot
                component.remove()
        record.remove_extends(base)
        record.add_extends(base)
        declared = {field.name for field in self.templates.clone(BASE).find_class(CLONE).components}
        fields = list(self._fields())
        known = {field.name: (field.modifiers or {})[""] for field in fields if field.name in declared}
        # PERF: each new component looks around for how others are written, so the long arrays come last.
        record.add_components([*(field for field in fields if field.name not in declared), *self._constants()])
        record.set_extends_modifiers(base, {**self._structure(), **known}, indent=_LINES)

    def _structure(self) -> dict[str, Any]:
        structure = self.structure
        values: dict[str, Any] = {} if self.urdf_name is None else {NAME: self.urdf_name}
        values |= zip(_COUNTS, (structure.revolute, structure.prismatic, structure.fixed), strict=True)
        if structure.joints:  # Modelica can't write an array of none
            values |= {_PARENT: list(structure.parents), _ORDER: list(structure.order)}
        if structure.followers:
            values |= {_FOLLOWER_COUNT: len(structure.followers), _FOLLOWERS: list(structure.followers)}
            values |= {_LEADER: list(structure.leaders)}
        return values

    def _fields(self) -> Iterator[NewComponent]:
        """All arrays with a value for each joint, and the structure once more, as matrices."""
        structure, size = self.structure, len(self.structure.joints)
        for each in self.arrays.given():
            part = self.arrays.part(each, each.parts[0])
            yield _parameter(part.type, each.name, self.arrays.values(each), part.description, size)
        if structure.joints:
            edges = [[parent, number] for number, parent in enumerate(structure.parents, 1)]
            yield _parameter("Integer", _CONNECTIONS, edges, "Parent and child link of each joint", size, _COLUMNS)
        if structure.moveable:
            flanges = [[number, structure.flange(number)] for number, _ in enumerate(structure.moveable, 1)]
            words = "Joints that move, and the number of the flange of each"
            yield _parameter("Integer", _MOVEABLE, flanges, words, len(flanges), _COLUMNS)
        if structure.joints:
            joints, links = ([item.name for item in items] for items in (structure.joints, structure.links))
            yield _parameter("String", _JOINT_NAMES, joints, "Names of the joints in URDF", size)
            yield _parameter("String", _LINK_NAMES, links, "Names of the links in URDF", size)

    def _constants(self) -> Iterator[NewComponent]:
        for number, joint, _ in self.structure.numbered():
            yield _index(self.names.joint(joint.name).component, number, f"Joint {joint.name}")
        base = self.structure.base.name
        yield _index(self.names.link(base).component, 0, f"Link {base}, the base")
        for number, _, link in self.structure.numbered():
            yield _index(self.names.link(link.name).component, number, f"Link {link.name}")


def _parameter(type_: str, name: str, value: list[Any], description: str | None, *dimensions: int) -> NewComponent:
    return NewComponent(type_, name, {"": value}, description, ["parameter"], dimensions)


def _index(name: str, number: int, description: str) -> NewComponent:
    return NewComponent("Integer", name, {"": number}, " ".join(description.split()), ["constant"])


# ---------------------------------------------------------------- documentation
# The documentation of the package around a record: what is in it, and a table of its joints and links.


def record_info(structure: Structure, names: NameTable, urdf_name: str | None, record: str) -> str:
    """The page of the package, as HTML; `record` is the name of its record."""
    lines = [
        "<html>",
        f"<p>The robot <strong>{_text(urdf_name or names.robot)}</strong>, made from its URDF file: {record} holds",
        f"its structure and all its values. The base is the link {_text(structure.base.name)}.</p>",
    ]
    if structure.moveable:
        first = names.joint(structure.moveable[0].name).component
        lines += [
            f"<p>The constants of {record} name the joints and links, so that a model can write",
            f"<code>robot.q[robot.robotParams.{_text(first)}]</code>.</p>",
        ]
    if structure.joints:
        lines += [
            '<table border="1" cellspacing="0" cellpadding="2">',
            _row("th", "Index", "Joint", "Type", "Parent", "Child", *(["Follows"] if structure.followers else [])),
            *(
                _row("td", str(number), joint.name, joint.type.value, joint.parent, joint.child, *leader)
                for (number, joint, _), leader in zip(structure.numbered(), _leaders(structure), strict=True)
            ),
            "</table>",
        ]
    return "\n".join([*lines, "</html>"])


def _leaders(structure: Structure) -> Iterator[list[str]]:
    """The joint that each follows, '' for none; no cell at all where none follows another one."""
    for leader in structure.leaders:
        yield [structure.joints[leader - 1].name if leader else ""] if structure.followers else []


def _row(tag: str, *cells: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{_text(cell)}</{tag}>" for cell in cells) + "</tr>"


def _text(text: str) -> str:
    """Text as HTML shows it; a name can have line ends and anything else in it."""
    return escape(" ".join(text.split()))


# ---------------------------------------------------------------- leftovers
# What a URDF file has that the generic robots do not show, and what else a user should know, in sentences.

_LISTED: Final = 5  # joints that a note names


def left_out(robot: Robot, structure: Structure) -> Iterator[str]:
    """A sentence for each kind of thing that is left out."""
    bare = tuple(evolve(link, visuals=(), collisions=()) for link in robot.links)
    yield from leftovers(evolve(robot, links=bare))
    for number, what in (
        (sum(len(link.visuals) for link in robot.links), "visual"),
        (sum(len(link.collisions) for link in robot.links), "collision"),
    ):
        if number:
            yield f"{number} {what}{'s' * (number != 1)}: generic robots have no shapes"
    if structure.base.inertial is not None:
        yield f"the mass of the base '{structure.base.name}': the base of a generic robot has none"


def notes(structure: Structure) -> Iterator[str]:
    """What a user of the record should know of its robot."""
    if any(joint.limit is not None for joint in structure.joints):
        yield "the limits of the joints are in the record; the generic robots do not check them"
    if not structure.moveable:
        yield "no joint moves: there is nothing to simulate"
    idle = list(_idle_joints(structure))
    if idle:
        names = ", ".join(f"'{name}'" for name in idle[:_LISTED])
        more = f" and {len(idle) - _LISTED} more" if len(idle) > _LISTED else ""
        yield f"nothing with mass is attached to {names}{more}, so the acceleration is not determined there"


def _idle_joints(structure: Structure) -> Iterator[str]:
    """The joints that move neither mass nor inertia, for which the mass matrix has a row of zeros."""
    mass = [False, *(_has_mass(link) for link in structure.links)]
    inertia = [False, *(_has_inertia(link) for link in structure.links)]
    for number in reversed(structure.order):
        above = structure.parents[number - 1]
        mass[above] |= mass[number]
        inertia[above] |= inertia[number]
    moved = {
        structure.leaders[number - 1] or number  # what moves with another joint is moved by that one
        for number, joint in enumerate(structure.moveable, 1)
        if mass[number] or (joint.type.is_rotational and inertia[number])
    }
    for number, joint in enumerate(structure.moveable, 1):
        if not structure.leaders[number - 1] and number not in moved:
            yield joint.name


def _has_mass(link: Link) -> bool:
    return link.inertial is not None and link.inertial.mass is not None and link.inertial.mass.value > 0


def _has_inertia(link: Link) -> bool:
    return link.inertial is not None and link.inertial.inertia is not None and any(link.inertial.inertia.values)


# ---------------------------------------------------------------- options
# What a user can decide about the record of a robot.


@frozen(kw_only=True)
class RecordOptions:
    """All options; each has a default.

    `name`: the package around the record; None takes the robot's. `into`: the folder that its file is put in; if it
    is a package, that one gets another class. `known_names` are kept, see `make_names`. `allowed` are
    codes of errors that do not stop the build, of those in `urdf.ALLOWABLE`. `new_library`, `may_be_there`: see there.
    """

    name: str | None = None
    into: Path | None = None
    new_library: bool = False
    modelica_version: str = "4.0.0"
    name_style: NameStyle = NameStyle.AS_IS
    templates: Path = TEMPLATES
    allowed: frozenset[str] = frozenset()
    may_be_there: bool = False
    known_names: NameTable | None = field(default=None, repr=False)


# ---------------------------------------------------------------- assembly
# From a robot to the file with its record and the models that move it.

TEMPLATE: Final = "Examples.GenericArm"
_RECORD: Final = "Params"  # in the template
_BY_EQUATIONS: Final = "ByEquations"
_MODELS: Final = {_BY_EQUATIONS: "by its equations of motion", "ByParts": "made of MultiBody parts"}
_ROBOT: Final = "robot"  # the component
_DATA: Final = "Data"
_WIDTH: Final = 120


def build_record(robot: Robot, options: RecordOptions | None = None) -> BuiltPackage:
    """Make the record of a robot, and two models of it; nothing is written.

    The package is one file. The same robot and options give the same bytes. UrdfError with all errors of a robot that
    can't be built, BuildError if something else is wrong, or if a generic robot can't move like this one.
    """
    options = RecordOptions() if options is None else options
    surroundings, name = admit(robot, options)
    structure = Structure.of(Kinematics.of(robot))
    return _Build(robot, options, surroundings, name, structure).package()


class _Build:
    """One build, step after step."""

    def __init__(
        self, robot: Robot, options: RecordOptions, surroundings: Surroundings, name: str, structure: Structure
    ) -> None:
        self.robot = robot
        self.options = options
        self.surroundings = surroundings
        self.name = name
        self.full_name = surroundings.full_name(name)
        self.structure = structure
        self.templates = Templates.open(options.templates)
        if self.full_name.split(".", 1)[0] == self.templates.name:
            raise BuildError(f"the templates are called {self.templates.name} too: choose another name")
        self.arrays = Arrays(structure, self.templates)
        self._require_templates()
        self.names = self._make_names()

    def _require_templates(self) -> None:
        """Say all that is missing before anything is made."""
        models = {f"{TEMPLATE}.{model}": (_ROBOT,) for model in _MODELS}
        self.templates.require({TEMPLATE: (), f"{TEMPLATE}.{_RECORD}": (), **models})
        needed = (*NEEDED, *_FOLLOWING) if self.structure.followers else NEEDED
        self.templates.require({BASE: needed, **self.arrays.needed_parts()})

    def _make_names(self) -> NameTable:
        """Those of a package of this robot, but for what the record calls something else so."""
        names = partial(
            make_names,
            self.name,
            [link.name for link in self.robot.links],
            [joint.name for joint in self.robot.joints],
            style=self.options.name_style,
        )
        around = {self.templates.name, self.full_name.split(".", 1)[0]}
        usual = names(known=self.options.known_names, reserved=around)
        declared = {component.name for component in self.templates.clone(BASE).find_class(CLONE).components} | TAKEN
        links, joints = (
            {name: named for name, named in side.items() if named.component not in declared}
            for side in (usual.links, usual.joints)
        )
        return names(known=NameTable(self.name, links, joints), reserved=around | declared)

    def package(self) -> BuiltPackage:
        file = Path(f"{self.name}.mo")
        files = {file: self._document().text.encode()}
        changed = self.surroundings.changed_files(self.name, self._uses())
        files |= {path: new for path, (_, new) in changed.items()}
        model = f"{self.full_name}.{_BY_EQUATIONS}"
        return BuiltPackage(self.name, file, files, old_files(changed), self.names, self._summary(), model)

    def _document(self) -> Document:
        """The template with this robot in place of its own."""
        document = self.templates.clone(TEMPLATE)
        clone = document.find_class(CLONE)
        title = f"robot {' '.join((self.robot.name or self.name).split())}"
        record = self.name + _DATA
        with document.transaction():
            clone.find_class(_RECORD).rename(record)
            data = clone.find_class(record)
            data.set_description(f"Structure and values of the {title}")
            RobotRecord(self.robot.name, self.structure, self.names, self.templates, self.arrays).fill(data)
            for name, words in _MODELS.items():
                model = clone.find_class(name)
                model.set_description(f"The {title}, {words}")
                if model.get_annotation("Documentation.info") is not None:  # it is about the template's robot
                    model.remove_annotation("Documentation")
            clone.set_description(f"The {title} as a record")
            clone.set_annotation("Documentation.info", record_info(self.structure, self.names, self.robot.name, record))
            if self.surroundings.parent is None:
                for library, version in self._uses().items():
                    clone.set_annotation(f"uses.{library}.version", version)
            clone.rename(self.name)
            document.set_within(self.surroundings.parent)
            # Nobody can read an array of all joints on one line. The rest stays as the template has it.
            format_class(document, f"{self.name}.{record}", width=_WIDTH)
        return document

    def _uses(self) -> dict[str, str]:
        uses = {"Modelica": self.options.modelica_version}
        if self.templates.version is not None:
            uses[self.templates.name] = self.templates.version
        return uses

    def _summary(self) -> Summary:
        return Summary(
            package=self.full_name,
            links=len(self.robot.links),
            joints=len(self.robot.joints),
            driven=len(self.structure.moveable),
            followers=len(self.structure.followers),
            left_out=tuple(left_out(self.robot, self.structure)),
            notes=(
                f"it uses {self.templates.name}, which is in {self.options.templates}",
                *notes(self.structure),
            ),
        )
