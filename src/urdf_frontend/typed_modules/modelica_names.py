"""Where the links and joints of a robot are in its Modelica package: found in the tree, so renames are followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

from modelica_ast import ModelicaError
from modelica_ast.edit import ClassHandle, Document, NotFoundError
from modelica_ast.library import ComponentInstance, Instance, Libraries, LibraryError, find_library, instance
from urdf_frontend.building.options import TEMPLATES
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.model import Robot
from urdf_frontend.names import Named, NamesFile, NamesFileError, load_names_file
from urdf_frontend.typed import Axis
from urdf_frontend.typed_modules.axis_names import axis_of
from urdf_frontend.typed_modules.blueprint import ModelicaNames
from urdf_frontend.typed_modules.errors import TypesError
from urdf_frontend.typed_modules.parameter_names import parameters_of

_NAMES: Final = "Resources/urdf"
_PACKAGE_FILE: Final = "package.mo"
_STANDARD_LIBRARY: Final = "Modelica"
_BASE_ROBOT: Final = "BaseRobot"
_LISTED: Final = 5
_DEEPEST: Final = 3  # levels of components in which a robot is looked for


@frozen
class Resolved:
    """The names; what of the robot is not in the package, and what of the package is not in the robot; notes."""

    names: ModelicaNames
    missing: tuple[str, ...]
    surplus: tuple[str, ...]
    notes: tuple[str, ...]


def resolve(folder: Path, robot: Robot, model: str | None = None) -> Resolved:
    """Look up all parts of a robot in the package of a folder; `model` is the class that is simulated.

    TypesError if the folder has no such package, or if the model has no component that is the robot.
    """
    try:
        return _Resolving.of(folder.absolute(), robot).resolved(model)
    except NotFoundError as wrong:
        raise TypesError(f"{folder}: {wrong}") from None


def package_name(folder: Path) -> str:
    """The full name of the package in a folder."""
    within, package = _package_class(folder)
    return f"{within}.{package.name}" if within else package.name


def _package_class(folder: Path) -> tuple[str | None, ClassHandle]:
    path = folder / _PACKAGE_FILE
    try:
        document = Document.open(path)
    except (ModelicaError, OSError) as wrong:
        raise TypesError(f"{path} can't be read: {wrong}") from None
    if len(document.classes) != 1:
        raise TypesError(f"{path} has to define one class, the package; it has {len(document.classes)}")
    return document.within, document.classes[0]


@define
class _Resolving:
    folder: Path
    robot: Robot
    package: str
    names: NamesFile
    libraries: Libraries
    instance: Instance
    # The components of the robot's model, by the full name of their class, and by their own name.
    of_class: dict[str, list[ComponentInstance]] = field(factory=dict)
    missing: list[str] = field(factory=list)
    notes: list[str] = field(factory=list)

    @classmethod
    def of(cls, folder: Path, robot: Robot) -> _Resolving:
        names = _names_file(folder)
        libraries = _libraries(folder, names)
        package = package_name(folder)
        model = _robot_model(libraries, folder, package, names.table.robot)
        resolving = cls(folder, robot, package, names, libraries, model)
        for component in resolving.instance.components.values():
            resolving.of_class.setdefault(component.type_name or component.type_text, []).append(component)
        return resolving

    def resolved(self, model: str | None) -> Resolved:
        simulated, at = self._model(model)
        table = self.names.table
        links = dict(self._parts("link", LINKS, [link.name for link in self.robot.links], table.links))
        joints = dict(self._parts("joint", JOINTS, [joint.name for joint in self.robot.joints], table.joints))
        names = ModelicaNames(
            self.package,
            self.instance.name,
            simulated,
            at,
            {urdf: component.path for urdf, component in links.items()},
            {urdf: component.path for urdf, component in joints.items()},
            dict(self._axes(joints)),
            {urdf: parameters_of(component) for urdf, component in links.items()},
            {urdf: parameters_of(component) for urdf, component in joints.items()},
        )
        return Resolved(names, tuple(self.missing), tuple(self._surplus()), tuple(self.notes))

    def _surplus(self) -> Iterator[str]:
        sides = (
            ("link", self.names.table.links, {link.name for link in self.robot.links}),
            ("joint", self.names.table.joints, {joint.name for joint in self.robot.joints}),
        )
        for kind, table, there in sides:
            for urdf in table:
                if urdf not in there:
                    yield f"the {kind} '{urdf}' of the package {self.package} is not in the URDF file"

    def _parts(
        self, kind: str, inside: str, wanted: list[str], table: Mapping[str, Named]
    ) -> Iterator[tuple[str, ComponentInstance]]:
        for urdf in wanted:
            found = self._part(kind, inside, urdf, table.get(urdf))
            if found is None:
                self.missing.append(f"the {kind} '{urdf}' has no component in {self.instance.name}")
            else:
                yield urdf, found

    def _part(self, kind: str, inside: str, urdf: str, named: Named | None) -> ComponentInstance | None:
        """The component of a part: of its class, or with its values, or with the name that it was built with."""
        found = [] if named is None else self.of_class.get(f"{self.package}.{inside}.{named.class_name}", [])
        if not found:
            found = [each for each in self.instance.components.values() if _urdf_name(each, kind) == urdf]
        if named is not None:
            built = self.instance.get(named.component)
            if built is not None and (built in found or (not found and self._may_be(built, kind, urdf))):
                return built
        if len(found) > 1:
            listed = ", ".join(each.name for each in found[:_LISTED])
            raise TypesError(f"several components of {self.instance.name} are the {kind} '{urdf}': {listed}")
        return found[0] if found else None

    def _may_be(self, component: ComponentInstance, kind: str, urdf: str) -> bool:
        """A model of the user's own, which has not the values of another part."""
        other = _urdf_name(component, kind)
        return other is None or other == urdf

    def _axes(self, joints: Mapping[str, ComponentInstance]) -> Iterator[tuple[str, Axis]]:
        for joint in self.robot.joints:
            if not joint.type.is_single or joint.name not in joints:
                continue
            component = joints[joint.name]
            found = axis_of(component, is_rotational=joint.type.is_rotational)
            if found is None:
                self.notes.append(
                    f"the joint '{joint.name}' has no angle or distance that is known: "
                    f"{component.path} is a {component.type_text}, which has no joint of the Standard Library"
                )
            else:
                yield joint.name, found

    def _model(self, model: str | None) -> tuple[str, str]:
        """The class to simulate, and the component of it that is the robot."""
        if model == self.instance.name:
            return model, ""
        if model is not None:
            places = self._places_in(model)
            if len(places) != 1:
                what = "no component" if not places else f"several components ({', '.join(places[:_LISTED])})"
                raise TypesError(f"{model} has {what} of the class {self.instance.name}: name another --model")
            return model, places[0]
        siblings = [f"{self.package}.{name}" for name in _classes_in(self.folder)]
        # The run model is what most people simulate; the test model has the robot at the same place.
        for name in sorted(siblings, key=lambda name: (name != f"{self.instance.name}Run", name)):
            places = self._direct_places_in(name)
            if len(places) == 1:
                return name, places[0]
        return self.instance.name, ""

    def _places_in(self, model: str) -> list[str]:
        direct = self._direct_places_in(model)
        every = instance(self.libraries, model).walk(max_depth=_DEEPEST)
        return direct or [each.path for each in every if each.type_name == self.instance.name]

    def _direct_places_in(self, model: str) -> list[str]:
        components = instance(self.libraries, model).components.values()
        return [each.path for each in components if each.type_name == self.instance.name]


def _classes_in(folder: Path) -> list[str]:
    """The names of the classes right inside the package of a folder that are no packages with a folder themselves."""
    files = [path.stem for path in folder.glob("*.mo") if path.name != _PACKAGE_FILE]
    return [*files, *(each.name for each in _package_class(folder)[1].classes)]


def _names_file(folder: Path) -> NamesFile:
    found = sorted((folder / _NAMES).glob("*.names"))
    if len(found) != 1:
        how = "no .names file" if not found else f"{len(found)} .names files, and there must be one"
        raise TypesError(f"{folder / _NAMES} has {how}: the package has to be one of `modelica-patch urdf build`")
    try:
        return load_names_file(found[0])
    except (NamesFileError, UnicodeDecodeError, OSError) as wrong:
        raise TypesError(f"{found[0]} can't be read: {wrong}") from None


def _libraries(folder: Path, names: NamesFile) -> Libraries:
    """The library that the package is in, the templates, and the Standard Library if it is there."""
    root = folder
    while (root.parent / _PACKAGE_FILE).is_file():
        root = root.parent
    others = [TEMPLATES]
    for name in (_STANDARD_LIBRARY, names.options.get("templates", TEMPLATES.name)):
        if name != TEMPLATES.name:
            try:
                others.append(find_library(name))
            except LibraryError:
                continue  # its names lead nowhere then, and nothing that matters is behind them
    return Libraries([root], read_only=others)


def _robot_model(libraries: Libraries, folder: Path, package: str, name: str) -> Instance:
    """The robot's model, by its name or, if the user has renamed it, by what it extends."""
    try:
        return instance(libraries, f"{package}.{name}")
    except NotFoundError:
        robots = [
            each
            for each in (f"{package}.{name}" for name in _classes_in(folder))
            if any(base.rpartition(".")[2] == _BASE_ROBOT for base in libraries.find_class(each).extends)
        ]
        if len(robots) == 1:
            return instance(libraries, robots[0])
        raise TypesError(f"{package} has no class '{name}', the model of the robot") from None


def _urdf_name(component: ComponentInstance, kind: str) -> str | None:
    """What the values of a component say that the link or joint is called in URDF; None if they are of neither."""
    for record in component.components.values():
        if record.variability == "parameter" and record.end_type is None:
            fields = record.components
            # Only joints have a parent, only links have an inertial.
            if "name" in fields and ("parent" if kind == "joint" else "inertial") in fields:
                value = fields["name"].value
                return value if isinstance(value, str) else None
    return None
