"""OpenModelica as a backend: a script on the PATH answers in its forms, and omc itself does, where it is installed."""

from __future__ import annotations

import math
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast.simulation import (
    CompileError,
    CompilerCrashError,
    DivergedError,
    FmuModel,
    MissingBackendError,
    SimulationError,
    SimulationTimeoutError,
    Simulator,
    UnbalancedModelError,
)

LIBRARIES = FIXTURES / "simulation"


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def omc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put the script on the PATH; the function says what it finds."""
    script = tmp_path / "omc"
    fake = Path(__file__).with_name("fake_omc.py")
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{fake}" "$@"\n', encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where reproducers go

    def finds(what: str) -> None:
        monkeypatch.setenv("FAKE_OMC", what)

    return finds


def test_a_run(omc: Callable[[str], None]) -> None:
    omc("good")
    with Simulator([LIBRARIES], backend="omc") as simulator:
        model = simulator.compile("Swing.Decay")
        assert (model.equations, model.unknowns, model.is_balanced) == (3, 3, True)
        assert model.parameters == {"k": 2.0, "n": 2, "isOn": True}
        assert model.variables == ["x", "copies[1]", "hidden", "fixed"]
        assert model.state_names == ["x"]
        result = model.run(stop=1, step=0.25, parameters={"k": 3, "isOn": False})
        again = model.run(stop=1, step=0.5, variables=["x", "fixed", "k"])
        other = model.run(stop=1, step=0.5, parameters={"offsets": [1, 2]}, variables=["hidden"])
    assert result.times == [0, 0.25, 0.5, 0.75, 1]
    assert result["x"] == [0, 0.75, 1.5, 2.25, 3]
    assert result.names == ["x", "copies[1]"]
    assert result.units == {"x": "m"}
    assert result["copies[1]"] == [0, -0.75, -1.5, -2.25, -3]
    assert (again["x"], again["fixed"], again["k"]) == ([0, 1, 2], [7.5] * 3, [2] * 3)
    assert other["hidden"] == [1, 1.5, 2]


def test_the_same_run_is_not_done_twice(
    omc: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No second compilation for the same files; all files of a library count, for omc reads all of them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("FAKE_OMC_LOG", str(tmp_path / "log"))
    omc("good")
    shutil.copytree(LIBRARIES / "Swing", tmp_path / "libraries" / "Swing")

    def compilations(*, cache: bool = True) -> int:
        before = (tmp_path / "log").read_text(encoding="utf-8") if (tmp_path / "log").exists() else ""
        with Simulator([tmp_path / "libraries"], backend="omc", cache=cache) as simulator:
            result = simulator.compile("Swing.Decay").run(stop=1, step=0.5)
        assert result["x"] == [0, 1, 2]
        count = len((tmp_path / "log").read_text(encoding="utf-8")[len(before) :].splitlines())
        assert result.is_earlier == (count == 0)
        return count

    assert [compilations(), compilations(), compilations(cache=False), compilations()] == [1, 0, 1, 0]
    with (tmp_path / "libraries/Swing/Spring.mo").open("a", encoding="utf-8") as file:
        file.write("// changed\n")
    assert [compilations(), compilations()] == [1, 0]
    omc("terminated")  # another compiler
    assert compilations() == 1


def test_a_run_that_ends_itself(omc: Callable[[str], None]) -> None:
    omc("terminated")
    with Simulator([LIBRARIES], backend="omc") as simulator:
        assert simulator.compile("Swing.Stops").run(stop=1).ended == "far enough"


def test_a_model_that_is_not_compiled(omc: Callable[[str], None]) -> None:
    omc("no-compiler")
    with (
        Simulator([LIBRARIES], backend="omc") as simulator,
        pytest.raises(CompileError, match=r"did not compile it: .* gcc"),
    ):
        simulator.compile("Swing.Decay")


def test_a_program_that_crashes(omc: Callable[[str], None]) -> None:
    omc("run-crash")
    with Simulator([LIBRARIES], backend="omc") as simulator:
        model = simulator.compile("Swing.Decay")
        with pytest.raises(
            CompilerCrashError, match=r"Swing.Decay: its program has crashed \(signal SIGSEGV\)"
        ) as told:
            model.run(stop=1)
    assert told.value.reproducer is not None
    assert "simulate(ModelicaPatchRun);" in (told.value.reproducer / "reproduce.mos").read_text(encoding="utf-8")


def test_a_text(omc: Callable[[str], None]) -> None:
    omc("good")
    with Simulator([LIBRARIES], backend="omc") as simulator:
        model = simulator.compile_text("model M extends Swing.Decay; end M;", "M")
        assert model.run(stop=2, step=1, variables=["x"]).names == ["x"]


def test_an_unbalanced_model_is_no_success(omc: Callable[[str], None]) -> None:
    omc("unbalanced")
    with Simulator([LIBRARIES], backend="omc") as simulator, pytest.raises(UnbalancedModelError) as told:
        simulator.compile("Swing.Circuit")
    assert (told.value.equations, told.value.unknowns) == (6, 7)
    assert "Swing.Circuit is not balanced: 6 equations, 7 unknowns (too few equations)" in str(told.value)


def test_messages_have_their_places(omc: Callable[[str], None]) -> None:
    omc("unknown")
    with Simulator([LIBRARIES], backend="omc") as simulator, pytest.raises(CompileError) as told:
        simulator.compile("Swing.Misspelt")
    assert "Variable forgotten_name not found in scope Misspelt." in told.value.message
    assert "ModelicaPatchRun" not in str(told.value)
    (place,) = told.value.places
    assert Path(place.file).name == "package.mo"
    assert place.class_name == "Swing.Misspelt"


def test_a_run_that_fails(omc: Callable[[str], None]) -> None:
    omc("failing")
    with Simulator([LIBRARIES], backend="omc") as simulator, pytest.raises(DivergedError) as told:
        simulator.compile("Swing.Decay").run(stop=1)
    assert told.value.time == 0.75
    assert "division by zero at time 0.75" in str(told.value)
    assert "initialization finished" not in str(told.value)


def test_a_crash_leaves_a_reproducer(omc: Callable[[str], None]) -> None:
    omc("crash")
    with Simulator([LIBRARIES], backend="omc") as simulator, pytest.raises(CompilerCrashError) as told:
        simulator.compile("Swing.Decay")
    folder = told.value.reproducer
    assert folder is not None
    assert "SIGSEGV" in str(told.value) or "code 139" in str(told.value)
    assert str(folder) in str(told.value)
    script = (folder / "reproduce.mos").read_text(encoding="utf-8")
    assert '/Swing/package.mo", uses=false);' in script
    assert list(folder.glob("parts-*/Swing/Swing/package.mo"))


def test_the_time_is_over(omc: Callable[[str], None]) -> None:
    omc("slow")
    with Simulator([LIBRARIES], backend="omc", timeout=0.5) as simulator, pytest.raises(SimulationTimeoutError):
        simulator.compile("Swing.Decay")


def test_an_fmu_is_written(omc: Callable[[str], None], tmp_path: Path) -> None:
    omc("good")
    with Simulator([LIBRARIES], backend="omc") as simulator:
        simulator.export_fmu("Swing.Decay", tmp_path / "decay.fmu")
    assert (tmp_path / "decay.fmu").read_bytes() == b"PK fake"


def test_without_omc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingBackendError, match="'omc' is not on the PATH"):
        Simulator([LIBRARIES], backend="omc")
    with pytest.raises(SimulationError, match="there is no backend 'dymola'; there is rumoca, omc"):
        Simulator([LIBRARIES], backend="dymola")


# ---------------------------------------------------------------- omc itself


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    """Models of the fixture without the file that is broken: omc reads all files of a library."""
    if shutil.which("omc") is None:
        pytest.skip("OpenModelica is not installed: there is no omc on the PATH")
    folder = tmp_path_factory.mktemp("real")
    shutil.copytree(LIBRARIES / "Swing", folder / "Swing", ignore=shutil.ignore_patterns("Unreadable.mo"))
    with Simulator([folder], backend="omc", timeout=300) as simulator:
        yield simulator


def test_omc_compiles_once_and_runs_often(real: Simulator) -> None:
    model = real.compile("Swing.Decay")
    assert (model.equations, model.unknowns, model.states, model.state_names) == (3, 3, 1, ["x"])
    assert model.parameters == {"k": 2, "x_start": 1, "n": 2, "offsets[1]": 0, "offsets[2]": 0}
    for k in (2.0, 3.0):
        result = model.run(stop=1, step=0.25, parameters={"k": k, "x_start": 2}, tolerance=1e-10)
        assert result.times == pytest.approx([0, 0.25, 0.5, 0.75, 1])
        assert result["x"] == pytest.approx([2 * math.exp(-k * at) for at in result.times], rel=1e-6)
    assert result.units["x"] == "m"
    larger = model.run(stop=1, parameters={"n": 3, "offsets": [1, 2, 3]}, variables=["copies[3]", "x"])
    assert larger.last("copies[3]") == pytest.approx(larger.last("x") + 3)


def test_what_omc_finds_wrong(real: Simulator) -> None:
    with pytest.raises(UnbalancedModelError) as unbalanced:
        real.compile("Swing.Circuit")
    assert (unbalanced.value.equations, unbalanced.value.unknowns) == (6, 7)
    with pytest.raises(CompileError) as misspelt:
        real.compile("Swing.Misspelt")
    assert misspelt.value.message == "Swing.Misspelt: Variable forgotten_name not found in scope Misspelt."
    assert [(Path(each.file).name, each.class_name) for each in misspelt.value.places] == [
        ("package.mo", "Swing.Misspelt")
    ]
    with pytest.raises(CompileError, match=r"Swing\.Impossible"):
        real.compile("Swing.Impossible")


def test_runs_of_omc_that_end_early(real: Simulator) -> None:
    with pytest.raises(DivergedError, match=r"an assertion failed at 0\.5 s: x has gone too far") as guarded:
        real.compile("Swing.Guarded").run(stop=1, step=0.1)
    assert guarded.value.time == 0.5
    assert [each.class_name for each in guarded.value.places] == ["Swing.Guarded"]
    with pytest.raises(DivergedError, match="'x' is "):
        real.compile("Swing.Explodes").run(stop=2)
    stopped = real.compile("Swing.Stops").run(stop=1, step=0.1)
    assert stopped.ended == "far enough"
    assert stopped.times[-1] == pytest.approx(0.25)


def test_an_fmu_of_omc_runs(real: Simulator, tmp_path: Path) -> None:
    pytest.importorskip("fmpy", reason="FMPy is not installed: pip install 'modelica-ast[fmi]'")
    real.export_fmu("Swing.Decay", tmp_path / "decay.fmu")
    result = FmuModel(tmp_path / "decay.fmu").run(stop=1, step=0.01, parameters={"k": 3})
    assert result.last("x") == pytest.approx(math.exp(-3), rel=1e-4)  # not by Euler's method
