"""Who uses what: the places in a package, and in the library around it, that name a generated class or component."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from attrs import define, evolve, field, frozen

from modelica_ast.edit import Document
from modelica_ast.files import NOWHERE
from modelica_ast.foundation import ModelicaError, NotFoundError, split_name
from modelica_ast.generate.outcome import UnreadableError, UpdateError
from modelica_ast.generate.packages import (
    PACKAGE_FILE,
    UserPackage,
    class_chain,
    class_inside,
    file_of_class,
    name_inside,
)
from modelica_ast.generate.side_car import SideCar, digest
from modelica_ast.library import Libraries, Reference, references
from modelica_ast.refactor import move_class, rename

# ---------------------------------------------------------------- renames
# Parts that the data call otherwise now: the user's classes, components and files follow before the merge.

_MEANWHILE: Final = "renamed_meanwhile"

Outside = Mapping[Path, tuple[bytes | None, bytes | None]]
ChangedName = tuple[str, str]  # names in a package: as it was generated, and as its user calls it now


@frozen
class Question:
    """A rename that is probable, and that only the user can know of."""

    what: str
    old: str
    new: str
    changed: tuple[str, ...] = ()  # values that are not the same
    is_passed_on: bool = False  # something else had the new name, or has the old one now

    def __str__(self) -> str:
        values = f"all but {', '.join(self.changed)} the same" if self.changed else "everything else unchanged"
        said = f"the {self.what} '{self.old}' is gone and '{self.new}' is new"
        if self.is_passed_on:
            said = f"the {self.what} '{self.old}' seems to be '{self.new}' now"
        return f"{said}, with {values}: was it renamed?"

    def as_json(self) -> dict[str, object]:
        """The fields by their names."""
        return {"what": self.what, "old": self.old, "new": self.new, "changed": list(self.changed)}


def _one_by_one(names: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The same renames in an order in which every new name is free; one in a cycle gets another name meanwhile.

    Capital letters make no difference: some file systems don't see them.
    """
    left = dict(names)
    while left:
        taken = {old.lower(): old for old in left}
        free = [old for old, new in left.items() if taken.get(_beside(old, new).lower(), old) == old]
        for old in free:
            yield old, left.pop(old)
        if not free:
            old, new = left.popitem()
            yield old, _MEANWHILE
            left[_beside(old, _MEANWHILE)] = new


def _beside(name: str, last: str) -> str:
    return ".".join((*split_name(name)[:-1], last))


@frozen
class RenamedPackage:
    """The package after its classes and components have followed, and the files around it that refer to them."""

    user: UserPackage
    outside: Outside


def renamed_package(user: UserPackage, names: Iterable[tuple[str, str]]) -> RenamedPackage:
    """Give things other names, (name in the package, last name): `Links.hand`, `gripper`; nothing is written.

    All of them change at once: `a` may become `b` and `b` `a`.
    """
    try:
        libraries = Libraries([user.root_folder])
        for old, new in _one_by_one(list(names)):
            try:
                rename(libraries, f"{user.full_name}.{old}", new)
            except NotFoundError:
                continue  # the user has given it a name of their own, which stays
    except (ModelicaError, OSError) as wrong:
        raise UpdateError(f"the package can't follow the new names: {wrong}") from None
    files, outside = _written(libraries, user.folder, user.files)
    return RenamedPackage(evolve(user, files=files), outside)


def _written(libraries: Libraries, folder: Path, before: Mapping[str, bytes]) -> tuple[dict[str, bytes], Outside]:
    """The files of a package after what was done to the libraries, and those around it that have changed."""
    files = dict(before)
    outside: dict[Path, tuple[bytes | None, bytes | None]] = {}
    assert libraries.workspace is not None, "a library is open"
    folder = folder.resolve()
    for write in libraries.workspace.writes():
        if not write.path.is_relative_to(folder):
            outside[write.path] = (write.expected, write.new)
        elif write.new is None:
            files.pop(write.path.relative_to(folder).as_posix(), None)
        else:
            files[write.path.relative_to(folder).as_posix()] = write.new
    return files, outside


# ---------------------------------------------------------------- what the user has renamed and moved


@frozen
class Followed:
    """Generated files as the user calls and places what is in them; `paths` are the new ones by those of before.

    `names` are those that could be followed: the others count as edits.
    """

    files: Mapping[str, bytes]
    paths: Mapping[str, str]
    names: tuple[ChangedName, ...]

    def side_car(self, side_car: SideCar, before: Mapping[str, bytes]) -> SideCar:
        """What was generated last, which is `before`, as if it had been generated so."""
        files = {path: digest(path, data) for path, data in self.files.items() if path not in before}
        for path, recorded in side_car.files.items():
            place = self.paths.get(path, path)
            is_known = path in before and place in self.files and digest(path, before[path]) == recorded
            files[place] = digest(place, self.files[place]) if is_known else recorded
        return evolve(side_car, files=files, before={})


def followed(files: Mapping[str, bytes], package: str, names: Sequence[ChangedName]) -> Followed:
    """Rename and move what is generated as the user has it: then all that is left to differ is what they wrote.

    Names are those in the package, components before the classes that they are in. What is not generated any more is
    left out. Where a name would mean something else, those in the same class are not followed either.
    """
    if not names or not files:
        return Followed(files, {}, tuple(names))
    root, *inside = split_name(package)
    folder = Path(NOWHERE, root, *inside)
    there = {folder / path: data for path, data in files.items()}
    for at in range(len(inside)):
        _add_package(there, Path(NOWHERE, root, *inside[:at]), [root, *inside[:at]])
    groups: dict[str, list[ChangedName]] = {}
    for old, new in names:
        inside, around = split_name(old)[:-1], split_name(new)[:-1]
        is_class = f"{'/'.join((*inside, PACKAGE_FILE))}" in files
        if not is_class and f"{'/'.join(inside)}.mo" not in files:
            continue  # a component of a class that is not generated any more
        groups.setdefault("" if is_class else ".".join(inside), []).append((old, new))
        for at in range(len(around) if is_class else 0):
            _add_package(there, folder.joinpath(*around[: at + 1]), [*split_name(package), *around[: at + 1]])
    libraries = Libraries([Path(NOWHERE, root)], files=there)
    refused = {each for group in groups.values() if not _follow(libraries, package, group) for each in group}
    done = tuple(each for each in names if each not in refused)
    added = {path.relative_to(folder).as_posix(): data for path, data in there.items() if path.is_relative_to(folder)}
    found, _ = _written(libraries, folder, {**files, **added})
    return Followed(found, dict(_new_paths(files, found, dict(done))), done)


def _add_package(files: dict[Path, bytes], folder: Path, names: Sequence[str]) -> None:
    """Add a package that is not generated."""
    document = Document("")
    document.set_within(".".join(names[:-1]) or None)
    document.add_class(names[-1], "package")
    files.setdefault(folder / PACKAGE_FILE, document.text.encode())


def _follow(libraries: Libraries, package: str, names: Sequence[ChangedName]) -> bool:
    """Give all of these their new names; False if one of them can't have it, and then none has."""
    places = {old: old for old, _ in names}  # where things are meanwhile
    try:
        with libraries.transaction():
            for number, (old, new) in enumerate(names):
                if new in {other for other, _ in names[number + 1 :]}:  # it has to make room
                    places[new] = _moved(libraries, package, new, _beside(new, f"following_{number}"))
                places[old] = _moved(libraries, package, places[old], new)
    except ModelicaError:
        return False
    return True


def _moved(libraries: Libraries, package: str, old: str, new: str) -> str:
    """Give something its new name and place; where it is then."""
    (*around, name), (*target, last) = split_name(old), split_name(new)
    try:
        if name != last:
            rename(libraries, f"{package}.{old}", last)
        if around != target:
            move_class(libraries, ".".join([package, *around, last]), ".".join([package, *target]))
    except NotFoundError:
        return old  # it is not generated any more
    return new


def _new_paths(
    before: Mapping[str, bytes], now: Mapping[str, bytes], names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Generated files with their new paths; drawings follow their classes, and are known by what is in them."""
    for path, data in before.items():
        new = names.get(".".join(class_chain(path))) if path.endswith(".mo") else None
        if new is not None:
            place = "/".join(split_name(new))
            yield path, f"{place}/{PACKAGE_FILE}" if path.endswith(PACKAGE_FILE) else f"{place}.mo"
        elif path not in now:
            yield from ((path, other) for other, found in now.items() if other not in before and found == data)


# ---------------------------------------------------------------- usage

_Stretch = tuple[str, tuple[int, int], tuple[int, int]]  # a file, and the (line, column) where a class begins and ends


@define(slots=False)
class Around:
    """The library around a package, with the files of the package as they are given."""

    user: UserPackage
    outside: Outside = field(factory=dict)

    @cached_property
    def libraries(self) -> Libraries:
        """All of it, in memory."""
        folder = self.user.folder.resolve()
        files: dict[Path, bytes | None] = {path: new for path, (_, new) in self.outside.items()}
        files |= {folder / path: data for path, data in self.user.files.items()}
        root = self.user.root_folder.resolve()
        try:
            return Libraries([root], files=files)
        except (ModelicaError, OSError) as wrong:
            raise UnreadableError(f"the library in {root} can't be read: {wrong}") from None

    def uses(self, names: Iterable[str], skipped: Collection[str] = ()) -> Iterator[tuple[str, str, str]]:
        """(name, where, what is there) for each use of names of the package that is not in files that are `skipped`."""
        for name in names:
            for found in self.references(name):
                if not self.is_in(found, skipped):
                    yield name, self.shown(found), found.around

    def is_in(self, found: Reference, paths: Iterable[str]) -> bool:
        """Is a use in one of some files of the package, or in the class of one that was folded into another file?"""
        folder, place = self.user.folder.resolve(), (found.line, found.column)
        for path in paths:
            if path in self.user.files:
                if found.file == folder / path:
                    return True
            elif (stretch := self._stretch(path)) is not None:
                file, start, end = stretch
                if found.file == folder / file and start <= place < end:
                    return True
        return False

    def _stretch(self, path: str) -> _Stretch | None:
        if path not in self._stretches:
            place = file_of_class(self.user, path)
            found: _Stretch | None = None
            name = () if place is None else name_inside(self.user, path, place)
            inside = None if place is None else class_inside(Document(self.user.text(place)), name)
            if place is not None and inside is not None:
                span = inside.view.span
                found = (place, (span.start.line, span.start.column), (span.end.line, span.end.column))
            self._stretches[path] = found
        return self._stretches[path]

    @cached_property
    def _stretches(self) -> dict[str, _Stretch | None]:
        return {}

    def references(self, name: str) -> list[Reference]:
        """The uses of a name of the package; none if there is nothing of that name."""
        libraries = self.libraries
        try:
            return references(libraries, f"{self.user.full_name}.{name}")
        except NotFoundError:
            return []
        except ModelicaError as wrong:
            raise UnreadableError(f"the library around the package can't be read: {wrong}") from None

    def shown(self, found: Reference, line: int | None = None) -> str:
        """Where a use is; `line` is the one that it has without what was added to its file."""
        folder = self.user.folder.resolve()
        inside = found.file.is_relative_to(folder)
        file = found.file.relative_to(folder).as_posix() if inside else str(found.file)
        return f"{file}:{found.line if line is None else line}"


def is_generated(around: str, generated: Iterable[str]) -> bool:
    """Is what is around a use, which may be cut off, in a generated text as well?"""
    wanted = " ".join(around.strip("… ").split())
    return any(wanted in " ".join(text.split()) for text in generated)


def overlaid(files: Mapping[str, bytes], new: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """Files with others in their places; None is one that goes."""
    return {path: data for path, data in {**files, **new}.items() if data is not None}
