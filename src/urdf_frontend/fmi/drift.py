"""The interface of a model against the modelDescription.xml of its FMU: what has drifted apart since the export."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any, Final

from attrs import frozen

from modelica_ast.foundation import did_you_mean
from modelica_ast.tree import Reference
from urdf_frontend.fmi.interface import Element, Interface, Variable, elements_of, flat_starts, sizes_of
from urdf_frontend.fmi.model_description import DescribedVariable, ModelDescription

# ---------------------------------------------------------------- check codes
# What `fmi check` can find: the code of each finding, how bad it is, and what it means.


@frozen
class Code:
    """How bad it is (error, warning or note), and what it means."""

    severity: str
    meaning: str


CODES: Final = {
    "fmi-missing": Code("error", "A variable that is asked for is not there."),
    "fmi-extra": Code("error", "The FMU has an input or output that the model does not have."),
    "fmi-extra-parameter": Code("warning", "The FMU has a parameter that the model does not have."),
    "fmi-causality": Code("error", "Input, output, parameter or local: not what is required."),
    "fmi-evaluated": Code("warning", "A parameter of a component of the model can't be set in the FMU."),
    "fmi-variability": Code("warning", "Constant, fixed, discrete or continuous: not what is required."),
    "fmi-type": Code("error", "Real, Integer, Boolean or String: not what is required."),
    "fmi-start": Code("error", "The value or start value is different in the FMU."),
    "fmi-unit": Code("error", "The unit is different."),
    "fmi-unit-missing": Code("warning", "A unit is stated on one side only."),
    "fmi-description": Code("warning", "The description is different in the FMU."),
    "fmi-size": Code("error", "An array has another size in the FMU."),
    "fmi-twice": Code("error", "The FMU has two variables with the same name."),
    "fmi-flat": Code("note", "A variable was found by its flat name."),
    "fmi-kind": Code("error", "The FMU is not of the kind that the profile's program runs."),
    "fmi-no-start": Code("warning", "Nothing sets an input, and it has no start value."),
    "fmi-base": Code("error", "A base class is not found, so nobody knows what it declares."),
    "fmi-unresolved": Code("warning", "A name of the model is not found, so its interface is not all known."),
    "ros-collision": Code("error", "Several variables have the same name in ROS."),
    "ros-name": Code("error", "A name is not valid in ROS: it starts with a digit, or nothing is left of it."),
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


# ---------------------------------------------------------------- check names
# The variables of an FMU by their names, also where these are flat: `axis_1_k` for `axis[1].k`.

_SEPARATORS: Final = re.compile(r"[^A-Za-z0-9_]+")


class DescribedNames:
    """Finds variables of a description, and remembers which were found."""

    def __init__(self, description: ModelDescription) -> None:
        self._by_name = {variable.name: variable for variable in description.variables}
        self.taken: set[str] = set()
        numbers = Counter(variable.name for variable in description.variables)
        self.twice = [
            Difference(
                "fmi-twice",
                description.file,
                self._by_name[name].line,
                self._by_name[name].column,
                f"the FMU has '{name}' {number} times",
                name,
            )
            for name, number in numbers.items()
            if number > 1
        ]
        self._by_flat_name: dict[str, DescribedVariable | None] = {}
        for variable in description.variables if description.is_flat else ():
            flat = _flat(variable.name)
            # What several variables may be meant by is nobody's name.
            self._by_flat_name[flat] = None if flat in self._by_flat_name else variable

    def find(self, name: str) -> DescribedVariable | None:
        """The variable of a name, by its flat name if the names of the FMU are flat; it counts as taken then."""
        found = self._by_name.get(name) or self._by_flat_name.get(_flat(name))
        if found is not None:
            self.taken.add(found.name)
        return found

    def take_elements(self, name: str) -> list[DescribedVariable]:
        """All that are elements of an array, or members of them: `u[1]`, `axes[2].k` of `axes.k`."""
        first, *rest = (re.escape(part) + r"(?:\[[0-9, ]*\])?" for part in name.split("."))
        pattern = re.compile(r"\.".join([first, *rest]))
        found = [each for key, each in self._by_name.items() if pattern.fullmatch(key)]
        self.taken.update(each.name for each in found)
        return found

    def near(self, name: str) -> str:
        """`; did you mean …?`, of those that nobody has found yet; nothing if none is close."""
        meant = did_you_mean(name, (key for key in self._by_name if key not in self.taken))
        return meant and f"; {meant}"


def _flat(name: str) -> str:
    return _SEPARATORS.sub("_", name).strip("_")


# ---------------------------------------------------------------- check description

_SEEN_FROM_OUTSIDE: Final = ("input", "output")
# What a variable of the model may be in the FMU.
_ALLOWED: Final = {
    "input": {"input"},
    "output": {"output"},
    "parameter": {"parameter", "structuralParameter"},
    "calculatedParameter": {"calculatedParameter", "local"},
    "local": {"local", "calculatedParameter", "independent"},
}
_VARIABILITIES: Final = {
    "constant": {"constant", "fixed"},  # tools may call it either
    "fixed": {"fixed", "tunable", "constant"},
    "discrete": {"discrete"},
    "continuous": {"continuous"},
}
_DEFAULT_STARTS: Final = {"Real": 0.0, "Integer": 0, "Boolean": False, "String": ""}
_PRECISION: Final = 1e-9  # tools write numbers with ten digits or more


def diff_interface(interface: Interface, description: ModelDescription) -> list[Difference]:
    """All that differs between a model and the description of its FMU.

    The interface should have been made with `depth=None`, so that parameters of components are known. Variables that
    are local on both sides are not compared, nor must a parameter inside a component be in the FMU.
    """
    names = DescribedNames(description)
    found: list[Difference] = list(names.twice)
    for variable in interface.variables:
        found += _Comparison(variable, description, names).differences()
    known = {variable.name for variable in interface.variables}
    return [*found, *_extra(interface, description, names, known)]


def _extra(
    interface: Interface, description: ModelDescription, names: DescribedNames, known: set[str]
) -> list[Difference]:
    found = []
    for described in description.variables:
        if described.name in names.taken or described.name in known:
            continue
        if described.causality in _SEEN_FROM_OUTSIDE:
            code = "fmi-extra"
        elif described.causality in ("parameter", "structuralParameter"):
            code = "fmi-extra-parameter"
        else:
            continue
        message = f"the FMU has the {described.causality} '{described.name}', and {interface.model} does not"
        found.append(
            Difference(code, description.file, described.line, described.column, message, described.name, _EXPORT)
        )
    return found


_EXPORT: Final = "export the FMU again, or bring the model back to what it was"


class _Comparison:
    """One variable of the model and what the FMU has of it."""

    def __init__(self, variable: Variable, description: ModelDescription, names: DescribedNames) -> None:
        self._variable = variable
        self._description = description
        self._names = names
        self._found: list[Difference] = []

    @property
    def _is_nested(self) -> bool:
        """Is it a parameter of a component? These need not be in an FMU; members of connectors must be."""
        return "." in self._variable.name and self._variable.causality not in _SEEN_FROM_OUTSIDE

    def differences(self) -> list[Difference]:
        variable = self._variable
        whole = self._names.find(variable.name)
        if whole is not None:  # a scalar, or an array that FMI 3.0 has as one
            self._sizes(whole)
            self._compare(whole, variable.name)
            self._starts(whole)
            return self._found
        elements = elements_of(variable) if sizes_of(variable) else []
        if elements:
            self._elements(elements)
        elif elements is None:
            self._of_unknown_size()
        elif not sizes_of(variable):
            self._missing(variable.name)
        return self._found

    def _elements(self, elements: list[Element]) -> None:
        present = [(element, self._names.find(element.name)) for element in elements]
        first = next((described for _, described in present if described is not None), None)
        if first is None:
            self._missing(self._variable.name)
            return
        for element, described in present:
            if described is None:
                self._missing(element.name)
            else:
                self._compare(described, element.name)
                self._start(described, element.start, element.name)

    def _of_unknown_size(self) -> None:
        """Only its first part is known: what begins like this belongs to it."""
        described = self._names.take_elements(self._variable.name)
        if not described:
            self._missing(self._variable.name)
        for each in described:
            self._compare(each, each.name)

    # ------------------------------------------------------------ one pair

    def _compare(self, described: DescribedVariable, name: str) -> None:
        variable = self._variable
        if described.name != name:
            self._report("fmi-flat", f"'{name}' is '{described.name}' in the FMU, whose names are flat", described)
        self._causality(described, name)
        if described.variability not in _VARIABILITIES[variable.variability]:
            message = f"'{name}' is {variable.variability} here, and {described.variability} in the FMU"
            self._report("fmi-variability", message, described)
        if described.type != variable.type:
            message = f"'{name}' is of type {variable.type} here, and {described.type} in the FMU"
            self._report("fmi-type", message, described)
        self._units(described, name)
        here, there = " ".join(variable.description.split()), " ".join(described.description.split())
        if here != there:
            message = f'the description of \'{name}\' is "{here}" here, and "{there}" in the FMU'
            self._report("fmi-description", message, described)

    def _causality(self, described: DescribedVariable, name: str) -> None:
        variable = self._variable
        if described.causality in _ALLOWED[variable.causality]:
            return
        reason = " (it is final)" if variable.is_final else " (it is protected)" if variable.is_protected else ""
        here, there = shown_causality(variable.causality), shown_causality(described.causality)
        message = f"'{name}' is {here} here{reason}, and {there} in the FMU"
        is_evaluated = self._is_nested and described.causality not in _SEEN_FROM_OUTSIDE and not reason
        self._report("fmi-evaluated" if is_evaluated else "fmi-causality", message, described)

    def _units(self, described: DescribedVariable, name: str) -> None:
        here, there = self._variable.unit, described.unit
        # `1` is the unit of what has none.
        if (here or "1") == (there or "1"):
            return
        if here is not None and there is not None:
            self._report("fmi-unit", f"'{name}' is in {here} here, and in {there} in the FMU", described)
        elif here is not None:
            self._report("fmi-unit-missing", f"'{name}' is in {here} here, and has no unit in the FMU", described)
        else:
            self._report("fmi-unit-missing", f"'{name}' has no unit here, and is in {there} in the FMU", described)

    def _sizes(self, described: DescribedVariable) -> None:
        here, there = sizes_of(self._variable), described.dimensions
        fits = len(here) == len(there) and all(
            a is None or b is None or a == b for a, b in zip(here, there, strict=True)
        )
        if not fits:
            name = self._variable.name
            message = f"'{name}' is {_shown_sizes(here)} here, and {_shown_sizes(there)} in the FMU"
            self._report("fmi-size", message, described)

    # ------------------------------------------------------------ start values

    def _starts(self, described: DescribedVariable) -> None:
        if not described.dimensions:
            self._start(described, self._variable.start, self._variable.name)
            return
        expected = flat_starts(self._variable, len(described.start or ()))
        if expected is None or described.start is None:
            return  # a size that differs has been reported
        for here, there in zip(expected, described.start, strict=True):
            if not _is_same(here, there):
                self._drift(described, self._variable.name, expected, list(described.start))
                return

    def _start(self, described: DescribedVariable, here: Any, name: str) -> None:
        variable = self._variable
        if variable.type == "Enumeration" or isinstance(here, Reference | list):
            return  # FMI numbers the literals; the type would have to be looked into
        if here is None and variable.causality == "input":
            here = _DEFAULT_STARTS.get(variable.type)
        if here is None or variable.causality == "local":
            return
        if described.start is None:
            if variable.causality == "parameter":
                self._report("fmi-start", f"'{name}' is {_shown(here)} here, and has no value in the FMU", described)
        elif not _is_same(here, described.start[0]):
            self._drift(described, name, here, described.start[0])

    def _drift(self, described: DescribedVariable, name: str, here: Any, there: Any) -> None:
        what = "is" if self._variable.causality in ("parameter", "calculatedParameter") else "starts as"
        message = f"'{name}' {what} {_shown(here)} here, and {_shown(there)} in the FMU"
        self._report("fmi-start", message, described)

    # ------------------------------------------------------------ telling

    def _missing(self, name: str) -> None:
        variable = self._variable
        if variable.causality not in ("input", "output", "parameter") or self._is_nested:
            return
        message = f"the {variable.causality} '{name}' is not in the FMU"
        hint = _EXPORT + self._names.near(name)
        self._found.append(Difference("fmi-missing", str(variable.file), variable.line, 1, message, name, hint))

    def _report(self, code: str, message: str, described: DescribedVariable) -> None:
        variable = self._variable
        hint = f"{self._description.file}:{described.line}"
        self._found.append(
            Difference(code, str(variable.file), variable.line, 1, message, described.name, f"there: {hint}")
        )


def _is_same(here: Any, there: Any) -> bool:
    if isinstance(here, bool) or isinstance(there, bool) or isinstance(here, str) or isinstance(there, str):
        return bool(here == there)
    return math.isclose(here, there, rel_tol=_PRECISION) or (math.isnan(here) and math.isnan(there))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "{" + ", ".join(map(_shown, value)) + "}"
    return f'"{value}"' if isinstance(value, str) else repr(float(value))


def _shown_sizes(sizes: tuple[int | None, ...]) -> str:
    inside = ", ".join("?" if size is None else str(size) for size in sizes)
    return f"an array [{inside}]" if sizes else "a scalar"
