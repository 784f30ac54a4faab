"""What a package keeps for its updates: the URDF file as it was read, the names, the side-car."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Final, Protocol

from attrs import evolve, frozen

from modelica_ast.files import read_regular
from urdf_frontend.building import BuildOptions, BuiltPackage
from urdf_frontend.building.templates import Templates
from urdf_frontend.diagnostics import UrdfError, reason_of
from urdf_frontend.model import Robot
from urdf_frontend.names import NamesFileError, NameTable, read_names_file
from urdf_frontend.reader import ReadResult, read
from urdf_frontend.update.base_file import BaseFile, RememberedConflict, read_base_file
from urdf_frontend.update.digests import digest
from urdf_frontend.update.errors import NoBaseError, UpdateError
from urdf_frontend.update.generating import Generated, names_path, of_built
from urdf_frontend.update.settings import allowed_of, options_of, settings_of

FOLDER = "Resources/urdf"
STYLE: Final = "style"  # the option of a package that was put together from modules
MODULAR: Final = "modular"
_GENERATOR = "urdf_frontend"
_DISTRIBUTION = "modelica-ast"


class WithBase(Protocol):
    """What has a base, whatever the package was made from."""

    @property
    def file(self) -> BaseFile:
        """The side-car."""


@frozen
class Kept:
    """What was kept by the last build or update. `name` is what its files are called, which the robot's models are."""

    name: str
    file: BaseFile
    names: NameTable
    urdf: ReadResult
    robot: Robot


def files_to_keep(
    generated: Generated,
    package: str,
    name: str,
    urdf: ReadResult,
    options: BuildOptions,
    conflicts: Iterable[RememberedConflict] = (),
) -> dict[str, bytes]:
    """The three files, by their paths in the package."""
    assert urdf.document is not None, "it was read"
    text = urdf.document.encode()
    templates = Templates.open(options.templates)
    base = BaseFile(
        generator(),
        package,
        digest("robot.urdf", text),
        settings_of(options, templates.name),
        generated.resources,
        {path: generated.as_before.get(path) or digest(path, data) for path, data in generated.files.items()},
        tuple(conflicts),
        templates.digest(),
    )
    return {
        names_path(name): generated.names_file,
        urdf_path(name): text,
        base_path(name): base.text.encode(),
    }


def generator() -> str:
    """Who generates packages here, with the version."""
    return f"{_GENERATOR} {version(_DISTRIBUTION)}"


def with_base(built: BuiltPackage, urdf: ReadResult, options: BuildOptions) -> BuiltPackage:
    """A built package with what its updates need; `urdf` is what it was built from."""
    generated = of_built(built, urdf.usable_robot(allowed=options.allowed), built.summary.package, options)
    kept = files_to_keep(generated, built.summary.package, built.name, urdf, options)
    return evolve(built, files={**built.files, **{built.folder / path: data for path, data in kept.items()}})


def base_path(name: str) -> str:
    """Where the side-car is."""
    return f"{FOLDER}/{name}.base"


def urdf_path(name: str) -> str:
    """Where the URDF file is kept."""
    return f"{FOLDER}/{name}.urdf"


def read_kept(folder: Path) -> Kept:
    """What a package has kept; NoBaseError if something of it is lost, damaged, or fits not the rest.

    UpdateError if it is a package of modules.
    """
    found = sorted((folder / FOLDER).glob("*.base"))
    if not found:
        raise NoBaseError(f"{folder / FOLDER} has no .base file: it is not known what was generated last")
    if len(found) > 1:
        raise NoBaseError(f"{folder / FOLDER} has {len(found)} .base files, and there must be one")
    path = found[0]
    base = read_base_file(_text(path), str(path))
    if base.options.get(STYLE) == MODULAR:
        raise UpdateError(f"{folder} was put together from modules: bring it up to date with `urdf assemble --into`")
    options_of(base.options, path, str(path))  # so that what is wrong with an option is found here
    name = path.stem
    urdf = folder / urdf_path(name)
    data = _bytes(urdf)
    if digest("robot.urdf", data) != base.urdf:
        raise NoBaseError(f"{urdf} is not the file that the package was made from: it was changed")
    result = read(data, path=urdf)
    try:
        robot = result.usable_robot(allowed=allowed_of(base.options))
    except UrdfError as wrong:
        raise NoBaseError(f"{urdf} can't be built any more: {wrong.diagnostics[0].message}") from None
    return Kept(name, base, read_kept_names(folder, name), result, robot)


def read_kept_names(folder: Path, name: str) -> NameTable:
    """The names that were given to links and joints; NoBaseError if that file is lost or damaged."""
    path = folder / names_path(name)
    try:
        return read_names_file(_text(path), str(path)).table
    except NamesFileError as wrong:
        raise NoBaseError(str(wrong)) from None


def _text(path: Path) -> str:
    try:
        return _bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise NoBaseError(f"{path} is no UTF-8 text") from None


def _bytes(path: Path) -> bytes:
    try:
        return read_regular(path)
    except OSError as wrong:
        raise NoBaseError(f"{path} can't be read: {reason_of(wrong)}") from None
