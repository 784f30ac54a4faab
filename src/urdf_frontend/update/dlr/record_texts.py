"""A user's record with other values in it: each value at its place, and every other byte as it was.

The values may stand in calls, `inertial=Inertial(mass=1)`, as the script writes them, or in nested modifiers,
`inertial(mass=1)`. What says the same already is left alone, whatever form it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from modelica_ast import LiteralError, Reference, evaluate, literal, parse_expression
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.views import Array, Call, Expression
from urdf_frontend.update.dlr.fields import Fields, constructor_of


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
