"""What a user can decide about a package."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from modelica_ast.generate import NoBaseError, UpdateError
from urdf_frontend.library import FOLDER
from urdf_frontend.robot import NameStyle, NameTable
from urdf_frontend.urdf import Packages

# Takes a mesh file and gives another one: its ending, `.stl`, and its bytes. None: it stays as it is.
MeshConverter = Callable[[Path], tuple[str, bytes] | None]

TEMPLATES: Final = FOLDER / "UrdfRobots"


class Visualisation(enum.Enum):
    """Whose shapes show the robot: those of the Modelica Standard Library, or of DLR Visualization 2."""

    MSL = "msl"
    VISUALIZATION2 = "visualization2"


@frozen(kw_only=True)
class BuildOptions:
    """All options; each has a default.

    `name`: the package; None takes the robot's. `into`: the folder that the package's folder is put in; if it is a
    package, that one gets another class. With `new_library`, a folder that is not there becomes a library of its name,
    if it is a name in Modelica. `urdf` is where the robot was read from, for meshes with relative paths, and
    `packages` finds those of `package://`. `known_names` are kept, see `make_names`. `known_resources` says what files
    of the URDF are called in Modelica; those are not looked for and not copied. `allowed` are codes of
    errors that do not stop the build, of those in ALLOWABLE. With `may_be_there` a package of this name in its place is
    no error of the build: `write` says whether it is the same. With `own_connectors` the robot's model declares its
    frames and flanges at the ends of its diagram; packages made before inherit them.
    """

    name: str | None = None
    into: Path | None = None
    new_library: bool = False
    stationary: bool = True
    modelica_version: str = "4.0.0"
    visualisation: Visualisation = Visualisation.MSL
    collisions: bool = True
    name_style: NameStyle = NameStyle.AS_IS
    templates: Path = TEMPLATES
    copy_meshes: bool = True
    allowed: frozenset[str] = frozenset()
    convert_mesh: MeshConverter | None = field(default=None, repr=False)
    urdf: Path | None = None
    packages: Packages | None = field(default=None, repr=False)
    may_be_there: bool = False
    own_connectors: bool = True
    known_names: NameTable | None = field(default=None, repr=False)
    known_resources: Mapping[str, str] = field(factory=dict, repr=False)


# ---------------------------------------------------------------- settings
# The options of a build as the side-car has them, and back.

STYLE: Final = "style"  # the option of a package that was put together from modules
MODULAR: Final = "modular"
ORIGIN: Final = "origin"  # the option of a package that the script of another library has made
_READING: Final = "reading"  # how the limits of joints were read; packages that do not say it have them as written
_EFFECTIVE: Final = "effective"
_OWN_TEMPLATES: Final = "UrdfRobots"
_CONNECTORS: Final = "connectors"
_OWN: Final = "own"
_NONE: Final = "-"
_TRUTHS: Final = {"true": True, "false": False}


def settings_of(options: BuildOptions, templates: str | None = None) -> dict[str, str]:
    """What must be the same when the package is built again; `templates` is the name of their library."""
    from modelica_ast.generate import Templates  # noqa: PLC0415  (PERF: who reads the options clones nothing)

    return {
        "allowed": ",".join(sorted(options.allowed)) or _NONE,
        "collisions": str(options.collisions).lower(),
        **({_CONNECTORS: _OWN} if options.own_connectors else {}),
        "meshes": str(options.copy_meshes).lower(),
        "modelica": options.modelica_version,
        "names": options.name_style.value,
        _READING: _EFFECTIVE,
        "stationary": str(options.stationary).lower(),
        "templates": templates or Templates.open(options.templates).name,
        "visualisation": options.visualisation.value,
    }


def allowed_of(settings: Mapping[str, str]) -> frozenset[str]:
    """The codes of errors that the robot is built in spite of."""
    return frozenset(settings.get("allowed", _NONE).split(",")) - {_NONE}


def has_own_connectors(settings: Mapping[str, str]) -> bool:
    """Does the robot's model declare its connectors?"""
    return settings.get(_CONNECTORS) == _OWN


def is_read_as_today(settings: Mapping[str, str]) -> bool:
    """Was the robot read as it is today when its package was built?"""
    return settings.get(_READING) == _EFFECTIVE


def options_of(settings: Mapping[str, str], templates: Path | None, file: str) -> BuildOptions:
    """The options again.

    Where templates of the user's own are has to be said again: folders differ between machines.
    """
    try:
        library = settings["templates"]
        options = BuildOptions(
            allowed=allowed_of(settings),
            collisions=_TRUTHS[settings["collisions"]],
            copy_meshes=_TRUTHS[settings["meshes"]],
            modelica_version=settings["modelica"],
            name_style=NameStyle(settings["names"]),
            own_connectors=has_own_connectors(settings),
            stationary=_TRUTHS[settings["stationary"]],
            visualisation=Visualisation(settings["visualisation"]),
            templates=TEMPLATES if templates is None else templates,
        )
    except (KeyError, ValueError) as wrong:
        raise NoBaseError(f"{file}: an option is missing or has a value that is not known: {wrong}") from None
    if library != _OWN_TEMPLATES and templates is None:
        raise UpdateError(f"the package was built from the templates of {library}: say where they are with --templates")
    return options


# ---------------------------------------------------------------- result
# What a build gives: files, and in words what they are and what they leave out.


@frozen
class Summary:
    """What was built, and what the URDF file has that the package does not show."""

    package: str  # its full name
    links: int
    joints: int
    driven: int  # joints with flanges
    followers: int  # joints that mimic others
    left_out: tuple[str, ...]  # a sentence each
    notes: tuple[str, ...]  # what else a user should know

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        return {
            "package": self.package,
            "links": self.links,
            "joints": self.joints,
            "driven": self.driven,
            "followers": self.followers,
            "left_out": list(self.left_out),
            "notes": list(self.notes),
        }


@frozen
class BuiltPackage:
    """The files by their paths, relative to the folder that the package's folder is in.

    `changed` are files that already exist, the parent's package.order for one, with what was in them when they
    were read.
    """

    name: str
    folder: Path  # of the package, relative as well
    files: Mapping[Path, bytes]
    changed: Mapping[Path, bytes]
    names: NameTable
    summary: Summary
    model: str = ""  # the full name of the one to simulate

    def text(self, path: str | Path) -> str:
        """The text of a file that is not a binary."""
        return self.files[Path(path)].decode("utf-8")
