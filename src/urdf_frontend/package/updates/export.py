"""`export`: values as they are in Modelica now, written into the URDF text; every other byte stays."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import define, evolve, field, frozen

from modelica_ast.compare import Change, compare
from modelica_ast.generate import DataPlace, Places, Versions, short, shown_path, value_key
from modelica_ast.tree import LiteralError, evaluate, parse_expression
from urdf_frontend.package.builder.options import BuildOptions, options_of
from urdf_frontend.package.builder.part_models import (
    JOINT_PARAMETERS,
    JOINTS,
    LINK_PARAMETERS,
    LINKS,
    shown_collisions,
    shown_visuals,
)
from urdf_frontend.package.robot_package import RobotPackage
from urdf_frontend.package.updates.generation import rebuilt_base
from urdf_frontend.package.updates.renames import Layout
from urdf_frontend.robot import (
    Field,
    Item,
    Joint,
    Kind,
    Link,
    Material,
    NameTable,
    Number,
    Origin,
    Place,
    Span,
    Vector,
    items_in,
    joined,
    type_of,
    values_of,
)
from urdf_frontend.urdf import Document, ReadResult, read

# ---------------------------------------------------------------- urdf values
# Where each value of a parameter record is in the URDF file: for reports, and for writing values back.


@frozen
class UrdfValue:
    """A value of a record: the numbers that it is made of, if it is, and where it is."""

    place: Place
    numbers: tuple[Number, ...] = ()

    @property
    def can_be_written(self) -> bool:
        """Is each number a stretch of the file of its own?"""
        return bool(self.numbers) and all(number.span is not None for number in self.numbers)


def places_of(values: Mapping[tuple[str, str], UrdfValue]) -> Places:
    """Where an update finds them."""

    def place(file: str, path: str) -> DataPlace | None:
        found = values.get((file, path))
        return None if found is None else found.place

    return place


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
        for each, _ in values_of(item):
            inside, is_number = joined(path, each.record), each.kind in {Kind.NUMBER, Kind.VECTOR}
            if each.record is not None and (is_number or "." not in inside):
                yield inside, _value(item, each) if is_number else UrdfValue(whole.place)


def _value(item: Item, field: Field) -> UrdfValue:
    if isinstance(item, Origin) and item.quat_xyzw is not None and field.effective == "turn":
        return UrdfValue(item.quat_xyzw.place)  # the record has angles, which are not numbers of the file
    written: Number | Vector = getattr(item, field.attribute)
    if isinstance(written, Number):
        return UrdfValue(item.place, (written,))
    return UrdfValue(written.place if written.place.line else item.place, written.numbers)


# ---------------------------------------------------------------- exporting

_NUMBER: Final = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_VALUES: Final = frozenset({"modifier", "value", "component", "extends"})


@frozen
class WrittenValue:
    """A value that the exported text has from Modelica."""

    file: str
    path: str
    line: int  # in the URDF file
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}: {self.path}: {self.old} -> {self.new} (line {self.line})"


@frozen
class Exported:
    """The URDF file with the values of the package, and a sentence for each value that it can't express."""

    data: bytes = field(repr=False)
    written: tuple[WrittenValue, ...]
    problems: tuple[str, ...]


def export_robot(package: RobotPackage, templates: Path | None) -> Exported:
    """Write the values of a package of this project back."""
    base = package.base
    options = options_of(base.options, templates, base.shown_file)
    layout = Layout(package, lambda: rebuilt_base(base, options))
    values = layout.values(urdf_values(base.read, base.names, options))
    return exported(base.read, (layout.path(f"{base.table.robot}.mo"),), layout.former, values)


def exported(
    urdf: ReadResult, models: Sequence[str], versions: Versions, values: Mapping[tuple[str, str], UrdfValue]
) -> Exported:
    """Write what the user's version has otherwise than the base, to where the values are in the URDF text.

    `models` are the generated files with models that have links and joints as components.
    """
    export_ = _Export(versions, values)
    export_.collect(models)
    document = urdf.document
    assert document is not None, "it was read"
    text = document.text
    for span, new in sorted(export_.texts().items(), reverse=True):
        text = text[: span.start] + new + text[span.end :]
    data = document.encode(text)
    assert read(data).robot is not None, "it has numbers in place of numbers"
    return Exported(data, tuple(export_.written), tuple(export_.problems))


@define
class _Export:
    """Collects what is written, and what can't be."""

    versions: Versions
    values: Mapping[tuple[str, str], UrdfValue]
    problems: list[str] = field(factory=list)
    written: list[WrittenValue] = field(factory=list)
    _wanted: dict[tuple[str, str], list[str]] = field(factory=dict)

    def collect(self, models: Sequence[str]) -> None:
        """Look at all that the user has changed."""
        records = {file for file, _ in self.values}
        there = {self.versions.place(file) for file in records}
        for file in sorted(self.versions.changed & {*records, *there}):
            if file not in self.versions.ours:
                self.problems.append(f"{file}: it is gone, and its values with it; the URDF keeps its own")
                continue
            for record, path, change in self._changes(file):
                if record in records and change.what in _VALUES:
                    self._look_at(record, path, change)
        for model in models:
            self._look_at_robot(model)
        self._drop_contradictions()
        for (file, path), texts in self._wanted.items():
            value = self.values[file, path]
            old = " ".join(number.text for number in value.numbers)
            self.written.append(WrittenValue(self.versions.place(file), path, value.place.line, old, " ".join(texts)))

    def texts(self) -> dict[Span, str]:
        """What is to be written where."""
        found: dict[Span, str] = {}
        for key, texts in self._wanted.items():
            for number, text in zip(self.values[key].numbers, texts, strict=True):
                if number.span is not None and text != number.text:
                    found[number.span] = text
        return found

    def _changes(self, file: str) -> Iterator[tuple[str, str, Change]]:
        """(generated file, path in its class, change) of all that the user has changed in a file."""
        for change in compare(self.versions.base[file], self.versions.ours[file]):
            yield (*value_key(file, change.path, change.class_name), change)

    def _look_at(self, file: str, path: str, change: Change) -> None:
        where = f"{self.versions.place(file)}: {path or shown_path(change.path)}"
        value = self.values.get((file, path))
        if change.kind != "changed" or change.new is None:
            if change.what != "component":  # a parameter of the user's own is not a value of a URDF file
                self.problems.append(f"{where}: it was {change.kind}; the URDF keeps what it has")
            return
        if value is None or not value.can_be_written:
            self.problems.append(f"{where}: the URDF has no number for it; it is {short(change.new)} now")
            return
        numbers = _numbers_in(change.new)
        if numbers is None:
            self.problems.append(f"{where}: {short(change.new)} is an expression, and URDF has numbers only")
        elif len(numbers) != len(value.numbers):
            self.problems.append(f"{where}: {short(change.new)} has {len(numbers)} numbers, not {len(value.numbers)}")
        else:
            # A number that is the same is left as its author wrote it.
            self._wanted[file, path] = [
                old.text if float(text) == old.value else text for old, text in zip(value.numbers, numbers, strict=True)
            ]

    def _look_at_robot(self, model: str) -> None:
        """Values that are set at a component of the robot's model are not those of its record."""
        file = self.versions.hosts.get(model, model)
        if file not in self.versions.changed or file not in self.versions.ours:
            return
        for record, path, change in self._changes(file):
            if record == model and {LINK_PARAMETERS, JOINT_PARAMETERS} & {*path.split(".")}:
                where = f"{self.versions.place(file)}: {shown_path(change.path[1:])}"
                self.problems.append(f"{where}: it is set in the robot's model; only values in records are written")

    def _drop_contradictions(self) -> None:
        """A colour of the URDF may be that of several shapes; then all of them must have changed alike."""
        for key, texts in list(self._wanted.items()):
            spans = {number.span for number in self.values[key].numbers}
            others = [
                other
                for other, value in self.values.items()
                if other != key and not spans.isdisjoint(number.span for number in value.numbers if number.span)
            ]
            if any(self._wanted.get(other) != texts for other in others):
                file, path = key
                names = ", ".join(sorted(f"{other_file}: {other_path}" for other_file, other_path in others))
                self.problems.append(
                    f"{self.versions.place(file)}: {path}: the URDF has a single value for this and for {names}"
                )
                self._wanted[key] = [number.text for number in self.values[key].numbers]
        self._wanted = {
            key: texts for key, texts in self._wanted.items() if texts != [n.text for n in self.values[key].numbers]
        }


def _numbers_in(text: str) -> list[str] | None:
    """The numbers of a literal, as they are written; None if it is not one."""
    inside = text.strip()
    parts = inside[1:-1].split(",") if inside.startswith("{") and inside.endswith("}") else [inside]
    parts = [part.strip() for part in parts]
    if all(_NUMBER.fullmatch(part) for part in parts):
        return parts
    try:
        value = evaluate(parse_expression(text))
    except LiteralError:
        return None
    found = value if isinstance(value, list) else [value]
    if not all(isinstance(each, int | float) and not isinstance(each, bool) and math.isfinite(each) for each in found):
        return None
    return [repr(each) for each in found]
