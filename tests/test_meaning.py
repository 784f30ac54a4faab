"""What names stand for: the project's answers and those of a second, slow look-up are the same.

Each difference is one line: where the identifier is, what it is by `slow_lookup`, and what the project says.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from conftest import FIXTURES, ROOT
from modelica_ast import ModelicaSyntaxError, parse_file
from slow_comparison import Comparison
from slow_packages import packages

LIBRARIES = sorted(path for path in (FIXTURES / "libraries").iterdir() if path.suffix in {"", ".mo"})
TRICKY = sorted((ROOT.parent / "shared" / "oracle" / "tricky").glob("*.mo"))
QUESTIONS = ("references", "check", "instances")

# Every kind of library: functions, media full of redeclarations, inner and outer, records, operators, buses.
SAMPLE = """
Modelica.Blocks.Continuous
Modelica.Blocks.Examples
Modelica.Electrical.Analog.Basic
Modelica.Electrical.Machines.SpacePhasors
Modelica.Fluid.Vessels
Modelica.Math.Vectors
Modelica.Mechanics.MultiBody.Joints.Prismatic
Modelica.Mechanics.MultiBody.World
Modelica.Media.Air
Modelica.Thermal.FluidHeatFlow.Media
Modelica.StateGraph
""".split()


def single_files() -> list[Path]:
    """Fixtures that are one class by itself: cases of rules and of edits, and files about the syntax."""
    folders = [FIXTURES / "rules", FIXTURES / "edits"]
    found = [path for folder in folders for path in sorted(folder.glob("*/before.mo"))]
    return [*found, *sorted((FIXTURES / "modelica").glob("*.mo"))]


def differences(comparison: Comparison, question: str) -> list[str]:
    found: list[str] = getattr(comparison, question)()
    return found


def report(found: list[str]) -> None:
    assert not found, f"{len(found)} differences:\n" + "\n".join(found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_small_libraries(question: str) -> None:
    report(differences(Comparison(*LIBRARIES), question))


@pytest.mark.parametrize("question", QUESTIONS)
def test_single_files(question: str, tmp_path: Path) -> None:
    found = []
    for number, path in enumerate(single_files()):
        try:
            tree = parse_file(path)
        except ModelicaSyntaxError:
            continue
        if len(tree.classes) != 1 or tree.within:
            continue
        copy = tmp_path / str(number) / f"{tree.classes[0].name}.mo"
        copy.parent.mkdir()
        shutil.copy(path, copy)
        name = path.relative_to(FIXTURES)
        found += [f"{name}: {line}" for line in differences(Comparison(copy), question)]
    report(found)


@pytest.mark.skipif(not TRICKY, reason="there are no facts about names in ../shared/oracle")
@pytest.mark.parametrize("question", QUESTIONS)
def test_tricky_packages(question: str) -> None:
    report([line for path in TRICKY for line in differences(Comparison(path), question)])


@settings(max_examples=300)
@given(text=packages())
@pytest.mark.parametrize("question", QUESTIONS)
def test_random_packages(question: str, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "P.mo"
        path.write_text(text)
        found = differences(Comparison(path), question)
    assert not found, "\n".join([*found, text])
