"""The process that rumoca runs in. It is run as a script, so that it does not import the rest of this package.

It reads one request per line from standard input and answers each with one line, both JSON. Columns of numbers go to a
file that the request names. A panic of the compiler is an answer too; after it the process ends, for nobody knows what
state the compiler is in.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
from array import array
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

Answer = dict[str, Any]


class Worker:
    """The sessions and models of one process."""

    def __init__(self, rumoca: Any) -> None:
        self._rumoca = rumoca
        self._roots: list[str] | None = None
        self._session: Any = None
        self._models: dict[int, Any] = {}

    def answer(self, request: Answer) -> Answer:
        """What comes of a request; an error is an answer."""
        try:
            return self._compile(request) if request["what"] == "compile" else self._run(request)
        except KeyError as error:  # rumoca's word for a parameter that is not there
            return {"error": "KeyError", "message": str(error.args[0]) if error.args else ""}
        except Exception as error:  # noqa: BLE001  (whatever rumoca raises is told to the process that asked)
            return {"error": type(error).__name__, "message": str(error)}

    def _compile(self, request: Answer) -> Answer:
        if self._session is None or self._roots != request["roots"]:
            # Only one session is kept: each holds the trees of its libraries.
            self._session = None
            self._roots = list(request["roots"])
            self._session = self._rumoca.Session(roots=self._roots)
        model = self._session.loads(request["source"], model=request["model"])
        self._models[request["id"]] = model
        return _described(model, is_counted=request["count"])

    def _run(self, request: Answer) -> Answer:
        model = self._models[request["id"]]
        config = self._rumoca.SimConfig(
            solver=request["solver"], rtol=request["tolerance"], atol=request["tolerance"], max_wall_seconds=None
        )
        result = model.simulate(
            t=(request["start"], request["stop"]), dt=request["step"], config=config, params=request["parameters"]
        )
        kept = result.names if request["variables"] is None else request["variables"]
        missing = [name for name in kept if name not in result]
        if missing:
            return {"error": "NoVariable", "message": missing[0], "names": list(result.names)}
        with Path(request["output"]).open("wb") as file:
            array("d", result.time).tofile(file)
            for name in kept:
                array("d", result[name]).tofile(file)
        return {"names": list(kept), "points": len(result.time), "ended": result.termination or ""}


def _described(model: Any, *, is_counted: bool) -> Answer:
    # PERF: counting takes as long as compiling. One that is not balanced is not compiled.
    structure = model.structure() if is_counted else None
    variables = [*model.states, *model.algebraics, *model.outputs]
    return {
        "equations": None if structure is None else structure.n_equations,
        "unknowns": None if structure is None else structure.n_unknowns,
        "states": len(model.states),
        "is_balanced": structure is None or structure.is_balanced,
        "parameters": {each.name: each.value for each in model.parameters if each.value is not None},
        "names": [each.name for each in model.parameters],
        "settable": [each.name for each in model.parameters if each.kind == "tunable" and not each.dims],
        "variables": list(dict.fromkeys(name for each in variables for name in _scalars(each))),
        "state_names": [name for each in model.states for name in _scalars(each)],
        # The compiler tells the outputs of blocks inside too.
        "inputs": [each.name for each in model.inputs if "." not in each.name],
        "outputs": [each.name for each in model.outputs if "." not in each.name],
        "units": {name: each.unit for each in variables if each.unit for name in _scalars(each)},
    }


def _scalars(variable: Any) -> Iterator[str]:
    """The names of the elements of an array, as results have them."""
    if not variable.dims:
        yield variable.name
        return
    for indices in product(*(range(1, size + 1) for size in variable.dims)):
        yield f"{variable.name}[{','.join(map(str, indices))}]"


def _end_with_parent() -> None:
    """Let this process end when the one that asks is gone, even in the midst of a long compilation.

    The compiler does not let other threads run, so a second process looks: standard input is closed at its far end.
    """
    if not hasattr(os, "fork") or not hasattr(select, "poll"):
        return
    worker = os.getpid()
    if os.fork():
        return
    for number in (1, 2):
        os.close(number)
    closed = select.poll()
    closed.register(0, 0)  # nothing but the end is of interest
    closed.poll()
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)
    os._exit(0)


def main() -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks decides what an interrupt means
    _end_with_parent()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever rumoca prints is no answer
    try:
        import rumoca  # noqa: PLC0415  (an optional package)
    except ImportError as error:
        answers.write(json.dumps({"error": "ImportError", "message": str(error)}) + "\n")
        answers.flush()
        return
    answers.write(json.dumps({"version": rumoca.version()}) + "\n")
    answers.flush()
    worker = Worker(rumoca)
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except BaseException as error:  # noqa: BLE001  (a panic of Rust is no Exception)
            answer = {"crash": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if "crash" in answer:
            return


if __name__ == "__main__":
    main()
