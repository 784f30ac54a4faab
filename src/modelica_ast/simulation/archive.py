"""What was compiled and run before: descriptions of models and results of runs, by all that they were made from."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from modelica_ast.files import Kept
from modelica_ast.foundation import VERSION, Record, read_regular
from modelica_ast.simulation.result import Result
from modelica_ast.simulation.task import Description, Settings

_FORMAT: Final = 2  # of entries; another number, and none of the old ones is found any more
_SIZE: Final = 8  # bytes of the number that says how long the head of a result is
_BAD: Final = (ValueError, TypeError, LookupError, RecursionError)  # what comes of bytes that are no entry
_SOURCES: Final = (".mo", ".order")  # these count by what is in them, all other files of a library by their stamps


class _Run(Record):
    """An entry: the variables that a run has kept, all of them or some."""

    result: Result
    has_all: bool


class Archive:
    """Entries of a folder. What can't be read as what was written is not there."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def description(self, key: str) -> Description | None:
        """What the compiler has said of a model."""
        data = self._kept.get(f"{key}.model")
        if data is None:
            return None
        try:
            told = json.loads(data)
            description = Description(**{**told, "settable": frozenset(told["settable"])})
        except _BAD:
            return None
        return description if _is_whole(description) else None

    def keep_description(self, key: str, description: Description) -> None:
        """Keep what the compiler says of a model."""
        told = {name: getattr(description, name) for name in Description.__annotations__}
        self._kept.put(f"{key}.model", json.dumps({**told, "settable": sorted(description.settable)}).encode())

    def result(self, key: str, settings: Settings) -> Result | None:
        """The result of a run with these settings, if all variables that are wanted were kept."""
        run = self._run(key, settings)
        if run is None:
            return None
        if settings.variables is None:
            return run.result if run.has_all else None
        return run.result.only(settings.variables) if all(map(run.result.__contains__, settings.variables)) else None

    def variables(self, key: str, settings: Settings) -> list[str]:
        """The variables of an earlier run with these settings, so that the next one has them too."""
        run = self._run(key, settings)
        return [] if run is None else run.result.names

    def keep_result(self, key: str, settings: Settings, result: Result) -> None:
        """Keep a result."""
        # Most variables of a robot are equal to others, or rest at zero: a tenth of the columns is left.
        columns: dict[bytes, int] = {}
        numbers = [columns.setdefault(_bytes_of(result[name]), len(columns)) for name in result.names]
        head = {
            "model": result.model,
            "ended": result.ended,
            "all": settings.variables is None,
            "columns": dict(zip(result.names, numbers, strict=True)),
        }
        written = json.dumps(head).encode()
        parts = [len(written).to_bytes(_SIZE, "little"), written, _bytes_of(result.times), *columns]
        self._kept.put(_name(key, settings), b"".join(parts))

    def _run(self, key: str, settings: Settings) -> _Run | None:
        data = self._kept.get(_name(key, settings))
        if data is None:
            return None
        try:
            return _read(data)
        except _BAD:
            return None


def _name(key: str, settings: Settings) -> str:
    """The entry of a run. Which variables it keeps is not part of its name: one run serves all who ask."""
    said = {name: getattr(settings, name) for name in Settings.__annotations__ if name != "variables"}
    return f"{digest_of([key, json.dumps(said, sort_keys=True)])}.run"


def _is_whole(told: Description) -> bool:
    """Has it what a compiler tells?"""
    numbers = (told.states, told.equations or 0, told.unknowns or 0)
    lists = (told.names or [], told.variables, told.state_names, told.inputs, told.outputs)
    return (
        all(isinstance(each, int) for each in numbers)
        and all(isinstance(each, dict) for each in (told.parameters, told.units))
        and all(isinstance(each, list) for each in lists)
        and all(isinstance(each, str) for each in chain(told.settable, told.units.values(), *lists))
    )


def _bytes_of(column: Iterable[float]) -> bytes:
    numbers = array("d", column)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _read(data: bytes) -> _Run:
    at = _SIZE + int.from_bytes(data[:_SIZE], "little")
    head: dict[str, Any] = json.loads(data[_SIZE:at])
    numbers = array("d")
    numbers.frombytes(data[at:])
    if sys.byteorder == "big":
        numbers.byteswap()
    place_of: dict[str, int] = {**head["columns"]}
    points, rest = divmod(len(numbers), len(set(place_of.values())) + 1)
    if rest or not points:
        raise ValueError("columns of different lengths, or without a number")
    times, *columns = (numbers[first : first + points] for first in range(0, len(numbers), points))
    found = {name: columns[place] for name, place in place_of.items()}
    return _Run(
        result=Result(times, found, model=str(head["model"]), ended=str(head["ended"])), has_all=head["all"] is True
    )


# ---------------------------------------------------------------- digests


@cache
def _maker() -> bytes:
    """What of ours decides about an entry: the version, and the modules of this room as they are now."""
    digest = hashlib.sha256(f"{VERSION} {_FORMAT}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def digest_of(pieces: Iterable[str | bytes]) -> str:
    """A digest of pieces one after the other, and of what makes entries of them."""
    digest = hashlib.sha256(_maker())
    for piece in pieces:
        data = piece if isinstance(piece, bytes) else piece.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(_SIZE, "little") + data)
    return digest.hexdigest()


def digest_of_texts(texts: Mapping[str, str]) -> str:
    """A digest of texts with their names."""
    return digest_of(piece for name, text in sorted(texts.items()) for piece in (name, text))


def digest_of_libraries(libraries: Iterable[Path]) -> str:
    """A digest of all files of libraries: what is in those that compilers read, and the stamps of all others."""
    pieces: list[str | bytes] = []
    for library in libraries:
        pieces.append(str(library))
        for path in _files_of(library):
            pieces.append(str(path.relative_to(library)))
            try:
                if path.suffix in _SOURCES and path.is_file():
                    pieces.append(read_regular(path))
                else:
                    status = path.lstat()
                    pieces.append(f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}")
            except OSError as error:  # who reads it next says so
                pieces.append(f"not read: {error.errno}")
    return digest_of(pieces)


def _files_of(library: Path) -> Iterator[Path]:
    """All files of a library, without those of hidden folders, in a fixed order."""
    if not library.is_dir():
        yield library
        return
    for folder, inside, names in os.walk(library):
        inside[:] = sorted(each for each in inside if not each.startswith("."))
        yield from (Path(folder, name) for name in sorted(names))
