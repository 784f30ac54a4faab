"""Stands in for OpenModelica's compiler: reads a script and prints answers in the forms that omc has.

It compiles nothing; what it says is what omc 1.27 says to the same scripts. FAKE_OMC says what it finds: `good`,
`unbalanced`, `unknown`, `failing`, `terminated`, `crash`, `run-crash`, `no-compiler`, `slow`. FAKE_OMC_LOG is a file in
which it counts the scripts that it has run.
"""

from __future__ import annotations

import os
import re
import signal
import stat
import sys
import time
from pathlib import Path

_MODE = os.environ.get("FAKE_OMC", "good")
_RUN = Path(__file__).with_name("fake_omc_run.py")

SETUP = """<?xml version = "1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion = "1.0" modelName = "Swing.Decay">
  <DefaultExperiment startTime = "0" stopTime = "1" stepSize = "0.002" tolerance = "1e-06" solver = "dassl"
    outputFormat = "mat" variableFilter = ".*" />
  <ModelVariables>
  <ScalarVariable name = "x" variability = "continuous" causality = "local" isValueChangeable = "false"
    alias = "noAlias" classIndex = "0" classType = "rSta" isProtected = "false">
    <Real fixed="true" useNominal="false" unit="m" />
  </ScalarVariable>
  <ScalarVariable name = "copies[1]" variability = "continuous" causality = "local" isValueChangeable = "false"
    alias = "noAlias" classIndex = "0" classType = "rAlg" isProtected = "false">
    <Real fixed="false" useNominal="false" />
  </ScalarVariable>
  <ScalarVariable name = "hidden" variability = "continuous" causality = "local" isValueChangeable = "false"
    alias = "noAlias" classIndex = "1" classType = "rAlg" isProtected = "true">
    <Real fixed="false" useNominal="false" />
  </ScalarVariable>
  <ScalarVariable name = "fixed" variability = "parameter" causality = "calculatedParameter"
    isValueChangeable = "false" alias = "noAlias" classIndex = "1" classType = "rPar" isProtected = "false">
    <Real fixed="true" useNominal="false" unit="kg" />
  </ScalarVariable>
  <ScalarVariable name = "k" variability = "parameter" causality = "parameter" isValueChangeable = "true"
    alias = "noAlias" classIndex = "0" classType = "rPar" isProtected = "false">
    <Real start="2.0" fixed="true" useNominal="false" unit="1/s" />
  </ScalarVariable>
  <ScalarVariable name = "n" variability = "parameter" causality = "calculatedParameter" isValueChangeable = "false"
    alias = "noAlias" classIndex = "0" classType = "iPar" isProtected = "false">
    <Integer start="2" fixed="true" />
  </ScalarVariable>
  <ScalarVariable name = "isOn" variability = "parameter" causality = "parameter" isValueChangeable = "true"
    alias = "noAlias" classIndex = "0" classType = "bPar" isProtected = "false">
    <Boolean start="true" fixed="true" />
  </ScalarVariable>
  </ModelVariables>
</fmiModelDescription>
"""


VARIABLE = """  <ScalarVariable name = "{}" variability = "continuous" causality = "local" isValueChangeable = "false"
    alias = "noAlias" classIndex = "0" classType = "rAlg" isProtected = "false">
    <Real fixed="false" useNominal="false" />
  </ScalarVariable>
"""


def setup() -> str:
    """The setup of a model; FAKE_OMC_VARIABLES are more of its variables, which are the time."""
    more = "".join(map(VARIABLE.format, os.environ.get("FAKE_OMC_VARIABLES", "").split()))
    return SETUP.replace("  </ModelVariables>", f"{more}  </ModelVariables>")


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
        if name == "buildModel":
            return self.build()
        if name == "setCommandLineOptions":
            return "true\n"
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
            self.misspelt(model)
            return '""\n'
        counts = "6 equation(s) and 7 variable(s)" if _MODE == "unbalanced" else "3 equation(s) and 3 variable(s)"
        said = f"Check of {model} completed successfully.\nClass {model} has {counts}.\n"
        return quoted(f"{said}2 of these are trivial equation(s).") + "\n"

    def misspelt(self, model: str) -> None:
        file = next(path for path in self.loaded if "forgotten_name" in path.read_text(encoding="utf-8"))
        lines = file.read_text(encoding="utf-8").splitlines()
        line = next(number for number, text in enumerate(lines, 1) if "forgotten_name" in text)
        self.errors += (
            f"[{file}:{line}:5-{line}:36:writable] Error: Variable forgotten_name not found in scope"
            f" Misspelt.\nError: Error occurred while flattening model {model}\n"
        )

    def build(self) -> str:
        if _MODE == "unknown":
            self.misspelt("ModelicaPatchRun")
        if _MODE == "unbalanced":
            self.errors += (
                "Error: Too few equations, under-determined system. The model has 6 equation(s) and 7 variable(s).\n"
            )
        if _MODE == "no-compiler":
            self.errors += "Warning: make: gcc: No such file or directory\n"
        if _MODE in {"unknown", "unbalanced", "no-compiler"}:
            return '{"", ""}\n'
        program = Path("run").resolve()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{_RUN}" "$@"\n', encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        Path("run_init.xml").write_text(setup(), encoding="utf-8")
        return f'{{{quoted(str(program))}, "run_init.xml"}}\n'

    @staticmethod
    def build_fmu(arguments: str) -> str:
        prefix = re.search(r'fileNamePrefix="(\w+)"', arguments)[1]  # type: ignore[index]
        made = Path(f"{prefix}.fmu").resolve()
        made.write_bytes(b"PK fake")
        return quoted(str(made)) + "\n"


def main() -> None:
    if sys.argv[1] == "--version":  # what finds other things is another one
        sys.stdout.write(f"OpenModelica 1.27.0, stand-in: {_MODE}\n")
        return
    with Path(os.environ.get("FAKE_OMC_LOG", os.devnull)).open("a", encoding="utf-8") as log:
        log.write(f"{sys.argv[1]}\n")
    session = Session()
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        assert line.endswith(";"), line
        sys.stdout.write(session.answer(line[:-1]))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
