"""What a package of URDFModelica's script keeps for its updates: the same three files as one of this project.

There are no digests, for it is not known what the script has written. The base of a value is what the kept URDF file
has; whatever is not a value of the URDF file is the user's.
"""

from __future__ import annotations

from collections.abc import Iterable

from urdf_frontend.building import BuildOptions
from urdf_frontend.names import NamesFile, NameStyle, NameTable
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.base_file import BaseFile, RememberedConflict
from urdf_frontend.update.digests import digest
from urdf_frontend.update.dlr.fields import LIBRARY
from urdf_frontend.update.generating import names_path
from urdf_frontend.update.keeping import base_path, generator, urdf_path
from urdf_frontend.update.settings import settings_of

_ORIGIN = "origin"


def is_of_script(base: BaseFile) -> bool:
    """Is it the base of a package that the script has made?"""
    return base.options.get(_ORIGIN) == LIBRARY


def script_files_to_keep(
    package: str,
    names: NameTable,
    urdf: ReadResult,
    allowed: frozenset[str],
    conflicts: Iterable[RememberedConflict] = (),
) -> dict[str, bytes]:
    """The three files, by their paths in the package; `names.robot` is what they are called."""
    assert urdf.document is not None, "it was read"
    assert urdf.robot is not None, "it is usable"
    text = urdf.document.encode()
    options = BuildOptions(name_style=NameStyle.DLR, copy_meshes=False, allowed=allowed)
    base = BaseFile(
        generator(),
        package,
        digest("robot.urdf", text),
        {**settings_of(options, LIBRARY), _ORIGIN: LIBRARY},
        {},
        {},
        tuple(conflicts),
    )
    known = NamesFile(urdf.robot.name, names, {_ORIGIN: LIBRARY, "names": NameStyle.DLR.value}, {})
    return {
        names_path(names.robot): known.text.encode(),
        urdf_path(names.robot): text,
        base_path(names.robot): base.text.encode(),
    }
