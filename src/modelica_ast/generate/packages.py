"""A package as its user has it now: where it is, what it is called, its files, and which class is in which file.

Tools save a package as a folder of files, as one file, or as something in between. Generated classes have files of
their own; where the user has one inside of another file, what is generated is put into that file too, and compared
there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from attrs import define, field

from modelica_ast.files import files_below, is_file
from modelica_ast.foundation import ModelicaError, Source, read_regular, split_name
from modelica_ast.generate.outcome import UnreadableError, UpdateError
from modelica_ast.generate.side_car import SideCar, digest
from modelica_ast.library import class_names
from modelica_ast.tree import parse_file

if TYPE_CHECKING:
    from modelica_ast.edit import ClassHandle, Document

PACKAGE_FILE: Final = "package.mo"
ORDER_FILE: Final = "package.order"
_WITHIN: Final = re.compile(r"\A\s*within\b[^;]*;\s*")


def parent_and_name(full_name: str) -> tuple[str | None, str]:
    """The package around, None for a library, and the last name."""
    *around, name = split_name(full_name)
    return ".".join(around) or None, name


@define(frozen=True, slots=False)
class UserPackage:
    """A package on the disk, or as it would be there. Paths are in its folder, with `/`."""

    folder: Path
    full_name: str
    files: Mapping[str, bytes] = field(repr=False)

    def text(self, path: str) -> str:
        """The text of a file, in whatever encoding it is."""
        return Source.from_bytes(self.files[path]).text

    def encoded(self, path: str, text: str) -> bytes:
        """A text in the encoding of the file; in UTF-8 if that has a character for all of it and the other has not."""
        if path not in self.files:
            return text.encode()
        try:
            return Source.from_bytes(self.files[path]).encode(text)
        except UnicodeEncodeError:
            return text.encode()

    @cached_property
    def modelica_files(self) -> list[str]:
        """All files with classes in them."""
        return [path for path in self.files if path.endswith(".mo")]

    @property
    def root_folder(self) -> Path:
        """The folder of the library that the package is in."""
        root = self.folder
        while (root.parent / PACKAGE_FILE).is_file():
            root = root.parent
        return root

    def classes_in(self, path: str) -> frozenset[str]:
        """The names of all classes in a file, by a scan: `arm.Links.upper`."""
        found = self._classes.get(path)
        if found is None:
            found = self._classes[path] = frozenset(class_names(self.text(path)))
        return found

    @cached_property
    def _classes(self) -> dict[str, frozenset[str]]:
        return {}


def read_user_package(folder: Path, *, new: str | None = None) -> UserPackage:
    """Read all files of a package; UpdateError if it is not one, UnreadableError if a folder of it is a link.

    `new` is what a package is called that need not be there yet.
    """
    path = folder / PACKAGE_FILE
    files = read_package_files(folder)
    try:
        document = None if new is not None and not is_file(path) else parse_file(path)
    except ModelicaError as wrong:
        raise UnreadableError(f"{path} can't be read: {wrong}") from None
    except OSError as wrong:
        raise UnreadableError(f"{path} can't be read: {wrong.strerror or wrong}") from None
    if document is None:
        assert new is not None, "or else it was opened"
        return UserPackage(folder, new, files)
    if len(document.classes) != 1:
        raise UpdateError(f"{path} must define exactly one class, the package; it has {len(document.classes)}")
    within = f"{document.within}." if document.within else ""
    return UserPackage(folder, within + document.classes[0].name, files)


def read_package_files(folder: Path) -> dict[str, bytes]:
    """All files in a package's folder; UnreadableError if one can't be read, or if a folder of it is a link."""
    try:
        refuse_linked_folders(folder)
        return {name: read_regular(folder / name) for name in _names_in(folder)}
    except OSError as wrong:
        raise UnreadableError(f"{wrong.filename or folder} can't be read: {wrong.strerror or wrong}") from None


def refuse_linked_folders(folder: Path) -> None:
    """UnreadableError if a folder inside of a package is a link, or something there is a link that leads nowhere.

    What is after a link is not the package's own and not written. Without it files would seem to be removed, and what
    the data have changed in them would be lost.
    """
    for around, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in (*folders, *sorted(files)):
            path = Path(around, name)
            if path.is_symlink() and not path.is_file() and not name.startswith("."):
                shown = Path(folder.name, path.relative_to(folder)).as_posix()
                raise UnreadableError(f"{shown} is a link: a package is updated only if none of its folders is a link")


def _names_in(folder: Path) -> Iterator[str]:
    """All but what is hidden: folders of tools (.git) are not part of a package."""
    return (path.relative_to(folder).as_posix() for path in files_below(folder))


# ---------------------------------------------------------------- what is as it was generated


def untouched_files(side_car: SideCar, user: UserPackage) -> frozenset[str]:
    """The generated files that are as they were generated."""
    recorded = side_car.files
    return frozenset(path for path in recorded if _has(user, path, recorded[path]))


def older_files(side_car: SideCar, user: UserPackage) -> frozenset[str]:
    """The files that are as they were before the last generation: somebody has brought back the folder around them.

    One file that is so may as well be an edit of the user's, who took a value back.
    """
    folders: dict[str, list[str]] = {}
    for path in side_car.before:
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    found: set[str] = set()
    for paths in folders.values():
        classes = [path for path in paths if path.endswith(".mo")]
        if len(paths) > 1 and classes and all(_is_older(user, path, side_car.before[path]) for path in paths):
            found |= set(paths)
    return frozenset(found)


def _is_older(user: UserPackage, path: str, found: str) -> bool:
    return _has(user, path, found) if found else path not in user.files


def _has(user: UserPackage, path: str, found: str) -> bool:
    return path in user.files and digest(path, user.files[path]) == found


# ---------------------------------------------------------------- which class is in which file


def class_chain(path: str) -> tuple[str, ...]:
    """The names that lead from the package to the class that has a generated file: `Links`, `upper`."""
    place = PurePosixPath(path)
    parts = place.parts[:-1] if place.name == PACKAGE_FILE else (*place.parts[:-1], place.stem)
    return tuple(parts)


def class_in(document: Document, path: str, chain: Sequence[str]) -> ClassHandle | None:
    """The class that a chain of names leads to, in a file that has it, or has a package around it."""
    return document.get_class(".".join((document.classes[0].name, *chain[len(class_chain(path)) :])))


def file_of_class(user: UserPackage, path: str) -> str | None:
    """The file that has the class of a generated file: that one, or one that the user has folded it into."""
    if path in user.files:
        return path
    chain = class_chain(path)
    for depth in reversed(range(len(chain) + 1)) if path.endswith(".mo") else ():
        around = "/".join(chain[:depth])
        for place in (f"{around}.mo", f"{around}/{PACKAGE_FILE}".lstrip("/")):
            if place in user.files and ".".join(name_inside(user, path, place)) in user.classes_in(place):
                return place
    return None


def name_inside(user: UserPackage, path: str, place: str) -> tuple[str, ...]:
    """The name that the class of a generated file has in the file that it is in, from its outermost class on."""
    around = class_chain(place)
    top = around[-1] if around else split_name(user.full_name)[-1]
    return (top, *class_chain(path)[len(around) :])


def class_inside(document: Document, name: tuple[str, ...]) -> ClassHandle | None:
    """The class of a name as `name_inside` gives it, or None."""
    top, *inner = name
    found = next((each for each in document.classes if each.name == top), None)
    return found.get_class(".".join(inner)) if found is not None and inner else found


def shown_class(user: UserPackage, path: str) -> str:
    """Where the class of a generated file is, for messages: `Links/hand.mo`, or `Links.hand in Links.mo`."""
    place = file_of_class(user, path)
    return path if place in (None, path) else f"{'.'.join(class_chain(path))} in {place}"


def without_classes(text: str, names: Iterable[tuple[str, ...]]) -> str:
    """A text without some classes, whoever uses them; one that is not there may have gone with one around it."""
    from modelica_ast.edit import Document  # noqa: PLC0415  (PERF: see `laid_out`)

    document = Document(text)
    with document.transaction() as edit:
        for name in names:
            found = class_inside(document, name)
            if found is not None and found.view.parent is not None:
                edit.remove(found.view.parent)
    return document.text


def hosts_of(user: UserPackage, generated: Iterable[str]) -> dict[str, str]:
    """The file that the user has the class of a generated file in, where that is another one.

    A class that is not there goes to where its package is, if that has no folder.
    """
    hosts: dict[str, str] = {}
    name = split_name(user.full_name)[-1]
    files = {path for path in generated if path.endswith(".mo")}
    places: dict[tuple[str, ...], tuple[str, tuple[str, ...]]] = {(): (PACKAGE_FILE, (name,))}
    for path in sorted(files, key=lambda path: (len(class_chain(path)), path)):
        chain = class_chain(path)
        if path in user.files or not chain:
            places[chain] = (path, (chain[-1] if chain else name,))
            continue
        single = "/".join(chain) + ".mo"
        host, inside = places.get(chain[:-1], (PACKAGE_FILE, (name,)))
        own = ".".join((*inside, chain[-1]))
        has_folder = host == "/".join((*chain[:-1], PACKAGE_FILE))
        if path.endswith(PACKAGE_FILE) and single in user.files:
            hosts[path] = single
            places[chain] = (single, (chain[-1],))
        elif host in user.files and (not has_folder or own in user.classes_in(host)):
            hosts[path] = host
            places[chain] = (host, (*inside, chain[-1]))
        else:
            places[chain] = (path, (chain[-1],))
    return hosts


def laid_out(texts: Mapping[str, str], hosts: Mapping[str, str]) -> dict[str, str]:
    """Generated texts in the files that the user has their classes in. A package in a file has no package.order."""
    if not hosts:
        return dict(texts)
    found = {path: text for path, text in texts.items() if path not in hosts and not is_order_inside(path, hosts)}
    from modelica_ast.edit import Document  # noqa: PLC0415  (PERF: nothing is edited if nothing is new)

    documents: dict[str, Document] = {}
    for path in _in_order(texts, hosts):
        host, chain = hosts[path], class_chain(path)
        if host == "/".join(chain) + ".mo":
            documents[host] = Document(texts[path])
            continue
        if host not in documents and host in found:
            documents[host] = Document(found[host])
        if host in documents:
            document = documents[host]
            depth = len(chain) - _depth_of(host)
            top = document.classes[0].name
            document.find_class(".".join((top, *chain[-depth:-1]))).insert_class(without_within(texts[path]))
    return found | {path: document.text for path, document in documents.items()}


def without_within(text: str) -> str:
    """The class of a file, without what says where it is."""
    return _WITHIN.sub("", text)


def _depth_of(host: str) -> int:
    """How many names lead from the package to the outermost class of a file."""
    return len(class_chain(host))


def is_order_inside(path: str, hosts: Mapping[str, str]) -> bool:
    """Is this the package.order of a package that is in a file now, and needs none?"""
    folder, _, name = path.rpartition("/")
    return name == ORDER_FILE and f"{folder}/{PACKAGE_FILE}" in hosts


def _in_order(texts: Mapping[str, str], hosts: Mapping[str, str]) -> list[str]:
    """The files that go into others: packages before what is in them, that in the order of their package.order.

    What that does not list is a package of the user's own, which others name.
    """

    def rank(path: str) -> tuple[int, int]:
        chain = class_chain(path)
        order = texts.get("/".join((*chain[:-1], ORDER_FILE)), "").split()
        return len(chain), order.index(chain[-1]) if chain[-1] in order else -1

    return sorted((path for path in hosts if path in texts), key=rank)
