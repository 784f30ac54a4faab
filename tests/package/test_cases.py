"""Small robots with one thing wrong each, and what is said about it.

`fixtures/urdf/CASE.urdf` is the input, `CASE.txt` all that is found in it, a diagnostic on each line.
`pytest --update-expected tests/package/test_cases.py` writes down what is found now; read it before you keep it.
"""

from __future__ import annotations

import pytest

from conftest import FIXTURES, Expected
from urdf_frontend import CODES, Diagnostic, Severity, read, validate

CASES = sorted(path.stem for path in (FIXTURES / "urdf").glob("*.urdf"))

# What no text can show: files that are not there or too large, meshes, xacro. Other tests have them.
ELSEWHERE = {code for code in CODES if code.startswith(("urdf-mesh", "urdf-module-"))} | {
    "urdf-xacro-failed",
    "urdf-xacro-missing",
    "urdf-file",
    "urdf-too-large",
    "urdf-readers-differ",
    "urdf-ros-parser",
}


def found_in(case: str) -> tuple[Diagnostic, ...]:
    return read((FIXTURES / "urdf" / f"{case}.urdf").read_bytes(), path=f"{case}.urdf").diagnostics


def told(case: str) -> str:
    return "".join(f"{found}\n" for found in found_in(case))


@pytest.mark.parametrize("case", CASES)
def test_all_that_is_wrong_is_said(case: str, expected: Expected) -> None:
    expected.file(FIXTURES / "urdf" / f"{case}.txt", told(case))


def test_every_code_has_a_case() -> None:
    seen = {found.code for case in CASES for found in found_in(case)}
    assert seen == set(CODES) - ELSEWHERE


def test_every_error_says_what_to_do() -> None:
    errors = [found for case in CASES for found in found_in(case) if found.severity is Severity.ERROR]
    assert [str(found) for found in errors if not found.hint] == []


def test_every_text_belongs_to_a_case() -> None:
    assert sorted(path.stem for path in (FIXTURES / "urdf").glob("*.txt")) == CASES


@pytest.mark.parametrize("case", CASES)
def test_a_robot_that_is_checked_again_has_the_same_problems(case: str) -> None:
    result = read((FIXTURES / "urdf" / f"{case}.urdf").read_bytes(), path=f"{case}.urdf")
    if result.robot is not None and result.is_usable:
        again = {(found.code, found.line) for found in validate(result.robot)}
        assert again <= {(found.code, found.line) for found in result.diagnostics}
        assert all(CODES[code].severity is not Severity.ERROR for code, _ in again)
