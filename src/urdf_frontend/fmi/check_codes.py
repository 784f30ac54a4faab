"""What `fmi check` can find: the code of each finding, how bad it is, and what it means."""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen


@frozen
class Code:
    """How bad it is (error, warning or note), and what it means."""

    severity: str
    meaning: str


CODES: Final = {
    "fmi-missing": Code("error", "A variable that is asked for is not there."),
    "fmi-extra": Code("error", "The FMU has an input or output that the model does not have."),
    "fmi-extra-parameter": Code("warning", "The FMU has a parameter that the model does not have."),
    "fmi-causality": Code("error", "Input, output, parameter or local: not what it has to be."),
    "fmi-evaluated": Code("warning", "A parameter of a component of the model can't be set in the FMU."),
    "fmi-variability": Code("warning", "Constant, fixed, discrete or continuous: not what it has to be."),
    "fmi-type": Code("error", "Real, Integer, Boolean or String: not what it has to be."),
    "fmi-start": Code("error", "The value or start value is another one in the FMU."),
    "fmi-unit": Code("error", "The unit is another one."),
    "fmi-unit-missing": Code("warning", "A unit is stated on one side only."),
    "fmi-description": Code("warning", "The description is another one in the FMU."),
    "fmi-size": Code("error", "An array has another size in the FMU."),
    "fmi-twice": Code("error", "The FMU has two variables of one name."),
    "fmi-flat": Code("note", "A variable was found by its flat name."),
    "fmi-kind": Code("error", "The FMU is not of the kind that the profile's program runs."),
    "fmi-no-start": Code("warning", "Nobody sets an input, and it has no start value."),
    "fmi-unresolved": Code("warning", "A name of the model is not found, so its interface is not all known."),
    "ros-collision": Code("error", "Several variables have one name in ROS."),
    "ros-name": Code("error", "A name is none in ROS: it starts with a digit, or nothing is left of it."),
    "ros-type": Code("error", "fmi_adapter takes Real inputs and outputs only."),
}


@frozen
class Difference:
    """One finding of `fmi check`."""

    code: str
    file: str
    line: int
    column: int
    message: str
    variable: str = ""  # the name of the variable that it is about
    hint: str = ""

    @property
    def severity(self) -> str:
        """`error`, `warning` or `note`."""
        return CODES[self.code].severity

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        return {
            "severity": self.severity,
            "code": self.code,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "variable": self.variable,
            "message": self.message,
            "hint": self.hint,
        }


def shown_causality(causality: str) -> str:
    """`an input`, `a parameter`, `local`."""
    if causality in ("local", "independent"):
        return causality
    return f"an {causality}" if causality[0] in "aeiou" else f"a {causality}"
