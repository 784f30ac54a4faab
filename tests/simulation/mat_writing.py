"""Result files as OpenModelica and Dymola write them, for tests."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path


def matrix(name: str, columns: Sequence[Sequence[float]], rows: int, kind: int = 0) -> bytes:
    """A matrix in MATLAB's format 4: numbers are doubles, 20 is for integers, 51 for text."""
    code = {0: "d", 10: "f", 20: "i", 51: "B"}[kind]
    values = [value for column in columns for value in column]
    assert len(values) == rows * len(columns)
    header = struct.pack("<5i", kind, rows, len(columns), 0, len(name) + 1) + name.encode() + b"\0"
    return header + struct.pack(f"<{len(values)}{code}", *values)


def texts(words: Sequence[str]) -> list[list[float]]:
    length = max(len(word.encode()) for word in words)
    return [list(word.encode().ljust(length, b"\0")) for word in words]


def transposed(columns: Sequence[Sequence[float]]) -> list[list[float]]:
    return [list(row) for row in zip(*columns, strict=True)]


def write_mat(
    path: Path,
    times: Sequence[float],
    moving: Mapping[str, Sequence[float]],
    fixed: Mapping[str, float],
    *,
    negated: Mapping[str, str] | None = None,
    is_transposed: bool = True,
) -> None:
    """A result. `negated` are variables that are another one with the other sign, and have no values of their own."""
    negated = negated or {}
    stored = [name for name in moving if name not in negated]
    names = ["time", *moving, *fixed]
    info: list[list[float]] = [[0, 1, 0, -1]]
    for name in moving:
        sign, of = (-1, negated[name]) if name in negated else (1, name)
        info.append([2, sign * (stored.index(of) + 2), 0, -1])
    info += [[1, place, 0, -1] for place in range(2, len(fixed) + 2)]
    data_1 = [[times[0], *fixed.values()], [times[-1], *fixed.values()]]
    data_2 = transposed([times, *(moving[name] for name in stored)])
    kind = ["Atrajectory", "1.1", "", "binTrans" if is_transposed else "binNormal"]
    parts = [("Aclass", transposed(texts(kind)), 51)]
    for name, columns, number in (
        ("name", texts(names), 51),
        ("description", texts([f"about {name}" for name in names]), 51),
        ("dataInfo", info, 20),
        ("data_1", data_1, 0),
        ("data_2", data_2, 0),
    ):
        parts.append((name, columns if is_transposed else transposed(columns), number))
    path.write_bytes(b"".join(matrix(name, columns, len(columns[0]), number) for name, columns, number in parts))
