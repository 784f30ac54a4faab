"""The setup file of a model that OpenModelica has compiled: what it has, and how its next run is done.

A run reads it anew. So parameters, times and tolerance are set by writing another one, which works with all versions:
what can be given on the command line differs between them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from modelica_ast.simulation.description import Description, Settings
from modelica_ast.simulation.errors import SimulationError

# Of parameters. What a run computes once may be a variable as well: a constant one counts as a parameter there.
_GIVEN, _COMPUTED = "parameter", "calculatedParameter"
_STATE: Final = "rSta"


class OmcSetup:
    """A setup file that was read."""

    def __init__(self, path: Path) -> None:
        try:
            self._tree = ET.parse(path)  # noqa: S314  (omc has written it a moment ago)
        except (OSError, ET.ParseError) as error:
            raise SimulationError(f"what OpenModelica has written can't be read: {path.name}: {error}") from None
        self._variables = {each.get("name", ""): each for each in self._tree.iter("ScalarVariable")}

    def description(self, equations: int, unknowns: int) -> Description:
        """All that it says of the model."""
        parameters: dict[str, Any] = {}
        settable: set[str] = set()
        variables: list[str] = []
        units: dict[str, str] = {}
        states: list[str] = []
        for name, variable in self._variables.items():
            value = _value(variable) if variable.get("causality") in {_GIVEN, _COMPUTED} else None
            if value is not None:
                parameters[name] = value
                if variable.get("isValueChangeable") == "true" and not isinstance(value, str):
                    settable.add(name)
                continue
            variables.append(name)
            unit = variable[0].get("unit") if len(variable) else None
            if unit:
                units[name] = unit
            if variable.get("classType") == _STATE:
                states.append(name)
        return Description(
            equations,
            unknowns,
            len(states),
            equations == unknowns,
            parameters,
            None,
            frozenset(settable),
            variables,
            units,
            states,
        )

    def is_protected(self, name: str) -> bool:
        """Is a variable protected? Then it is in no result unless somebody asks for it."""
        variable = self._variables.get(name)
        return variable is not None and variable.get("isProtected") == "true"

    def write(self, path: Path, settings: Settings) -> None:
        """Write one for a run. Parameters of earlier ones are as they were."""
        before: list[tuple[ET.Element, str]] = []
        for name, number in settings.parameters.items():
            element = self._variables[name][0]
            before.append((element, element.get("start", "")))
            element.set("start", _text(element.tag, number))
        experiment = self._tree.find("DefaultExperiment")
        if experiment is None:
            raise SimulationError("what OpenModelica has written has no <DefaultExperiment>")
        experiment.attrib.update(
            startTime=repr(settings.start),
            stopTime=repr(settings.stop),
            stepSize=repr(settings.step),
            tolerance=repr(settings.tolerance),
            solver=settings.solver,
            outputFormat="mat",
        )
        self._tree.write(path, encoding="utf-8", xml_declaration=True)
        for element, text in before:
            element.set("start", text)


def _value(variable: ET.Element) -> Any:
    """The value of a parameter; None if a run computes it."""
    if not len(variable) or (text := variable[0].get("start")) is None:
        return None
    kind = variable[0].tag
    if kind == "Boolean":
        return text == "true"
    if kind == "String":
        return text
    return float(text) if kind == "Real" else int(float(text))


def _text(kind: str, number: float) -> str:
    if kind == "Boolean":
        return "true" if number else "false"
    return repr(float(number)) if kind == "Real" else str(int(number))
