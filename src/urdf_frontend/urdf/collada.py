"""The points of a COLLADA file (.dae), read piece by piece: what is kept of it is small, however large it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final
from xml.parsers import expat

_PIECE: Final = 65_536  # bytes that are read at once
_MOST_ELEMENTS: Final = 1_000_000  # who makes a tree of the file needs memory for each
_LONGEST_NUMBER: Final = 400  # letters
_DIMENSIONS: Final = 3
_DEPTH_OF_UNIT: Final = 3  # COLLADA, asset, unit

# How lxml parses XML that anybody may have written: entities stay what they are, and nothing is fetched.
# huge_tree: the positions of one part are one text, and larger than libxml2 allows a text of unknown origin to be.
SAFE_XML: Final[dict[str, Any]] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": True,
}

Columns = tuple[Sequence[float], Sequence[float], Sequence[float]]  # all x, all y, all z of some points


class BrokenMeshError(Exception):
    """A mesh file that is cut off or damaged; the sentence says how."""


def collada_columns(file: BinaryIO) -> Iterator[Columns]:
    """The positions of all geometries, in metres.

    The file is read twice, because which numbers are positions, and how many make a point, comes after them.
    """
    plan = _Plan()
    for _ in _fed(file, plan):
        pass
    strides = {name: _stride(plan.strides.get(name, "3")) for name in plan.positions}
    positions = _Positions(strides, plan.metre)
    file.seek(0)
    for _ in _fed(file, positions):
        yield from positions.taken()


def _fed(file: BinaryIO, reader: _Reader) -> Iterator[None]:
    """Let somebody read a file; stop after each piece.

    Expat, because it hands a long text out in pieces, and expands nothing that has not been declared before.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.buffer_size = _PIECE
    parser.EntityDeclHandler = _refuse_entity
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.data
    try:
        while piece := file.read(_PIECE):
            parser.Parse(piece, False)  # noqa: FBT003  (it takes no keyword)
            yield
        parser.Parse(b"", True)  # noqa: FBT003
        yield
    except expat.ExpatError as wrong:
        where = f"line {wrong.lineno}, column {wrong.offset + 1}"
        raise BrokenMeshError(f"it is not well-formed XML: {expat.ErrorString(wrong.code)}, {where}") from None
    except (LookupError, ValueError) as wrong:
        raise BrokenMeshError(f"its encoding is not known: {wrong}") from None


def _refuse_entity(*_: object) -> None:
    # One that stands for others, and these for others, makes a small file large.
    raise BrokenMeshError("it declares entities, which no program writes into a mesh")


def _stride(given: str) -> int:
    stride = int(given) if given.isdecimal() and len(given) < 4 else 0  # noqa: PLR2004  (a stride is 3, or a bit more)
    if stride < _DIMENSIONS:
        raise BrokenMeshError(f"its positions have the stride {given[:20]}")
    return stride


class _Reader:
    """Is called with what is in a file, in its order."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """It ends."""

    def data(self, text: str) -> None:
        """A piece of text."""


class _Plan(_Reader):
    """What a file says about its numbers: which of them are positions, and in which unit."""

    def __init__(self) -> None:
        self.metre = 1.0
        self.positions: dict[str, None] = {}  # ids of sources
        self.strides: dict[str, str] = {}
        self._source = ""
        self._in_vertices = False
        self._depth = 0
        self._count = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._count > _MOST_ELEMENTS:
            raise BrokenMeshError(f"it has more than {_MOST_ELEMENTS:,} elements")
        match _local(tag):
            case "unit" if self._depth == _DEPTH_OF_UNIT:
                self._take_unit(attributes.get("meter") or "1")
            case "source":
                self._source = attributes.get("id", "")
            case "accessor" if self._source:
                self.strides[self._source] = attributes.get("stride", "3")
            case "vertices":
                self._in_vertices = True
            case "input" if self._in_vertices and attributes.get("semantic") == "POSITION":
                self.positions[attributes.get("source", "").removeprefix("#")] = None

    def end(self, tag: str) -> None:
        self._depth -= 1
        match _local(tag):
            case "source":
                self._source = ""
            case "vertices":
                self._in_vertices = False

    def _take_unit(self, text: str) -> None:
        try:
            self.metre = float(text)
        except ValueError:
            raise BrokenMeshError("its unit is not a number") from None


class _Positions(_Reader):
    """The numbers of some sources as points, as they come."""

    def __init__(self, strides: Mapping[str, int], metre: float) -> None:
        self._strides = strides
        self._metre = metre
        self._stride = 0  # of the source around; none if it has no positions
        self._is_list = False
        self._text = ""  # of a number that may go on
        self._numbers: list[float] = []  # of a point that goes on
        self._ready: list[Columns] = []

    def taken(self) -> list[Columns]:
        """The points since the last call."""
        found, self._ready = self._ready, []
        return found

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = _local(tag)
        if name == "source":
            self._stride = self._strides.get(attributes.get("id", ""), 0)
        self._is_list = name == "float_array" and bool(self._stride)

    def data(self, text: str) -> None:
        if not self._is_list:
            return
        text = self._text + text
        words = text.split()
        self._text = words.pop() if words and not text[-1].isspace() else ""
        if len(self._text) > _LONGEST_NUMBER:
            raise BrokenMeshError("a position in it is not a number")
        self._take(words)

    def end(self, tag: str) -> None:
        if not self._is_list or _local(tag) != "float_array":
            return
        self._take(self._text.split())
        if self._numbers:
            raise BrokenMeshError("its positions are not a whole number of points")
        self._text, self._is_list = "", False

    def _take(self, words: Sequence[str]) -> None:
        try:
            numbers = self._numbers + [float(word) * self._metre for word in words]
        except ValueError:
            raise BrokenMeshError("a position in it is not a number") from None
        whole = len(numbers) - len(numbers) % self._stride
        self._numbers = numbers[whole:]
        if whole:
            points = numbers[:whole]
            self._ready.append((points[0 :: self._stride], points[1 :: self._stride], points[2 :: self._stride]))


def _local(tag: str) -> str:
    """The name without the prefix of its namespace."""
    return tag.rpartition(":")[2]
