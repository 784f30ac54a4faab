"""One use of a module in a robot, as the assembly file says it."""

from __future__ import annotations

import re
from typing import Final

from attrs import field, frozen

from urdf_frontend.robot import RobotError

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@frozen(kw_only=True)
class Instance:
    """A module file and where it goes.

    `parent` is `instance` or `instance.port`; None is the module before it in the list. `rotate` turns it about the z
    axis of the connector, in radians. Names of the module get `prefix` if there is one, else `given_name_`, else they
    end in the position. `joint` is what the fixed joint that it hangs on is called in the robot, whatever the connector
    is called in its module. `is_attached` marks a plain robot at the end, such as a gripper; it has no position.
    """

    use: str
    given_name: str | None = None
    parent: str | None = None
    rotate: float = 0.0
    prefix: str | None = None
    srdf: str | None = None
    joint: str | None = None
    is_attached: bool = False
    line: int = field(default=0, eq=False)


def is_word(name: str) -> bool:
    """May an instance be called so? In URDF names it is a prefix, in Modelica a component."""
    return _WORD.fullmatch(name) is not None


def names_of(instances: tuple[Instance, ...]) -> tuple[str, ...]:
    """What each instance is called: its `as`, or `m_3` for the third module, or `attached_1`."""
    names: list[str] = []
    counts = {False: 0, True: 0}
    for instance in instances:
        counts[instance.is_attached] += 1
        number = counts[instance.is_attached]
        names.append(instance.given_name or (f"attached_{number}" if instance.is_attached else f"m_{number}"))
    return tuple(names)


# ---------------------------------------------------------------- errors
# What keeps modules from becoming a robot, or a robot from becoming modules.


class ModuleError(RobotError):
    """One sentence: what is wrong, where, and what to do. Nothing was written."""


class UnreadableAssemblyError(ModuleError):
    """An assembly file that can't be read, or is not YAML."""

    cause = "unreadable"
