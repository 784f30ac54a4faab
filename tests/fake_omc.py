"""Stands in for OpenModelica's compiler: reads a script and prints answers in the forms that public logs of omc show.

It compiles nothing, and no omc was at hand to compare with. FAKE_OMC says what it finds: `good`, `unbalanced`,
`unknown`, `failing`, `crash`, `slow`.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

_MODE = os.environ.get("FAKE_OMC", "good")


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class Session:
    """One script."""

    def __init__(self) -> None:
        self.errors = ""
        self.loaded: list[Path] = []

    def answer(self, statement: str) -> str:
        name, _, rest = statement.partition("(")
        arguments = rest.rpartition(")")[0]
        if name == "print":
            return str(arguments[1:-1]).replace("\\n", "\n")
        if name == "getErrorString":
            told, self.errors = self.errors, ""
            return quoted(told) + "\n"
        if name == "loadFile":
            return self.load(arguments)
        if name == "checkModel":
            return self.check(arguments)
        if name == "simulate":
            return self.simulate(arguments)
        assert name == "buildModelFMU", statement
        return self.build_fmu(arguments)

    def load(self, arguments: str) -> str:
        file = Path(re.match(r'"((?:[^"\\]|\\.)*)"', arguments)[1].replace("\\\\", "\\"))  # type: ignore[index]
        if not file.is_file():
            self.errors += f"Error: The file {file} does not exist\n"
            return "false\n"
        self.loaded.append(file.resolve())
        return "true\n"

    def check(self, model: str) -> str:
        if _MODE == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if _MODE == "slow":
            time.sleep(60)
        if _MODE == "unknown":
            file = next(path for path in self.loaded if "forgotten_name" in path.read_text(encoding="utf-8"))
            line = next(
                number
                for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
                if "forgotten_name" in text
            )
            self.errors += (
                f"[{file}:{line}:5-{line}:36:writable] Error: Variable forgotten_name not found in scope"
                f" Swing.Misspelt.\nError: Error occurred while flattening model {model}\n"
            )
            return '""\n'
        counts = "6 equation(s) and 7 variable(s)" if _MODE == "unbalanced" else "3 equation(s) and 3 variable(s)"
        said = f"Check of {model} completed successfully.\nClass {model} has {counts}.\n"
        return quoted(f"{said}2 of these are trivial equation(s).") + "\n"

    def simulate(self, arguments: str) -> str:
        options = dict(re.findall(r'(\w+)=("[^"]*"|[-+.\w]+)', arguments))
        if _MODE == "failing":
            messages = (
                "Simulation execution failed for model: ModelicaPatchRun\n"
                "LOG_SUCCESS       | info    | The initialization finished successfully without homotopy method.\n"
                "LOG_ASSERT        | debug   | division by zero at time 0.75, (a=1) / (b=0), where divisor b"
                " expression is: x\n"
            )
            return self.record("", messages)
        start, stop, count = float(options["startTime"]), float(options["stopTime"]), int(options["numberOfIntervals"])
        times = [start + (stop - start) * step / count for step in range(count + 1)]
        rows = ['"time","x","copies[1]","k"', *(f"{at!r},{2 * at!r},{2 * at!r},2" for at in times)]
        result = Path(f"{options['fileNamePrefix'].strip(chr(34))}_res.csv").resolve()
        result.write_text("\n".join(rows) + "\n", encoding="utf-8")
        return self.record(str(result), "LOG_SUCCESS       | info    | The simulation finished successfully.\n")

    @staticmethod
    def record(result: str, messages: str) -> str:
        return (
            "record SimulationResult\n"
            f"    resultFile = {quoted(result)},\n"
            "    simulationOptions = \"startTime = 0.0, stopTime = 1.0, numberOfIntervals = 500, method = 'dassl'\",\n"
            f"    messages = {quoted(messages)},\n"
            "    timeFrontend = 0.0024,\n    timeBackend = 0.0016,\n    timeTotal = 0.43\nend SimulationResult;\n"
        )

    @staticmethod
    def build_fmu(arguments: str) -> str:
        prefix = re.search(r'fileNamePrefix="(\w+)"', arguments)[1]  # type: ignore[index]
        made = Path(f"{prefix}.fmu").resolve()
        made.write_bytes(b"PK fake")
        return quoted(str(made)) + "\n"


def main() -> None:
    session = Session()
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        assert line.endswith(";"), line
        sys.stdout.write(session.answer(line[:-1]))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
