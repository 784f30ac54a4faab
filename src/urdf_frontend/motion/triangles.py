"""The triangles of mesh files: STL, binary and as text, and OBJ. COLLADA has a module of its own."""

from __future__ import annotations

import math
import re
import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import BinaryIO, Final

from attrs import define, field
from lxml import etree

from urdf_frontend.robot import IDENTITY, Triple, rotation_about
from urdf_frontend.urdf import LARGEST_MESH, SAFE_XML, BrokenMeshError, inspect_mesh, open_mesh

FARTHEST: Final = 1e15  # metres: its square still fits into four bytes

# ---------------------------------------------------------------- collada triangles
# The triangles of a COLLADA file (.dae), where its scene puts them.

_FACES: Final = ("triangles", "polylist", "polygons")
_WORD: Final = re.compile(r"\S+")
MOST_POINTS: Final = 1_500_000  # of one part, three for each of the triangles that a page may have
_MOST_NODES: Final = 5_000  # a node may be in several places; one that is in itself never ends
_SIDE: Final = 4

Matrix = tuple[tuple[float, ...], ...]  # three rows of four
_UNIT: Final[Matrix] = tuple((*row, 0.0) for row in IDENTITY.rotation)


def collada_triangles(data: bytes) -> Iterator[list[Triple]]:
    """All polygons of the scene in metres; of all geometries if there is no scene. The data has been looked into.

    What the file calls up is not looked at: viewers of robots take the axes as they are.
    """
    try:
        root = etree.fromstring(data, etree.XMLParser(**SAFE_XML))
    except etree.XMLSyntaxError as wrong:
        raise BrokenMeshError(f"it is not well-formed XML: {wrong.msg}") from None
    ids = {f"#{element.get('id')}": element for element in root.iter("{*}*") if element.get("id")}
    unit = root.find("{*}asset/{*}unit")
    metre = float(unit.get("meter") or 1.0) if unit is not None else 1.0
    scaled = tuple(tuple(metre * number for number in row) for row in _UNIT)
    placed = list(_placed_geometries(root, ids, scaled))
    for geometry, matrix in placed or [(each, scaled) for each in root.iter("{*}geometry")]:
        for polygon in _polygons(geometry, ids):
            yield [_moved(matrix, corner) for corner in polygon]


def _placed_geometries(
    root: etree._Element, ids: Mapping[str, etree._Element], unit: Matrix
) -> Iterator[tuple[etree._Element, Matrix]]:
    todo = [(scene, unit) for scene in root.iter("{*}visual_scene")]
    seen = 0
    while todo:
        parent, matrix = todo.pop()
        seen += 1
        if seen > _MOST_NODES:
            raise BrokenMeshError(f"its scene has more than {_MOST_NODES:,} nodes")
        for child in parent.iterchildren("{*}*"):
            name = etree.QName(child).localname
            target = ids.get(child.get("url", ""))
            if name == "node":
                todo.append((child, _product(matrix, _node_matrix(child))))
            elif name == "instance_node" and target is not None:
                todo.append((target, _product(matrix, _node_matrix(target))))
            elif name == "instance_geometry" and target is not None:
                yield target, matrix


def _node_matrix(node: etree._Element) -> Matrix:
    matrix = _UNIT
    for child in node.iterchildren("{*}*"):
        name = etree.QName(child).localname
        if name not in _STEPS:
            continue
        count, step = _STEPS[name]
        numbers = _floats(child.text)
        if len(numbers) != count:
            raise BrokenMeshError(f"a <{name}> in it does not have {count} numbers")
        matrix = _product(matrix, step(numbers))
    return matrix


def _translated(numbers: Sequence[float]) -> Matrix:
    return tuple((*row, at) for row, at in zip(IDENTITY.rotation, numbers, strict=True))


def _stretched(numbers: Sequence[float]) -> Matrix:
    return tuple(tuple(number * factor for number in row) for row, factor in zip(_UNIT, numbers, strict=True))


def _turned(numbers: Sequence[float]) -> Matrix:
    x, y, z, degrees = numbers
    length = math.hypot(x, y, z) or 1.0
    rotation = rotation_about((x / length, y / length, z / length), math.radians(degrees))
    return tuple((*row, 0.0) for row in rotation)


def _given(numbers: Sequence[float]) -> Matrix:
    return tuple(tuple(numbers[_SIDE * row : _SIDE * row + _SIDE]) for row in range(_SIDE - 1))


_STEPS: Final = {
    "matrix": (16, _given),
    "translate": (3, _translated),
    "rotate": (4, _turned),
    "scale": (3, _stretched),
}


def _product(a: Matrix, b: Matrix) -> Matrix:
    rows = (*b, (0.0, 0.0, 0.0, 1.0))
    return tuple(tuple(sum(row[k] * rows[k][column] for k in range(_SIDE)) for column in range(_SIDE)) for row in a)


def _moved(matrix: Matrix, point: Triple) -> Triple:
    x, y, z = (row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3] for row in matrix)
    return x, y, z


def _polygons(geometry: etree._Element, ids: Mapping[str, etree._Element]) -> Iterator[list[Triple]]:
    for faces in geometry.iter(*(f"{{*}}{name}" for name in _FACES)):
        inputs = list(faces.iterchildren("{*}input"))
        vertices = next((each for each in inputs if each.get("semantic") == "VERTEX"), None)
        if vertices is None:
            continue
        first, stride = _offset(vertices), 1 + max(map(_offset, inputs))
        points = _points(ids.get(str(vertices.get("source"))), ids)
        for indices in _index_lists(faces, stride):
            try:
                yield [points[index] for index in indices[first::stride]]
            except IndexError:
                raise BrokenMeshError("a face in it has a corner that does not exist") from None


def _offset(given: etree._Element) -> int:
    return next(iter(_integers(given.get("offset"))), 0)


def _index_lists(faces: etree._Element, stride: int) -> Iterator[Sequence[int]]:
    """The indices of each polygon."""
    lists = [_integers(each.text) for each in faces.iterchildren("{*}p")]
    kind = etree.QName(faces).localname
    if kind == "polygons":
        yield from lists
        return
    numbers = array("L", chain.from_iterable(lists))
    counts: Sequence[int] = (
        _integers(faces.findtext("{*}vcount")) if kind == "polylist" else [3] * (len(numbers) // (3 * stride))
    )
    at = 0
    for count in counts:
        yield numbers[at : at + count * stride]
        at += count * stride


def _points(vertices: etree._Element | None, ids: Mapping[str, etree._Element]) -> list[Triple]:
    for given in () if vertices is None else vertices.iterchildren("{*}input"):
        source = ids.get(str(given.get("source")))
        if given.get("semantic") == "POSITION" and source is not None:
            numbers = _floats(source.findtext("{*}float_array"))
            accessor = source.find("{*}technique_common/{*}accessor")
            stride = int(accessor.get("stride") or 3) if accessor is not None else 3
            starts = range(0, len(numbers) - 2, max(stride, 3))
            if len(starts) > MOST_POINTS:
                raise BrokenMeshError(f"it has more than {MOST_POINTS:,} points")
            return [(numbers[at], numbers[at + 1], numbers[at + 2]) for at in starts]
    raise BrokenMeshError("its faces have no positions")


def _floats(text: str | None) -> Sequence[float]:
    try:
        return array("d", map(float, _words(text)))
    except ValueError:
        raise BrokenMeshError("a number in it can't be read") from None


def _integers(text: str | None) -> Sequence[int]:
    try:
        return array("L", map(int, _words(text)))
    except ValueError:
        raise BrokenMeshError("an index in it can't be read") from None
    except OverflowError:
        raise BrokenMeshError("an index in it is negative, or too large") from None


def _words(text: str | None) -> Iterator[str]:
    """One after the other: a list of all words takes much more memory than their numbers."""
    return (found[0] for found in _WORD.finditer(text or ""))


# ---------------------------------------------------------------- triangles

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
        raise BrokenMeshError("its format is not known; STL, OBJ and DAE are")
    if found.problem is not None:
        raise BrokenMeshError(found.problem)
    triangles = Triangles()
    with open_mesh(path) as file:
        for polygon in _triangles_polygons(file, found.format):
            triangles.add([_scaled(corner, scales) for corner in polygon])
    if not len(triangles):
        raise BrokenMeshError("it has no triangles")
    return triangles


def _triangles_polygons(file: BinaryIO, form: str) -> Iterator[list[Triple]]:
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
        raise BrokenMeshError(f"a point in it does not have three numbers: {shown}") from None
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
