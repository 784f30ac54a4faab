"""Addresses, which mean the same in every command: `PLACE::Package.Class.component.modifier@annotation.path`.

A place is a .mo file, the folder of a library, a folder with libraries, or `-` for standard input. Without a place, the
name is that of a library in this folder or an installed one. A file or folder of that name goes first.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError
from modelica_ast.files import exists, is_file
from modelica_ast.foundation import NotFoundError, Record, nearest, split_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelica_ast.edit import ClassHandle, ComponentHandle, Document

STANDARD_STREAM: Final = "-"
PACKAGE_FILE: Final = "package.mo"
_SIGN: Final = "::"
_QUOTED: Final = r"'(?:[^'\\]|\\.)*'"
_NAME: Final = re.compile(rf"(?:[A-Za-z_]\w*|{_QUOTED})(?:\.(?:[A-Za-z_]\w*|{_QUOTED}))*")
_FORMS: Final = "FILE.mo::Class, FOLDER::Library.Class, or the full name of a class of a library"


class Address(Record):
    """An address: where to look, what for, and a path into its annotation or None.

    As it is written, the place of a bare name is ''. Resolved, it is the library that was found.
    """

    place: str
    name: str
    annotation: str | None
    is_bare: bool = False

    def __str__(self) -> str:
        place = "" if self.is_bare else f"{self.place}{_SIGN if self.name else ''}"
        return f"{place}{self.name}" + ("" if self.annotation is None else f"@{self.annotation}")


class Inherited(Record):
    """How a class gets a component that it does not declare."""

    base: str  # the extends clause that brings it, by what is written there
    declared: str  # the class that declares it, and where that is


class Found(Record):
    """What a name leads to: a class; perhaps a component or a literal of it; perhaps a modifier."""

    handle: ClassHandle
    component: str | None
    modifier: str
    inherited: Inherited | None = None  # a component that the class inherits is modified in its extends clause
    literal: str | None = None  # of an enumeration

    @property
    def is_class(self) -> bool:
        """Is it a class itself? A modifier without a component is one of a short class."""
        return self.component is None and not self.modifier and self.literal is None

    @property
    def path(self) -> str:
        """Component and modifier: what the extends clause modifies."""
        return ".".join(filter(None, (self.component, self.modifier)))

    @property
    def declaration(self) -> ComponentHandle:
        """The component that the class declares; CommandError if it inherits it."""
        assert self.component is not None
        if self.inherited is not None:
            raise CommandError(
                f"'{self.component}' is declared in {self.inherited.declared}, which '{self.handle.name}' inherits "
                "from: change it there"
            )
        return self.handle.find_component(self.component)


def parse_address(text: str) -> Address:
    """An address in its parts; CommandError says what is wrong with it.

    A file or folder on its own has no name: what that means is for the command to say.
    """
    text = text.strip()
    place, sign, rest = _split(text)
    if sign and not place:
        bare = f", or {rest} for a class of a library" if rest else ""
        raise CommandError(f"'{text}' names no file: write FILE.mo::{rest or 'Class'}{bare}")
    if not sign and (place == STANDARD_STREAM or _exists(place) or _is_path(text)):
        return Address(place, "", None)
    name, annotation = _parts(rest if sign else text)
    if sign:
        return Address(place, name, annotation)
    if not _NAME.fullmatch(name):
        raise CommandError(f"'{text}' is not an address: write {_FORMS}")
    return Address("", name, annotation, is_bare=True)


def _split(text: str) -> tuple[str, str, str]:
    """Place, `::` and name. A name of a file may have the sign in it, and so may a name in quotes."""
    if _exists(text):
        return text, "", ""
    quotes = [match.span() for match in re.finditer(_QUOTED, text)]
    signs = [found.start() for found in re.finditer(_SIGN, text)]
    outside = [each for each in signs if not any(start < each < end for start, end in quotes)]
    at = next((each for each in signs if _exists(text[:each])), outside[0] if outside else -1)
    return (text, "", "") if at < 0 else (text[:at], _SIGN, text[at + len(_SIGN) :])


def place_of(word: str) -> str | None:
    """The place of a word if it is an address with one; what is wrong with it is not asked."""
    place, sign, _ = _split(word)
    return place if sign else None


def _is_path(text: str) -> bool:
    """Does it look like a path, whether something is there or not?"""
    plain = re.sub(_QUOTED, "", text)
    return plain.endswith(".mo") or any(sign in plain for sign in ("/", "\\", ":"))


def _exists(place: str) -> bool:
    try:
        return bool(place) and exists(Path(place))
    except (OSError, ValueError):  # too long, or with a NUL
        return False


def _parts(name: str) -> tuple[str, str | None]:
    """The name, and the path into its annotation."""
    at = _annotation_mark(name)
    return (name.strip(), None) if at is None else (name[:at].strip(), name[at + 1 :].strip())


def resolved(address: Address, libraries: Iterable[str] = ()) -> Address:
    """The address with the library that it is in as its place: the one of a bare name, the one in a folder of some.

    `libraries` are those that the call names; CommandError says what there is instead.
    """
    if address.is_bare:
        return _found(address, libraries)
    path = Path(address.place)
    if address.place == STANDARD_STREAM or not path.is_dir():
        return address
    from modelica_ast.library import library_around  # noqa: PLC0415  (PERF: not for files)

    if not is_file(path / PACKAGE_FILE):
        return _in_folder(address) if address.name else address
    around = library_around(path)
    if not address.name or around is None or around == path.resolve():
        return address
    return Address(os.path.relpath(around), address.name, address.annotation)


def _found(address: Address, libraries: Iterable[str]) -> Address:
    from modelica_ast.library import LibraryError, Shelf  # noqa: PLC0415  (PERF: only here)

    try:
        shelf = Shelf(libraries, around=[Path()])
    except LibraryError as error:
        raise CommandError(f"--library {error}", EXIT_UNREADABLE) from None
    top = split_name(address.name)[0]
    path = shelf.find(top)
    if path is None:
        name = top if top.startswith("'") else f"'{top}'"
        raise CommandError(
            f"{address} is neither a file nor a folder (a class of a file is FILE.mo::{address.name}), and there is no "
            f"library {name}{nearest(top, shelf.names())}",
            EXIT_UNREADABLE,
        )
    return Address(str(path), address.name, address.annotation, is_bare=True)


def _in_folder(address: Address) -> Address:
    """A class of a library of a folder with libraries."""
    from modelica_ast.library import Shelf  # noqa: PLC0415  (PERF: not for files)

    shelf = Shelf([address.place], search=False)
    top = split_name(address.name)[0]
    found = shelf.find(top)
    if found is None:
        raise CommandError(f"there is no library '{top}' in {address.place}{nearest(top, shelf.names())}")
    return Address(str(Path(address.place, found.name)), address.name, address.annotation)


def refuse_old_spelling(old: str, place: str, name: str, rest: str = "") -> None:
    """End the command with the new spelling of an address that was two words."""
    new = f"{place}{_SIGN}{_name_in(place, name)}"
    raise CommandError(f"'{old}' is now one address: write {shlex.quote(new)}{rest}")


def _name_in(place: str, name: str) -> str:
    """A name as an address has it: from the top class of the file on, which the old spelling could leave out."""
    path = Path(place)
    if not is_file(path) or path.suffix != ".mo":
        return name
    from modelica_ast.edit import Document  # noqa: PLC0415  (PERF: only for this message)
    from modelica_ast.foundation import ModelicaError  # noqa: PLC0415

    try:
        document = Document.open(path)
        for each in document.classes:
            if document.get_class(name) is None and document.get_class(f"{each.name}.{name}") is not None:
                return f"{each.name}.{name}"
    except (ModelicaError, OSError):
        pass  # the next call says what is wrong with the file
    return name


def _annotation_mark(name: str) -> int | None:
    """Where `@` is outside of quotes."""
    quoted = False
    for index, character in enumerate(name):
        if character == "'":
            quoted = not quoted
        elif character == "@" and not quoted:
            return index
    return None


def refuse_without_constraint(found: Found, address: Address) -> None:
    """CommandError unless an address is a modifier of a component of the class itself: others have no constraint."""
    if found.component is None or not found.modifier or found.inherited is not None or address.annotation is not None:
        raise CommandError(f"--constrainedby is about a modifier of a component, and '{address}' is not one")


def find_in(document: Document, name: str) -> Found:
    """What a name leads to in a file; NotFoundError names the nearest."""
    handle, rest = class_in(document, name)
    if not rest:
        return Found(handle, None, "")
    from modelica_ast.edit import find_literal  # noqa: PLC0415  (PERF: not for folders)
    from modelica_ast.tree import EnumerationClassSpecifier, ShortClassSpecifier  # noqa: PLC0415

    specifier = handle.view.specifier
    if isinstance(specifier, ShortClassSpecifier):
        return Found(handle, None, ".".join(rest))
    if isinstance(specifier, EnumerationClassSpecifier):
        literal = find_literal(handle.view, rest[0]).name
        if len(rest) > 1:
            raise NotFoundError(f"'{literal}' is a literal of '{handle.name}': there is nothing inside it")
        return Found(handle, None, "", literal=literal)
    try:
        component = handle.find_component(rest[0])
    except NotFoundError as error:
        raise NotFoundError(f"{error}{_inherited(handle, rest[0])}") from None
    return Found(handle, component.name, ".".join(rest[1:]))


def class_in(document: Document, name: str) -> tuple[ClassHandle, list[str]]:
    """The class that a name leads to, and the rest of the name: a component, and modifiers of it.

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
    return handle, rest


def _inherited(handle: ClassHandle, name: str) -> str:
    """What it may be instead: something inherited, whose modifiers are in an extends clause."""
    for base in handle.extends:
        if handle.get_extends_modifier(base, name) is not None:
            return f"; '{base}' is modified there: --extends {base} with the address of the class reaches it"
    return ""
