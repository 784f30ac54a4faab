"""Compile and simulate Modelica with rumoca, in a process of its own: rumoca may panic, and it takes much memory.

`python rumoca_runs.py ROOT…` is that process. It reads one request per line and answers each with one line, both JSON.
"""

from __future__ import annotations

import json
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import attrs

SAMPLES = 40  # times at which a run is looked at


# The parts of the Standard Library that robots need. All of it takes the compiler three times as long to read.
PARTS = ["package.mo", "Icons.mo", "Constants.mo", "Units.mo", "Blocks", "Math", "Utilities", "Thermal", "Mechanics"]
LEFT_OUT = ["Examples", "Examples.mo", "UsersGuide", "Resources", "FluidHeatFlow", "HydroStatics"]


def copy_needed_parts(msl: Path, folder: Path) -> None:
    """Copy what robots need of the Standard Library, and of those that it uses, to a folder: a root for Rumoca."""
    ignored = shutil.ignore_patterns(*LEFT_OUT)
    (folder / msl.name).mkdir(parents=True)
    for part in PARTS:
        if (msl / part).is_dir():
            shutil.copytree(msl / part, folder / msl.name / part, ignore=ignored)
        else:
            shutil.copy(msl / part, folder / msl.name / part)
    for path in msl.parent.iterdir():
        if path.name.startswith("ModelicaServices"):
            shutil.copytree(path, folder / path.name, ignore=ignored)
        elif path.name.startswith("Complex") and path.is_file():
            shutil.copy(path, folder / path.name)


@attrs.frozen
class Compiled:
    """What the compiler says of a model without running it."""

    equations: int
    unknowns: int
    states: int
    is_balanced: bool
    parameters: dict[str, Any]  # those with a value, by name
    variables: list[str]  # states and others


@attrs.frozen
class Run:
    """What came of one model."""

    times: list[float]
    values: dict[str, list[float]]  # of every variable that was asked for
    names: list[str]  # of all variables
    model: Compiled

    def __getitem__(self, name: str) -> list[float]:
        return self.values[name]

    def last(self, name: str) -> float:
        return self.values[name][-1]


class RumocaError(Exception):
    """The compiler or the solver has refused a model, or has died of it."""


class RumocaTimeoutError(RumocaError):
    """The compiler was still at work when its time was over."""


class Rumoca:
    """One process, one session: the libraries are read once, for all models."""

    def __init__(self, roots: Sequence[Path], *, cwd: Path) -> None:
        self._roots = [str(root) for root in roots]
        self._log = cwd / "rumoca.log"
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def simulate(self, source: str, model: str, stop: float, variables: Sequence[str]) -> Run:
        """Run a model of a text from 0 to `stop` seconds. A variable that does not exist is a RumocaError."""
        (answer,) = self._ask(source, model, stop, variables, [{}])
        if "error" in answer:
            raise RumocaError(f"{model}: {answer['error']}")
        return Run(answer["times"], answer["values"], answer["names"], Compiled(**answer["model"]))

    def failures(
        self, source: str, model: str, stop: float, settings: Sequence[Mapping[str, float]]
    ) -> list[str | None]:
        """Compile a model once and run it with each setting of parameters: why each run stopped early, if it did."""
        return [answer.get("error") for answer in self._ask(source, model, stop, (), settings)]

    def compile(self, source: str, model: str, *, seconds: float | None = None) -> Compiled:
        """Compile a model and do not run it. After `seconds` the process is ended; the next request starts another."""
        (answer,) = self._request({"source": source, "model": model, "compile": True}, seconds)
        if "error" in answer:
            raise RumocaError(f"{model}: {answer['error']}")
        return Compiled(**answer)

    def _ask(
        self,
        source: str,
        model: str,
        stop: float,
        variables: Sequence[str],
        settings: Sequence[Mapping[str, float]],
    ) -> list[dict[str, Any]]:
        request = {"source": source, "model": model, "stop": stop, "variables": variables, "settings": settings}
        return self._request(request)

    def _request(self, request: Mapping[str, Any], seconds: float | None = None) -> list[dict[str, Any]]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        model = request["model"]
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            # An answer is one line, so nothing of it can be in the buffer already.
            if not select.select([process.stdout], [], [], seconds)[0]:
                self._stop()
                raise RumocaTimeoutError(f"{model}: no answer in {seconds} s")
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self._stop()
            raise RumocaError(f"{model}: rumoca died; {self._log.read_text(encoding='utf-8')[-1000:]}")
        answers: list[dict[str, Any]] = json.loads(line)
        return answers

    def _start(self) -> subprocess.Popen[str]:
        with self._log.open("w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [sys.executable, __file__, *self._roots],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
            )
        return self._process

    def _stop(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait()
        self._process = None


# ---------------------------------------------------------------- the other process


def _compiled(session: Any, request: dict[str, Any]) -> Any:
    return session.loads(request["source"], model=request["model"])


def _described(model: Any) -> dict[str, Any]:
    structure = model.structure()
    return {
        "equations": structure.n_equations,
        "unknowns": structure.n_unknowns,
        "states": structure.n_states,
        "is_balanced": structure.is_balanced,
        "parameters": {each.name: each.value for each in model.parameters if each.value is not None},
        "variables": [each.name for each in (*model.states, *model.algebraics)],
    }


def _run(model: Any, stop: float, variables: Sequence[str], parameters: Mapping[str, float]) -> dict[str, Any]:
    import rumoca  # noqa: PLC0415  (the tests themselves run without it)

    config = rumoca.SimConfig(solver="rk-like", rtol=1e-8, atol=1e-8, max_wall_seconds=300)
    result = model.simulate(t=(0, stop), dt=stop / SAMPLES, config=config, params=dict(parameters))
    missing = [name for name in variables if name not in result.names]
    if missing:
        return {"error": f"there is no variable {', '.join(missing)}"}
    return {
        "times": [float(time) for time in result.time],
        "values": {name: [float(value) for value in result[name]] for name in variables},
        "names": list(result.names),
        "model": _described(model),
    }


def _tried(action: Callable[[], Any]) -> Any:
    """What the action gives, or its error as data."""
    try:
        return action()
    except BaseException as error:  # noqa: BLE001  (a panic of Rust is not an Exception)
        return {"error": f"{type(error).__name__}: {error}"}


def _serve(roots: Sequence[str]) -> None:
    import rumoca  # noqa: PLC0415  (the tests themselves run without it)

    session = rumoca.Session(roots=list(roots))
    answers = sys.stdout
    sys.stdout = sys.stderr  # whatever rumoca says itself goes to the log
    for line in sys.stdin:
        request = json.loads(line)
        model = _tried(partial(_compiled, session, request))
        if "compile" in request:
            found = [model if isinstance(model, dict) else _tried(partial(_described, model))]
        elif isinstance(model, dict):
            found = [model] * len(request["settings"])
        else:
            runs = [partial(_run, model, request["stop"], request["variables"], each) for each in request["settings"]]
            found = [_tried(run) for run in runs]
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    _serve(sys.argv[1:])
