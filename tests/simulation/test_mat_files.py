"""Result files of other programs."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from modelica_ast.simulation import SimulationError, read_mat, read_result
from simulation.mat_writing import matrix, write_mat

TIMES = [0.0, 0.5, 1.0]
MOVING = {"x": [1.0, 2.0, 4.0], "arm.q[1]": [-0.5, 0.25, 1e-300], "minus": [-1.0, -2.0, -4.0]}
FIXED = {"größe": 2.5, "off": 0.0}


@pytest.mark.parametrize("is_transposed", [True, False])
def test_a_result(tmp_path: Path, is_transposed: bool) -> None:  # noqa: FBT001
    path = tmp_path / "run_res.mat"
    write_mat(path, TIMES, MOVING, FIXED, negated={"minus": "x"}, is_transposed=is_transposed)
    result = read_result(path)
    assert result.times == TIMES
    assert {name: result[name] for name in result.names} == MOVING
    some = read_mat(path, ["minus", "größe", "time"])
    assert {name: some[name] for name in some.names} == {"minus": MOVING["minus"], "größe": [2.5] * 3}
    assert some.model == "run_res"


def test_scipy_reads_what_the_tests_write(tmp_path: Path) -> None:
    io = pytest.importorskip("scipy.io", reason="SciPy is not installed: pip install 'modelica-ast[verify]'")
    path = tmp_path / "a.mat"
    write_mat(path, TIMES, MOVING, FIXED)
    found = io.loadmat(path, chars_as_strings=False)
    assert found["data_2"][0].tolist() == TIMES
    assert found["dataInfo"].shape == (4, 6)


def test_no_such_variable(tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    write_mat(path, TIMES, MOVING, FIXED)
    with pytest.raises(SimulationError, match=r"a\.mat: there is no variable 'y'"):
        read_mat(path, ["y"])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"time,x\n0,1\n", "it is not a result file in MATLAB's format 4"),
        (b"MATLAB 5.0 MAT-file, Platform: posix" + b" " * 92, "it is not a result file in MATLAB's format 4"),
        (b"", "it has no matrix 'Aclass'"),
        (matrix("a", [[1.0, 2.0]], 2), "it has no matrix 'Aclass'"),
        (matrix("a", [[1.0, 2.0]], 2)[:-3], "it is not a result file in MATLAB's format 4"),
        (struct.pack("<5i", 0, 1 << 20, 1 << 20, 0, 2) + b"a\0", "it is not a result file in MATLAB's format 4"),
        (struct.pack("<5i", 90, 1, 1, 0, 2) + b"a\0" + bytes(8), "it is not a result file in MATLAB's format 4"),
        (b"".join(matrix(name, [], 0) for name in ("Aclass", "name", "dataInfo", "data_1", "data_2")), "format 4"),
    ],
)
def test_what_is_no_result(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.mat"
    path.write_bytes(content)
    with pytest.raises(SimulationError, match=words):
        read_mat(path)


@given(st.data())
def test_a_broken_result_is_one_error(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "broken.mat"
    write_mat(path, TIMES, MOVING, FIXED)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    try:
        result = read_mat(path)
    except SimulationError as error:
        assert str(path) in str(error)  # noqa: PT017  (either is good)
    else:
        assert all(len(result[name]) == len(result.times) for name in result.names)
