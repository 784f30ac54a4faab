"""Immutable values that cost nothing to import: a robot's module is imported by every script that uses it.

attrs and dataclasses write methods when a class is made, which takes longer than all the rest of this package.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, TypeVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class Value:
    """Base of classes that are nothing but their annotated fields; what a field is set to there is its default."""

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # A field that a subclass annotates again, to say more of its type, keeps its place.
        cls._fields = tuple(dict.fromkeys((*cls._fields, *cls.__annotations__)))

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = self._fields
        given = dict(zip(fields, values, strict=False))
        if len(values) > len(fields) or not named.keys() <= set(fields[len(values) :]):
            raise TypeError(f"the fields of {type(self).__name__} are {', '.join(fields)}")
        given |= named
        try:
            complete = {name: given[name] if name in given else getattr(type(self), name) for name in fields}
        except AttributeError as missing:
            raise TypeError(f"{type(self).__name__} needs a value for '{missing.name}'") from None
        self.__dict__.update(complete)
        self._check()

    def _check(self) -> None:
        """ValueError where the fields do not fit each other; for subclasses."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({fields})"


# ---------------------------------------------------------------- ids
# Names of links, joints and robots that a type checker knows.
#
# A name is equal to its text, as members of StrEnum are. So a link and a joint that URDF calls alike are equal too:
# what holds both keeps them apart.


class LinkId(StrEnum):
    """Base of the links of a robot: a member for each, its value is the name in URDF."""


class JointId(StrEnum):
    """Base of the joints of a robot: a member for each, its value is the name in URDF."""


class RobotId(StrEnum):
    """Base of the robots of a registry: a member for each, its value is what it is asked for by."""


LinkT = TypeVar("LinkT", bound=LinkId)
JointT = TypeVar("JointT", bound=JointId)
LinkT_co = TypeVar("LinkT_co", bound=LinkId, covariant=True)
JointT_co = TypeVar("JointT_co", bound=JointId, covariant=True)
# The joints that have one angle or distance in Modelica: a `Literal` of some of them.
AxisT = TypeVar("AxisT", bound=JointId)

# ---------------------------------------------------------------- source
# What a generated module was made from, so that it can be made again and checked without asking again.


class Source(Value):
    """Paths are as seen from the folder of the module; what was not given is None."""

    urdf: str
    prefix: str
    python: str
    arguments: tuple[str, ...] = ()  # of xacro, NAME=VALUE
    package: str | None = None  # by its full name
    folder: str | None = None  # of that package
    model: str | None = None
