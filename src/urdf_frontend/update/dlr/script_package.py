"""What is in a package of URDFModelica's script: its links and joints by their URDF names, and its models.

Nothing of this is guessed from the names of files alone: a record says in `name` whose values it has, and the robot's
model says which component is of which class. So names that a user has given are found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from attrs import frozen

from modelica_ast import LiteralError, ModelicaError, evaluate
from modelica_ast.edit import ClassHandle, Document, EditError
from modelica_ast.generate import UnreadableError, UpdateError, UserPackage
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.names import Named, NameTable
from urdf_frontend.names.table import PARAMETERS
from urdf_frontend.update.dlr.fields import JOINT_RECORD, LINK_RECORD
from urdf_frontend.update.dlr.record_texts import get_record

RECORDS: Final = {LINKS: LINK_RECORD, JOINTS: JOINT_RECORD}
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
        raise UpdateError(f"{user.folder} can't be followed: {wrong}; mend that first") from None


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
    """The model that has a component of a class in Links."""
    for path in user.modelica_files:
        if "/" not in path and path != "package.mo" and f"{LINKS}." in user.text(path):
            for each in opened(user, path).classes:
                if any(component.type.rpartition(".")[0] == LINKS for component in each.components):
                    if f"{each.name}.mo" != path:
                        continue
                    return each
    raise UpdateError(f"{user.folder} has no model with links of the package: it is not known what its robot is called")


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
