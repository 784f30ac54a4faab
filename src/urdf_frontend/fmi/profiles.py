"""Profiles: the variables that somebody who runs an FMU asks of it, by name, causality and unit.

Those of gazebo-fmi and fmi_adapter are here; others are files of YAML or JSON:

    name: my-plugin
    description: what my plugin wants
    types: [Real]                       # those that it can take; without, all of them
    required:
      - {name: speed, causality: input, unit: m/s}
      - {name: force, causality: output, unit: N, description: …}
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from modelica_ast.foundation import nearest, read_regular
from urdf_frontend.robot import RobotError

if TYPE_CHECKING:
    from modelica_ast.foundation import Lines

# ---------------------------------------------------------------- errors
# What the commands of `fmi` refuse.


class FmiError(RobotError):
    """A model, a profile or an FMU that is not what it has to be; the message says what to do."""


# ---------------------------------------------------------------- profiles

CAUSALITIES: Final = ("input", "output", "parameter")
_TYPES: Final = ("Real", "Integer", "Boolean", "String", "Enumeration")
_KEYS: Final = {"name", "description", "types", "required"}
_Path = tuple[str | int, ...]
_VARIABLE_KEYS: Final = {"name", "causality", "unit", "description", "linear_unit", "type"}


@frozen
class Var:
    """A variable that a profile asks for. A joint that slides has the linear unit, if there is one."""

    name: str
    causality: str
    unit: str | None = None
    description: str = ""
    linear_unit: str | None = None
    type: str = "Real"


@frozen
class Profile:
    """What is asked of an FMU."""

    name: str
    description: str
    required: tuple[Var, ...]
    types: tuple[str, ...] = _TYPES  # of inputs and outputs

    def get(self, name: str) -> Var | None:
        """The variable of a name, or None."""
        return next((variable for variable in self.required if variable.name == name), None)


GAZEBO_ACTUATOR: Final = Profile(
    "gazebo-actuator",
    "an actuator of a joint in Gazebo (gazebo-fmi, libFMIActuatorPlugin)",
    (
        Var("actuatorInput", "input", None, "What the controller asks for"),
        Var("jointPosition", "input", "rad", "Position of the joint", "m"),
        Var("jointVelocity", "input", "rad/s", "Velocity of the joint", "m/s"),
        Var("jointAcceleration", "input", "rad/s2", "Acceleration of the joint", "m/s2"),
        Var("jointTorque", "output", "N.m", "What drives the joint", "N"),
    ),
    ("Real",),
)
GAZEBO_FLUID: Final = Profile(
    "gazebo-fluid",
    "forces of a fluid on a link in Gazebo (gazebo-fmi, libFMISingleBodyFluidDynamicsPlugin)",
    (
        *(Var(f"relativeVelocity_{a}", "input", "m/s", f"Velocity of the body in the fluid, {a}") for a in "xyz"),
        *(Var(f"fluidDynamicForce_{a}", "output", "N", f"Force on the body, {a}") for a in "xyz"),
        *(Var(f"fluidDynamicMoment_{a}", "output", "N.m", f"Moment on the body, {a}") for a in "xyz"),
    ),
    ("Real",),
)
ROS2: Final = Profile("ros2", "a node of fmi_adapter for ROS 2, which takes Real inputs and outputs", (), ("Real",))

PROFILES: Final = {profile.name: profile for profile in (GAZEBO_ACTUATOR, GAZEBO_FLUID, ROS2)}


def profile_of(name: str) -> Profile:
    """The profile of a name, or the one in a file of YAML or JSON; FmiError says what is wrong with it."""
    if name in PROFILES:
        return PROFILES[name]
    path = Path(name)
    if path.suffix not in (".yaml", ".yml", ".json"):
        raise FmiError(f"there is no profile '{name}'{nearest(name, PROFILES)} (or a .yaml or .json file)")
    return read_profile(path)


def read_profile(path: Path) -> Profile:
    """The profile in a file; FmiError says what is wrong with it, OSError why it can't be read."""
    from modelica_ast.foundation import load_yaml  # noqa: PLC0415  (PERF: most calls name a profile)

    try:
        text = read_regular(path).decode()
    except FileNotFoundError as wrong:
        raise FmiError(f"{path} can't be read: {wrong.strerror}") from None
    except UnicodeDecodeError:
        raise FmiError(f"{path} is not text in UTF-8") from None
    data, lines = load_yaml(text, str(path), FmiError)
    return _profile(data, lines, path.stem)


def _profile(data: Any, lines: Lines, stem: str) -> Profile:
    fields = _fields(data, lines, (), "the profile", _KEYS)
    items = fields.get("required", [])
    if not isinstance(items, list):
        raise lines.error(("required",), "'required' must be a list of variables")
    variables = tuple(_variable(item, lines, number) for number, item in enumerate(items))
    names = [variable.name for variable in variables]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise lines.error(("required", number), f"the variable '{name}' is required twice")
    types = fields.get("types", list(_TYPES))
    if not isinstance(types, list) or not all(type_ in _TYPES for type_ in types):
        raise lines.error(("types",), f"'types' must be a list with some of {', '.join(_TYPES)}")
    name = _text(fields, lines, (), "the profile", "name") or stem
    return Profile(name, _text(fields, lines, (), "the profile", "description"), variables, tuple(types))


def _variable(data: Any, lines: Lines, number: int) -> Var:
    where, path = f"variable {number + 1}", ("required", number)
    fields = _fields(data, lines, path, where, _VARIABLE_KEYS)
    texts = {key: _text(fields, lines, path, where, key) for key in _VARIABLE_KEYS}
    if not texts["name"]:
        raise lines.error(path, f"{where} has no name")
    if texts["causality"] not in CAUSALITIES:
        raise lines.error(path, f"the causality of '{texts['name']}' must be one of {', '.join(CAUSALITIES)}")
    if (texts["type"] or "Real") not in _TYPES:
        raise lines.error(path, f"the type of '{texts['name']}' must be one of {', '.join(_TYPES)}")
    return Var(
        texts["name"],
        texts["causality"],
        texts["unit"] or None,
        texts["description"],
        texts["linear_unit"] or None,
        texts["type"] or "Real",
    )


def _fields(data: Any, lines: Lines, path: _Path, where: str, known: set[str]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise lines.error(path, f"{where} is a mapping with {', '.join(sorted(known))}")
    for key in data:
        if key not in known:
            raise lines.error((*path, key), f"{where} has no '{key}'{nearest(key, sorted(known))}")
    return data


def _text(fields: dict[str, Any], lines: Lines, path: _Path, where: str, key: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str):
        raise lines.error((*path, key), f"'{key}' of {where} must be a string, not {value!r}")
    return value
