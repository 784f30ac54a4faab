"""The process that FMUs run in, as a script: they are programs of others, and may crash.

It reads requests and answers them as `worker.py` does.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from array import array
from pathlib import Path
from typing import Any

Answer = dict[str, Any]


def described(description: Any) -> Answer:
    """What the model description says."""
    experiment = description.defaultExperiment
    variables = [each for each in description.modelVariables if each.type in _NUMERIC]
    states = [each.variable.derivative for each in description.derivatives if each.variable is not None]
    return {
        "name": description.modelName,
        "version": description.fmiVersion,
        "parameters": {
            each.name: _value(each) for each in variables if each.causality == "parameter" and each.start is not None
        },
        "names": [each.name for each in description.modelVariables if each.start is not None],
        "variables": [each.name for each in variables if each.causality != "independent" and not _is_fixed(each)],
        "units": {each.name: each.unit for each in variables if each.unit},
        "states": [each.name for each in states if each is not None],
        "experiment": [
            None if experiment is None or text is None else float(text)
            for text in (getattr(experiment, name, None) for name in ("startTime", "stopTime", "stepSize", "tolerance"))
        ],
    }


_NUMERIC = frozenset(
    "Real Integer Boolean Enumeration Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64".split()
)


def _is_fixed(variable: Any) -> bool:
    return variable.variability in ("constant", "fixed", "tunable")


def _value(variable: Any) -> float | str:
    if variable.type == "Boolean":
        return float(variable.start == "true")
    try:
        return float(variable.start)
    except ValueError:  # several numbers of an array
        return str(variable.start)


def answered(fmpy: Any, request: Answer) -> Answer:
    """What comes of a request; an error is an answer."""
    try:
        description = fmpy.read_model_description(request["file"], validate=False)
        if request["what"] == "describe":
            return described(description)
        return _run(fmpy, description, request)
    except Exception as error:  # noqa: BLE001  (whatever FMPy raises is told to the process that asked)
        return {"error": type(error).__name__, "message": str(error)}


def _run(fmpy: Any, description: Any, request: Answer) -> Answer:
    names = request["variables"]
    said: list[str] = []
    try:
        result = fmpy.simulate_fmu(
            request["file"],
            validate=False,
            start_time=request["start"],
            stop_time=request["stop"],
            output_interval=request["step"],
            relative_tolerance=request["tolerance"],
            solver=request["solver"],
            start_values=request["parameters"],
            output=names,
            model_description=description,
            logger=lambda *words: said.append(_word(words[-1])),
        )
    except Exception as error:
        raise RuntimeError("; ".join([str(error), *said])) from error
    with Path(request["output"]).open("wb") as file:
        for name in ("time", *names):
            array("d", [float(value) for value in result[name]]).tofile(file)
    return {"names": list(names), "points": len(result), "ended": ""}


def _word(text: Any) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text)


def main() -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks decides what an interrupt means
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever an FMU prints is not an answer
    try:
        import fmpy  # noqa: PLC0415  (an optional package)
    except ImportError as error:
        answers.write(json.dumps({"error": "ImportError", "message": str(error)}) + "\n")
        answers.flush()
        return
    answers.write(json.dumps({"version": fmpy.__version__}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(answered(fmpy, json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
