"""The triangles of a COLLADA file (.dae), where its scene puts them."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from lxml import etree

from urdf_frontend.meshes.collada import SAFE_XML, BrokenMeshError
from urdf_frontend.model.poses import IDENTITY, Triple, rotation_about

_FACES: Final = ("triangles", "polylist", "polygons")
_WORD: Final = re.compile(r"\S+")
MOST_POINTS: Final = 1_500_000  # of one part, three for each of the triangles that a page may have
_MOST_NODES: Final = 5_000  # a node may stand in several places; one that stands in itself never ends
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
            raise BrokenMeshError(f"a <{name}> in it has not {count} numbers")
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
