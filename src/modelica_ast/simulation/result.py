"""What a run has computed: a column of numbers for each variable, and its form as a CSV file."""

from __future__ import annotations

import csv
import importlib.util
import io
import math
import os
import struct
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Final

from modelica_ast.files import write_file
from modelica_ast.foundation import Record, open_regular
from modelica_ast.simulation.errors import MissingBackendError, SimulationError, near

TIME = "time"


class Result:
    """The variables of a run over time. `result[name]` is the column of a variable, `result["time"]` the times."""

    def __init__(
        self,
        times: Iterable[float],
        columns: Mapping[str, Iterable[float]],
        *,
        model: str = "",
        units: Mapping[str, str] | None = None,
        ended: str = "",
    ) -> None:
        self.model = model
        self.units = dict(units or {})
        self.is_earlier = False  # was it kept by an earlier call, and not computed by this one?
        self.ended = ended  # the message of `terminate(…)` that has ended the run before its stop time
        self._times = array("d", times)
        self._columns = {name: array("d", column) for name, column in columns.items()}
        for name, column in self._columns.items():
            if len(column) != len(self._times):
                raise SimulationError(f"{len(column)} values of '{name}' at {len(self._times)} times")

    def __repr__(self) -> str:
        return f"<Result {self.model or 'of a run'}: {len(self._columns)} variables at {len(self)} times>"

    def __len__(self) -> int:
        return len(self._times)

    def __contains__(self, name: object) -> bool:
        return name == TIME or name in self._columns

    def __getitem__(self, name: str) -> list[float]:
        return self._column(name).tolist()

    def __eq__(self, other: object) -> bool:
        """Equal times and equal columns, NaN equal to itself."""
        if not isinstance(other, Result):
            return NotImplemented
        return self.names == other.names and all(_same(self[name], other[name]) for name in (TIME, *self.names))

    __hash__ = None  # type: ignore[assignment]  # it compares by its values, as lists do

    @property
    def times(self) -> list[float]:
        """The times of all values."""
        return self._times.tolist()

    @property
    def names(self) -> list[str]:
        """The names of all variables that were kept, without the time."""
        return list(self._columns)

    def last(self, name: str) -> float:
        """The value of a variable at the end."""
        column = self._column(name)
        if not column:
            raise SimulationError(f"there is no value of '{name}': the run has no times")
        return column[-1]

    def matching(self, patterns: Sequence[str]) -> list[str]:
        """The names that fit one of the patterns: `robot.*.phi`, or a name itself. `*` takes dots too."""
        found: dict[str, None] = {}
        for pattern in patterns:
            if pattern in self._columns:
                found[pattern] = None
                continue
            fitting = [name for name in self._columns if fnmatchcase(name, _plain_brackets(pattern))]
            if not fitting:
                raise SimulationError(f"there is no variable '{pattern}'{near(pattern, self._columns)}")
            found.update(dict.fromkeys(fitting))
        return list(found)

    def only(self, names: Sequence[str]) -> Result:
        """The same run with these variables alone."""
        found = Result(
            self._times,
            {name: self._column(name) for name in names},
            model=self.model,
            units=self.units,
            ended=self.ended,
        )
        found.is_earlier = self.is_earlier
        return found

    def without_repeated_end(self) -> Result:
        """The same run without a last time that only repeats the one before it, as some programs write it."""
        every = [self._times, *self._columns.values()]
        if len(self) < 2 or any(column[-1] != column[-2] for column in every):  # noqa: PLR2004  (a pair)
            return self
        columns = {name: column[:-1] for name, column in self._columns.items()}
        return Result(self._times[:-1], columns, model=self.model, units=self.units, ended=self.ended)

    def _column(self, name: str) -> array[float]:
        if name == TIME:
            return self._times
        found = self._columns.get(name)
        if found is None:
            raise SimulationError(f"there is no variable '{name}'{near(name, self._columns)}")
        return found

    # ------------------------------------------------------------ files

    def write_csv(self, path: str | PathLike[str]) -> None:
        """Write `time,…` and a row for each time. Every number reads back as the same one."""
        written = io.BytesIO()
        with io.TextIOWrapper(written, encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([TIME, *self._columns])
            for row in zip(self._times, *self._columns.values(), strict=True):
                writer.writerow([repr(value) for value in row])
            file.flush()
            write_file(path, written.getvalue())

    @classmethod
    def read_csv(cls, path: str | PathLike[str]) -> Result:
        """Read what `write_csv` has written, or what another tool has: a header with `time`, then numbers."""
        with os.fdopen(open_regular(path), encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            try:
                return cls._from_rows(str(path), next(rows, []), rows)
            except csv.Error as error:
                raise SimulationError(f"{path}:{rows.line_num}: {error}") from None
            except UnicodeDecodeError as error:
                raise SimulationError(f"{path}: it is not UTF-8 text: {error.reason}") from None

    @classmethod
    def _from_rows(cls, path: str, header: list[str], rows: Iterable[list[str]]) -> Result:
        names = [name.strip() for name in header]
        if TIME not in names:
            raise SimulationError(f"{path}:1: there is no column '{TIME}' in the first line")
        twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
        if twice is not None:
            raise SimulationError(f"{path}:1: there are two columns '{twice}'")
        columns = [array("d") for _ in names]
        for line, row in enumerate(rows, 2):
            if not row:
                continue
            if len(row) != len(names):
                raise SimulationError(f"{path}:{line}: {len(row)} values, but {len(names)} columns")
            for column, text in zip(columns, row, strict=True):
                try:
                    column.append(float(text))
                except ValueError:
                    raise SimulationError(f"{path}:{line}: '{text}' is not a number") from None
        by_name = dict(zip(names, columns, strict=True))
        times = by_name.pop(TIME)
        return cls(times, by_name, model=Path(path).stem)


def _same(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(
        a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(one, other, strict=True)
    )


def _plain_brackets(pattern: str) -> str:
    """Brackets are indices here, not sets of characters."""
    return pattern.replace("[", "[[]")


# ---------------------------------------------------------------- mat files
# Result files of OpenModelica and Dymola: matrices as MATLAB 4 stores them, by which variables share their values.
#
# A file has the matrices `Aclass`, `name`, `description`, `dataInfo`, `data_1` (what does not change, at the start
# and at the end) and `data_2` (a value for each time). They are stored as they are, or transposed, which `Aclass`
# tells. `dataInfo` says for each name in which of both it is, in which row, and whether its sign is changed.

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

    SimulationError if it is not a such file.
    """
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            matrices = dict(_matrices(file))
        missing = [name for name in _WANTED if name not in matrices]
        if missing:
            raise SimulationError(f"{path}: it is not a result of a simulation: it has no matrix '{missing[0]}'")
        if "binTrans" not in matrices["Aclass"].transposed().texts():
            matrices = {name: matrix.transposed() for name, matrix in matrices.items()}
        return _result(str(path), matrices, names)
    except (struct.error, EOFError, ValueError, KeyError, IndexError, OverflowError) as error:
        raise SimulationError(f"{path}: it is not a result file in MATLAB's format 4: {error}") from None


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


# ---------------------------------------------------------------- transfer
# Columns of numbers that another process has written.


def read_columns(output: Path, answer: dict[str, Any], model: str) -> Result:
    """The times and the columns of the names that the answer lists."""
    columns: list[array[float]] = []
    with output.open("rb") as file:
        for _ in range(len(answer["names"]) + 1):
            columns.append(array("d"))
            columns[-1].fromfile(file, answer["points"])
    return Result(columns[0], dict(zip(answer["names"], columns[1:], strict=True)), model=model, ended=answer["ended"])


# ---------------------------------------------------------------- plots
# Draw the variables of a result over time; what has one unit shares one axis.


FORMATS: Final = (".png", ".svg", ".pdf")
_WIDTH: Final = 9.0  # inches
_HEIGHT: Final = 2.8  # of one axis
_IN_LEGEND: Final = 12  # more lines than that need a second column
_LINES: Final = 24  # of one axis: more can't be told apart


def plot(result: Result, names: Sequence[str] | None, path: str | PathLike[str], *, title: str | None = None) -> None:
    """Draw these variables, all of them without, to a .png, .svg or .pdf file."""
    file = Path(path)
    if file.suffix.lower() not in FORMATS:
        raise SimulationError(f"{file}: plots are written as {', '.join(FORMATS)}")
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingBackendError("matplotlib is not installed: pip install 'modelica-ast[plot]'")
    groups = _by_unit(result, result.names if names is None else names)
    if not groups:
        raise SimulationError(f"{file}: there is no variable to draw")
    _draw(result, groups, file, result.model if title is None else title)


def _by_unit(result: Result, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The names of each unit; too many for one axis are spread over several."""
    by_unit: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_unit.setdefault(result.units.get(name, ""), []).append(name)
    return [
        (unit, found[first : first + _LINES])
        for unit, found in by_unit.items()
        for first in range(0, len(found), _LINES)
    ]


def _draw(result: Result, groups: list[tuple[str, list[str]]], file: Path, title: str) -> None:
    # A figure of its own, without pyplot: no window system is asked, and nothing global is left behind.
    from matplotlib import rc_context  # noqa: PLC0415  (an optional package)
    from matplotlib.figure import Figure  # noqa: PLC0415

    # The same values are the same file: names in an SVG are not random, and no date is written.
    with rc_context({"svg.hashsalt": "modelica-ast"}):
        figure = Figure(figsize=(_WIDTH, _HEIGHT * len(groups) + 0.6), layout="constrained")
        axes: Any = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
        times = result.times
        for axis, (unit, names) in zip(axes, groups, strict=True):
            for name in names:
                axis.plot(times, result[name], label=name, linewidth=1.2)
            axis.set_ylabel(_label(unit, names), parse_math=False)
            axis.grid(visible=True, alpha=0.3)
            axis.margins(x=0)
            legend = axis.legend(
                loc="upper left",
                bbox_to_anchor=(1.0, 1.0),
                fontsize="small",
                frameon=False,
                ncols=1 + (len(names) > _IN_LEGEND),
            )
            for text in legend.get_texts():
                text.set_parse_math(False)  # a `$` in a name is not a formula
        axes[-1].set_xlabel("time [s]")
        figure.suptitle(title, parse_math=False)
        metadata = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
        suffix = file.suffix.lower()
        drawn = io.BytesIO()
        figure.savefig(drawn, dpi=150, format=suffix[1:], metadata=metadata[suffix])
    write_file(file, drawn.getvalue())


def _label(unit: str, names: Sequence[str]) -> str:
    """The axis of one variable has its name too, if that is short."""
    short = names[0].rpartition(".")[2] if len({name.rpartition(".")[2] for name in names}) == 1 else ""
    return f"{short} [{unit}]".strip() if unit else short or "value"
