"""The values of links and joints as the records of URDFModelica have them.

Its script writes every field. What the URDF file does not say has the default of the library, so a link without
anything gives all the defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from modelica_ast import Constructor
from urdf_frontend.building.part_values import geometry_kind
from urdf_frontend.building.values import enumeration, real, real_of, reals
from urdf_frontend.model import Collision, Item, Joint, JointType, Link, Number, Vector, Visual
from urdf_frontend.model.fields import JOINT, LINK, SHAPES, VERSIONS, ElementType, Field, Kind, Part, joined

LIBRARY: Final = "URDFModelica"
LINK_RECORD: Final = f"{LIBRARY}.Records.Link"
JOINT_RECORD: Final = f"{LIBRARY}.Records.Joint"
_KINDS: Final = frozenset(tag for tag, shape in SHAPES.items() if shape.since == VERSIONS[0])
# The members of a joint and of a shape that its records have before the others.
_FIRST: Final = ("name", "jointType", "origin", "parent", "child", "geometryType", "size", "length")

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
    """All fields of `Records.Joint`, in its order."""
    return _with_flags(JOINT, joint)


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
