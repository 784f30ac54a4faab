"""What OpenModelica's compiler prints, read back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from modelica_ast.record import Record
from modelica_ast.simulation.errors import (
    CompileError,
    DivergedError,
    SimulationError,
    SourcePlace,
    UnbalancedModelError,
)
from modelica_ast.simulation.places import Places
from modelica_ast.simulation.task import WRAPPER, Task

MARK: Final = "@@modelica-patch"  # a line of its own before the answer of each step of a script

_ERROR: Final = re.compile(
    r"^\"?(?:\[(?P<file>[^\]\n]*?):(?P<line>\d+):(?P<column>\d+)-\d+:\d+:\w+\] )?Error: (?P<message>.*?)"
    r"(?=^\"?(?:\[[^\]\n]*\] )?(?:Error|Warning|Notification): |\Z)",
    re.MULTILINE | re.DOTALL,
)
_COUNTS: Final = re.compile(r"has (?P<equations>\d+) equation\(s\) and (?P<variables>\d+) variable\(s\)")
_STRING: Final = r'"(?P<text>(?:[^"\\]|\\.)*)"'
_RESULT_FILE: Final = re.compile(r"resultFile = " + _STRING)
_MESSAGES: Final = re.compile(r"messages = " + _STRING, re.DOTALL)
_LOGGED: Final = re.compile(
    r"^\s*\|?\s*(?:LOG_)?(?P<stream>\w+)\s*\|\s*(?P<level>\w+)\s*\|\s*(?P<text>.*)$", re.MULTILINE
)
_TIME: Final = re.compile(r"\bat time (?P<time>[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")
_FOLLOWING: Final = "Error occurred while flattening model"
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}


class Told(Record):
    """The answers of a script, by the names of its steps."""

    steps: dict[str, str]

    def counts(self) -> tuple[int, int] | None:
        """Equations and variables that `checkModel` has counted."""
        found = _COUNTS.search(self.steps.get("check", ""))
        return None if found is None else (int(found["equations"]), int(found["variables"]))

    def result_file(self) -> Path | None:
        """The file with the result of a run."""
        found = _RESULT_FILE.search(self.steps.get("simulate", ""))
        return Path(unescaped(found["text"])) if found is not None and found["text"] else None

    def string(self, step: str) -> str:
        """The string that a step has answered."""
        found = re.search(_STRING, self.steps.get(step, ""), re.DOTALL)
        return "" if found is None else unescaped(found["text"])

    @property
    def text(self) -> str:
        """All that was said, strings without their escapes."""
        return unescaped("\n".join(self.steps.values()))


def read_answers(output: str) -> Told:
    """The output of a script, cut at its marks."""
    steps: dict[str, str] = {}
    for piece in output.split(f"{MARK} ")[1:]:
        name, _, text = piece.partition("\n")
        steps[name.strip()] = text
    return Told(steps)


def unescaped(text: str) -> str:
    """The text of a Modelica string."""
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text, flags=re.DOTALL)


def compile_error(told: Told, task: Task) -> SimulationError | None:
    """What the compiler complains about, or None: equations are counted here, for it calls an unbalanced model good."""
    errors = list(_errors(told.text))
    # That flattening has failed is said behind the reason for it.
    errors = [each for each in errors if not each[0].startswith(_FOLLOWING)] or errors
    counts = told.counts()
    if counts is not None and counts[0] != counts[1]:
        equations, unknowns = counts
        few = "too few equations" if equations < unknowns else "too many equations"
        text = f"{task.name} is not balanced: {equations} equations, {unknowns} unknowns ({few})"
        return UnbalancedModelError(text, equations, unknowns)
    if not errors and counts is not None:
        return None
    if not errors:
        said = told.text.strip().replace(WRAPPER, task.name)
        return CompileError(f"{task.name}: OpenModelica can't check it: {said or 'it gives no reason'}")
    places = Places(task.libraries, task.folder)
    found = list(dict.fromkeys(place for _, at in errors for place in _placed(at, task, places)))
    messages = list(dict.fromkeys(" ".join(message.split()) for message, _ in errors))
    return CompileError(f"{task.name}: {'; '.join(messages).replace(WRAPPER, task.name)}", found)


def run_error(told: Told, task: Task) -> SimulationError:
    """Why there is no result."""
    found = _MESSAGES.search(told.steps.get("simulate", ""))
    messages = unescaped(found["text"]) if found is not None else ""
    if "Simulation execution failed" not in messages:
        return compile_error(told, task) or DivergedError(f"{task.name}: {messages.strip() or 'there is no result'}")
    logged = [each for each in _LOGGED.finditer(messages) if each["stream"].lower() != "success"]
    texts = list(dict.fromkeys(each["text"].strip() for each in logged if each["text"].strip()))
    said = "; ".join(texts) or messages.partition("\n")[2].strip() or "the simulation has failed"
    at = _TIME.search(said)
    return DivergedError(f"{task.name}: {said}", None if at is None else float(at["time"]))


def _errors(text: str) -> Iterator[tuple[str, tuple[str, int, int] | None]]:
    for found in _ERROR.finditer(text):
        at = (found["file"], int(found["line"]), int(found["column"])) if found["file"] else None
        yield found["message"].strip().strip('"').strip(), at


def _placed(at: tuple[str, int, int] | None, task: Task, places: Places) -> Sequence[SourcePlace]:
    if at is None:
        return []
    file, line, column = at
    path = Path(file).resolve()
    if path.name == f"{WRAPPER}.mo":
        return [SourcePlace("<text>", line, column, task.model, "", "")] if task.is_text else []
    return [places.at_line(path, line, column)]
