"""What a user can decide about the record of a robot."""

from __future__ import annotations

from pathlib import Path

from attrs import field, frozen

from urdf_frontend.building.options import TEMPLATES
from urdf_frontend.names import NameStyle, NameTable


@frozen(kw_only=True)
class RecordOptions:
    """All options; each has a default.

    `name`: the package around the record; None takes the robot's. `into`: the folder that its file is put in; if it
    is a package, that one gets another class. `known_names` are kept, see `make_names`. `allowed` are
    codes of errors that do not stop the build, of those in `building.options.ALLOWABLE`. `may_be_there`: see there.
    """

    name: str | None = None
    into: Path | None = None
    modelica_version: str = "4.0.0"
    name_style: NameStyle = NameStyle.AS_IS
    templates: Path = TEMPLATES
    allowed: frozenset[str] = frozenset()
    may_be_there: bool = False
    known_names: NameTable | None = field(default=None, repr=False)
