"""The files that everything is measured on: the Modelica Standard Library, and a sample of it for slow parsers."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import attrs

from modelica_ast import Source

OPENMODELICA_LIBRARIES = Path("~/.openmodelica/libraries")
# As OpenModelica installs it ("Modelica 4.1.0", "Complex 4.1.0.mo"), or as it is in its own repository ("Modelica").
_PART = re.compile(
    r"(Complex|Modelica|ModelicaReference|ModelicaServices|ModelicaTest|ModelicaTestOverdetermined|ObsoleteModelica4)"
    r"( 4\.1\.0.*)?(\.mo)?"
)


@attrs.frozen
class SourceFile:
    """A file and its size in bytes. Texts are read where they are needed: child processes get paths only."""

    path: Path
    size: int

    def text(self) -> str:
        """The text as `modelica_ast.parse_file` would read it."""
        return Source.read(self.path).text


class LibraryMissingError(Exception):
    """Nothing to measure on."""


def find_library() -> tuple[Path, list[SourceFile]]:
    """The first folder that has the library, and all its files in the order of their paths."""
    listed = os.environ.get("MODELICAPATH", "").split(os.pathsep)
    for folder in [*(Path(name) for name in listed if name), OPENMODELICA_LIBRARIES.expanduser()]:
        if not folder.is_dir():
            continue
        parts = [part for part in folder.iterdir() if _PART.fullmatch(part.name)]
        paths = [path for part in parts for path in ([part] if part.is_file() else part.rglob("*.mo"))]
        if any(part.is_dir() and part.name.split()[0] == "Modelica" for part in parts):
            return folder, [SourceFile(path, path.stat().st_size) for path in sorted(paths)]
    raise LibraryMissingError(
        'the Modelica Standard Library 4.1.0 is needed: run `installPackage(Modelica, "4.1.0")` in OpenModelica '
        f"(it goes to {OPENMODELICA_LIBRARIES}), or set MODELICAPATH to the folder that has its folder Modelica"
    )


def total_size(files: Sequence[SourceFile]) -> int:
    """Bytes in all of them."""
    return sum(file.size for file in files)


def sample(files: Sequence[SourceFile], size: float) -> list[SourceFile]:
    """About `size` bytes in files of all sizes from all over the library; the same ones every time.

    A tenth of the files have two thirds of the bytes, and large files are not like small ones: every k-th file
    would be a lottery. Hence classes of sizes, each half as large as the one before. Each gives its share of the
    bytes, and what the class before it could not give, in files at even distances in the order of paths.
    """
    share = min(1.0, size / total_size(files))
    classes: dict[int, list[SourceFile]] = {}
    for file in sorted(files, key=lambda file: file.path):
        classes.setdefault(file.size.bit_length(), []).append(file)
    chosen: list[SourceFile] = []
    owed = 0.0
    for _, members in sorted(classes.items(), reverse=True):
        bytes_here = total_size(members)
        owed += share * bytes_here
        count = min(len(members), max(0, round(owed * len(members) / max(1, bytes_here))))
        taken = [members[int((number + 0.5) * len(members) / count)] for number in range(count)]
        owed -= total_size(taken)
        chosen += taken
    return sorted(chosen, key=lambda file: file.path)
