"""The package of a robot: what it is called, what it was built with, and where everything of the robot is in it now."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from attrs import frozen

import modelica_ast
from modelica_ast.files import Files
from modelica_ast.foundation import ModelicaError, NotFoundError, Source
from modelica_ast.generate import NoBaseError, UserPackage, read_package_files
from modelica_ast.tree import parse_file
from urdf_frontend.package.builder.options import MODULAR, STYLE, TEMPLATES, BuildOptions, Visualisation, allowed_of
from urdf_frontend.package.memory import PackageError, PackageMemory, UnreadablePackageError, read_memory
from urdf_frontend.robot import NameStyle, NameTable, last_name
from urdf_frontend.urdf import reason_of

# PERF: an update that has nothing to do waits for nothing that looks at classes, which is imported where it is used.

if TYPE_CHECKING:
    from modelica_ast.generate import ChangedName
    from modelica_ast.library import Libraries, LibraryClass
    from modelica_ast.semantics import ComponentInstance, Instance
    from urdf_frontend.package.parts import Kind, Part, Parts

_PACKAGE_FILE: Final = "package.mo"
_PACKAGE: Final = "package"  # a kind of class
_STANDARD_LIBRARY: Final = "Modelica"
_BASE_ROBOTS: Final = ("PartialRobot", "BaseRobot")
_RUN: Final = "Run"  # after the robot's name
_TEST: Final = "Test"
_DEEPEST: Final = 3  # levels of components in which a robot is looked for
_LISTED: Final = 5
_OWN_CONNECTOR: Final = re.compile(r"\w+(\[.*\])?")


@frozen
class Model:
    """A model of the package with the robot in it. One that inherits the robot is a test of the one that has it."""

    name: str
    robot: str  # the component that is the robot
    is_test: bool


@frozen
class Flange:
    """The connectors of the robot for a drive of a joint."""

    axis: str
    support: str


class RobotPackage:
    """A package that was built from a URDF file, however its user has changed it since.

    Opening it reads one file. What it remembers, its other files, and the model of the robot are looked at when
    somebody asks for them.
    """

    def __init__(
        self,
        folder: Path,
        full_name: str,
        libraries: Iterable[Path] = (),
        files: Files | None = None,
        base: PackageMemory | None = None,
    ) -> None:
        self.folder = folder
        self.full_name = full_name
        self._named = list(libraries)
        self._files = files
        self._base = base

    def __repr__(self) -> str:
        return f"<RobotPackage {self.full_name} in {self.folder}>"

    @classmethod
    def open(
        cls, folder: str | os.PathLike[str], *, libraries: Iterable[Path] = (), files: Files | None = None
    ) -> Self:
        """The package in a folder; PackageError says what it lacks.

        `libraries` are libraries, or folders of them, that go before all others that the package may use. `files` are
        in memory, and take precedence over those on the disk.
        """
        place = Path(folder).absolute()
        path = place / _PACKAGE_FILE
        try:
            data = None if files is None else files.get(path)
            document = parse_file(path) if data is None else modelica_ast.parse(Source.from_bytes(data).text)
        except ModelicaError as wrong:
            raise UnreadablePackageError(f"{path} can't be read: {wrong}") from None
        except (OSError, UnicodeDecodeError) as wrong:
            raise UnreadablePackageError(f"{path} can't be read: {reason_of(wrong)}") from None
        if len(document.classes) != 1:
            raise PackageError(f"{path} must define exactly one class, the package; it has {len(document.classes)}")
        name = document.classes[0].name
        full_name = f"{document.within}.{name}" if document.within else name
        return cls(place, full_name, libraries, files)

    def with_files(self, user: UserPackage, base: PackageMemory) -> RobotPackage:
        """The package as it would be with these files, and with another base."""
        gone = {self.folder / path: None for path in self.user.files.keys() - user.files.keys()}
        files = {**gone, **{self.folder / path: data for path, data in user.files.items()}}
        found = RobotPackage(self.folder, self.full_name, self._named, files, base)
        found.user = user
        return found

    @cached_property
    def user(self) -> UserPackage:
        """All files in its folder on the disk; UnreadableError if one can't be read."""
        return UserPackage(self.folder, self.full_name, read_package_files(self.folder))

    # ------------------------------------------------------------ what it was built with

    @cached_property
    def base(self) -> PackageMemory:
        """What it was built with, for updates; NoBaseError if that is lost or damaged."""
        return self._base or read_memory(self.folder, self._files)

    @cached_property
    def memory(self) -> PackageMemory:
        """The same for all others; PackageError if it is lost or damaged, or that of a robot of modules."""
        try:
            if self.base.options.get(STYLE) == MODULAR:
                raise PackageError(
                    f"{self.folder} was put together from modules, and what is asked for needs a package of links and "
                    "joints: make one with modelica-patch urdf assemble --style flat"
                )
            self.base.table  # noqa: B018  (or else it is damaged)
        except NoBaseError as wrong:
            raise PackageError(f"{wrong}. The package must be one that `modelica-patch urdf build` made") from None
        return self.base

    @cached_property
    def options(self) -> BuildOptions:
        """The options of the build that a later step may need."""
        known = self.memory.options
        try:
            return BuildOptions(
                stationary=known.get("stationary", "true") == "true",
                collisions=known.get("collisions", "true") == "true",
                visualisation=Visualisation(known.get("visualisation", Visualisation.MSL.value)),
                name_style=NameStyle(known.get("names", NameStyle.AS_IS.value)),
                allowed=allowed_of(known),
            )
        except ValueError as wrong:
            raise PackageError(f"{self.folder}: an option of its build is not known: {wrong}") from None

    @cached_property
    def copies(self) -> Mapping[str, Path]:
        """The files of meshes and textures that its build has copied, by their names in the URDF file."""
        from urdf_frontend.package.builder.resources import place_of_copy  # noqa: PLC0415

        side_car = self.memory.side_car
        found: dict[str, Path] = {}
        for name, place in side_car.resources.items():
            path = place_of_copy(place, side_car.package)
            if path is not None:
                file = self.folder / path
                # A side-car may call any file a copy, and so may a link in the folder of copies.
                if file.is_file() and file.resolve().is_relative_to(self.folder.resolve()):
                    found[name] = file
        return found

    # ------------------------------------------------------------ the library

    @cached_property
    def library_folder(self) -> Path:
        """The folder of the library that the package is in; its own if it is a library."""
        folder = self.folder
        while self._is_package(folder.parent):
            folder = folder.parent
        return folder

    def _is_package(self, folder: Path) -> bool:
        from modelica_ast.library import library_around  # noqa: PLC0415

        in_memory = None if self._files is None else self._files.get(folder / _PACKAGE_FILE)
        return in_memory is not None or library_around(folder) is not None

    @cached_property
    def libraries(self) -> Libraries:
        """The library that the package is in, the templates, and the Standard Library if it is there."""
        from modelica_ast.library import LibraryError, Shelf  # noqa: PLC0415

        try:
            shelf = Shelf([*self._named, TEMPLATES], around=[self.library_folder], files=self._files)
            return shelf.open([self.library_folder], names=[_STANDARD_LIBRARY, self.memory.templates])
        except LibraryError as wrong:
            raise UnreadablePackageError(f"{self.full_name}: {wrong}") from None

    def look_up(self, class_name: str) -> Instance:
        """A class with all its components; PackageError if there is none of that name."""
        from modelica_ast.library import instance  # noqa: PLC0415

        with self._explained():
            return instance(self.libraries, class_name)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except PackageError:
            raise
        except ModelicaError as wrong:
            raise PackageError(f"{self.full_name}: {wrong}") from None

    # ------------------------------------------------------------ the robot

    @cached_property
    def robot(self) -> Instance:
        """The model of the robot: the class that was built, or the one that it has become."""
        from modelica_ast.library import instance  # noqa: PLC0415

        with self._explained():
            try:
                return instance(self.libraries, f"{self.full_name}.{self.memory.table.robot}")
            except NotFoundError:
                return self._renamed_robot()

    @property
    def robot_class(self) -> str:
        """The full name of the robot's model."""
        return self.robot.name

    def _renamed_robot(self) -> Instance:
        """The class that declares most of the links, of those that extend the base of robots or else of all."""
        models = [each for each in self._classes_inside() if each.kind != _PACKAGE]
        robots = [each for each in models if any(last_name(base) in _BASE_ROBOTS for base in each.extends)]
        for candidates in (robots, models):
            links = {each.full_name: self._links_in(each.full_name) for each in candidates}
            most = max(links.values(), default=0)
            found = [name for name, number in links.items() if most and number == most]
            if len(found) > 1:
                listed = ", ".join(found[:_LISTED])
                raise PackageError(f"several classes of {self.full_name} could be the model of the robot: {listed}")
            if found:
                return self.look_up(found[0])
        raise PackageError(f"{self.full_name} has no class '{self.memory.table.robot}', the model of the robot")

    def _classes_inside(self) -> Iterator[LibraryClass]:
        todo = [self.libraries.find_class(self.full_name)]
        while todo:
            inside = _classes_of(todo.pop(0))
            yield from inside
            todo += [each for each in inside if each.kind == _PACKAGE]

    def _links_in(self, class_name: str) -> int:
        """How many links a class itself declares."""
        from urdf_frontend.package.parts import Parts  # noqa: PLC0415

        parts = Parts("link", self.look_up(class_name), self.full_name, self.memory)
        return sum(part.component.declared_in == class_name for part in parts)

    @cached_property
    def _parts(self) -> Mapping[Kind, Parts]:
        from urdf_frontend.package.parts import Parts  # noqa: PLC0415

        kinds: tuple[Kind, Kind] = ("link", "joint")
        return {kind: Parts(kind, self.robot, self.full_name, self.memory) for kind in kinds}

    def get_part(self, kind: Kind, urdf: str) -> Part | None:
        """The link or joint of a name in the URDF file; PackageError if several components could be it."""
        return self._parts[kind].get(urdf)

    def parts(self, kind: Kind) -> Iterator[Part]:
        """The links, or the joints, that the package was built with and that are still there."""
        return iter(self._parts[kind])

    def get_value(self, kind: Kind, urdf: str, path: str) -> ComponentInstance | None:
        """A value of a link or joint by its path in the record, `inertial.mass`; None if it is not there."""
        part = self.get_part(kind, urdf)
        values = None if part is None else part.values
        return None if values is None else values.get(path)

    @cached_property
    def names(self) -> NameTable:
        """What the robot, its links and its joints are called now, and what is inside of them.

        What is not there any more is not in it.
        """
        links, joints = ({part.urdf: part.named for part in self._parts[kind]} for kind in ("link", "joint"))
        return NameTable(last_name(self.robot_class), links, joints)

    @cached_property
    def changed_names(self) -> tuple[ChangedName, ...]:
        """What its user calls otherwise than it was built: (name as built, name now), in the package."""
        from urdf_frontend.package.parts import Present, changed_names, is_as_built  # noqa: PLC0415

        try:
            if is_as_built(self.base, self.user):
                return ()
            parts = (*self.parts("link"), *self.parts("joint"))
            return changed_names(self.base, Present(self.full_name, self.robot, parts, self.has_class))
        except ModelicaError:  # what is not found, or can't be read, is the user's edit: an update says what it finds
            return ()

    @property
    def new_names(self) -> set[str]:
        """The last names of what is called otherwise."""
        return {last_name(new) for _, new in self.changed_names}

    @cached_property
    def components(self) -> Mapping[str, str]:
        """The components that the model of the robot declares, with their types as they are written."""
        built = self.base.table.robot
        name = dict(self.changed_names).get(built, built)
        with self._explained():
            try:
                declared = self.libraries.find_class(f"{self.full_name}.{name}").components
            except NotFoundError:
                return {}
            return {each.name: str(each.type) for each in declared}

    def has_class(self, name: str) -> bool:
        """Is there a class of this name in the package?"""
        if f"{name.replace('.', '/')}.mo" in self.user.files:
            return True  # PERF: the libraries need not be opened
        with self._explained():
            try:
                self.libraries.find_class(f"{self.full_name}.{name}")
            except NotFoundError:
                return False
        return True

    # ------------------------------------------------------------ its connectors

    @cached_property
    def frames(self) -> Mapping[str, str]:
        """The frames of the robot that its surroundings can use, by the names of the links that they are at."""
        found = {part.urdf: self._connector(f"{part.component.name}.frame_a") for part in self._parts["link"]}
        return {link: connector for link, connector in found.items() if connector is not None}

    @cached_property
    def flanges(self) -> Mapping[str, Flange]:
        """The flanges of the joints that can be driven, by the names of the joints."""
        found: dict[str, Flange] = {}
        for part in self._parts["joint"]:
            axis, support = (self._connector(self.names.joint(part.urdf).path(end)) for end in ("flange_a", "flange_b"))
            if axis is not None and support is not None:
                found[part.urdf] = Flange(axis, support)
        return found

    def _connector(self, end: str) -> str | None:
        return self._connected.get(end)

    @cached_property
    def _connected(self) -> dict[str, str]:
        """The robot's own connectors, by what they are connected to."""
        from urdf_frontend.package.builder.part_values import ROOT_FRAME  # noqa: PLC0415

        found: dict[str, str] = {}
        for connection in self.robot.connections:
            for one, other in ((connection.left, connection.right), (connection.right, connection.left)):
                if _OWN_CONNECTOR.fullmatch(other) and other != ROOT_FRAME:
                    found.setdefault(one, other)
        return found

    # ------------------------------------------------------------ what to simulate

    def model(self, wanted: str | None = None) -> str:
        """The full name of the model that is simulated: the test model, or the run model if there is no other.

        A wanted name without dots is a class of the package; one with dots is taken as it is.
        """
        if wanted is not None:
            return wanted if "." in wanted else f"{self.full_name}.{wanted}"
        models = self.models
        for model in (*(each for each in models if each.is_test), *models):
            return model.name
        raise PackageError(f"{self.full_name} has no model with the robot {self.robot_class} in it; name one: --model")

    @property
    def built_models(self) -> tuple[str, str]:
        """The names that they were built with: that of the run model, and that of the test model."""
        robot = self.memory.table.robot
        return f"{robot}{_RUN}", f"{robot}{_TEST}"

    @property
    def own_models(self) -> dict[str, str]:
        """The texts of the models with the robot in them that were not built by their names; none if it can't tell."""
        built = {f"{self.full_name}.{name}" for name in self.built_models}
        try:
            return {
                each.name: self.libraries.find_class(each.name).view.text
                for each in self.models
                if each.name not in built
            }
        except PackageError:
            return {}

    @cached_property
    def models(self) -> tuple[Model, ...]:
        """The models right inside the package that have the robot as a component: first those that were built."""
        with self._explained():
            classes = _classes_of(self.libraries.find_class(self.full_name))
            names = [each.full_name for each in classes if each.kind != _PACKAGE and each.full_name != self.robot_class]
        now = last_name(self.robot_class)
        built = {f"{self.full_name}.{name}" for name in (*self.built_models, f"{now}{_RUN}", f"{now}{_TEST}")}
        names.sort(key=lambda name: name not in built)
        found = ((name, self._direct_robots_in(name)) for name in names)
        return tuple(
            Model(name, robots[0].path, robots[0].declared_in != name) for name, robots in found if len(robots) == 1
        )

    def robots_in(self, model: str) -> list[str]:
        """The components of a model that are the robot: those right in it, or else those inside of them."""
        found = self._direct_robots_in(model)
        every = found or self.look_up(model).walk(max_depth=_DEEPEST)
        return [each.path for each in every if each.type_name == self.robot_class]

    def _direct_robots_in(self, model: str) -> list[ComponentInstance]:
        return [each for each in self.look_up(model).components.values() if each.type_name == self.robot_class]


def _classes_of(around: LibraryClass) -> list[LibraryClass]:
    """The classes right inside of one, whatever files they are in."""
    from modelica_ast.library import LibraryClass  # noqa: PLC0415

    return [each for each in around.classes if isinstance(each, LibraryClass)]
