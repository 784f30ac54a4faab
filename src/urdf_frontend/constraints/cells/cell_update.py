"""`update_cell`: the library of a cell follows its description, and what its user wrote stays."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from attrs import evolve, frozen

from modelica_ast.edit import ClassHandle, Document
from modelica_ast.foundation import ModelicaError, NotFoundError
from modelica_ast.generate import (
    Decisions,
    FileUpdate,
    Generated,
    Memory,
    Part,
    Plan,
    RememberedConflict,
    Report as UpdateReport,
    SideCar,
    UnreadableError,
    Update,
    UpdateConflict,
    UserPackage,
    Versions,
    class_chain,
    digest,
    overlaid,
    read_side_car,
    read_user_package,
    save_updates,
    shown_path,
    versions_of,
    work_out,
)
from modelica_ast.library import Libraries
from urdf_frontend.constraints.cells.cell_model import ORDER, PACKAGE, CellPart, cell_files, cell_part
from urdf_frontend.constraints.cells.description import Cell, CellRobot
from urdf_frontend.constraints.networks import ConstraintError, Report, shipped_libraries
from urdf_frontend.constraints.objects import COLLECTOR_CLASSES, OBJECT_CLASSES
from urdf_frontend.constraints.synchronisation import sync
from urdf_frontend.package import generator
from urdf_frontend.urdf import Packages

# ---------------------------------------------------------------- numbers kept
# IDs and counts are not edits of the user: in a merge, all versions have those that the user's file has.

_NUMBERS: Final = ("id", "n", "m")


def with_user_numbers(versions: Versions, path: str) -> Versions:
    """Versions in which each generated object has the numbers that it has in the user's model.

    `path` is the generated file of the model; the user's and what was generated before are there.
    """
    ours = model_in(versions, versions.ours, path)
    key = versions.hosts.get(path, path)

    def numbered(texts: Mapping[str, str]) -> dict[str, str]:
        document = Document(texts[key])
        with document.transaction():
            _set_numbers(document.find_class(_name_in(document, versions, path)), ours)
        return {**texts, key: document.text}

    return evolve(versions, base=numbered(versions.base), theirs=numbered(versions.theirs))


def model_in(versions: Versions, texts: Mapping[str, str], path: str) -> ClassHandle:
    """The class of a generated file: in a file of its own, under whatever name, or in that of the package."""
    document = Document(texts[versions.hosts.get(path, path)])
    return document.find_class(_name_in(document, versions, path))


def _name_in(document: Document, versions: Versions, path: str) -> str:
    if not document.classes:
        raise NotFoundError("there is no class in it")
    top = document.classes[0].name
    return f"{top}.{path.removesuffix('.mo')}" if path in versions.hosts else top


def _set_numbers(model: ClassHandle, ours: ClassHandle) -> None:
    for component in model.components:
        there = ours.get_component(component.name)
        if there is None or component.type not in {*OBJECT_CLASSES, *COLLECTOR_CLASSES}:
            continue
        for name in _NUMBERS:
            value = there.get(name)
            if value is not None:
                component.set(name, value)


# ---------------------------------------------------------------- update

_FOLDER: Final = "Resources/constraints"
_WORD: Final = "description"  # what the data of a cell are called
_SIDE: Final = "cell"  # in options and in JSON
Prefer = Literal["user", "cell"]


@frozen
class CellUpdate:
    """An update of a cell that was worked out and not written yet. `robots` are the updates of robots, by packages."""

    folder: Path
    files: tuple[FileUpdate, ...]
    conflicts: tuple[UpdateConflict, ...]  # in the cell's own files; the user's version stayed unless told otherwise
    robots: Mapping[str, UpdateReport]
    report: Report  # of the sync
    attention: tuple[str, ...]  # what only the user can put right, in the cell and in its robots
    notes: tuple[str, ...]

    @property
    def needs_user(self) -> bool:
        """Is there something that only the user can decide?"""
        undecided = any(each.decided is None for each in self.conflicts)
        return undecided or bool(self.attention) or any(report.undecided for report in self.robots.values())

    def save(self) -> None:
        """Write all files, or none; UnreadableError if one has changed since it was read."""
        folder = self.folder
        while not folder.is_dir():
            folder = folder.parent
        save_updates(folder, self.files)


def update_cell(
    cell: Cell,
    into: str | os.PathLike[str],
    *,
    prefer: Prefer | None = None,
    ros_packages: Sequence[str] = (),
    allow_outside: bool = False,
) -> CellUpdate:
    """Work out the library of a cell in a folder, new or as it already exists; nothing is written.

    `ros_packages` are ROS packages, or folders of them, for the meshes of robots; `allow_outside` takes meshes from
    anywhere.
    CellError, UrdfError, BuildError and UpdateError say what is wrong with the description, a robot, or what is there.
    """
    folders = tuple(ros_packages)
    return _Updating(
        cell,
        Path(into).absolute() / cell.library,
        prefer,
        lambda urdf: Packages(folders, near=urdf, allow_outside=allow_outside),
    ).update()


_PackagesNear = Callable[[Path], Packages]  # what finds the files that a robot names, by its URDF file


class _Updating:
    """One update, step after step."""

    def __init__(self, cell: Cell, folder: Path, prefer: Prefer | None, packages_near: _PackagesNear) -> None:
        self.cell = cell
        self.folder = folder
        self.prefer = prefer
        self.packages_near = packages_near
        self.model = f"{cell.model}.mo"
        self.side_car_path = f"{_FOLDER}/{cell.model}.json"
        self.older_path = f"{_FOLDER}/{cell.model}.base"
        self.disk = read_user_package(folder, new=cell.library)
        if self.disk.full_name != cell.library:
            raise ConstraintError(f"{folder / PACKAGE} is not the package '{cell.library}'")

    def update(self) -> CellUpdate:
        packages = self._packages()
        for robot in self.cell.robots:
            self._refuse_unknown(robot, packages[robot.package])
        plan = self._plan(packages)
        update = work_out(plan, Decisions(prefer=self.prefer))
        files, report = self._synced(plan, update)
        told = update.report
        return CellUpdate(
            self.folder,
            files,
            told.conflicts,
            {name: package.report for name, package in packages.items() if package.report is not None},
            report,
            (*told.attention, *_of_robots(packages, lambda package: package.attention)),
            (*map(_still_open, told.open), *told.kept, *_of_robots(packages, lambda package: package.notes)),
        )

    # ------------------------------------------------------------ robots

    def _packages(self) -> dict[str, CellPart]:
        prefer = "urdf" if self.prefer == _SIDE else self.prefer
        found: dict[str, CellPart] = {}
        for robot in self.cell.robots:
            if robot.package not in found:
                packages = self.packages_near(robot.urdf)
                found[robot.package] = cell_part(robot, self.cell.library, self.folder, prefer, packages)
        return found

    def _refuse_unknown(self, robot: CellRobot, package: CellPart) -> None:
        for grip in robot.grips:
            if grip.link not in package.frames:
                known = ", ".join(f"'{link}'" for link in package.frames)
                raise grip.given.error(
                    f"'{grip.link}' is not a link at an end of {robot.urdf.name}; such links are {known}. "
                    "A link in between gets a frame by a link without mass that is fixed to it in the URDF file"
                )
        for joint in robot.motion:
            if joint not in package.drives:
                known = ", ".join(f"'{name}'" for name in package.drives) or "none"
                raise robot.given.error(
                    f"'{joint}' is not a joint of {robot.urdf.name} that can be driven; those are {known}"
                )

    # ------------------------------------------------------------ what was generated, and what is

    def _plan(self, packages: Mapping[str, CellPart]) -> Plan:
        """The library with the packages of robots as they will be, and the cell's own files to be merged."""
        robots = {path: data for package in packages.values() for path, data in package.files.items()}
        user = evolve(self.disk, files=overlaid(self.disk.files, robots))
        last = self._last()
        # The packages of robots that are gone from the description stay.
        stayed = [name for name in last.texts.get(ORDER, "").split() if f"{name}/{PACKAGE}" in user.files]
        texts = cell_files(self.cell, packages, stayed)
        # The side-car may be a stranger's: what a cell is never made of was not generated.
        known = {**_adopted(texts, user), **{path: text for path, text in last.texts.items() if path in texts}}
        side_car = evolve(last, texts=known, files=_digests(known))
        generated = Generated(_encoded(texts))
        versions = versions_of(side_car, user, lambda: _encoded(known), generated)
        versions, gone = self._prepared(versions)
        return Plan(
            user=user,
            disk=self.disk,
            side_car=side_car,
            versions=versions,
            generated=generated,
            places=lambda _file, _path: None,
            remember=lambda memory: self._remembered(texts, memory),
            word=_WORD,
            side=_SIDE,
            models=(self.model,),
            gone=gone,
        )

    def _last(self) -> SideCar:
        """What was generated last; of a library that is new, nothing."""
        files = self.disk.files
        if self.side_car_path in files:
            last = read_side_car(self.disk.text(self.side_car_path), str(self.folder / self.side_car_path))
        else:
            # Before there was a side-car, the text of the model was kept, and nothing else.
            older = {self.model: self._older_text()} if self.older_path in files else {}
            last = self._side_car(older)
        is_inside = PACKAGE in files and f"{self.cell.library}.{self.cell.model}" in self.disk.classes_in(PACKAGE)
        place = self.model if self.model in files else PACKAGE if is_inside else None
        if place is not None and self.model not in last.texts:
            raise ConstraintError(
                f"{self.folder / place}: the class '{self.cell.model}' already exists, and not made from a "
                f"description: {self.folder / self.side_car_path} is missing. Choose another 'model', or "
                "remove that class"
            )
        return last

    def _older_text(self) -> str:
        """The text of the model as it was made, which had no digest: it may be anything."""
        place = self.folder / self.older_path
        try:
            text = self.disk.text(self.older_path)
            found = [each.name for each in Document(text).classes]
        except ModelicaError as wrong:
            raise UnreadableError(f"{place} can't be read: {wrong}") from None
        if found != [self.cell.model]:
            raise UnreadableError(
                f"{place} is not the text of the model '{self.cell.model}' as it was made: "
                "bring back the file that was there"
            )
        return text

    def _side_car(self, texts: Mapping[str, str], memory: Memory | None = None) -> SideCar:
        return SideCar(
            generator=generator(),
            package=self.cell.library,
            sources={},
            options={},
            files=_digests(texts),
            texts=texts,
            before={} if memory is None else memory.before,
            conflicts=() if memory is None else memory.conflicts,
            kept=() if memory is None else memory.kept,
        )

    def _remembered(self, texts: Mapping[str, str], memory: Memory) -> dict[str, bytes | None]:
        return {self.older_path: None, self.side_car_path: self._side_car(texts, memory).text.encode()}

    def _prepared(self, versions: Versions) -> tuple[Versions, tuple[Part, ...]]:
        """The versions with the user's numbers, and the components that are gone from the description.

        Without its package and its model there is no cell: if they were removed, they are made again.
        """
        removed = [path for path in (PACKAGE, self.model) if versions.hosts.get(path, path) not in versions.ours]
        base = {path: text for path, text in versions.base.items() if path not in removed}
        if self.model in removed:
            base |= {path: text.replace(f"{self.cell.model}\n", "", 1) for path, text in base.items() if path == ORDER}
            return evolve(versions, base=base), ()
        try:
            versions = with_user_numbers(evolve(versions, base=base), self.model)
            before, now = (model_in(versions, each, self.model) for each in (versions.base, versions.theirs))
        except ModelicaError as wrong:
            raise UnreadableError(f"{self.folder / versions.place(self.model)} can't be read: {wrong}") from None
        names = {component.name for component in now.components}
        gone = [component.name for component in before.components if component.name not in names]
        return versions, tuple(Part("component", name, (), name) for name in gone)

    # ------------------------------------------------------------ numbers

    def _synced(self, plan: Plan, update: Update) -> tuple[tuple[FileUpdate, ...], Report]:
        """All files, the model with IDs that were found in the whole library as it will be."""
        files = {file.path: file for file in update.files}
        place = plan.versions.place(self.model)
        chain = class_chain(self.model if self.model in plan.versions.hosts else place)
        name = ".".join((self.cell.library, *chain))
        future = {path: file.new for path, file in files.items()}
        libraries = Libraries([self.folder], read_only=shipped_libraries(), files=future)
        try:
            report = sync(libraries, name)
        except NotFoundError as wrong:  # the user has taken the class out of its file
            raise UnreadableError(f"{self.folder / place}: {wrong}") from None
        old = self.disk.files.get(place)
        new = self.disk.encoded(place, libraries.find_class(name).document.text)
        files[self.folder / place] = FileUpdate(self.folder / place, old, new)
        return tuple(file for _, file in sorted(files.items()) if file.old != file.new), report


def _of_robots(packages: Mapping[str, CellPart], lines: Callable[[CellPart], tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(f"{name}: {line}" for name, package in packages.items() for line in lines(package))


def _still_open(conflict: RememberedConflict) -> str:
    values = f"yours is {conflict.user or 'nothing'}, the description has {conflict.data or 'nothing'}"
    return f"open since an earlier update: {conflict.file}: {shown_path(conflict.path)}: {values}"


def _adopted(texts: Mapping[str, str], user: UserPackage) -> dict[str, str]:
    """The base of files that are there, and of which it is not known what was generated: all in them is the user's."""
    found = {path: text for path, text in texts.items() if path in user.files}
    if ORDER in found:
        there = user.text(ORDER).split()
        found[ORDER] = "".join(f"{name}\n" for name in texts[ORDER].split() if name in there)
    return found


def _encoded(texts: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in texts.items()}


def _digests(texts: Mapping[str, str]) -> dict[str, str]:
    return {path: digest(path, text.encode()) for path, text in texts.items()}
