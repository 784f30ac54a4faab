"""The points of a COLLADA file (.dae)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final

from lxml import etree

_LARGEST: Final = 200_000_000  # bytes

Columns = tuple[Sequence[float], Sequence[float], Sequence[float]]  # all x, all y, all z of some points


class BrokenMeshError(Exception):
    """A mesh file that is cut off or damaged; the sentence says how."""


def collada_columns(file: BinaryIO, size: int) -> Iterator[Columns]:
    """The positions of all geometries, in metres."""
    if size > _LARGEST:
        raise BrokenMeshError(f"it has {size} bytes, which is too much to look into")
    # huge_tree: the positions of one part are one text, and larger than libxml2 allows a text of unknown origin to be.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    try:
        root = etree.parse(file, parser).getroot()
    except etree.XMLSyntaxError as wrong:
        raise BrokenMeshError(f"it is not well-formed XML: {wrong.msg}") from None
    metre = _metre(root)
    sources = {f"#{source.get('id')}": source for source in root.iter("{*}source") if source.get("id")}
    for vertices in root.iter("{*}vertices"):
        for given in vertices.iterchildren("{*}input"):
            source = sources.get(str(given.get("source")))
            if given.get("semantic") == "POSITION" and source is not None:
                numbers, stride = _positions(source)
                scaled = [number * metre for number in numbers]
                yield scaled[0::stride], scaled[1::stride], scaled[2::stride]


def _metre(root: etree._Element) -> float:
    unit = root.find("{*}asset/{*}unit")
    try:
        return float(unit.get("meter") or 1.0) if unit is not None else 1.0
    except ValueError:
        raise BrokenMeshError("its unit is not a number") from None


def _positions(source: etree._Element) -> tuple[list[float], int]:
    """The numbers of a source, and how many of them make a point."""
    floats = source.find("{*}float_array")
    words = (floats.text or "").split() if floats is not None else []
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        raise BrokenMeshError("a position in it is not a number") from None
    accessor = source.find("{*}technique_common/{*}accessor")
    given = str(accessor.get("stride", "3")) if accessor is not None else "3"
    stride = int(given) if given.isdecimal() and len(given) < 4 else 0  # noqa: PLR2004  (a stride is 3, or a bit more)
    if stride < 3:  # noqa: PLR2004  (x, y, z)
        raise BrokenMeshError(f"its positions have the stride {given[:20]}")
    if len(numbers) % stride:
        raise BrokenMeshError("its positions are not a whole number of points")
    return numbers, stride
