"""OpenModelica as a backend. It is not installed where these tests run: a script on the PATH answers in its forms."""

from __future__ import annotations

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
        result = model.run(stop=1, step=0.25, parameters={"k": 3, "offsets": [1, 2]})
    assert result.times == [0, 0.25, 0.5, 0.75, 1]
    assert result["x"] == [0, 0.5, 1, 1.5, 2]
    assert result.names == ["x", "copies[1]", "k"]


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
    assert "Variable forgotten_name not found in scope Swing.Misspelt." in told.value.message
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
    assert list(folder.glob("parts-Swing-*/Swing/package.mo"))


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
