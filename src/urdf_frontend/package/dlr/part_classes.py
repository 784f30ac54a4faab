"""The classes of links and joints, and the records of their values, as the script makes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import define, evolve, field, frozen

from modelica_ast.compare import Change, compare
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.foundation import ModelicaError, NotFoundError
from modelica_ast.generate import UpdateError
from modelica_ast.library import Libraries, Shelf
from modelica_ast.tree import (
    Array,
    Call,
    Constructor,
    Expression,
    LiteralError,
    Reference,
    evaluate,
    literal,
    parse_expression,
)
from urdf_frontend.package.builder.part_models import JOINTS, LINKS
from urdf_frontend.package.builder.part_values import enumeration, geometry_kind, real, real_of, reals
from urdf_frontend.robot import (
    JOINT,
    LINK,
    SHAPES,
    VERSIONS,
    Collision,
    ElementType,
    Field,
    Item,
    Joint,
    JointType,
    Kind,
    Link,
    Named,
    Number,
    Part,
    Robot,
    Vector,
    Visual,
    joined,
)

# ---------------------------------------------------------------- records
# The records of URDFModelica: the values of links and joints that they have, and a user's record with other values.
#
# Its script writes every field. What the URDF file does not say has the default of the library, so a link without
# anything gives all the defaults. Values may be in calls, `inertial=Inertial(mass=1)`, as the script writes them, or in
# nested modifiers, `inertial(mass=1)`. What says the same already is left alone, whatever form it has, and every other
# byte is as it was.


LIBRARY: Final = "URDFModelica"
LINK_RECORD: Final = f"{LIBRARY}.Records.Link"
JOINT_RECORD: Final = f"{LIBRARY}.Records.Joint"
RECORDS: Final = {LINKS: LINK_RECORD, JOINTS: JOINT_RECORD}
_KINDS: Final = frozenset(tag for tag, shape in SHAPES.items() if shape.since == VERSIONS[0])
# The members of a joint and of a shape that its records have before the others.
_FIRST: Final = ("name", "jointType", "origin", "parent", "child", "geometryType", "size", "length")

Role = tuple[str, str]  # Links or Joints, and the URDF name of one
Fields = Mapping[str, Any]  # by path, `inertial.mass`: a Real, a list of them, a text, a truth, a Reference


def script_path(path: str) -> str:
    """A path in a record of this project as one in a record of URDFModelica."""
    return _SCRIPT_PATHS.get(path, path)


def known_visual(link: Link) -> Visual | None:
    """The visual that a record has: the first one of a kind that the library knows."""
    return next((each for each in link.visuals if geometry_kind(each.geometry) in _KINDS), None)


def known_collision(link: Link) -> Collision | None:
    """The collision element that a record has."""
    return next((each for each in link.collisions if geometry_kind(each.geometry) in _KINDS), None)


def link_fields(link: Link) -> dict[str, Any]:
    """All fields of `Records.Link`, in its order."""
    visuals, collisions = filter(None, (known_visual(link),)), filter(None, (known_collision(link),))
    return _with_flags(LINK, evolve(link, visuals=tuple(visuals), collisions=tuple(collisions)))


def joint_fields(joint: Joint) -> dict[str, Any]:
    """All fields of `Records.Joint`, in its order. The script takes limits as they are written."""
    return _with_flags(JOINT, joint.as_written)


def _with_flags(of: ElementType, item: Link | Joint) -> dict[str, Any]:
    flags = {part.script_flag: bool(getattr(item, part.attribute)) for part in of.parts if part.script_flag}
    return {"name": item.name, **flags, **dict(_fields((of,), item))}


def _fields(types: Iterable[ElementType], item: Item | None) -> Iterator[tuple[str, Any]]:
    """All fields of a record by their paths, of all that its element can be; the table is three deep."""
    members = {member.script: member for type_ in types for member in type_.members if member.script is not None}
    for name in sorted(members, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST)):
        member = members[name]
        value = getattr(item, member.effective, None)
        if isinstance(member, Field):
            yield name, _value(member, value, is_there=item is not None)
        else:
            inside = (value or (None,))[0] if member.is_repeated else value
            yield from ((joined(name, path), found) for path, found in _fields(member.types, inside))


def _value(field: Field, value: Any, *, is_there: bool) -> Any:
    default = field.script_default
    match field.kind, default if value is None else value:
        case _, Number() as number:
            return real(number)
        case _, Vector() as vector:
            return reals(vector)
        case _, tuple() as numbers:
            return [real_of(number) for number in numbers]
        case _, float() as number:
            return real_of(number)
        case Kind.CHOICE, str() | JointType() as word:
            return enumeration(LIBRARY, field, word)
        case Kind.TEXT, _ if value is None and is_there:
            return ""
        case _, text:
            return text


def constructor_of(record: str, fields: Fields) -> Constructor:
    """A part of a record as the call that makes it; its fields are by their paths inside of it."""
    return Constructor(f"{LIBRARY}.Records.{record.capitalize()}", arguments_of(fields))


def arguments_of(fields: Fields, indent: int | None = None) -> dict[str, Any]:
    """Fields by their paths as arguments. A part that has parts gets a line for each of its own fields, if indented."""
    parts: dict[str, dict[str, Any]] = {}
    arguments: dict[str, Any] = {}
    for path, value in fields.items():
        first, _, rest = path.partition(".")
        if rest:
            parts.setdefault(first, {})[rest] = value
            arguments[first] = None  # its place among the others
        else:
            arguments[first] = value
    for name, inner in parts.items():  # records of URDFModelica are three deep, so this goes no deeper
        part = constructor_of(name, inner)
        is_large = indent is not None and any("." in path for path in inner)
        arguments[name] = Constructor(part.name, part.arguments, indent) if is_large else part
    return arguments


def _script_paths(of: ElementType) -> Iterator[tuple[str, str]]:
    """Paths in this project's records and in those of URDFModelica, where they differ."""
    todo: list[tuple[str, str, ElementType]] = [("", "", of)]
    while todo:
        ours, theirs, type_ = todo.pop()
        for member in type_.members:
            if member.record is not None and member.script is not None:
                path = joined(ours, member.record), joined(theirs, member.script)
                yield path
                if isinstance(member, Part):
                    todo += [(*path, inside) for inside in member.types]


LINK_DEFAULTS: Final = link_fields(Link(name=""))
JOINT_DEFAULTS: Final = joint_fields(Joint(name="", type=JointType.FIXED))
_SCRIPT_PATHS: Final = {ours: theirs for ours, theirs in _script_paths(JOINT) if ours != theirs}
DEFAULTS: Final[Mapping[str, Fields]] = {LINKS: LINK_DEFAULTS, JOINTS: JOINT_DEFAULTS}


def get_fields(robot: Robot, role: Role) -> Fields | None:
    """What the record of a link or joint has; None if the robot has no such part."""
    package, name = role
    if package == LINKS:
        link = robot.get_link(name)
        return None if link is None else link_fields(link)
    joint = robot.get_joint(name)
    return None if joint is None else joint_fields(joint)


def fields_of(robot: Robot) -> dict[Role, Fields]:
    """What the records of all links and joints have."""
    links = {(LINKS, link.name): link_fields(link) for link in robot.links}
    return links | {(JOINTS, joint.name): joint_fields(joint) for joint in robot.joints}


# ---------------------------------------------------------------- the records of a user


@frozen
class DifferingValue:
    """A value of a record that is not what the URDF file has; None if the record has no such value."""

    file: str
    path: str
    user: str | None
    urdf: str

    def __str__(self) -> str:
        mine = "is not there" if self.user is None else f"is {self.user}"
        return f"{self.file}: {self.path} {mine}, the URDF has {self.urdf}"


def get_record(document: Document, base: str) -> ClassHandle | None:
    """The class of a file that extends a record of URDFModelica; None if there is none."""
    return next((each for each in document.classes if base in each.extends), None)


def with_fields(text: str, base: str, fields: Fields, defaults: Fields) -> str:
    """The text with these values. One that is the default and not written stays unwritten."""
    document = Document(text)
    record = get_record(document, base)
    if record is None:
        return text
    with document.transaction():
        for path, value in _wanted(record, base, fields, defaults):
            written = record.get_extends_modifier(base, path)
            new = value if written is None else _in_its_form(written, value)
            record.set_extends_modifier(base, path, new)
    return document.text


def differing_values(text: str, file: str, base: str, fields: Fields, defaults: Fields) -> Iterator[DifferingValue]:
    """The values of a record that are not those of the URDF file."""
    record = get_record(Document(text), base)
    if record is None:
        return
    for path, value in _wanted(record, base, fields, defaults):
        written = record.get_extends_modifier(base, path)
        yield DifferingValue(file, path, None if written is None else written.text, literal(value).text)


def _wanted(record: ClassHandle, base: str, fields: Fields, defaults: Fields) -> Iterator[tuple[str, Any]]:
    """(path, value) of what has to be written: fields, and whole parts of the record of which nothing is there."""
    done: list[str] = []
    there = {path: record.get_extends_modifier(base, path) for path in fields}
    for path, value in fields.items():
        if any(path.startswith(f"{part}.") for part in done):
            continue
        written = there[path]
        if written is not None:
            if not says(written, value):
                yield path, value
            continue
        part = _missing_part(record, base, path, there)
        inside = [each for each in fields if each == part or each.startswith(f"{part}.")]
        done.append(part)
        if record.get_extends_modifier(base, part) is None and all(fields[each] == defaults[each] for each in inside):
            continue
        if part == path:
            yield path, value
        else:
            name = part.rpartition(".")[2]
            yield part, constructor_of(name, {each.removeprefix(f"{part}."): fields[each] for each in inside})


def _missing_part(record: ClassHandle, base: str, path: str, there: dict[str, Expression | None]) -> str:
    """The outermost part of the record around a value of which nothing is there, or that is an expression."""
    names = path.split(".")
    for depth in range(1, len(names)):
        part = ".".join(names[:depth])
        whole = record.get_extends_modifier(base, part)
        if whole is not None and not isinstance(whole, Call):
            return part
        if whole is None and all(there[each] is None for each in there if each.startswith(f"{part}.")):
            return part
    return path


def says(written: Expression, value: Any) -> bool:
    """Does an expression have this value, in whatever form?"""
    try:
        found = evaluate(written)
    except LiteralError:
        return False
    if isinstance(value, Reference):  # an enumeration, with or without all of its name
        return isinstance(found, Reference) and str(found).rpartition(".")[2] == str(value).rpartition(".")[2]
    return type(found) is bool and found == value if isinstance(value, bool) else found == value


def _in_its_form(written: Expression, value: Any) -> Any:
    """A vector keeps its blanks and the numbers that stay: what changes is single tokens."""
    if not isinstance(value, list) or not isinstance(written, Array) or len(written.items) != len(value):
        return value
    text, end = written.text, 0
    pieces = []
    for item, number in zip(written.items, value, strict=True):
        start = text.index(item.text, end)
        pieces += [text[end:start], item.text if says(item, number) else literal(number).text]
        end = start + len(item.text)
    return parse_expression("".join([*pieces, text[end:]]))


# ---------------------------------------------------------------- classes
# The classes of links and joints: copies of templates, as the script makes them, and those that extend one.
#
# The script copies a template as a whole. What is made here extends it, `extends URDFModelica.Joints.Revolute(…)`, so
# it is short, works with every version of the library, and can follow when the joint gets another type.
#
# Whether a class is still the copy of a template, with nothing of the user's in it, can be seen only with the template
# at hand. URDFModelica is looked for where the user says, around the package and where libraries are. Without it a copy
# counts as edited.


PARAMETERS: Final = {LINKS: "linkParams", JOINTS: "jointParams"}
_LINK: Final = f"{LIBRARY}.Links.Link"
_LINK_OF_VISUALIZATION2: Final = f"{LIBRARY}.Links.Link_Visualization2"
_JOINTS: Final = f"{LIBRARY}.Joints."
# What the copy of a template has inside, by the last name of the component's type.
_INSIDE: Final = {"Prismatic": "prismatic", "Planar": "planar", "FreeMotion": "floating", "Revolute": "revolute"}
JOINT_TEMPLATES: Final[Mapping[JointType, str]] = {
    each: f"{_JOINTS}{each.value.capitalize()}" for each in JointType if each is not JointType.UNKNOWN
}
_TEMPLATES: Final = frozenset({_LINK, _LINK_OF_VISUALIZATION2, *JOINT_TEMPLATES.values()})
# The script leaves out the shapes that a link does not have, and what they are connected with.
_LEFT_OUT: Final = ("visual", "collision", "trafoVisual", "trafoCollision")
_LINES: Final = 4  # how far the values of a record are indented
_INNER_LINES: Final = 6


def script_link_template(*, visualization2: bool) -> str:
    """The template that a new link extends."""
    return _LINK_OF_VISUALIZATION2 if visualization2 else _LINK


def joint_template(type_: JointType) -> str:
    """The template that a joint of this type extends."""
    return JOINT_TEMPLATES[type_]


def new_model(package: str, within: str, named: Named, template: str) -> str:
    """The model of a new link or joint; `package` is Links or Joints."""
    document = Document("")
    model = document.add_class(named.class_name)
    with document.transaction():
        document.set_within(f"{within}.{package}")
        model.add_extends(template)
        model.redeclare_in_extends(template, PARAMETERS[package], named.parameters)
    return document.text


def new_record(package: str, within: str, named: Named, base: str, fields: Fields) -> str:
    """The record of a new link or joint, with all fields in calls as the script writes them."""
    document = Document("")
    record = document.add_class(named.parameters, "record")
    with document.transaction():
        document.set_within(f"{within}.{package}")
        record.add_extends(base)
        record.set_extends_modifiers(base, arguments_of(fields, _INNER_LINES), indent=_LINES)
        record.set_annotation("preferredView", "text")
    return document.text


def extended_template(model: ClassHandle) -> str | None:
    """The template of URDFModelica that a class extends; None for a copy of one, and for what the user has made."""
    return next((base for base in model.extends if base in _TEMPLATES), None)


def joint_family(model: ClassHandle) -> str | None:
    """What a joint's model moves like; a continuous joint is one that is revolute. None if that can't be seen."""
    template = extended_template(model)
    if template is not None:
        return family_of(JointType(template.removeprefix(_JOINTS).lower()))
    inside = {each.type.split(".")[-1] for each in model.components if ".MultiBody.Joints." in each.type}
    if len(inside) == 1:
        return _INSIDE.get(inside.pop())
    fixed = any(each.type.endswith("MultiBody.Parts.FixedRotation") for each in model.components)
    return "fixed" if fixed and not inside else None


def family_of(type_: JointType) -> str:
    """The types that one model can serve for."""
    return "revolute" if type_ is JointType.CONTINUOUS else type_.value


def flange_of(family: str) -> str | None:
    """The array of flanges of the robot that such a joint is connected to: `rotational` or `translational`."""
    return {"revolute": "rotational", "prismatic": "translational"}.get(family)


def shapes_of(link: Link) -> set[str]:
    """The components that show a link, as the script calls them: `visualMesh`, `collisionBox`."""
    visual, collision = known_visual(link), known_collision(link)
    found = set()
    for side, shape in (("visual", visual), ("collision", collision)):
        if shape is not None:
            found.add(f"{side}{(geometry_kind(shape.geometry) or '').capitalize()}")
    return found


def missing_shapes(model: ClassHandle, link: Link) -> set[str]:
    """The shapes that a copy of the template lacks, for the URDF file did not have them when it was made."""
    if extended_template(model) is not None:
        return set()
    declared = {component.name for component in model.components}
    is_copy = "trafoInertial" in declared
    return shapes_of(link) - declared if is_copy else set()


# ---------------------------------------------------------------- copies of templates


@define
class TemplateCopies:
    """Compares classes with the templates of a library; without a library no class is known to be a copy."""

    library: Path | None
    _libraries: Libraries | None = field(default=None, init=False)
    _known: dict[tuple[str, str], bool] = field(factory=dict, init=False)

    def is_copy(self, text: str, name: str, package: str, template: str) -> bool:
        """Is this the text of a class that the script has copied from a template, and nobody has changed since?"""
        if self.library is None:
            return False
        key = (text, template)
        if key not in self._known:
            self._known[key] = self._is_copy(text, name, package, template)
        return self._known[key]

    def _is_copy(self, text: str, name: str, package: str, template: str) -> bool:
        original = self._template(template)
        if original is None:
            return False
        document = Document(text)
        original.classes[0].rename(name)
        document.set_within(None)
        return all(_is_of_script(change, PARAMETERS[package]) for change in compare(original.text, document.text))

    def _template(self, template: str) -> Document | None:
        assert self.library is not None, "there is one to look into"
        try:
            if self._libraries is None:
                self._libraries = Libraries([], read_only=[self.library])
            definition = self._libraries.find_class(template).view.text
        except NotFoundError:
            return None
        except (ModelicaError, OSError) as wrong:
            raise UpdateError(f"the templates in {self.library} can't be read: {wrong}") from None
        document = Document("")
        document.insert_class(definition)
        return document


def template_library(given: Path | None, package: Path) -> Path | None:
    """Where URDFModelica is; UpdateError if what the user has named is another library."""
    if given is not None:
        if given.stem != LIBRARY and not (given.is_dir() and given.resolve().name == LIBRARY):
            raise UpdateError(f"--templates {given}: the package was made from the templates of {LIBRARY}")
        return given
    return Shelf(around=[package]).find(LIBRARY)


def _is_of_script(change: Change, parameters: str) -> bool:
    inside = change.path[1] if len(change.path) > 1 else ""
    if inside == parameters:
        return change.what in {"prefix", "type", "annotation", "constraint"}
    if change.kind != "removed":
        return False
    if change.what == "connection":
        return any(f"({name}" in inside or f" {name}" in inside for name in _LEFT_OUT)
    return change.what == "component" and inside.startswith(_LEFT_OUT)
