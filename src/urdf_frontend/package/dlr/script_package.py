"""What is in a package of URDFModelica's script: its links and joints by their URDF names, and its models.

Nothing of this is guessed from the names of files alone: a record says in `name` whose values it has, and the robot's
model says which component is of which class. So names that a user has given are found.

What it keeps for its updates are the same two files as of a package of this project. There are no digests, because it
is not known what the script has written. The base of a value is what the kept URDF file has; whatever is not a value of
the URDF file is the user's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Final

from attrs import frozen

from modelica_ast.edit import ClassHandle, Document
from modelica_ast.foundation import EditError, ModelicaError
from modelica_ast.generate import KeptPart, RememberedConflict, SideCar, UnreadableError, UpdateError, UserPackage
from modelica_ast.tree import LiteralError, evaluate
from urdf_frontend.package.builder.options import ORIGIN, BuildOptions, settings_of
from urdf_frontend.package.builder.part_models import JOINTS, LINKS
from urdf_frontend.package.builder.side_car import generator, kept_files, names_json
from urdf_frontend.package.dlr.part_classes import LIBRARY, RECORDS, get_record
from urdf_frontend.robot import PARAMETERS, Named, NameStyle, NameTable, Robot, make_names
from urdf_frontend.urdf import ReadResult

RUN: Final = "Run"
TEST: Final = "Test"


@frozen
class ScriptPackage:
    """The package by what is in it; `model` is the name of the robot's model, which its other models are called by."""

    model: str
    names: NameTable

    @property
    def model_file(self) -> str:
        """The file of the robot's model."""
        return f"{self.model}.mo"


def is_script_package(user: UserPackage) -> bool:
    """Has it records of URDFModelica where the script puts them?"""
    return any(
        record in user.text(path) and get_record(opened(user, path), record) is not None
        for package, record in RECORDS.items()
        for path in _files_of(user, package)
    )


def read_script_package(user: UserPackage) -> ScriptPackage:
    """Look at all of it; UpdateError if it has no model of a robot, UnreadableError if a file is not Modelica."""
    with as_update_errors(user):
        model = _robot_model(user)
        components = {each.type: each.name for each in model.components}
        links = dict(_named(user, LINKS, components))
        joints = dict(_named(user, JOINTS, components))
    return ScriptPackage(model.name, NameTable(model.name, links, joints))


@contextmanager
def as_update_errors(user: UserPackage) -> Iterator[None]:
    """UpdateError in place of what a verb raises. The script writes two components of one name for some robots."""
    try:
        yield
    except EditError as wrong:
        raise UpdateError(f"{user.folder} can't be followed: {wrong}; repair that first") from None


def opened(user: UserPackage, path: str) -> Document:
    """A file of the package; UnreadableError says what is wrong in it."""
    try:
        return Document(user.text(path))
    except ModelicaError as wrong:
        raise UnreadableError(f"{user.folder / path} can't be read: {wrong}") from None


def _files_of(user: UserPackage, package: str) -> Iterator[str]:
    for path in user.modelica_files:
        folder, _, name = path.rpartition("/")
        if folder == package and name != "package.mo":
            yield path


def _robot_model(user: UserPackage) -> ClassHandle:
    """The model that has the classes in Links as components; of several, the one that has most of them."""
    found: dict[int, ClassHandle] = {}
    for path in user.modelica_files:
        if "/" not in path and path != "package.mo" and f"{LINKS}." in user.text(path):
            for each in opened(user, path).classes:
                links = {component.type for component in each.components if component.type.rpartition(".")[0] == LINKS}
                if links and f"{each.name}.mo" == path:
                    found.setdefault(len(links), each)
    if not found:
        raise UpdateError(
            f"{user.folder} has no model with links of the package: it is not known what its robot is called"
        )
    return found[max(found)]


def _named(user: UserPackage, package: str, components: Mapping[str, str]) -> Iterator[tuple[str, Named]]:
    for path in _files_of(user, package):
        if RECORDS[package] not in user.text(path):
            continue
        record = get_record(opened(user, path), RECORDS[package])
        if record is None or path != f"{package}/{record.name}.mo" or not record.name.endswith(PARAMETERS):
            continue
        urdf = _name_in(record, RECORDS[package])
        if urdf is not None:
            class_name = record.name.removesuffix(PARAMETERS)
            # A link without a component may get one later, with the name that the script would give it.
            component = components.get(f"{package}.{class_name}", class_name.lower())
            yield urdf, Named(urdf, class_name, component)


def _name_in(record: ClassHandle, base: str) -> str | None:
    written = record.get_extends_modifier(base, "name")
    try:
        value = None if written is None else evaluate(written)
    except LiteralError:
        return None
    return value if isinstance(value, str) else None


# ---------------------------------------------------------------- names


def names_of(robots: list[Robot], package: ScriptPackage, kept: NameTable | None, user: UserPackage) -> NameTable:
    """The names of all links and joints of these robots: those in the package, else the kept ones, else new ones."""
    known = NameTable(
        package.model,
        _first(package.names.links, None if kept is None else kept.links),
        _first(package.names.joints, None if kept is None else kept.joints),
    )
    links = [link.name for robot in robots for link in robot.links]
    joints = [joint.name for robot in robots for joint in robot.joints]
    return make_names(
        package.model,
        links,
        joints,
        style=NameStyle.DLR,
        known=known,
        reserved=_taken(package, known, user),
    )


def names_to_keep(names: NameTable, kept: NameTable, robot: Robot) -> NameTable:
    """The names of one robot. Those that were kept stay: an instance that is renamed is not a change of the URDF."""
    return NameTable(
        kept.robot,
        {link.name: kept.links.get(link.name, names.link(link.name)) for link in robot.links},
        {joint.name: kept.joints.get(joint.name, names.joint(joint.name)) for joint in robot.joints},
    )


def _first(one: Mapping[str, Named], other: Mapping[str, Named] | None) -> dict[str, Named]:
    return {**(other or {}), **one}


def _taken(package: ScriptPackage, known: NameTable, user: UserPackage) -> set[str]:
    """Components of the robot's model and files of classes that belong to no link or joint."""
    every = [*known.links.values(), *known.joints.values()]
    model = opened(user, package.model_file).find_class(package.model)
    taken = {component.name for component in model.components} - {named.component for named in every}
    classes = {name for named in every for name in (named.class_name, named.parameters)}
    files = [PurePosixPath(path) for path in user.modelica_files]
    return taken | {file.stem for file in files if str(file.parent) in {LINKS, JOINTS} and file.stem not in classes}


# ---------------------------------------------------------------- what is kept


def script_files_to_keep(
    package: str,
    names: NameTable,
    urdf: ReadResult,
    allowed: frozenset[str],
    conflicts: Iterable[RememberedConflict] = (),
    kept: Iterable[KeptPart] = (),
) -> dict[str, bytes]:
    """The files, by their paths in the package; `names.robot` is what they are called."""
    assert urdf.robot is not None, "it is usable"
    options = BuildOptions(name_style=NameStyle.DLR, copy_meshes=False, allowed=allowed, own_connectors=False)
    side_car = SideCar(
        generator=generator(),
        package=package,
        sources={},
        options={**settings_of(options, LIBRARY), ORIGIN: LIBRARY},
        files={},
        names=names_json(urdf.robot.name, names),
        conflicts=tuple(conflicts),
        kept=tuple(kept),
    )
    return kept_files(side_car, names.robot, urdf)
