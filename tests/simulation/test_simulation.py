"""Models compiled and run by rumoca, in its own process."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES
from modelica_ast import ModelicaSyntaxError, parse_expression
from modelica_ast.cli import main
from modelica_ast.files import Kept
from modelica_ast.foundation import NotFoundError
from modelica_ast.simulation import (
    CompileError,
    DivergedError,
    Experiment,
    MissingLibraryError,
    Result,
    SimulationError,
    Simulator,
    UnbalancedModelError,
    rumoca,
)
from modelica_ast.simulation.archive import Archive
from modelica_ast.simulation.child import Child, Progress
from modelica_ast.simulation.closure import Stage, parts_of, stage, stage_whole
from modelica_ast.simulation.complaints import singularity_of
from modelica_ast.simulation.rumoca import RumocaBackend, RumocaModel
from modelica_ast.simulation.task import Description, Settings, Task, task_of_class

pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[sim]'")

LIBRARIES = FIXTURES / "simulation"


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of its own: what is already there decides nothing here."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def simulator(cache: Path) -> Iterator[Simulator]:
    assert cache.is_dir()
    with Simulator([LIBRARIES], timeout=300) as opened:
        yield opened


# ---------------------------------------------------------------- runs


def test_a_model_of_a_library(simulator: Simulator) -> None:
    model = simulator.compile("Swing.Decay")
    assert (model.equations, model.unknowns, model.states, model.is_balanced) == (3, 3, 1, True)
    assert model.parameters["k"] == 2
    assert model.variables == ["x", "copies[1]", "copies[2]"]
    assert model.state_names == ["x"]
    assert model.experiment == Experiment(0.0, 0.5, 0.05, 1e-7)
    assert model.units(["x", "copies[1]"]) == {"x": "m"}
    result = model.run(stop=1, step=0.25)
    assert result.times == [0, 0.25, 0.5, 0.75, 1]
    assert result["x"] == pytest.approx([math.exp(-2 * time) for time in result.times], rel=1e-6)
    assert result.units["x"] == "m"
    assert result.names == ["x", "copies[1]", "copies[2]"]


@pytest.mark.parametrize(
    ("parameters", "last"),
    [
        ({}, math.exp(-2)),
        ({"k": 1}, math.exp(-1)),
        ({"x_start": 3}, 3 * math.exp(-2)),
        ({"x.start": 4}, 4 * math.exp(-2)),  # compiled once more, as is a size
        ({"n": 3, "k": 1}, math.exp(-1)),
    ],
)
def test_parameters(simulator: Simulator, parameters: dict[str, float], last: float) -> None:
    result = simulator.compile("Swing.Decay").run(stop=1, parameters=parameters)
    assert result.last("x") == pytest.approx(last, rel=1e-6)
    assert len(result.names) == (4 if "n" in parameters else 3)


def test_all_elements_of_an_array(simulator: Simulator) -> None:
    model = simulator.compile("Swing.Decay")
    result = model.run(stop=1, parameters={"offsets": [1, 2]}, variables=["copies[2]"])
    assert result.names == ["copies[2]"]
    assert result.last("copies[2]") == pytest.approx(2 + math.exp(-2))
    with pytest.raises(SimulationError, match=r"set all of it, 'offsets=\{…\}'"):
        model.run(stop=1, parameters={"offsets[1]": 1})


def test_a_value_that_names_a_constant(msl: Path, simulator: Simulator) -> None:
    assert msl.is_dir()
    value = parse_expression("Modelica.Constants.pi/2")
    result = simulator.compile("Swing.Spring").run(stop=0.1, parameters={"mass.s.start": value})
    assert result["mass.s"][0] == pytest.approx(math.pi / 2)
    assert simulator.notes == []


def test_a_model_of_a_text(simulator: Simulator) -> None:
    source = "model Two\n  Swing.Decay a(k=1), b(k=3);\n  Real sum = a.x + b.x;\nend Two;\n"
    result = simulator.compile_text(source, "Two").run(stop=1, parameters={"a.k": 2})
    assert result.last("sum") == pytest.approx(math.exp(-2) + math.exp(-3), rel=1e-6)


def test_the_end_that_a_model_chooses(simulator: Simulator) -> None:
    result = simulator.compile("Swing.Stops").run(stop=1)
    assert result.ended == "far enough"
    assert result.times[-1] == pytest.approx(0.25)


def test_the_standard_library(msl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert msl.is_dir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Simulator([LIBRARIES], timeout=300) as simulator:
        model = simulator.compile("Swing.Spring")
        result = model.run(stop=2, step=0.5, parameters={"c": 18})
        assert simulator.notes == []
    assert result["mass.s"] == pytest.approx([math.cos(3 * time) for time in result.times], abs=1e-5)
    assert model.units(["mass.s", "mass.v", "spring.f"]) == {"mass.s": "m", "mass.v": "m/s", "spring.f": "N"}
    # Only what it needs was given to the compiler.
    task = task_of_class("Swing.Spring", simulator.shelf)
    given = [place for place in parts_of(task.libraries, task.closure) if place.startswith("Modelica/")]
    assert "Modelica/Modelica/Mechanics/Translational/Components/Mass.mo" in given
    assert len(given) < 40
    assert "Modelica/Modelica/Blocks/package.mo" not in given


def test_parts_keep_their_lines(simulator: Simulator, tmp_path: Path) -> None:
    task = task_of_class("Swing.Misspelt", simulator.shelf)
    backend = RumocaBackend(timeout=300, progress=None)
    with pytest.raises(CompileError):
        backend.compile(task)
    (copy,) = backend.folder.rglob("package.mo")
    lines = copy.read_text(encoding="utf-8").splitlines()
    original = (LIBRARIES / "Swing/package.mo").read_text(encoding="utf-8").splitlines()
    backend.close()
    assert not list(tmp_path.iterdir())
    assert len(lines) == len(original)
    assert {line for line, first in zip(lines, original, strict=True) if line != first} == {""}
    assert '  model Circuit "Not balanced"' not in lines
    assert '  model Decay "x(t) = x_start*exp(-k*t)"' in lines


def test_without_a_cache_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Simulator([LIBRARIES], cache=False) as simulator:
        assert simulator.compile("Swing.Decay").is_balanced
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_can_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    for _ in range(2):
        with Simulator([LIBRARIES]) as simulator:
            assert not simulator.compile("Swing.Decay").run(stop=1).is_earlier


@pytest.mark.parametrize("is_terminal", [True, False])
def test_phases_are_told_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, is_terminal: bool
) -> None:
    ask = Child.ask

    def slow(
        self: Child, request: Mapping[str, Any], doing: str, timeout: float | None, progress: Progress
    ) -> dict[str, Any]:
        progress(doing, 3.2)
        return ask(self, request, doing, timeout, progress)

    monkeypatch.setattr(Child, "ask", slow)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    assert main(["simulate", "Swing.Decay", "--library", str(LIBRARIES / "Swing"), "--no-cache"]) == 0
    told = [each for each in capsys.readouterr().err.split("\r\x1b[K") if each]
    assert told == (["compiling Swing.Decay … 3 s", "simulating Swing.Decay … 3 s"] if is_terminal else [])


def test_a_picture_is_told_with_what_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'modelica-ast[plot]'")
    monkeypatch.chdir(tmp_path)
    call = ["simulate", "Swing.Decay", "--library", str(LIBRARIES / "Swing"), "--plot", "x.svg", "-o", "x.csv"]
    assert main(call) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[-2:] == ["x.csv written: 3 variables at 11 times", "x.svg written: 1 variable at 11 times"]


# ---------------------------------------------------------------- runs of earlier calls


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What the compiler's process is asked; the cache is empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found: list[str] = []
    ask = Child.ask

    def counted(self: Child, request: Mapping[str, Any], *options: Any) -> dict[str, Any]:
        found.append(request["what"])
        return ask(self, request, *options)

    monkeypatch.setattr(Child, "ask", counted)
    return found


def decay(folder: Path = LIBRARIES, *, cache: bool = True, name: str = "Swing.Decay", **options: Any) -> Result:
    with Simulator([folder], cache=cache, timeout=300) as simulator:
        return simulator.compile(name).run(stop=1, step=0.25, **options)


def test_the_same_run_starts_no_process(asked: list[str]) -> None:
    first = decay()
    assert asked == ["compile", "run"]
    second = decay()
    assert asked == ["compile", "run"]
    assert (second, second.units, second.model, second.ended) == (first, first.units, first.model, first.ended)
    assert (first.is_earlier, second.is_earlier) == (False, True)
    assert decay(variables=["copies[2]", "x"]).names == ["copies[2]", "x"]
    assert decay(variables=["x"]).is_earlier
    assert asked == ["compile", "run"]


def test_a_run_serves_all_who_ask_for_less(asked: list[str]) -> None:
    decay(variables=["x"])
    assert not decay(variables=["copies[1]"]).is_earlier
    assert decay(variables=["x", "copies[1]"]).is_earlier
    assert not decay().is_earlier  # the others may be wanted now
    assert decay(variables=["copies[2]"]).is_earlier
    assert asked == ["compile", "run"] * 3


@pytest.mark.parametrize(
    "other",
    [
        {"tolerance": 1e-5},
        {"solver": "bdf"},
        {"start": 0.1},
        {"parameters": {"k": 3}},
        {"parameters": {"n": 3, "offsets": [1, 2, 3]}},
    ],
    ids=lambda other: next(iter(other)),
)
def test_other_options_are_another_run(asked: list[str], other: dict[str, Any]) -> None:
    decay()
    assert not decay(**other).is_earlier
    assert decay(**other).is_earlier
    assert asked.count("run") == 2


def test_without_the_cache_all_is_done_again(asked: list[str]) -> None:
    decay()
    assert not decay(cache=False).is_earlier
    assert asked == ["compile", "run"] * 2


def test_a_change_of_a_file_that_is_read_counts(asked: list[str], tmp_path: Path) -> None:
    """A class that the model needs counts by what is in it, and no other one does."""
    shutil.copytree(LIBRARIES / "Swing", tmp_path / "one" / "Swing")
    file = tmp_path / "one" / "Swing" / "package.mo"
    first = decay(tmp_path / "one")
    status = file.stat()
    text = file.read_text(encoding="utf-8")
    assert 'Real k(unit="1/s")=2' in text
    (tmp_path / "one" / "Swing" / "Spring.mo").unlink()
    (tmp_path / "one" / "Swing" / "package.order").unlink()
    assert decay(tmp_path / "one").is_earlier
    file.write_text(text.replace('Real k(unit="1/s")=2', 'Real k(unit="1/s")=3'), encoding="utf-8")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))  # with the old size and time
    second = decay(tmp_path / "one")
    assert not second.is_earlier
    assert second.last("x") < first.last("x")
    assert asked == ["compile", "run"] * 2


@pytest.mark.parametrize("kind", ["model", "run"])
@pytest.mark.parametrize("damage", [b"", b"\0" * 100, b"{}"])
def test_a_damaged_entry_is_not_there(asked: list[str], tmp_path: Path, kind: str, damage: bytes) -> None:
    first = decay()
    (entry,) = (tmp_path / "cache" / "modelica_ast").glob(f"*.{kind}")
    entry.write_bytes(damage)
    assert decay() == first
    kept = Kept()
    kept.put(entry.name, damage)  # whole, but no entry of this kind
    assert decay() == first
    assert asked.count("compile") == 3


SETTINGS = Settings(0, 1, 0.5, 1e-8, "rk-like", {}, None)
TOLD = Description(1, 1, 1, True, {"k": 2}, ["k"], frozenset({"k"}), ["x"], {"x": "m"}, ["x"], ["u"], ["y"])  # noqa: FBT003
RAN = Result([0, 1], {"x": [1, 2], "y": [1, 2], "z": [0, 0]}, model="M")
DEEP = b"[" * 100_000


def headed(head: bytes, numbers: bytes = b"") -> bytes:
    """A result as it is kept, with this head."""
    return len(head).to_bytes(8, "little") + head + numbers


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("model", lambda _: b"[]"),
        ("model", lambda _: DEEP),
        ("model", lambda data: data.replace(b'"states": 1', b'"states": "1"')),
        ("model", lambda data: data.replace(b'"units": {', b'"other": {')),
        ("model", lambda data: data.replace(b'"units": {"x": "m"}', b'"units": ["x"]')),
        ("model", lambda data: data.replace(b'"units": {"x": "m"', b'"units": {"x": 7')),
        ("model", lambda data: data.replace(b'"state_names": ["x"]', b'"state_names": [["x"]]')),
        ("model", lambda data: data.replace(b'"settable": [', b'"settable": [7, ')),
        ("run", lambda _: DEEP),
        ("run", lambda _: headed(DEEP)),
        ("run", lambda _: headed(b"[]")),
        ("run", lambda data: data[:-8]),
        ("run", lambda data: data.replace(b'"x": 0', b'"x": 9')),
        ("run", lambda data: data.replace(b'"x": 0', b'"x":""')),
        ("run", lambda data: data.replace(b'"columns": {', b'"columns": 5, "": {')),
        ("run", lambda _: headed(b'{"model": "", "ended": "", "all": true, "columns": {}}')),
    ],
)
def test_what_is_no_entry_is_not_there(tmp_path: Path, kind: str, changed: Callable[[bytes], bytes]) -> None:
    """Its checksum is right, as if another program had written it."""
    archive = Archive(Kept(tmp_path))
    archive.keep_description("key", TOLD)
    archive.keep_result("key", SETTINGS, RAN)
    assert archive.description("key") == TOLD
    assert archive.result("key", SETTINGS) == RAN
    (entry,) = tmp_path.glob(f"*.{kind}")
    data = Kept(tmp_path).get(entry.name)
    assert data is not None
    assert changed(data) != data
    Kept(tmp_path).put(entry.name, changed(data))
    assert (archive.description("key") if kind == "model" else archive.result("key", SETTINGS)) is None


def test_equal_columns_are_kept_once(tmp_path: Path) -> None:
    """A robot has many variables that are equal to another one, or rest at zero."""
    Archive(Kept(tmp_path)).keep_result("key", SETTINGS, RAN)
    (entry,) = tmp_path.iterdir()
    data = Kept(tmp_path).get(entry.name)
    assert data is not None
    head = int.from_bytes(data[:8], "little")
    assert json.loads(data[8 : 8 + head])["columns"] == {"x": 0, "y": 0, "z": 1}
    assert len(data) == 8 + head + 3 * 2 * 8


def test_another_compiler_is_another_run(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    decay()
    monkeypatch.setattr(rumoca, "version", lambda _: "0.99")
    assert not decay().is_earlier
    assert decay().is_earlier
    assert asked == ["compile", "run"] * 2


def test_processes_run_the_same_model_at_once(asked: list[str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: decay(), range(6)))
    assert all(result == results[0] for result in results)
    assert decay().is_earlier
    assert asked.count("run") <= 6


def test_whole_libraries_where_a_part_is_missing(tmp_path: Path) -> None:
    (tmp_path / "Two.mo").write_text(
        "package Two model A Real x = time; end A; model B A a; end B; end Two;", encoding="utf-8"
    )
    with Simulator([tmp_path], timeout=300) as simulator:
        task = task_of_class("Two.B", simulator.shelf)
        ((path, needed),) = task.closure.needed.items()
        whole = len(needed)
        needed.discard(next(each for each in needed if task.closure.name_of(path, each) == "A"))
        assert len(needed) == whole - 1
        _, description = simulator.backend.compile(task)
        assert description.equations == 1
        assert simulator.notes == [
            "a name was not found in the parts of the libraries that are needed: all of them are read"
        ]


EXAMPLES = """
Blocks.Examples.PID_Controller
Clocked.Examples.Elementary.RealSignals.Sample1
Electrical.Analog.Examples.CauerLowPassAnalog
Electrical.QuasiStatic.SinglePhase.Examples.SeriesResonance
Fluid.Examples.Tanks.ThreeTanks
Mechanics.MultiBody.Examples.Elementary.Pendulum
Mechanics.Rotational.Examples.CoupledClutches
Media.Examples.SimpleLiquidWater
StateGraph.Examples.FirstExample
Thermal.HeatTransfer.Examples.TwoMasses
""".split()


@pytest.mark.corpus
def test_parts_say_the_same_as_whole_libraries(msl: Path, tmp_path: Path) -> None:
    """What the compiler makes of an example, good or bad, does not depend on what was left out."""
    assert msl.is_dir()
    with Simulator([], timeout=600) as simulator:
        backend = simulator.backend
        assert isinstance(backend, RumocaBackend)
        tasks = [task_of_class(f"Modelica.{example}", simulator.shelf) for example in EXAMPLES]
        whole = stage_whole(tasks[0].libraries, None, tmp_path)
        parts = [stage(task.libraries, task.closure, backend.folder / "parts") for task in tasks]
        by_parts = [told(backend, task, stage) for task, stage in zip(tasks, parts, strict=True)]
        by_whole = [told(backend, task, whole) for task in tasks]  # in one session: reading them takes long
    print("\n".join(map(str, zip(EXAMPLES, by_parts, strict=True))))  # noqa: T201  (a run over a library shows what it has found)
    assert by_parts == by_whole


def told(backend: RumocaBackend, task: Task, stage: Stage) -> object:
    """The number of equations, or why there is none."""
    answer = backend._compiled(RumocaModel(task, stage))
    first = str(answer.get("message", "")).partition("\n")[0]
    return answer.get("equations") or re.sub(r"\[[^\]]*\.mo:[^\]]*\]", "", first)


# ---------------------------------------------------------------- errors


def test_an_unbalanced_model_names_the_guilty_part(simulator: Simulator) -> None:
    with pytest.raises(UnbalancedModelError) as told:
        simulator.compile("Swing.Circuit")
    assert (told.value.equations, told.value.unknowns) == (6, 7)
    assert told.value.message == (
        "Swing.Circuit is not balanced: 6 equations, 7 unknowns (too few equations);"
        " 'holder.inside' of Swing.Forgotten has 2 equations for 3 unknowns"
    )
    (place,) = told.value.places
    assert (Path(place.file).name, place.line, place.column) == ("package.mo", 22, 15)
    assert (place.class_name, place.component) == ("Swing.Holder", "inside")


def test_a_name_that_is_nowhere(simulator: Simulator) -> None:
    with pytest.raises(CompileError) as told:
        simulator.compile("Swing.Misspelt")
    assert told.value.message == "Swing.Misspelt: unresolved component reference: 'forgotten_name'"
    (place,) = told.value.places
    assert (Path(place.file).name, place.line, place.column) == ("package.mo", 75, 21)
    assert place.class_name == "Swing.Misspelt"


@pytest.mark.parametrize(
    ("source", "message", "line", "column"),
    [
        ("model M Swing.Decay d(kk=1); end M;", "unknown modifier `kk` for component `d`", 1, 23),
        ("model M\n  Real x[2];\nequation\n  x = {1, 2, 3};\nend M;", "array dimension mismatch", 4, 3),
    ],
)
def test_places_in_a_text(simulator: Simulator, source: str, message: str, line: int, column: int) -> None:
    with pytest.raises(CompileError) as told:
        simulator.compile_text(source, "M")
    assert message in told.value.message
    assert (told.value.places[0].file, told.value.places[0].line) == ("<text>", line)
    assert abs(told.value.places[0].column - column) <= 2


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("Tanks.Leak", ["6:16: Tanks.Leak.x"]),
        ("Tanks.Loose", ["9:10: Tanks.Loose.b", "11:5: Tanks.Loose", "12:5: Tanks.Loose"]),
        ("Tanks.Half", ["17:10: Tanks.Half.inside"]),
        ("Alone", ["21:11: Alone.y", "21:31: Alone", "21:38: Alone"]),
    ],
)
def test_places_are_those_of_the_file_of_a_text(simulator: Simulator, model: str, told: list[str]) -> None:
    """A file of several classes, or one that is called otherwise, is no library, but it has a name."""
    with pytest.raises(CompileError) as wrong:
        simulator.compile_text(TANKS, model, path=Path("tanks.mo")).run(stop=1)
    assert [str(place) for place in wrong.value.places] == [f"tanks.mo:{each}" for each in told]


TANKS = """// Everything is said with its line.
package Tanks
  /* not at the
  beginning */ model Leak

    Real x = 2*lost;
  end Leak;
  model Loose
    Real b, a;
  equation
    a = time;
    a = 2*time;
  end Loose;
  model Half
    Open
      // a comment
         inside;
  end Half;
  model Open Real y; Real z; equation z = 1; end Open;
end Tanks; model Alone
  Real x, y; Real z; equation x = 1; x = 2; z = 3;
end Alone;
"""


def test_a_file_that_does_not_parse(simulator: Simulator) -> None:
    with pytest.raises(ModelicaSyntaxError) as told:
        simulator.compile("Swing.Unreadable")
    assert told.value.line == 3
    with pytest.raises(ModelicaSyntaxError):
        simulator.compile_text("model M Real x = ; end M;", "M")


def test_a_class_that_is_not_there(simulator: Simulator) -> None:
    with pytest.raises(NotFoundError, match="no class 'Decai' in 'Swing'; did you mean 'Decay'"):
        simulator.compile("Swing.Decai")
    with pytest.raises(NotFoundError, match="there is no 'N' in the text; there is M"):
        simulator.compile_text("model M end M;", "N")


@pytest.mark.parametrize(
    ("name", "kind"), [("Swing", "package"), ("Swing.Pin", "connector"), ("Swing.Template", "partial model")]
)
def test_a_class_that_is_no_model(simulator: Simulator, name: str, kind: str) -> None:
    with pytest.raises(SimulationError, match=f"{name} is a {kind}: only a model or a block"):
        simulator.compile(name)
    text = (LIBRARIES / "Swing" / "package.mo").read_text(encoding="utf-8")
    with pytest.raises(SimulationError, match=f"{name} is a {kind}: only a model or a block"):
        simulator.compile_text(text, name)


def test_libraries_that_are_missing(simulator: Simulator, tmp_path: Path) -> None:
    with pytest.raises(MissingLibraryError, match=r"the library NoSuchLibrary 3\.1\.4 is missing; it was searched in"):
        simulator.compile("Lonely.Robot")
    with pytest.raises(MissingLibraryError, match="the library Nowhere is missing"):
        simulator.compile("Nowhere.Model")
    assert simulator.compile("Lonely.Old").equations == 1  # what is not needed is not missed
    text = "package NoSuchLibrary model Arm Real x = time; end Arm; end NoSuchLibrary;"
    (tmp_path / "NoSuchLibrary 2.0.0").mkdir()
    (tmp_path / "NoSuchLibrary 2.0.0" / "package.mo").write_text(text, encoding="utf-8")
    with Simulator([LIBRARIES, tmp_path]) as other:
        other.compile("Lonely.Robot")
        assert other.notes[0] == (
            "NoSuchLibrary 3.1.4 is "
            f"required by a uses annotation but not installed; there is 2.0.0 in {tmp_path}, which is used instead"
        )


def test_without_the_standard_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MODELICAPATH", raising=False)
    with Simulator([LIBRARIES]) as simulator, pytest.raises(MissingLibraryError) as told:
        simulator.compile("Swing.Spring")
    assert "the library Modelica 4.1.0 is missing" in str(told.value)
    assert "https://github.com/modelica/ModelicaStandardLibrary/releases" in str(told.value)


def test_runs_that_fail(simulator: Simulator) -> None:
    with pytest.raises(DivergedError, match=r"an assertion failed at 0\.5 s: x has gone too far") as told:
        simulator.compile("Swing.Guarded").run(stop=1)
    assert told.value.time == pytest.approx(0.5)
    with pytest.raises(CompileError, match=r"no equation is left for 'y', and these have one too many") as singular:
        simulator.compile("Swing.Impossible").run(stop=1)
    lines = (LIBRARIES / "Swing" / "package.mo").read_text(encoding="utf-8").splitlines()
    assert [lines[each.line - 1].strip() for each in singular.value.places] == ["Real y;", "x = 1;", "x = 2*time;"]
    with pytest.raises(DivergedError, match=r"Swing\.Explodes: "):
        simulator.compile("Swing.Explodes").run(stop=2)


SINGULAR = """
model M
  model Part
    Real u, y;
  equation
    y = 2*u;
  end Part;
  Part one, two;
  Real v[3], w[3];
equation
  v = 2*w;
  w[1] = one.y;
  w[2] = time;
  one.u = w[2];
  v[2] = 3;
  w[3] = 1;
end M;
"""


def test_a_singular_text_says_where_its_unknowns_are(simulator: Simulator) -> None:
    with pytest.raises(CompileError, match=r"no equation is left for 'two\.\w'") as told:
        simulator.compile_text(SINGULAR, "M").run(stop=1)
    places = told.value.places
    assert (places[0].line, places[0].class_name) == (4, "M.Part")
    assert {SINGULAR.splitlines()[each.line - 1].strip() for each in places[1:]} == {
        "v = 2*w;",
        "w[2] = time;",
        "v[2] = 3;",
    }


def test_equations_that_have_to_be_differentiated_are_told() -> None:
    """As the compiler's process sends them: `x` is a state, and two equations are about `y`."""

    def equation(line: int, *unknowns: int, states: tuple[int, ...] = (), generated: bool = False) -> dict[str, object]:
        return {"unknowns": unknowns, "states": states, "place": ("M.mo", line, 3), "generated": generated}

    equations = [equation(4, 1, states=(0,), generated=True), equation(5, 1), equation(6, 0, 2)]
    found = singularity_of({"unknowns": ["x", "y", "f"], "equations": equations})
    assert found is not None
    assert "would have to differentiate" in str(found)
    assert "--backend omc" in str(found)
    assert found.places == [("M.mo", 5, 3), ("M.mo", 4, 3)]  # what somebody has written comes first
    assert singularity_of({"unknowns": ["y", "f"], "equations": [equation(5, 0), equation(6, 0, 1)]}) is None


def test_what_can_not_be_run(simulator: Simulator) -> None:
    model = simulator.compile("Swing.Decay")
    with pytest.raises(SimulationError, match="there is no variable 'copies'; did you mean"):
        model.run(stop=1, variables=["copies"])
    with pytest.raises(SimulationError, match=r"Swing\.Decay has no parameter 'x_strat'; did you mean 'x_start'\?"):
        model.run(stop=1, parameters={"x_strat": 1})
    with pytest.raises(SimulationError, match="the stop time 0 is not after the start time 1"):
        model.run(stop=0, start=1)
    with pytest.raises(SimulationError, match="the step must be a positive number, not -1"):
        model.run(step=-1)
    with pytest.raises(SimulationError, match="the tolerance must be a positive number, not 0"):
        model.run(tolerance=0)
    with pytest.raises(SimulationError, match="no such file or folder"):
        Simulator([LIBRARIES / "nowhere"])


# ---------------------------------------------------------------- results


def test_a_result_reads_back(tmp_path: Path) -> None:
    result = Result([0, 0.1, 1 / 3], {"a.b[1,2]": [1, 1e-300, -0.1], "c": [math.pi, math.inf, math.nan]}, model="M")
    path = tmp_path / "result.csv"
    result.write_csv(path)
    assert path.read_text(encoding="utf-8").startswith('time,"a.b[1,2]",c\n0.0,1.0,3.141592653589793\n0.1,1e-300,inf\n')
    assert Result.read_csv(path) == result
    assert result != result.only(["c"])
    assert result.matching(["a.*"]) == ["a.b[1,2]"]
    assert result.matching(["*[1,2]", "c"]) == ["a.b[1,2]", "c"]
    assert result.last("time") == 1 / 3
    assert "c" in result
    assert len(result) == 3
    with pytest.raises(SimulationError, match=r"there is no variable 'a\.b'; did you mean"):
        result["a.b"]
    with pytest.raises(SimulationError, match=r"there is no variable 'x\.\*'"):
        result.matching(["x.*"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: there is no column 'time'"),
        ("x,y\n1,2\n", ":1: there is no column 'time'"),
        ("time,x,x\n1,2,3\n", ":1: there are two columns 'x'"),
        ("time,x\n1\n", ":2: 1 values, but 2 columns"),
        ("time,x\n1,two\n", ":2: 'two' is not a number"),
    ],
)
def test_what_is_no_result(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "result.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SimulationError, match=message.replace("(", r"\(")):
        Result.read_csv(path)
