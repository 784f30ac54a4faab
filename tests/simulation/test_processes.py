"""The process of the compiler dies, hangs, or outlives nobody; the command line; FMUs; plots.

Where the compiler must misbehave, a module that does so stands in for rumoca in the child process.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast.cli import main
from modelica_ast.simulation import (
    CompilerCrashError,
    FmuModel,
    Result,
    SimulationError,
    SimulationTimeoutError,
    Simulator,
)
from modelica_ast.simulation.result import plot

LIBRARIES = FIXTURES / "simulation"
COMMAND = Path(sys.executable).with_name("modelica-patch")

MISBEHAVIOURS = {
    "abort": "os.abort()",
    "panic": 'raise PanicException("index out of bounds: the len is 3 but the index is 3")',
    "hang": "time.sleep(3600)",
}


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def misbehaving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Let the child process import a module that does something bad; the file with the child's process id."""

    def does(what: str) -> Path:
        marker = tmp_path / "pid"
        (tmp_path / "rumoca.py").write_text(
            "import os, time\n"
            "class PanicException(BaseException): pass\n"
            "def version(): return '0'\n"
            "class Session:\n"
            "    def __init__(self, roots): pass\n"
            "    def loads(self, source, model):\n"
            f"        open({str(marker)!r}, 'w').write(str(os.getpid()))\n"
            f"        {MISBEHAVIOURS[what]}\n",
            encoding="utf-8",
        )
        monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where reproducers go
        return marker

    return does


def is_alive(process: int) -> bool:
    """Is there such a process, and not only what is left of it?"""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


PATIENCE = 300.0  # seconds for what takes one: other work may have all the cores


def wait_until(holds: Callable[[], bool], running: subprocess.Popen[str] | None = None) -> None:
    """Wait for what happens while a process runs, if that is given."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if running is not None and running.poll() is not None:
            _, said = running.communicate()
            raise AssertionError(f"it ended with {running.returncode} before it came true: {said}")
        if time.monotonic() > end:
            raise AssertionError(f"it did not come true in {PATIENCE:.0f} s")
        time.sleep(0.05)


# ---------------------------------------------------------------- the compiler misbehaves


@pytest.mark.parametrize(("what", "said"), [("abort", "SIGABRT"), ("panic", "index out of bounds")])
def test_a_crash_leaves_a_reproducer(misbehaving: Callable[[str], Path], what: str, said: str) -> None:
    misbehaving(what)
    with Simulator([LIBRARIES]) as simulator:
        for _ in range(2):  # the next request gets a new process
            with pytest.raises(CompilerCrashError) as told:
                simulator.compile("Swing.Decay")
    assert "Swing.Decay: rumoca has crashed while it was compiling the model" in str(told.value)
    assert said in str(told.value)
    folder = told.value.reproducer
    assert folder is not None
    assert f"python {folder / 'reproduce.py'}" in str(told.value)
    # It shows the crash by itself.
    shown = subprocess.run(
        [sys.executable, folder / "reproduce.py"], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert shown.returncode == (-signal.SIGABRT if what == "abort" else 1)


def test_a_reproducer_needs_nothing_else(misbehaving: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[sim]'")
    misbehaving("abort")
    with Simulator([LIBRARIES]) as simulator, pytest.raises(CompilerCrashError) as told:
        simulator.compile("Swing.Decay")
    folder = told.value.reproducer
    assert folder is not None
    monkeypatch.delenv("PYTHONPATH")
    # The real compiler takes the model, so the script ends without a word.
    shown = subprocess.run(
        [sys.executable, folder / "reproduce.py"], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (shown.returncode, shown.stdout) == (0, ""), shown.stderr


def test_the_time_is_over(misbehaving: Callable[[str], Path]) -> None:
    misbehaving("hang")
    seen: list[str] = []
    before = set(processes_below(os.getpid()))
    with (
        Simulator([LIBRARIES], timeout=1.5, progress=lambda label, _: seen.append(label)) as simulator,
        pytest.raises(SimulationTimeoutError, match=r"compiling Swing\.Decay: not finished after 1\.5 s"),
    ):
        simulator.compile("Swing.Decay")
    assert "compiling Swing.Decay" in seen
    assert [each for each in set(processes_below(os.getpid())) - before if is_alive(each)] == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked at in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_compiler_ends_with_the_command(misbehaving: Callable[[str], Path], how: signal.Signals) -> None:
    marker = misbehaving("hang")
    command = [str(COMMAND), "simulate", f"{LIBRARIES}::Swing.Decay"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: marker.is_file() and bool(marker.read_text(encoding="utf-8")), process)
        child = int(marker.read_text(encoding="utf-8"))
        assert is_alive(child)
        process.send_signal(how)
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
    wait_until(lambda: not is_alive(child))
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "interrupted" in said
    if how == signal.SIGTERM:
        assert process.returncode == 143
        assert "terminated" in said


def processes_below(process: int) -> list[int]:
    """The living children of a process, and theirs."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            for child in map(int, task.read_text(encoding="utf-8").split()):
                found += [child, *processes_below(child)]
    return found


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked at in /proc")
@pytest.mark.parametrize("what", ["rumoca", "fmu"])
def test_a_terminated_simulation_leaves_nothing_behind(
    what: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if what == "rumoca":
        pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[sim]'")
        # A million oscillations in each second: its steps are too small for it to end while anybody looks.
        buzz = tmp_path_factory.mktemp("buzz") / "Buzz.mo"
        buzz.write_text(
            "model Buzz\n"
            "  Real x(start=0, fixed=true);\n"
            "  Real v(start=1, fixed=true);\n"
            "equation\n"
            "  der(x) = v;\n"
            "  der(v) = -1e12*x;\n"
            "end Buzz;\n",
            encoding="utf-8",
        )
        words = [str(buzz), "--stop", "1e4", "--step", "100"]
    else:
        words = [str(request.getfixturevalue("falling")), "--stop", "1e6", "--step", "1e-3"]
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = subprocess.Popen([str(COMMAND), "simulate", *words], stderr=subprocess.PIPE, text=True)
    try:
        # The child process is there, and so is what it has unpacked or what was laid out for it.
        wait_until(lambda: bool(processes_below(process.pid)) and any(tmp_path.glob("modelica-*/*")), process)
        children = processes_below(process.pid)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)  # as `timeout` does: once to the process, once to its group
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
    assert "Traceback" not in said
    assert process.returncode == 143
    assert list(tmp_path.iterdir()) == []
    # A child that was about to be started when the signal came ends by itself: nobody talks to it.
    wait_until(lambda: not any(map(is_alive, children)))


# ---------------------------------------------------------------- the command line


Run = Callable[..., tuple[str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process: what it prints, and what it says."""

    def runs(*words: str | Path, code: int = 0) -> tuple[str, str]:
        assert main(["simulate", *map(str, words)]) == code
        return capsys.readouterr()

    return runs


@pytest.fixture(scope="module")
def rumoca() -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[sim]'")


@pytest.mark.usefixtures("rumoca")
def test_a_run_is_kept(run: Run, tmp_path: Path) -> None:
    shown, _ = run(
        f"{LIBRARIES}::Swing.Decay", "--set", "k=1", "-o", tmp_path / "r.csv", "--plot", tmp_path / "r.svg", "--json"
    )
    told = json.loads(shown)
    # Start, stop and step are those of the experiment annotation.
    assert (told["start"], told["stop"], told["points"]) == (0.0, 0.5, 11)
    assert told["last"] == {"x": pytest.approx(0.60653066, rel=1e-6)}
    assert told["files"] == [str(tmp_path / "r.csv"), str(tmp_path / "r.svg")]
    result = Result.read_csv(tmp_path / "r.csv")
    assert result.last("x") == told["last"]["x"]
    assert "<!-- x [m] -->" in (tmp_path / "r.svg").read_text(encoding="utf-8")


@pytest.mark.usefixtures("rumoca")
def test_a_model_in_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "m.mo").write_text("model M Real x(start=1, fixed=true) = 1 + time; end M;", encoding="utf-8")
    shown, _ = run(f"{tmp_path / 'm.mo'}::M", "--stop", "2", "--variables", "x")
    assert shown == "M at 2 s\n  x   3\n"


@pytest.mark.usefixtures("rumoca")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["Swing.Circuit"], 1, "is not balanced: 6 equations, 7 unknowns"),
        (["Swing.Guarded"], 1, "an assertion failed at 0.5 s: x has gone too far"),
        (["Swing.Misspelt"], 1, "package.mo:75:21: Swing.Misspelt"),
        (["Swing.Unreadable"], 4, "Unreadable.mo:3:12: expected an expression"),
        (["Swing.Nix"], 2, "no class 'Nix' in 'Swing'"),
        (["Lonely.Robot"], 4, "the library NoSuchLibrary 3.1.4 is missing"),
        (["Swing.Decay", "--set", "k"], 2, "'k' has no value: write NAME=VALUE, or NAME VALUE"),
        (["Swing.Decay", "--stop", "-1"], 1, "the stop time -1 is not after the start time 0"),
        (["Swing.Decay", "--plot", "x.doc"], 1, "plots are written as .png, .svg, .pdf"),
        (["Swing.Decay", "-o", "no/such/folder.csv"], 4, "there is no folder no/such"),
        (["Swing.Decay", "--fmu", "x.fmu"], 2, "rumoca does not write FMUs"),
        (["nowhere.fmu"], 4, "nowhere.fmu: No such file or directory"),
    ],
)
def test_exit_codes(run: Run, words: list[str], code: int, said: str) -> None:
    _, told = run(words[0] if words[0].endswith(".fmu") else f"{LIBRARIES}::{words[0]}", *words[1:], code=code)
    assert said in told


# ---------------------------------------------------------------- FMUs

FALLING = """
from pythonfmu import Boolean, Fmi2Causality, Fmi2Slave, Fmi2Variability, Real

class Falling(Fmi2Slave):
    def __init__(self, **options):
        super().__init__(**options)
        self.h, self.v, self.g, self.up = 10.0, 0.0, 9.81, False
        self.register_variable(Real("g", causality=Fmi2Causality.parameter, variability=Fmi2Variability.tunable))
        self.register_variable(Boolean("up", causality=Fmi2Causality.parameter, variability=Fmi2Variability.tunable))
        self.register_variable(Real("h", causality=Fmi2Causality.output))
        self.register_variable(Real("v", causality=Fmi2Causality.output))

    def do_step(self, time, step):
        if self.g < 0:
            raise ValueError("gravity points upwards")
        sign = 1 if self.up else -1
        self.h += self.v * step + sign * self.g * step * step / 2
        self.v += sign * self.g * step
        return True
"""


@pytest.fixture(scope="module")
def falling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An FMU for co-simulation, made of a Python class."""
    pytest.importorskip("fmpy", reason="FMPy is not installed: pip install 'modelica-ast[fmi]'")
    pytest.importorskip("pythonfmu", reason="PythonFMU is not installed: pip install pythonfmu")
    folder = tmp_path_factory.mktemp("fmu")
    script = folder / "falling.py"
    script.write_text(FALLING, encoding="utf-8")
    command = [sys.executable, "-m", "pythonfmu", "build", "-f", str(script), "-d", str(folder)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return folder / "Falling.fmu"


def test_an_fmu_runs(falling: Path) -> None:
    model = FmuModel(falling, timeout=PATIENCE)
    assert model.name == "Falling"
    assert model.parameters == {"g": 9.81, "up": 0.0}
    assert model.variables == ["h", "v"]
    result = model.run(stop=2, step=0.5, parameters={"g": 1})
    assert result.times == [0, 0.5, 1, 1.5, 2]
    assert result["h"] == pytest.approx([10 - time**2 / 2 for time in result.times])
    assert model.run(stop=1, parameters={"up": True}).last("v") == pytest.approx(9.81)
    with pytest.raises(SimulationError, match="has no start value 'gg'; did you mean 'g'"):
        model.run(parameters={"gg": 1})
    with pytest.raises(SimulationError, match="Falling: "):
        model.run(parameters={"g": -1.0})


def test_the_command_runs_an_fmu(run: Run, falling: Path, tmp_path: Path) -> None:
    shown, _ = run(falling, "--stop", "1", "--set", "g=2", "--variables", "v")
    assert shown == "Falling at 1 s\n  v  -2\n"
    broken = tmp_path / "broken.fmu"
    broken.write_bytes(b"no archive")
    _, said = run(broken, code=4)
    assert "broken.fmu: it is not a readable FMU" in said


# ---------------------------------------------------------------- plots


@pytest.fixture
def result() -> Result:
    times = [step / 10 for step in range(11)]
    columns = {"a.phi": times, "b.phi": [2 * each for each in times], "a.w": [3.0] * 11, "$x_y^2$": times}
    return Result(times, columns, model="M", units={"a.phi": "rad", "b.phi": "rad", "a.w": "rad/s"})


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_plots(result: Result, tmp_path: Path, suffix: str, start: bytes) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'modelica-ast[plot]'")
    plot(result, ["a.phi", "a.w"], tmp_path / f"plot{suffix}")
    assert (tmp_path / f"plot{suffix}").read_bytes().startswith(start)


def test_units_share_an_axis(result: Result, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'modelica-ast[plot]'")
    plot(result, None, tmp_path / "all.svg", title="$M$")
    text = (tmp_path / "all.svg").read_text(encoding="utf-8")
    # matplotlib draws letters, and names each text in a comment.
    for label in ("phi [rad]", "w [rad/s]", "$x_y^2$", "$M$", "a.phi"):
        assert f"<!-- {label} -->" in text
    assert text.count('id="axes_') == 3
    plot(result, None, tmp_path / "again.svg", title="$M$")
    assert (tmp_path / "again.svg").read_text(encoding="utf-8") == text  # the same values are the same file
    with pytest.raises(SimulationError, match="there is no variable to draw"):
        plot(result, [], tmp_path / "none.svg")
