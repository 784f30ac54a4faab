"""What a user can decide about a package."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from attrs import field, frozen

from urdf_frontend.meshes import Packages
from urdf_frontend.names import NameStyle, NameTable

# Takes a mesh file and gives another one: its ending, `.stl`, and its bytes. None: it stays as it is.
MeshConverter = Callable[[Path], tuple[str, bytes] | None]

# Errors that a user may let pass: they are about values, not about what hangs on what.
ALLOWABLE: Final = frozenset(
    "urdf-inertia-incomplete urdf-inertia-negative urdf-limit-order urdf-mass-missing urdf-mass-negative".split()
)
TEMPLATES: Final = Path(__file__).parent.parent / "library" / "UrdfRobots"


class Visualisation(enum.Enum):
    """Whose shapes show the robot: those of the Modelica Standard Library, or of DLR Visualization 2."""

    MSL = "msl"
    VISUALIZATION2 = "visualization2"


@frozen(kw_only=True)
class BuildOptions:
    """All options; each has a default.

    `name`: the package; None takes the robot's. `into`: the folder that the package's folder is put in; if it is a
    package, that one gets another class. `urdf` is where the robot was read from, for meshes with relative paths, and
    `packages` finds those of `package://`. `known_names` are kept, see `make_names`. `known_resources` says what files
    of the URDF are called in Modelica; those are not looked for and not copied. `allowed` are codes of
    errors that do not stop the build, of those in ALLOWABLE. With `may_be_there` a package of this name in its place is
    no error of the build: `write` says whether it is the same.
    """

    name: str | None = None
    into: Path | None = None
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
    known_names: NameTable | None = field(default=None, repr=False)
    known_resources: Mapping[str, str] = field(factory=dict, repr=False)
