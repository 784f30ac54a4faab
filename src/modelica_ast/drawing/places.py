"""Where components are, and the connectors of their icons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from modelica_ast.drawing.inheriting import Inheritance
from modelica_ast.drawing.planes import UNCHANGED, Affine, Box
from modelica_ast.drawing.reading import AnnotationReader
from modelica_ast.drawing.values import Plain, resolved
from modelica_ast.graphics import Extent, Point, Transformation
from modelica_ast.library.class_files import classes_of
from modelica_ast.library.libraries import Libraries
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.lone import lookup_in
from modelica_ast.views.base import View
from modelica_ast.views.classes import ClassDefinition
from modelica_ast.views.components import ComponentClause1
from modelica_ast.views.files import StoredDefinition

_DIGITS: Final = 6  # of a coordinate; what is smaller is the noise of a rotation


class Place(NamedTuple):
    """A placement that is seen."""

    extent: Extent | None
    map: Affine  # of the extent into the picture


def place_of(reader: AnnotationReader, component: Member, *, in_icon: bool) -> Place | None:
    """Where a component is; None if it has no placement or is not visible."""
    found = reader.placement(*declarations(component))
    if found is None:
        return None
    scope = component.owner
    plain: Plain = resolved(found.record, scope).record if found.has_expressions else found.record
    # What is not known is shown: it may be there.
    if plain.visible is False or (in_icon and plain.iconVisible is False):
        return None
    chosen = plain.iconTransformation if in_icon else plain.transformation
    if not isinstance(chosen, Transformation):
        return Place(None, UNCHANGED)
    known: Plain = resolved(chosen, scope).record if found.has_expressions else chosen
    turn = Affine.turn(float(known.rotation))
    return Place(known.extent, turn.then(Affine.shift(float(known.origin.x), float(known.origin.y))))


def declarations(component: Member) -> tuple[View, ...]:
    """The declaration that counts, then the one that it redeclares."""
    current = component.current
    declared = current.declaration if isinstance(current, ComponentClause1) else current
    return declared, component.declared


def is_connector(environment: Environment) -> bool:
    """Is a class a connector, or does it inherit from one?"""
    return any(part.written.kind == "connector" for part in environment.ancestry() if part.written is not None)


class _Silent(AnnotationReader):
    """What is wrong with an annotation is told by those who draw; here it may be in a text without a file."""

    def complain(self, view: View, message: str) -> None:
        """Say nothing."""


class Seen(NamedTuple):
    """What is in the diagram of a class, beside the components that it declares itself."""

    connectors: tuple[Point | None, ...]
    inherited: dict[str, Extent]  # components, and what they cover


def seen_in(owner: ClassDefinition, names: Iterable[Sequence[str]], libraries: object) -> Seen:
    """Where the connectors of some names are in the diagram of a class, and the components that it inherits.

    A connector is in the middle of its placement. The parts of its name are those of one behind `connect`: a component
    and a connector of its class, or a connector of the class itself; what follows lies inside of the connector. Classes
    are looked up in the file, and in libraries if there are some. None for what is not found, or has no placement.
    """
    tree = owner.root
    assert isinstance(tree, StoredDefinition)
    beside = classes_of(libraries).files if isinstance(libraries, Libraries) else None
    environment = lookup_in(tree, beside).environment_at(Target(tree.file, owner.path))
    if environment is None:
        return Seen(tuple(None for _ in names), {})
    reader = _Silent(lambda _: None)
    points = tuple(_connector_at(environment, parts, reader) for parts in names)
    return Seen(points, _inherited(environment, reader) if owner.extends else {})


def _inherited(environment: Environment, reader: AnnotationReader) -> dict[str, Extent]:
    found: dict[str, Extent] = {}
    for part in Inheritance(reader).parts(environment, "Diagram"):
        written = part.environment.written
        if written is None or part.environment is environment:
            continue
        for name in written.components:
            member = part.environment.member(name)
            place = None if member is None else place_of(reader, member, in_icon=False)
            if place is not None and place.extent is not None:
                into, box = place.map.then(part.map), Box.of(place.extent)
                corners = [(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)]
                covered = Box.around(map(into.at, corners))
                first, second = _point((covered.left, covered.bottom)), _point((covered.right, covered.top))
                found[name] = Extent(first, second)
    return found


def _connector_at(environment: Environment, parts: Sequence[str], reader: AnnotationReader) -> Point | None:
    component = environment.member(parts[0])
    if component is None or component.is_class:
        return None
    place = place_of(reader, component, in_icon=False)
    if place is None or place.extent is None:
        return None
    type_ = component.environment
    if type_ is None:
        return None
    if len(parts) == 1:
        return _point(place.map.at(Box.of(place.extent).center)) if is_connector(type_) else None
    inner = _in_icon(reader, type_, parts[1])
    if inner is None:
        return None
    inheritance = Inheritance(reader)
    into = Affine.mapping(inheritance.system(type_, "Icon").extent, place.extent).then(place.map)
    return _point(into.at(inner))


def _in_icon(reader: AnnotationReader, type_: Environment, name: str) -> tuple[float, float] | None:
    """Where a connector is in the icon of a class."""
    connector = type_.member(name)
    place = None if connector is None or connector.is_class else place_of(reader, connector, in_icon=True)
    if connector is None or place is None:
        return None
    parts = Inheritance(reader).parts(type_, "Icon")
    part = next((each for each in parts if each.environment is connector.owner), None)
    if part is None:
        return None
    center = (0.0, 0.0) if place.extent is None else Box.of(place.extent).center
    return place.map.then(part.map).at(center)


def _point(xy: tuple[float, float]) -> Point:
    x, y = (round(value, _DIGITS) for value in xy)
    return Point(int(x) if x == int(x) else x, int(y) if y == int(y) else y)
