"""What rumoca says, without what means nothing to a user, with the places in the files that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from modelica_ast.library.class_names import class_names
from modelica_ast.simulation.errors import CompileError, DivergedError, SimulationError, SourcePlace
from modelica_ast.simulation.places import Places
from modelica_ast.simulation.staging import Stage, reduced
from modelica_ast.simulation.suggesting import did_you_mean
from modelica_ast.simulation.task import WRAPPER, Task

_AT: Final = re.compile(r" ?\[(?P<file>[^\[\]]+\.mo):(?P<line>\d+):(?P<column>\d+)\]")
_TEXT_FILE: Final = "input.mo"  # rumoca's name for a text
_RELATED: Final = re.compile(r"\nRelated failures \(showing \d+\):\n(?:- .*\n?)*")
_PHASES: Final = re.compile(r"^(?:\w+ failed: )?\S+ (?:failed in \w+|could not be compiled): ")
_UNRESOLVED: Final = re.compile(r"unresolved [\w ]+: '(?P<name>[^']+)'")
_NAMED: Final = re.compile(r"['`](?P<name>[A-Za-z_][\w.\[\],]*)['`]")
_MISSING: Final = re.compile(r"unresolved|unknown modifier|resolve/parse failed|not found|undefined", re.IGNORECASE)
_ASSERTION: Final = re.compile(r"assert(?:ion)? failed at t=(?P<time>[-+.\deE]+): (?P<message>.*)", re.DOTALL)
_SHOWN: Final = 5  # of many messages or places


class Explainer:
    """The messages about one model."""

    def __init__(self, task: Task, stage: Stage) -> None:
        self._task = task
        self._stage = stage

    # ------------------------------------------------------------ parts of libraries

    def is_about_missing_parts(self, message: str) -> bool:
        """May it come from a name that is in the libraries, but not in the parts that were given?

        Reading whole libraries takes long, so a name that leads nowhere anyway is no reason.
        """
        if not _MISSING.search(message):
            return False
        named = _NAMED.search(message)  # what is said behind it, "… of type …", was found
        if named is None:
            return True
        name = named["name"]
        if name in self._task.closure.unresolved:
            return False
        return any(_leads_to(name, left_out) for left_out in self._left_out())

    def _left_out(self) -> Iterator[str]:
        """The full names of all classes that were not given: those of whole files, and those inside others."""
        given = {entry.path: (root, paths) for entry, root, paths in self._task.closure.files()}
        for _, entry in self._task.libraries.files():
            prefix = f"{entry.parent_name}." if entry.parent_name else ""
            inside = class_names(self._task.libraries.text_of(entry))
            if entry.path in given:
                kept = set(class_names(reduced(*given[entry.path])))
                inside = [name for name in inside if name not in kept]
            yield from (prefix + name for name in inside)

    # ------------------------------------------------------------ places

    def explained(self, message: str) -> tuple[str, list[SourcePlace]]:
        """The message, and its places as far as they can be told."""
        message = _RELATED.sub("", message).strip()
        places = Places(self._task.libraries, self._task.folder)
        found = list(dict.fromkeys([*self._by_lines(message, places), *self._by_names(message, places)]))
        text = _PHASES.sub("", _AT.sub("", message)).replace(WRAPPER, self._task.name)
        pieces = list(dict.fromkeys(text.split("; ")))
        if len(pieces) > _SHOWN:
            pieces = [*pieces[:_SHOWN], f"and {len(pieces) - _SHOWN} more"]
        return f"{self._task.name}: {'; '.join(pieces)}", found[:_SHOWN]

    def _by_lines(self, message: str, places: Places) -> Iterator[SourcePlace]:
        for found in _AT.finditer(message):
            line, column = int(found["line"]), int(found["column"])
            if found["file"] != _TEXT_FILE:
                yield places.at_line(self._stage.original(Path(found["file"]).resolve()), line, column)
            elif self._task.is_text:
                yield SourcePlace("<text>", line, column, self._task.model, "", "")

    def _by_names(self, message: str, places: Places) -> Iterator[SourcePlace]:
        has_line = _AT.search(message) is not None
        for found in _NAMED.finditer(message):
            name = found["name"]
            where = self._task.closure.unresolved.get(name)
            place = places.of_name(where, name) if where is not None and not has_line else None
            if place is None and not has_line:
                place = places.of_component(self._task.name, name)
            if place is not None:
                yield place


def _leads_to(name: str, full_name: str) -> bool:
    """May the name be that of the class, or of something in it?"""
    return f".{full_name}".endswith(f".{name}") or name.startswith(f"{full_name}.")


def run_error(answer: dict[str, Any], explainer: Explainer) -> SimulationError:
    """Why a run has failed."""
    message = answer["message"]
    if answer["error"] == "NoVariable":
        return SimulationError(f"there is no variable '{message}'{did_you_mean(message, answer['names'])}")
    if answer["error"] == "KeyError":
        return SimulationError(message)
    text, places = explainer.explained(message)
    if "structurally singular" in message:
        return CompileError(text, places)
    failed = _ASSERTION.search(message)
    if failed is not None:
        name = text.partition(": ")[0]
        time = float(failed["time"])
        return DivergedError(f"{name}: an assertion has failed at {time:g} s: {failed['message']}", time, places)
    return DivergedError(text, None, places)
