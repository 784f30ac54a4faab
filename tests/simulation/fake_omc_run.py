"""Stands in for a model that OpenModelica has compiled: reads its setup, logs as such programs do, writes a result."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

sys.path.insert(0, str(Path(__file__).parents[1]))

from simulation.mat_writing import write_mat

_MODE = os.environ.get("FAKE_OMC", "good")
_STARTED = "LOG_SUCCESS       | info    | The initialization finished successfully without homotopy method.\n"


def main() -> int:
    options = dict(word[1:].split("=", 1) for word in sys.argv[1:] if "=" in word)
    setup = ET.parse(options["f"])  # noqa: S314  (our own)
    experiment = setup.find("DefaultExperiment")
    assert experiment is not None
    numbers = {
        name: float(each[0].get("start", "nan"))
        for each in setup.iter("ScalarVariable")
        if (name := each.get("name", "")) in {"k", "n"}
    }
    sys.stdout.write(_STARTED)
    sys.stdout.flush()
    if _MODE == "run-crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if _MODE == "failing":
        sys.stdout.write(
            "LOG_ASSERT        | debug   | division by zero at time 0.75, (a=1) / (b=0), where divisor b expression is:"
            " x\n"
        )
        return 255
    start, stop, step = (float(experiment.attrib[name]) for name in ("startTime", "stopTime", "stepSize"))
    times = [start + step * number for number in range(round((stop - start) / step) + 1)]
    moving = {"x": [numbers["k"] * at for at in times], "copies[1]": [-numbers["k"] * at for at in times]}
    moving |= dict.fromkeys(os.environ.get("FAKE_OMC_VARIABLES", "").split(), times)
    if "-emit_protected" in sys.argv:
        moving["hidden"] = [at + 1 for at in times]
    # The end appears twice, as in real results.
    write_mat(
        Path(options["r"]),
        [*times, times[-1]],
        {name: [*column, column[-1]] for name, column in moving.items()},
        {**numbers, "fixed": 7.5},
        negated={"copies[1]": "x"},
    )
    if _MODE == "terminated":
        sys.stdout.write(
            "[/lib/Swing/package.mo:67:7-67:30:writable]\n"
            "LOG_STDOUT        | info    | Simulation call terminate() at time 0.250000\n"
            "|                 | |       | Message : far enough\n"
        )
    sys.stdout.write("LOG_SUCCESS       | info    | The simulation finished successfully.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
