"""`export`: values as they are in Modelica now, written into the URDF text; every other byte stays."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

from modelica_ast import LiteralError, evaluate, parse_expression
from modelica_ast.compare import Change, compare
from modelica_ast.generate import UserPackage, Versions, short, shown_path, value_key, versions_of
from urdf_frontend.building.joint_models import PARAMETERS as JOINT_PARAMETERS
from urdf_frontend.building.link_models import PARAMETERS as LINK_PARAMETERS
from urdf_frontend.building.settings import options_of
from urdf_frontend.model.places import Span
from urdf_frontend.reader import read
from urdf_frontend.update.generation import rebuilt_base
from urdf_frontend.update.keeping import Kept
from urdf_frontend.update.urdf_values import UrdfValue, urdf_values

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


def export_robot(kept: Kept, user: UserPackage, templates: Path | None) -> Exported:
    """Write the values of a package of this project back."""
    options = options_of(kept.file.options, templates, kept.shown_file)
    versions = versions_of(kept.file, user, lambda: rebuilt_base(kept, options))
    return exported(kept, versions, urdf_values(kept.urdf, kept.names, options))


def exported(kept: Kept, versions: Versions, values: Mapping[tuple[str, str], UrdfValue]) -> Exported:
    """Write what the user's version has otherwise than the base, to where the values stand in the URDF text."""
    export_ = _Export(versions, values)
    export_.collect(kept)
    document = kept.urdf.document
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

    def collect(self, kept: Kept) -> None:
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
        self._look_at_robot(f"{kept.name}.mo")
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
            if change.what != "component":  # a parameter of the user's own is no value of a URDF file
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
                    f"{self.versions.place(file)}: {path}: the URDF has one value for this and for {names}"
                )
                self._wanted[key] = [number.text for number in self.values[key].numbers]
        self._wanted = {
            key: texts for key, texts in self._wanted.items() if texts != [n.text for n in self.values[key].numbers]
        }


def _numbers_in(text: str) -> list[str] | None:
    """The numbers of a literal, as they are written; None if it is none."""
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
