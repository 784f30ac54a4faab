"""Addresses: `FILE.mo::Package.Class.component.modifier@annotation.path`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelica_ast.cli.exits import CommandError
from modelica_ast.edit.errors import NotFoundError
from modelica_ast.edit.working import split_name
from modelica_ast.record import Record

if TYPE_CHECKING:
    from modelica_ast.edit.class_handle import ClassHandle
    from modelica_ast.edit.document import Document

STANDARD_STREAM = "-"


class Address(Record):
    """An address as it is written: where to look, what for, and a path into its annotation or None."""

    place: str
    name: str
    annotation: str | None

    def __str__(self) -> str:
        return f"{self.place}::{self.name}" + ("" if self.annotation is None else f"@{self.annotation}")


class Found(Record):
    """What a name leads to: a class; perhaps a component of it; perhaps a modifier of that."""

    handle: ClassHandle
    component: str | None
    modifier: str

    @property
    def is_class(self) -> bool:
        """Is it a class itself?"""
        return self.component is None


def parse_address(text: str) -> Address:
    """An address in its parts; CommandError says what is missing."""
    place, separator, name = text.strip().partition("::")
    if not separator:
        raise CommandError(f"'{text}' names no class: write FILE.mo::Class.component, or FOLDER::Name for a library")
    if not place:
        raise CommandError(f"'{text}' names no file: write FILE.mo::{name or 'Class'}, or -:: for standard input")
    at = _annotation_mark(name)
    if at is None:
        return Address(place, name.strip(), None)
    return Address(place, name[:at].strip(), name[at + 1 :].strip())


def _annotation_mark(name: str) -> int | None:
    """Where `@` stands outside of quotes."""
    quoted = False
    for index, character in enumerate(name):
        if character == "'":
            quoted = not quoted
        elif character == "@" and not quoted:
            return index
    return None


def find_in(document: Document, name: str) -> Found:
    """What a name leads to in a file; NotFoundError names the nearest.

    Classes come first: `A.b.c` is the modifier `c` of the component `b` unless `b` is a class.
    """
    within = document.within
    if within and name.startswith(within + "."):
        name = name[len(within) + 1 :]
    parts = split_name(name)
    handle = document.find_class(parts[0])
    rest = parts[1:]
    while rest:
        inner = handle.get_class(rest[0])
        if inner is None:
            break
        handle, rest = inner, rest[1:]
    if not rest:
        return Found(handle, None, "")
    try:
        component = handle.find_component(rest[0])
    except NotFoundError as error:
        raise NotFoundError(f"{error}{_inherited(handle, rest[0])}") from None
    return Found(handle, component.name, ".".join(rest[1:]))


def _inherited(handle: ClassHandle, name: str) -> str:
    """What it may be instead: something inherited, whose modifiers stand in an extends clause."""
    for base in handle.extends:
        if handle.get_extends_modifier(base, name) is not None:
            return f"; '{base}' is modified there: --extends {base} with the address of the class reaches it"
    return ""
