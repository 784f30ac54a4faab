"""From a name of URDF, which may be any text, to an identifier of Modelica. No two names give the same one."""

from __future__ import annotations

import enum
import hashlib
import re
from collections.abc import Set as AbstractSet
from typing import Final

from urdf_frontend.names.reserved import FILE_NAMES

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# `.` becomes `_x2e_`. An underscore that would look like the start of such a piece is written as one: `_x5f_`.
_ESCAPED: Final = re.compile(r"[^A-Za-z0-9_]|_(?=x[0-9a-f]+[^A-Za-z0-9])")
_DIGIT_FIRST: Final = re.compile(r"_*[0-9]")
_EMPTY: Final = "_x0_"  # no name in XML has the character 0
# Section 2.3.1 of the specification: what may stand between the quotes of a quoted identifier.
_QUOTABLE: Final = re.compile(r"[A-Za-z0-9_!#$%&()*+,\-./:;<>=?@\[\]^{}|~ \"'\\]+")
_LONGEST: Final = 120  # with `Params.mo` behind it, and a path before it, a file system still takes it
_KEPT: Final = 100


class NameStyle(enum.Enum):
    """How components are called. Classes always have plain identifiers: not every tool finds quoted ones.

    AS_IS keeps names that are identifiers and escapes the others, QUOTED writes those in quotes, `'fl.hip'`, and DLR
    writes class names with one capital and component names without, as URDFModelica does.
    """

    AS_IS = "as-is"
    QUOTED = "quoted"
    DLR = "dlr"


def is_plain_identifier(name: str) -> bool:
    """Is it an identifier without quotes? Keywords are not looked at."""
    return _PLAIN.fullmatch(name) is not None


def plain_identifier(name: str, reserved: AbstractSet[str] = frozenset()) -> str:
    """The identifier for a name: itself where it is one. It depends on the name alone, and no two names share it."""
    escaped = _ESCAPED.sub(lambda found: f"_x{ord(found[0]):x}_", name) if name else _EMPTY
    started = f"_{escaped}" if _DIGIT_FIRST.match(escaped) else escaped
    # `model` becomes `model_`, and so `model_` becomes `model__`.
    free = started + "_" * _underscores(started.rstrip("_"), reserved)
    if len(free) <= _LONGEST:
        return free
    short = f"{free[:_KEPT]}_h{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    return f"{short}_" if short in reserved else short


def _underscores(bare: str, reserved: AbstractSet[str]) -> int:
    """How many underscores lead past all reserved words that are this one but for underscores at the end.

    The number is the same for all names that differ by such underscores alone, so they stay different.
    """
    ends = [len(word) - len(bare) for word in reserved if word.startswith(bare) and word.rstrip("_") == bare]
    return max([end + 1 for end in ends] + [int(bare.lower() in FILE_NAMES)])


def quoted_identifier(name: str, reserved: AbstractSet[str] = frozenset()) -> str:
    """The name itself where it is an identifier, else in quotes, else (no quotes can hold it) escaped."""
    plain = plain_identifier(name, reserved)
    if plain == name or not _QUOTABLE.fullmatch(name) or len(name) > _LONGEST:
        return plain
    inside = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{inside}'"


def dlr_class_identifier(name: str, reserved: AbstractSet[str] = frozenset()) -> str:
    """One capital and the rest small, `-` as `_`, a digit behind a keyword: `left-Arm` is `Left_arm`.

    Other than `plain_identifier` this can give one identifier for two names; the table tells them apart.
    """
    marked = f"{name}0" if name in reserved else name
    return plain_identifier(plain_identifier(marked.replace("-", "_")).capitalize(), reserved)
