"""Where each value of a parameter record stands in the URDF file: for reports, and for writing values back."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from urdf_frontend.building import BuildOptions
from urdf_frontend.building.parts import JOINTS, LINKS, shown_collisions, shown_visuals
from urdf_frontend.model import Item, Joint, Link, Material, Number, Origin, Vector
from urdf_frontend.model.fields import Field, Kind, items_in, joined, type_of, values_of
from urdf_frontend.model.places import Place
from urdf_frontend.names import NameTable
from urdf_frontend.reader import ReadResult
from urdf_frontend.reading.document import Document


@frozen
class UrdfValue:
    """A value of a record: the numbers that it is made of, if it is, and where it stands."""

    place: Place
    numbers: tuple[Number, ...] = ()

    @property
    def can_be_written(self) -> bool:
        """Is each number a stretch of the file of its own?"""
        return bool(self.numbers) and all(number.span is not None for number in self.numbers)


def urdf_values(urdf: ReadResult, names: NameTable, options: BuildOptions) -> dict[tuple[str, str], UrdfValue]:
    """All values by file and path: `("Links/armParams.mo", "inertial.mass")`; a path may name a group of values."""
    robot, document = urdf.robot, urdf.document
    assert robot is not None, "it was built"
    assert document is not None
    found: dict[tuple[str, str], UrdfValue] = {}
    for link in robot.links:
        file = f"{LINKS}/{names.link(link.name).parameters}.mo"
        shown = evolve(link, visuals=tuple(shown_visuals(link)), collisions=tuple(shown_collisions(link, options)))
        found |= {(file, path): value for path, value in _values(shown)}
    for joint in robot.joints:
        file = f"{JOINTS}/{names.joint(joint.name).parameters}.mo"
        found |= {(file, path): value for path, value in _values(joint)}
    return {key: _with_line(value, document) for key, value in found.items()}


def _with_line(value: UrdfValue, document: Document) -> UrdfValue:
    """The place of the number itself: its element may begin lines before it."""
    span = value.numbers[0].span if value.numbers else None
    return value if span is None else evolve(value, place=document.place(span, value.place.xpath))


def _values(whole: Link | Joint) -> Iterator[tuple[str, UrdfValue]]:
    for path, item in items_in(whole):
        found = type_of(item)
        # A material may be defined far away from the visual that has it, so only its numbers have places.
        if path and found is not None and found.record is not None and not isinstance(item, Material):
            yield path, UrdfValue(item.place)
        for field, _ in values_of(item):
            inside, is_number = joined(path, field.record), field.kind in {Kind.NUMBER, Kind.VECTOR}
            if field.record is not None and (is_number or "." not in inside):
                yield inside, _value(item, field) if is_number else UrdfValue(whole.place)


def _value(item: Item, field: Field) -> UrdfValue:
    if isinstance(item, Origin) and item.quat_xyzw is not None and field.effective == "turn":
        return UrdfValue(item.quat_xyzw.place)  # the record has angles, which are not numbers of the file
    written: Number | Vector = getattr(item, field.attribute)
    if isinstance(written, Number):
        return UrdfValue(item.place, (written,))
    return UrdfValue(written.place if written.place.line else item.place, written.numbers)
