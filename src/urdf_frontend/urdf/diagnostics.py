"""What was found in a URDF file, as a list: reading and checking never raise."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from attrs import define, field, frozen

from urdf_frontend.robot import Place, RobotError

# ---------------------------------------------------------------- codes
# What can be wrong with a URDF file: stable names, how bad each is, and what it means.
#
# error: what the robot is can't be told, or it can't exist; nothing is built from it. warning: something was
# repaired, assumed or left out; the robot is usable. info: worth knowing, nothing was done.


class Severity(enum.Enum):
    """How bad it is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(NamedTuple):
    """What a code means."""

    severity: Severity
    meaning: str


_ERRORS: Final = {
    "urdf-file": "the file can't be read",
    "urdf-too-large": "the file is larger than any robot",
    "urdf-xml": "the file is not well-formed XML",
    "urdf-entity": "the file declares entities, which are not expanded",
    "urdf-no-robot": "the root element is not <robot>",
    "urdf-xacro": "elements or expressions of xacro were not expanded, and the robot needs them",
    "urdf-xacro-missing": "a xacro file, and the package xacro is not installed",
    "urdf-xacro-failed": "xacro can't expand the file",
    "urdf-no-links": "there are no links",
    "urdf-no-name": "a link or a joint has no name",
    "urdf-duplicate-link": "two links have one name",
    "urdf-duplicate-joint": "two joints have one name",
    "urdf-undefined-link": "a joint refers to a link that does not exist",
    "urdf-no-root": "every link is the child of a joint",
    "urdf-several-roots": "more than one link is not the child of a joint",
    "urdf-cycle": "links are attached to each other in a cycle",
    "urdf-two-parents": "a link is the child of two joints",
    "urdf-joint-type": "a joint has no type, or one that URDF does not have",
    "urdf-joint-ends": "a joint has no parent or no child",
    "urdf-attribute-missing": "an attribute that its element needs is missing or empty",
    "urdf-number": "a text that should be a number is not one",
    "urdf-number-count": "an attribute has too many or too few numbers",
    "urdf-not-finite": "a number is infinite, too large, or not a number",
    "urdf-axis-zero": "an axis has no direction",
    "urdf-quaternion-zero": "a quaternion is zero",
    "urdf-mimic-undefined": "a joint mimics one that does not exist",
    "urdf-mimic-cycle": "joints mimic each other in a cycle",
    "urdf-mimic-leader": "a joint mimics one that has no single value",
    "urdf-mass-missing": "an inertial has no mass",
    "urdf-mass-negative": "a mass is negative",
    "urdf-inertia-incomplete": "an inertia lacks some of its six terms",
    "urdf-inertia-negative": "an inertia has a negative principal moment",
    "urdf-module-connector": "an output connector of a module is not fixed, or something is "
    "attached to its virtual link",
    "urdf-module-world": "a module refers to a link world that it does not define",
}

_WARNINGS: Final = {
    "urdf-bom": "the file starts with a byte order mark",
    "urdf-leading-blank": "there are blanks before the XML declaration",
    "urdf-nul": "there are NUL characters after the last element",
    "urdf-xml-version": "the XML declaration has a version that does not exist",
    "urdf-encoding": "the encoding is not known, or not the declared one",
    "urdf-doctype": "the file has a DOCTYPE",
    "urdf-prefix": "a prefix is not declared",
    "urdf-namespace": "the file has a default name space",
    "urdf-version": "the version of URDF does not exist",
    "urdf-robot-name": "the robot has no name",
    "urdf-stray-text": "there is text where it has no meaning",
    "urdf-xacro-unused": "something of xacro was not expanded, and the robot does not need it",
    "urdf-repeated": "an element appears twice, and only the first counts",
    "urdf-misplaced": "an element of URDF is where URDF does not have it, and means nothing there",
    "urdf-inertial-several": "a link has more than one inertial, and only the first counts",
    "urdf-implicit-world": "joints refer to a link world that is not defined",
    "urdf-axis-not-unit": "the length of an axis is not one",
    "urdf-quaternion-not-unit": "the length of a quaternion is not one",
    "urdf-limit-missing": "a revolute or prismatic joint has no limit",
    "urdf-limit-incomplete": "a limit has no effort or no velocity",
    "urdf-limit-order": "a lower limit is above the upper one, and neither counts",
    "urdf-limit-negative": "a limit of effort, velocity, acceleration or jerk is negative",
    "urdf-limit-empty": "the lower limit is the upper limit",
    "urdf-dynamics-negative": "the damping or the friction of a joint is negative",
    "urdf-mimic-ignored": "a joint mimics another one and has no single value",
    "urdf-mimic-types": "an angle mimics a distance, or the other way round",
    "urdf-mass-zero": "a mass is zero",
    "urdf-inertia-missing": "an inertial has a mass and no inertia",
    "urdf-inertia-zero": "an inertia has a principal moment that is zero",
    "urdf-inertia-triangle": "the principal moments break the triangle inequality",
    "urdf-no-inertial": "a link that a joint moves has no inertial",
    "urdf-geometry-missing": "a visual or collision has no geometry",
    "urdf-geometry-several": "a geometry has more than one shape",
    "urdf-geometry-unknown": "a shape that URDF does not have",
    "urdf-size": "a size is zero or negative",
    "urdf-scale": "a mesh is scaled to nothing",
    "urdf-scale-count": "a scale has one number in place of three",
    "urdf-rgba-range": "a colour has numbers outside 0 to 1",
    "urdf-rgba-count": "a colour has three numbers in place of four",
    "urdf-material-undefined": "a material is used and not defined",
    "urdf-material-conflict": "a material has two definitions that differ",
    "urdf-material-empty": "a material without name, colour and texture",
    "urdf-texture-empty": "a texture names no file",
    "urdf-mesh-path": "the path of a mesh can't be resolved, or leads out of the robot's folders",
    "urdf-mesh-missing": "the file of a mesh does not exist, or can't be read",
    "urdf-mesh-format": "the file of a mesh is not of a known format",
    "urdf-mesh-broken": "the file of a mesh is cut off or damaged",
    "urdf-transmission-joint": "a transmission drives a joint that does not exist",
    "urdf-readers-differ": "urdf_parser_py reads another value than this reader",
    "urdf-module-end": "a module has no output connector",
    "urdf-module-virtual-mass": "a virtual link has more than a thousandth of its module's mass",
    "urdf-module-direction": "an output connector is not ahead of the input connector, along its z axis",
}

_INFOS: Final = {
    "urdf-unknown-element": "an element that URDF does not have",
    "urdf-unknown-attribute": "an attribute that URDF does not have",
    "urdf-newer-version": "something from a newer version of URDF than the file's",
    "urdf-axis-default": "a joint has no axis, so it is x",
    "urdf-zero-outside-limits": "the zero position is outside the limits",
    "urdf-limit-ignored": "a continuous joint has bounds",
    "urdf-ros-parser": "urdf_parser_py, which many ROS tools use, can't read an element",
    "urdf-module-branches": "a module has several output connectors",
}

CODES: Final[dict[str, Code]] = {
    code: Code(severity, meaning)
    for severity, codes in ((Severity.ERROR, _ERRORS), (Severity.WARNING, _WARNINGS), (Severity.INFO, _INFOS))
    for code, meaning in codes.items()
}

# Errors that a user may let pass: they are about values, not about what is attached to what.
# The order of limits was one of them.
ALLOWABLE: Final = frozenset(
    "urdf-inertia-incomplete urdf-inertia-negative urdf-limit-order urdf-mass-missing urdf-mass-negative".split()
)

# ---------------------------------------------------------------- diagnostics


@frozen
class Diagnostic:
    """One finding. `str()` is `file:line:column: severity: message [code]`, and the hint on a line of its own."""

    severity: Severity
    code: str
    file: str
    line: int
    column: int
    xpath: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        path = f"{self.xpath}: " if self.xpath else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{where}: {self.severity.value}: {path}{self.message} [{self.code}]{hint}"

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "xpath": self.xpath,
            "message": self.message,
            "hint": self.hint,
        }


@define
class Findings:
    """Collects the diagnostics of one file."""

    file: str
    diagnostics: list[Diagnostic] = field(factory=list)
    _mentioned: set[str] = field(factory=set)

    def report(self, code: str, place: Place, message: str, hint: str = "") -> None:
        """Add one; the code says how bad it is."""
        severity = CODES[code].severity
        if severity is Severity.ERROR and code in ALLOWABLE:
            hint = "; ".join(filter(None, (hint, f"--allow {code} builds the robot as it is")))
        where = (place.line, place.column, place.xpath)
        self.diagnostics.append(Diagnostic(severity, code, place.file or self.file, *where, message, hint))
        self._mentioned.add(place.xpath)

    def mentions(self, place: Place, attribute: str) -> bool:
        """Is something wrong with this attribute of the element there? Then it is not absent."""
        return f"{place.xpath}/@{attribute}" in self._mentioned


class UrdfError(RobotError):
    """A URDF file that nothing can be built from: all its errors, not only the first."""

    cause = "unreadable"

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))

    def __reduce__(self) -> tuple[type[UrdfError], tuple[tuple[Diagnostic, ...]]]:
        """For pickle: a worker's errors reach the process that asked."""
        return UrdfError, (self.diagnostics,)

    def as_json(self) -> dict[str, Any]:
        """The diagnostics in plain values, to be beside the message that ends a command."""
        return {"diagnostics": [found.as_json() for found in self.diagnostics]}


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """File by file, by line and column, those of one place in the order in which they were found, each once."""
    once = dict.fromkeys(diagnostics)
    files = {file: number for number, file in enumerate(dict.fromkeys(found.file for found in once))}
    return tuple(sorted(once, key=lambda found: (files[found.file], found.line, found.column)))


def reason_of(error: OSError | ValueError) -> str:
    """Why a file can't be read, as words after a colon: 'permission denied', 'it is a pipe, not a file'."""
    words = (isinstance(error, OSError) and error.strerror) or str(error)
    words = words[:1].lower() + words[1:]
    return f"it {words}" if words.startswith(("is ", "has ")) else words


def quoted(name: str) -> str:
    """A name from a file as it may be in a message: on one line, and not too long."""
    shown = json.dumps(name, ensure_ascii=False)[1:-1].replace('\\"', '"')
    longest = 80
    return f"'{shown[:longest]}…'" if len(shown) > longest else f"'{shown}'"
