"""The triangles of mesh files: STL, binary and as text, and OBJ. COLLADA has a module of its own."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final

from attrs import define, field

from urdf_frontend.animation.collada_triangles import MOST_POINTS, collada_triangles
from urdf_frontend.animation.packing import FARTHEST
from urdf_frontend.meshes import inspect_mesh
from urdf_frontend.meshes.collada import BrokenMeshError
from urdf_frontend.meshes.contents import LARGEST_MESH, open_mesh
from urdf_frontend.model.poses import Triple

MOST_TRIANGLES: Final = 500_000  # more would make a page that no browser opens with ease
_STL_HEADER: Final = 84
_STL_FACET: Final = struct.Struct("<12x9f2x")
_CORNERS: Final = 3
_LONGEST_LINE: Final = 65_536  # of a face with thousands of corners


@define
class Triangles:
    """Corners, each place once, and three indices for each triangle."""

    points: array[float] = field(factory=lambda: array("f"))
    indices: array[int] = field(factory=lambda: array("I"))
    _known: dict[Triple, int] = field(factory=dict, repr=False, eq=False)

    def __len__(self) -> int:
        return len(self.indices) // _CORNERS

    def add(self, corners: Sequence[Triple]) -> None:
        """A polygon, as the triangles between its first corner and each of its other sides."""
        numbers = [self._number(corner) for corner in corners]
        for second, third in pairwise(numbers[1:]):
            self.indices.extend((numbers[0], second, third))
        if len(self) > MOST_TRIANGLES:
            raise BrokenMeshError(f"it has more than {MOST_TRIANGLES:,} triangles")

    def _number(self, point: Triple) -> int:
        number = self._known.setdefault(point, len(self._known))
        if 3 * number == len(self.points):
            if not all(abs(number) < FARTHEST for number in point):
                raise BrokenMeshError("a point in it is too far away")
            self.points.extend(point)
        return number


def read_triangles(path: Path, scales: Triple = (1.0, 1.0, 1.0)) -> Triangles:
    """The triangles of a file, scaled; BrokenMeshError says why there are none, OSError that it can't be read."""
    found = inspect_mesh(path)
    if found.format is None:
        raise BrokenMeshError("its format is not known; known are STL, OBJ and DAE")
    if found.problem is not None:
        raise BrokenMeshError(found.problem)
    triangles = Triangles()
    with open_mesh(path) as file:
        for polygon in _polygons(file, found.format):
            triangles.add([_scaled(corner, scales) for corner in polygon])
    if not len(triangles):
        raise BrokenMeshError("it has no triangles")
    return triangles


def _polygons(file: BinaryIO, form: str) -> Iterator[list[Triple]]:
    match form:
        case "binary STL":
            return _binary_stl(file)
        case "ASCII STL":
            return _ascii_stl(_lines(file))
        case "OBJ":
            return _obj(_lines(file))
    return collada_triangles(file.read(LARGEST_MESH))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(_LONGEST_LINE):
        yield line


def _scaled(point: Triple, scales: Triple) -> Triple:
    return point[0] * scales[0], point[1] * scales[1], point[2] * scales[2]


def _binary_stl(file: BinaryIO) -> Iterator[list[Triple]]:
    for _ in range(int.from_bytes(file.read(_STL_HEADER)[80:], "little")):
        facet = file.read(_STL_FACET.size)
        if len(facet) < _STL_FACET.size:
            return
        a, b, c, d, e, f, g, h, i = _STL_FACET.unpack(facet)
        yield [(a, b, c), (d, e, f), (g, h, i)]


def _ascii_stl(lines: Iterable[bytes]) -> Iterator[list[Triple]]:
    corners: list[Triple] = []
    for line in lines:
        words = line.split()
        if words[:1] == [b"vertex"]:
            corners.append(_point(words))
            if len(corners) == _CORNERS:
                yield corners
                corners = []


def _obj(lines: Iterable[bytes]) -> Iterator[list[Triple]]:
    points: list[Triple] = []
    for line in lines:
        words = line.split()
        if words[:1] == [b"v"]:
            points.append(_point(words))
            if len(points) > MOST_POINTS:
                raise BrokenMeshError(f"it has more than {MOST_POINTS:,} points")
        elif words[:1] == [b"f"]:
            yield [_corner(word, points) for word in words[1:]]


def _point(words: Sequence[bytes]) -> Triple:
    try:
        x, y, z = (float(word) for word in words[1:4])
    except ValueError:
        shown = b" ".join(words)[:40].decode("latin-1")
        raise BrokenMeshError(f"a point in it has no three numbers: {shown}") from None
    return x, y, z


def _corner(word: bytes, points: Sequence[Triple]) -> Triple:
    """A corner of a face, `7`, `7/1`, `7//3` or, counted from the last point, `-1`."""
    try:
        number = int(word.partition(b"/")[0])
    except ValueError:
        number = 0
    if not 1 <= abs(number) <= len(points):
        shown = word[:40].decode("latin-1")
        raise BrokenMeshError(f"a face in it has a corner that does not exist: {shown}")
    return points[number - 1 if number > 0 else number]
