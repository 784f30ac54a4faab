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
# A line of a run, `LOG_ASSERT | error | …`; those that follow have bars in place of the first two words.
_LOGGED: Final = re.compile(
    r"^(?:(?:LOG_)?(?P<stream>\w+)\s*\|\s*(?P<level>\w+)\s*|\|[\s|]*)\|\s?(?P<text>.*)$", re.MULTILINE
)
_TIME: Final = re.compile(r"\bat time (?P<time>[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")
_ASSERTED: Final = re.compile(r'-->\s*"(?P<text>.*)"\s*$', re.DOTALL)
_AT: Final = re.compile(r"^\[(?P<file>[^\]\n]*?):(?P<line>\d+):(?P<column>\d+)-\d+:\d+:\w+\]")
_TERMINATED: Final = re.compile(r"terminate\(\) at time .*\n.*?Message\s*:\s*(?P<text>.*)")
_FOLLOWING: Final = "Error occurred while flattening model"
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}


class Told(Record):
    """The answers of a script, by the names of its steps."""

    steps: dict[str, str]

    def counts(self) -> tuple[int, int] | None:
        """Equations and variables that `checkModel` has counted."""
        found = _COUNTS.search(self.steps.get("check", ""))
        return None if found is None else (int(found["equations"]), int(found["variables"]))

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
    errors = [error for text in told.steps.values() for error in _errors(unescaped(text))]
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


def run_error(output: str, task: Task) -> SimulationError:
    """Why a run has no result, from what its program has printed."""
    entries = _entries(output)
    texts = [text for _, text in entries]
    for text in texts:
        asserted, at = _ASSERTED.search(text), _TIME.search(text)
        if asserted is None or at is None:
            continue
        place = _AT.search(text)
        where = None if place is None else (place["file"], int(place["line"]), int(place["column"]))
        return DivergedError(
            f"{task.name}: an assertion has failed at {float(at['time']):g} s: {asserted['text']}",
            float(at["time"]),
            _placed(where, task, Places(task.libraries, task.folder)),
        )
    said = "; ".join(dict.fromkeys(" ".join(text.split()) for text in texts)) or output.strip()[-500:]
    at = _TIME.search(said)
    return DivergedError(
        f"{task.name}: {said or 'the simulation has failed without a word'}", None if at is None else float(at["time"])
    )


def terminated(output: str) -> str:
    """The message of `terminate(…)` that has ended a run, or nothing."""
    found = _TERMINATED.search(output)
    return "" if found is None else found["text"].strip()


def _entries(output: str) -> list[tuple[str, str]]:
    """(stream, text) of all that a run has logged, but that it goes well; lines that belong together are one text."""
    entries: list[tuple[str, str]] = []
    for found in _LOGGED.finditer(output):
        if found["stream"] is None and entries:
            stream, text = entries[-1]
            entries[-1] = stream, f"{text}\n{found['text']}"
        else:
            entries.append(((found["stream"] or "").lower(), found["text"]))
    return [(stream, text) for stream, text in entries if stream != "success" and text.strip()]


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
    found = places.at_line(path, line, column)
    return [found] if found.class_name else []  # an internal error is at a place of omc's own sources
