"""`update_cell`: the library of a cell follows its description, and what its user wrote stays."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from attrs import frozen

from modelica_ast import ModelicaError
from modelica_ast.edit import Document
from modelica_ast.files import files_below, read_regular
from modelica_ast.library import Libraries
from modelica_ast.merge import Conflict, MergeError, merge
from urdf_frontend.constraints.cells.cell_model import cell_model, template
from urdf_frontend.constraints.cells.description import Cell, CellRobot
from urdf_frontend.constraints.cells.numbers_kept import with_numbers_of
from urdf_frontend.constraints.cells.robots import CellPart, RobotUpdate, robot_update
from urdf_frontend.constraints.errors import ConstraintError
from urdf_frontend.constraints.opening import shipped_libraries
from urdf_frontend.constraints.report import Report
from urdf_frontend.constraints.syncing import sync
from urdf_frontend.meshes import Packages
from urdf_frontend.package.memory import FOLDER as MEMORY
from urdf_frontend.update import FileUpdate, UnreadableError
from urdf_frontend.update.conflicts import Side
from urdf_frontend.update.report import Report as RobotReport
from urdf_frontend.update.updating import save_updates
from urdf_frontend.update.user_package import refuse_linked_folders

_BLOCKS: Final = ("Schedule", "Waypoints")
_ORDER: Final = "package.order"
Prefer = Literal["user", "cell"]


@frozen
class CellUpdate:
    """An update of a cell that was worked out and not written yet. `robots` are the updates of robots, by packages."""

    folder: Path
    files: tuple[FileUpdate, ...]
    conflicts: tuple[Conflict, ...]  # in the model of the cell; the user's version stayed unless told otherwise
    robots: Mapping[str, RobotReport]
    report: Report  # of the sync
    notes: tuple[str, ...]

    def save(self) -> None:
        """Write all files, or none; UnreadableError if one has changed since it was read."""
        folder = self.folder.absolute()
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
    """Work out the library of a cell in a folder, new or as it is there already; nothing is written.

    `ros_packages` are ROS packages, or folders of them, for the meshes of robots; `allow_outside` takes meshes from
    anywhere.
    CellError, UrdfError, BuildError and UpdateError say what is wrong with the description, a robot, or what is there.
    """
    folders = tuple(ros_packages)
    return _Making(
        cell,
        Path(into).absolute() / cell.library,
        prefer,
        lambda urdf: Packages(folders, near=urdf, allow_outside=allow_outside),
    ).update()


_PackagesNear = Callable[[Path], Packages]  # what finds the files that a robot names, by its URDF file


class _Making:
    def __init__(self, cell: Cell, folder: Path, prefer: Prefer | None, packages_near: _PackagesNear) -> None:
        self._cell = cell
        self._folder = folder
        self._prefer = prefer
        self._packages_near = packages_near
        self._notes: list[str] = []
        self._base_path = folder / "Resources" / "constraints" / f"{cell.model}.base"

    def update(self) -> CellUpdate:
        refuse_linked_folders(self._folder)
        robots = self._robots()
        files = {file.path: file for robot in robots.values() for file in robot.files}
        for path, data in self._surroundings(list(robots)).items():
            files[path] = FileUpdate(path, self._there(path), data)
        model = self._folder / f"{self._cell.model}.mo"
        with tempfile.TemporaryDirectory() as place:
            copy = Path(place) / self._cell.library
            self._write_future(files, copy)
            parts = {name: robot.part(copy / name) for name, robot in robots.items()}
            for robot in self._cell.robots:
                self._refuse_unknown(robot, parts[robot.package])
            theirs = cell_model(self._cell, {robot.name: parts[robot.package] for robot in self._cell.robots}).text
            merged, conflicts = self._merged(theirs)
            synced, report = self._synced(copy, model.name, merged)
        for path, text in ((model, synced), (self._base_path, theirs)):
            files[path] = FileUpdate(path, self._there(path), text.encode())
        return CellUpdate(
            self._folder,
            tuple(file for _, file in sorted(files.items()) if file.old != file.new),
            conflicts,
            {name: robot.report for name, robot in robots.items() if robot.report is not None},
            report,
            tuple(self._notes),
        )

    # ------------------------------------------------------------ robots

    def _robots(self) -> dict[str, RobotUpdate]:
        """What becomes of the packages of robots, by their names."""
        prefer: Side | None = "urdf" if self._prefer == "cell" else self._prefer
        found: dict[str, RobotUpdate] = {}
        for robot in self._cell.robots:
            if robot.package not in found:
                packages = self._packages_near(robot.urdf)
                worked_out = robot_update(robot, self._cell.library, self._folder, prefer, packages)
                self._notes += [f"{robot.package}: {note}" for note in worked_out.notes]
                found[robot.package] = worked_out
        return found

    def _refuse_unknown(self, robot: CellRobot, part: CellPart) -> None:
        for grip in robot.grips:
            if grip.link not in part.frames:
                known = ", ".join(f"'{link}'" for link in part.frames)
                raise grip.given.error(
                    f"'{grip.link}' is no link at an end of {robot.urdf.name}; such links are {known}. "
                    "A link in between gets a frame by a link without mass that is fixed to it in the URDF file"
                )
        for joint in robot.motion:
            if joint not in part.drives:
                known = ", ".join(f"'{name}'" for name in part.drives) or "none"
                raise robot.given.error(
                    f"'{joint}' is no joint of {robot.urdf.name} that can be driven; those are {known}"
                )

    # ------------------------------------------------------------ the model

    def _merged(self, theirs: str) -> tuple[str, tuple[Conflict, ...]]:
        """The user's model with what the description changed since the last time."""
        path = self._folder / f"{self._cell.model}.mo"
        ours, base = self._there(path), self._there(self._base_path)
        if ours is None:
            return theirs, ()
        if base is None:
            raise ConstraintError(
                f"{path} is there already, and not made from a description: {self._base_path} is missing. "
                "Choose another 'model', or take the file away"
            )
        wins: Literal["ours", "theirs"] = "theirs" if self._prefer == "cell" else "ours"
        model = self._cell.model
        try:
            handle = Document(ours.decode()).find_class(model)
            versions = [with_numbers_of(text, model, handle) for text in (base.decode(), theirs)]
            result = merge(versions[0], ours.decode(), versions[1], prefer=wins)
        except (ModelicaError, MergeError, UnicodeDecodeError) as wrong:
            raise UnreadableError(f"{path} can't be read: {wrong}") from None
        return result.text, result.conflicts

    def _synced(self, copy: Path, model: str, text: str) -> tuple[str, Report]:
        """The model with IDs, found in a copy of the whole library as it will be."""
        (copy / model).write_bytes(text.encode())
        libraries = Libraries([copy], read_only=shipped_libraries())
        report = sync(libraries, f"{self._cell.library}.{self._cell.model}")
        return libraries.document_at(copy / model).text, report

    def _write_future(self, files: Mapping[Path, FileUpdate], copy: Path) -> None:
        for path, data in self._future(files):
            target = copy / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)

    def _future(self, files: Mapping[Path, FileUpdate]) -> Iterator[tuple[Path, bytes]]:
        """The Modelica files of the library as they will be, and what its robots remember, by their paths in it."""
        there = set(files_below(self._folder))
        for path in sorted({*there, *files}):
            is_wanted = path.suffix in (".mo", ".order") or path.parent.as_posix().endswith(f"/{MEMORY}")
            if is_wanted and path.is_relative_to(self._folder):
                file = files.get(path)
                data = read_regular(path) if file is None else file.new
                if data is not None:
                    yield path.relative_to(self._folder), data

    # ------------------------------------------------------------ around it

    def _surroundings(self, packages: list[str]) -> dict[Path, bytes]:
        """The package around, its order, and the blocks of signals; what is there stays as its user has it."""
        found: dict[Path, bytes] = {}
        package = self._folder / "package.mo"
        if self._there(package) is None:
            document = template("package")
            document.find_class("Cell").rename(self._cell.library)
            found[package] = document.text.encode()
        else:
            self._refuse_other_package(package)
        for name in _BLOCKS:
            path = self._folder / f"{name}.mo"
            if self._there(path) is None:
                block = template(name)
                block.set_within(self._cell.library)
                found[path] = block.text.encode()
        found[self._folder / _ORDER] = self._order([self._cell.model, *packages, *_BLOCKS])
        return found

    def _refuse_other_package(self, path: Path) -> None:
        try:
            names = [each.name for each in Document.open(path).classes]
        except ModelicaError as wrong:
            raise UnreadableError(f"{path} can't be read: {wrong}") from None
        if names != [self._cell.library]:
            raise ConstraintError(f"{path} is not the package '{self._cell.library}'")

    def _order(self, names: list[str]) -> bytes:
        old = self._there(self._folder / _ORDER) or b""
        lines = old.decode("utf-8", "replace").split()
        new = [name for name in names if name not in lines]
        if not new:
            return old
        before = old if not old or old.endswith(b"\n") else old + b"\n"
        return before + b"".join(name.encode() + b"\n" for name in new)

    @staticmethod
    def _there(path: Path) -> bytes | None:
        try:
            return read_regular(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
