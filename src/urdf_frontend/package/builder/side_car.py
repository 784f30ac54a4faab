"""What a robot's package keeps for its updates and for all who read it: names, options, digests, the URDF file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from attrs import evolve, field, frozen

from modelica_ast import __version__
from modelica_ast.foundation import read_regular
from modelica_ast.generate import (
    KeptPart,
    NoBaseError,
    RememberedConflict,
    SideCar,
    digest,
    read_side_car,
    templates_digest,
    text_digest,
)
from urdf_frontend.package.builder.options import BuildOptions, BuiltPackage, Summary, settings_of
from urdf_frontend.robot import Named, NameTable, is_plain_identifier
from urdf_frontend.urdf import ReadResult, reason_of

FOLDER: Final = "Resources/urdf"
_GENERATOR: Final = "urdf_frontend"
_COMPONENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|'(?:[^'\\]|\\.)+'")


@frozen
class RobotFiles:
    """What was generated for a robot: files by their paths in the package, with `/`, without what is kept about them.

    `resources` says what files of the URDF are called in Modelica. `reused` are files that a previous build has made.
    """

    full_name: str
    files: Mapping[str, bytes] = field(repr=False)
    urdf_name: str | None
    names: NameTable
    resources: Mapping[str, str]
    summary: Summary
    reused: frozenset[str] = frozenset()

    @property
    def plain_names(self) -> dict[str, Any]:
        """The names as the side-car has them."""
        return names_json(self.urdf_name, self.names)


class Made(Protocol):
    """What a side-car is about: a package that was generated, of whatever kind."""

    @property
    def full_name(self) -> str:
        """Of the package."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """Those that were generated."""

    @property
    def resources(self) -> Mapping[str, str]:
        """What files of the data are called in Modelica."""

    @property
    def plain_names(self) -> dict[str, Any]:
        """What an update wants to know again, in plain values."""


def side_car_path(name: str) -> str:
    """Where the side-car is; `name` is that of the robot's model."""
    return f"{FOLDER}/{name}.json"


def urdf_path(name: str) -> str:
    """Where the URDF file is kept."""
    return f"{FOLDER}/{name}.urdf"


def generator() -> str:
    """Who generates packages here, with the version."""
    return f"{_GENERATOR} {__version__}"


def side_car_of(
    made: Made,
    options: BuildOptions,
    *,
    package: str | None = None,
    digests: Mapping[str, str] | None = None,
    before: Mapping[str, str] | None = None,
    conflicts: Iterable[RememberedConflict] = (),
    kept: Iterable[KeptPart] = (),
) -> SideCar:
    """The facts about what was generated; `digests` are known ones, `package` the name that it was generated for."""
    known = digests or {}
    return SideCar(
        generator=generator(),
        package=package or made.full_name,
        sources={},
        options=settings_of(options),
        names=made.plain_names,
        resources=made.resources,
        files={path: known.get(path) or digest(path, data) for path, data in made.files.items()},
        templates=templates_digest(options.templates),
        before=before or {},
        conflicts=tuple(conflicts),
        kept=tuple(kept),
    )


def with_side_car(made: RobotFiles, options: BuildOptions) -> dict[str, bytes]:
    """All files of a package. Without the URDF file beside it, its side-car says what things are called, no more."""
    return {**made.files, side_car_path(made.names.robot): side_car_of(made, options).text.encode()}


def kept_files(side_car: SideCar, name: str, urdf: ReadResult) -> dict[str, bytes]:
    """The side-car and the URDF file that the package was made from."""
    assert urdf.document is not None, "it was read"
    data = urdf.document.encode()
    complete = evolve(side_car, sources={f"{name}.urdf": text_digest(data)})
    return {urdf_path(name): data, side_car_path(name): complete.text.encode()}


def with_base(built: BuiltPackage, urdf: ReadResult, options: BuildOptions) -> BuiltPackage:
    """A built package with what its updates need; `urdf` is what it was built from."""
    path = built.folder / side_car_path(built.name)
    side_car = evolve(read_side_car(built.text(path), str(path)), options=settings_of(options))
    kept = kept_files(side_car, built.name, urdf)
    return evolve(built, files={**built.files, **{built.folder / path: data for path, data in kept.items()}})


def text_of(path: Path) -> str:
    """A text that was kept; NoBaseError if it can't be read."""
    try:
        return bytes_of(path).decode("utf-8")
    except UnicodeDecodeError:
        raise NoBaseError(f"{path} is not UTF-8 text") from None


def bytes_of(path: Path) -> bytes:
    """A file that was kept; NoBaseError if it can't be read."""
    try:
        return read_regular(path)
    except OSError as wrong:
        raise NoBaseError(f"{path} can't be read: {reason_of(wrong)}") from None


# ---------------------------------------------------------------- names


def names_json(urdf_name: str | None, names: NameTable) -> dict[str, Any]:
    """The names of a robot in plain values, in its order."""
    return {
        "urdf": urdf_name,
        "robot": names.robot,
        "links": [_named_json(each) for each in names.links.values()],
        "joints": [_named_json(each) for each in names.joints.values()],
        **({"followers": dict(names.followers)} if names.followers else {}),
    }


def _named_json(named: Named) -> dict[str, str]:
    return {"urdf": named.urdf, "class": named.class_name, "component": named.component}


def names_of(data: Mapping[str, Any]) -> NameTable:
    """The names again; ValueError if they are not what `names_json` makes."""
    robot = data.get("robot")
    if not isinstance(robot, str):
        raise ValueError("there is no 'robot'")  # noqa: TRY004  (all that is wrong is one error)
    followers = data.get("followers", {})
    if not isinstance(followers, dict) or not all(map(_is_component, followers.values())):
        raise ValueError("one of the 'followers' is not a name in Modelica")
    table = NameTable(robot, dict(_named(data.get("links"))), dict(_named(data.get("joints"))), followers)
    components = [each.component for each in (*table.links.values(), *table.joints.values())] + [*followers.values()]
    if len(set(components)) < len(components):
        raise ValueError("two of them have the same component")
    return table


def _named(data: object) -> Iterable[tuple[str, Named]]:
    if not isinstance(data, list):
        raise ValueError("there are no 'links' or no 'joints'")  # noqa: TRY004
    for each in data:
        values: list[Any] = [each.get(key) for key in ("urdf", "class", "component")] if isinstance(each, dict) else []
        if not values or not all(isinstance(value, str) for value in values):
            raise ValueError("a link or joint lacks 'urdf', 'class' or 'component'")
        if not is_plain_identifier(values[1]) or not _is_component(values[2]):
            raise ValueError(f"'{values[1]:.60}' or '{values[2]:.60}' is not a name in Modelica")
        yield values[0], Named(*values)


def _is_component(name: object) -> bool:
    return isinstance(name, str) and _COMPONENT.fullmatch(name) is not None
