"""All that a module is made from: the robot, the names of its members, and where its parts are in Modelica."""

from __future__ import annotations

import ast
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Final

from attrs import frozen

from urdf_frontend.robot import Robot, RobotError, short_name
from urdf_frontend.typed import Axis, Source
from urdf_frontend.typed_modules.layout import name

# ---------------------------------------------------------------- errors
# What keeps a module of a robot from being made.


class TypesError(RobotError, ValueError):
    """A module can't be made or read; the sentence says why, and what to do."""


class UnreadableModuleError(TypesError):
    """A file is not Python that this version of Python reads."""

    cause = "unreadable"


# ---------------------------------------------------------------- member names
# From a name of URDF, which may be any text, to a member of an enumeration in Python.

_HUMPS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST: Final = 60  # with the name of its class before it, a member still fits into a line
_KEPT: Final = 48
_LONGEST_PREFIX: Final = 40


def words_of(name: str) -> list[str]:
    """The words of a name: it is split at what no identifier has, at underscores and between the humps of camels."""
    # Python reads identifiers in this form, so two names must not meet in it unseen.
    plain = unicodedata.normalize("NFKC", name)
    spaced = "".join(char if char != "_" and f"a{char}".isidentifier() else " " for char in plain)
    return [word for run in spaced.split() for word in _HUMPS.split(run)]


def member_names(kind: str, names: Iterable[str], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """A member for each name of a link or a joint, `kind`, in the order of the names.

    `left_foot_link` is LEFT_FOOT, and LEFT_FOOT_LINK if there is a `left_foot` too. Most members depend on their name
    alone; where two would meet, the order of the alphabet decides, not that of the file. `known` members stay,
    whatever is added: code that uses them must not change its meaning. TypesError if two of them are one.
    """
    wanted = list(dict.fromkeys(names))
    taken: dict[str, str] = {}
    for each in wanted:
        member = (known or {}).get(each)
        if member is not None:
            if member in taken:
                raise TypesError(f"the {kind}s '{taken[member]}' and '{each}' are both the member {member}: rename one")
            taken[member] = each
    named = {name: member for member, name in taken.items()}
    for each in sorted(set(wanted) - named.keys(), key=lambda each: _rank(kind, each)):
        named[each] = next(member for member in _variants(kind, each) if member not in taken)
        taken[named[each]] = each
    return {each: named[each] for each in wanted}


def class_prefix(name: str | None) -> str:
    """What the classes of a robot start with: `desk-arm` gives DeskArm."""
    words = words_of(name or "")
    joined = "".join(word[:1].upper() + word[1:] for word in words)[:_LONGEST_PREFIX]
    return unicodedata.normalize("NFKC", joined if joined.isidentifier() else f"Robot{joined}")


def constant_prefix(prefix: str) -> str:
    """What the constants of a robot start with: DeskArm gives DESK_ARM."""
    return _joined(words_of(prefix)) or "ROBOT"


def _rank(kind: str, name: str) -> tuple[bool, bool, int, str]:
    """Who chooses first: those that lose nothing, those that lose no word, the short ones."""
    return _joined(words_of(name)) != name.upper(), _is_shortened(kind, name), len(name), name


def _is_shortened(kind: str, name: str) -> bool:
    words = words_of(name)
    return len(words) > 1 and words[-1].lower() == kind


def _variants(kind: str, name: str) -> Iterator[str]:
    words = words_of(name)
    if _is_shortened(kind, name):
        yield _member(kind, name, words[:-1])
    yield _member(kind, name, words)
    for number in count(2):
        yield f"{_member(kind, name, words)}_{number}"


def _member(kind: str, name: str, words: list[str]) -> str:
    """An identifier: a digit can't be its first, and an underscore would mean that it is private."""
    joined = _joined(words)
    member = joined if joined.isidentifier() else f"{kind.upper()}_{joined}".rstrip("_")
    if len(member) <= _LONGEST:
        return member
    return f"{member[:_KEPT]}_{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8].upper()}"


def _joined(words: list[str]) -> str:
    return unicodedata.normalize("NFKC", "_".join(words).upper())


# ---------------------------------------------------------------- blueprint


@frozen
class Parameter:
    """A parameter of a component: its path there, and the type of its values in Python (`float`, `bool`, `int`).

    An array of one dimension has a sequence of them.
    """

    path: str
    type: str
    is_array: bool = False


@frozen
class ModelicaNames:
    """What the parts of a robot are called in Modelica, by their names in URDF. `axes` are joints with an angle."""

    package: str
    robot: str
    model: str
    at: str
    links: Mapping[str, str]
    joints: Mapping[str, str]
    axes: Mapping[str, Axis]
    link_parameters: Mapping[str, tuple[Parameter, ...]]
    joint_parameters: Mapping[str, tuple[Parameter, ...]]


@frozen
class Blueprint:
    """`links` and `joints` are the members by the names in URDF, in the order of the file."""

    robot: Robot
    source: Source
    links: Mapping[str, str]
    joints: Mapping[str, str]
    modelica: ModelicaNames | None = None

    @property
    def prefix(self) -> str:
        """What its classes start with."""
        return self.source.prefix

    @property
    def constant(self) -> str:
        """The name of the robot itself, which its other constants start with."""
        return constant_prefix(self.prefix)

    @property
    def title(self) -> str:
        """The robot's name for docstrings, in which a backslash would be more than one character."""
        return short_name(self.robot.name or "").replace("\\", "/")

    @property
    def link_class(self) -> str:
        """The class of the ids of links."""
        return f"{self.prefix}LinkId"

    @property
    def joint_class(self) -> str:
        """The class of the ids of joints."""
        return f"{self.prefix}JointId"

    def link(self, urdf: str) -> ast.expr:
        """The id of a link."""
        return name(f"{self.link_class}.{self.links[urdf]}")

    def joint(self, urdf: str) -> ast.expr:
        """The id of a joint."""
        return name(f"{self.joint_class}.{self.joints[urdf]}")
