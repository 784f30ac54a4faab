"""Mesh files: their format, whether they are whole, how large what they show is, and what is wrong with them."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final

from attrs import define, field, frozen

from urdf_frontend.robot import Mesh, Robot, Triple
from urdf_frontend.urdf.collada import BrokenMeshError, Columns, collada_columns
from urdf_frontend.urdf.diagnostics import Diagnostic, Findings, in_order, quoted, reason_of
from urdf_frontend.urdf.mesh_places import HEAD, Packages, Resolved, by_home, mesh_format, open_mesh, resolve

_STL_HEADER: Final = 84
_STL_FACET: Final = struct.Struct("<12x9f2x")
_STL: Final = ("binary STL", "ASCII STL")
_POINTS_AT_ONCE: Final = 4096
_LONGEST_LINE: Final = 4096
_VERTEX_FIELDS: Final = 4  # `v` or `vertex`, x, y, z


@frozen
class Bounds:
    """The box around all points of a mesh, in the units of the file, before `scale`."""

    low: Triple
    high: Triple

    @property
    def size(self) -> Triple:
        """Along x, y and z."""
        x, y, z = (high - low for low, high in zip(self.low, self.high, strict=True))
        return x, y, z


@frozen
class MeshFile:
    """What is known of a mesh file. The format is None if it is not known; then there are no bounds."""

    path: Path
    format: str | None  # `binary STL`, `ASCII STL`, `OBJ`, `DAE`
    bounds: Bounds | None = None
    problem: str | None = None  # what is wrong with it


def inspect_mesh(path: Path) -> MeshFile:
    """Look into a file, which takes little memory; OSError if it can't be read or has more than 200 MB.

    Bounds of a DAE file are those of its positions in metres; where its scene moves them is not looked at.
    """
    with open_mesh(path) as file:
        head = file.read(HEAD)
        size = file.seek(0, 2)
        file.seek(0)
        name = _format(head, size, path)
        if name is None:
            return MeshFile(path, None)
        box = _Box()
        try:
            for columns in _columns(file, name, size):
                box.add(columns)
        except BrokenMeshError as wrong:
            return MeshFile(path, name, box.bounds, str(wrong))
    if box.bounds is None:
        return MeshFile(path, name, None, "it has no points")
    return MeshFile(path, name, box.bounds)


def _format(head: bytes, size: int, path: Path) -> str | None:
    """By what is in it, and by its name where that does not tell: then it is damaged."""
    suffix = path.suffix.lower()
    found = mesh_format(head, size)
    if suffix == ".stl" and found not in _STL:
        # Binary files may start with `solid` too, but hardly with lines of text.
        return "ASCII STL" if head.lstrip().startswith(b"solid") and b"\0" not in head else "binary STL"
    return found or {".dae": "DAE", ".obj": "OBJ"}.get(suffix)


def _columns(file: BinaryIO, name: str, size: int) -> Iterator[Columns]:
    if name == "binary STL":
        return _binary_stl(file, size)
    if name == "ASCII STL":
        return _text_columns(_ascii_stl(file), b"vertex")
    if name == "OBJ":
        return _text_columns(_lines(file), b"v")
    return collada_columns(file)


def _binary_stl(file: BinaryIO, size: int) -> Iterator[Columns]:
    header = file.read(_STL_HEADER)
    if len(header) < _STL_HEADER:
        raise BrokenMeshError("it ends inside its header")
    count = int.from_bytes(header[80:], "little")
    expected = _STL_HEADER + count * _STL_FACET.size
    facets = min(count, (size - _STL_HEADER) // _STL_FACET.size)
    while facets > 0:
        data = file.read(_STL_FACET.size * min(facets, _POINTS_AT_ONCE))
        whole = len(data) // _STL_FACET.size
        if not whole:
            break
        numbers = list(chain.from_iterable(_STL_FACET.iter_unpack(data[: whole * _STL_FACET.size])))
        yield numbers[0::3], numbers[1::3], numbers[2::3]
        facets -= whole
    if size < expected:
        raise BrokenMeshError(f"it is cut off: {count} facets take {expected} bytes, and it has {size}")


def _ascii_stl(file: BinaryIO) -> Iterator[bytes]:
    last = b""
    for line in _lines(file):
        last = line if line.strip() else last
        yield line
    if not last.lstrip().startswith(b"endsolid"):
        raise BrokenMeshError("it is cut off: there is no 'endsolid' at its end")


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(_LONGEST_LINE):
        yield line


def _text_columns(lines: Iterable[bytes], word: bytes) -> Iterator[Columns]:
    """The points of the lines that start with a word and have three numbers after it."""
    columns: tuple[list[float], list[float], list[float]] = ([], [], [])
    for line in lines:
        parts = line.split()
        if len(parts) < _VERTEX_FIELDS or parts[0] != word:
            continue
        try:
            for column, part in zip(columns, parts[1:_VERTEX_FIELDS], strict=True):
                column.append(float(part))
        except ValueError:
            shown = line[:40].decode("latin-1").strip()
            raise BrokenMeshError(f"a point in it does not have three numbers: {shown}") from None
        if len(columns[0]) >= _POINTS_AT_ONCE:
            yield columns
            columns = ([], [], [])
    yield columns


@define
class _Box:
    """Grows around points. PERF: by whole columns, so that the work is done by `min` and `max`."""

    low: list[float] = field(factory=list)
    high: list[float] = field(factory=list)

    def add(self, columns: Columns) -> None:
        if not columns[0]:
            return
        if not all(math.isfinite(number) for column in columns for number in column):
            raise BrokenMeshError("a point in it is not finite")
        low, high = [min(column) for column in columns], [max(column) for column in columns]
        self.low = list(map(min, self.low, low)) if self.low else low
        self.high = list(map(max, self.high, high)) if self.high else high

    @property
    def bounds(self) -> Bounds | None:
        if not self.low:
            return None
        return Bounds((self.low[0], self.low[1], self.low[2]), (self.high[0], self.high[1], self.high[2]))


# ---------------------------------------------------------------- problems
# The mesh files of a robot: found, looked into, and what is wrong with them.


@frozen
class MeshReport:
    """The files by the names that the URDF has for them, and what is wrong, each file at its first use."""

    files: Mapping[str, MeshFile]
    diagnostics: tuple[Diagnostic, ...]


def check_meshes(robot: Robot, packages: Packages | None = None, *, urdf: Path | None = None) -> MeshReport:
    """Find and look into all mesh files of a robot that was read from the file `urdf`; never raises.

    What is missing in a package or folder is one diagnostic, at the first use.
    """
    packages = Packages(near=urdf) if packages is None else packages
    findings = Findings("<text>" if urdf is None else str(urdf))
    files: dict[str, MeshFile] = {}
    missing: list[_Missing] = []
    first_uses: dict[str, Mesh] = {}
    for mesh in meshes_of(robot):
        if mesh.filename:
            first_uses.setdefault(mesh.filename, mesh)
    for mesh in first_uses.values():
        found = _inspected(mesh, resolve(mesh.filename, packages, urdf), findings)
        if isinstance(found, _Missing):
            missing.append(found)
        elif found is not None:
            files[mesh.filename] = found
    for group in by_home(missing, lambda each: each.home):
        group[0].report(len(group), findings)
    return MeshReport(files, in_order(findings.diagnostics))


def meshes_of(robot: Robot) -> Iterator[Mesh]:
    """All meshes of a robot, in the order of the file."""
    for link in robot.links:
        for part in link.parts:
            if isinstance(part.geometry, Mesh):
                yield part.geometry


@frozen
class _Missing:
    """A mesh that is not there: what is wrong with it, and with several of them."""

    mesh: Mesh
    code: str
    home: str
    one: str
    several: str
    hint: str

    def report(self, count: int, findings: Findings) -> None:
        """Say so of all that are missing like this one."""
        about = f"the mesh {quoted(self.mesh.filename)} {self.one}"
        message = about if count == 1 else f"{count} meshes of {self.home} {self.several}"
        findings.report(self.code, self.mesh.place, message, self.hint)


def _inspected(mesh: Mesh, resolved: Resolved, findings: Findings) -> MeshFile | _Missing | None:
    path = resolved.path
    if path is None:
        one, several = f"is not read: {resolved.problem}", f"are not read: {resolved.problem}"
        return _Missing(mesh, "urdf-mesh-path", resolved.home, one, several, resolved.hint)
    try:
        found = inspect_mesh(path)
    except FileNotFoundError:
        near = _other_case(path)
        home = "" if near else resolved.home
        return _Missing(mesh, "urdf-mesh-missing", home, "does not exist", "do not exist", near)
    except OSError as wrong:
        message = f"the mesh {quoted(mesh.filename)} can't be read: {reason_of(wrong)}"
        findings.report("urdf-mesh-missing", mesh.place, message)
        return None
    if found.format is None:
        message = f"the mesh {quoted(mesh.filename)} is not of a known format"
        findings.report("urdf-mesh-format", mesh.place, message, "STL, OBJ and DAE are known")
    elif found.problem is not None:
        message = f"the mesh {quoted(mesh.filename)}, {found.format}, is damaged: {found.problem}"
        findings.report("urdf-mesh-broken", mesh.place, message)
    return found


def _other_case(path: Path) -> str:
    """Names that differ in their case only are the same on some systems."""
    if not path.parent.is_dir():
        return ""
    near = [other.name for other in path.parent.iterdir() if other.name.lower() == path.name.lower()]
    return f"did you mean {quoted(near[0])}?" if near else ""
