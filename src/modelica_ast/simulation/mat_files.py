"""Result files of OpenModelica and Dymola: matrices as MATLAB 4 stores them, by which variables share their values.

A file has the matrices `Aclass`, `name`, `description`, `dataInfo`, `data_1` (what does not change, at the start and at
the end) and `data_2` (a value for each time). They are stored as they are, or transposed, which `Aclass` tells.
`dataInfo` says for each name in which of both it is, in which row, and whether its sign is changed.
"""

from __future__ import annotations

import os
import struct
import sys
from array import array
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Final

from modelica_ast.files import open_regular
from modelica_ast.record import Record
from modelica_ast.simulation.errors import SimulationError
from modelica_ast.simulation.result import TIME, Result

_TYPES: Final = {0: "d", 1: "f", 2: "i", 3: "h", 4: "H", 5: "B"}  # of numbers, as the header has them
_HEADER: Final = struct.Struct("<5i")
_WANTED: Final = ("Aclass", "name", "dataInfo", "data_1", "data_2")
_UNCHANGING: Final = 1


class _Matrix(Record):
    """Values, column after column."""

    rows: int
    columns: int
    values: array[Any]

    def column(self, index: int) -> array[Any]:
        return self.values[index * self.rows : (index + 1) * self.rows]

    def row(self, index: int) -> array[Any]:
        return self.values[index :: self.rows]

    def transposed(self) -> _Matrix:
        values = array(self.values.typecode)
        for index in range(self.rows):
            values.extend(self.row(index))
        return _Matrix(rows=self.columns, columns=self.rows, values=values)

    def texts(self) -> list[str]:
        """A text for each column."""
        found = (bytes(int(code) for code in self.column(index)) for index in range(self.columns))
        return [each.rstrip(b" \0").decode("utf-8", "replace") for each in found]


def read_mat(path: str | PathLike[str], names: list[str] | None = None) -> Result:
    """All variables of a run that change, or those of `names`, which may be parameters and constants too.

    SimulationError if it is no such file.
    """
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            matrices = dict(_matrices(file))
        missing = [name for name in _WANTED if name not in matrices]
        if missing:
            raise SimulationError(f"{path}: it is no result of a simulation: it has no matrix '{missing[0]}'")
        if "binTrans" not in matrices["Aclass"].transposed().texts():
            matrices = {name: matrix.transposed() for name, matrix in matrices.items()}
        return _result(str(path), matrices, names)
    except (struct.error, EOFError, ValueError, KeyError, IndexError, OverflowError) as error:
        raise SimulationError(f"{path}: it is no result file in MATLAB's format 4: {error}") from None


def read_result(path: str | PathLike[str]) -> Result:
    """The result in a file: `.mat` as above, all else as CSV."""
    return read_mat(path) if Path(path).suffix.lower() == ".mat" else Result.read_csv(path)


def _result(path: str, matrices: dict[str, _Matrix], wanted: list[str] | None) -> Result:
    info, fixed, moving = matrices["dataInfo"], matrices["data_1"], matrices["data_2"]
    places = {name: info.column(index) for index, name in enumerate(matrices["name"].texts())}
    times = moving.row(0)
    if wanted is None:
        wanted = [name for name, place in places.items() if place[0] != _UNCHANGING]
    columns: dict[str, array[float]] = {}
    for name in wanted:
        if name.lower() == TIME:
            continue
        if name not in places:
            raise SimulationError(f"{path}: there is no variable '{name}'")
        place = places[name]
        row, sign = abs(int(place[1])) - 1, 1 if place[1] > 0 else -1
        matrix = fixed if place[0] == _UNCHANGING else moving
        if not 0 <= row < matrix.rows:
            raise SimulationError(f"{path}: '{name}' is in row {row + 1} of {matrix.rows}")
        values = array("d", matrix.row(row))
        if matrix is fixed:
            values = array("d", [values[0]] * len(times))
        columns[name] = values if sign > 0 else array("d", [-value for value in values])
    return Result(times, columns, model=Path(path).stem)


def _matrices(file: BinaryIO) -> Iterator[tuple[str, _Matrix]]:
    while header := file.read(_HEADER.size):
        kind, rows, columns, imaginary, length = _HEADER.unpack(header)
        is_text, number, machine = kind % 10, kind // 10 % 10, kind // 1000
        size = rows * columns * array(_TYPES[number]).itemsize
        # What a header promises must be there: nobody has memory for what a broken one says.
        if machine or is_text > 1 or imaginary or min(rows, columns, length) < 0 or length + size > _left(file):
            raise ValueError("a header says what such files do not have")
        name = file.read(length).rstrip(b"\0").decode("latin-1")
        values = array(_TYPES[number])
        values.fromfile(file, rows * columns)
        if sys.byteorder == "big":
            values.byteswap()
        yield name, _Matrix(rows=rows, columns=columns, values=values)


def _left(file: BinaryIO) -> int:
    """How many bytes are still to be read."""
    return os.fstat(file.fileno()).st_size - file.tell()
