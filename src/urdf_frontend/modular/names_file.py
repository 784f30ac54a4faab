"""The file that keeps the names of a robot made of modules: a fact on each line.

urdf-modules 1
robot arm
module "lib/j.urdf" j
component "shoulder" shoulder
rotational 1 "shoulder" "joint1"
end 1 "wrist" "output_connector"
cell "shoulder" 0 0
link j "distal_part" distal_part distal_part
gone elbow.joint1_flange_a
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from urdf_frontend.modular.naming import ModularNames
from urdf_frontend.names import Named, NameTable
from urdf_frontend.update.errors import NoBaseError

_HEAD: Final = (
    "# What the modules of this robot are called in Modelica, their numbers, and where they stand in the diagram.",
    "# `urdf assemble` reads this file and writes it anew. Keep it with the package.",
)
_VERSION: Final = "urdf-modules 1"
_NUMBERED: Final = ("rotational", "translational", "end")


def names_text(names: ModularNames) -> str:
    """The file."""
    return "".join(f"{line}\n" for line in _lines(names))


def _lines(names: ModularNames) -> Iterator[str]:
    yield from _HEAD
    yield _VERSION
    yield f"robot {names.robot}"
    for key, class_name in names.modules.items():
        yield f"module {json.dumps(key)} {class_name}"
    for key, component in names.components.items():
        yield f"component {json.dumps(key)} {component}"
    for word, table in zip(_NUMBERED, (names.rotational, names.translational, names.ends), strict=True):
        for (instance, part), number in table.items():
            yield f"{word} {number} {json.dumps(instance)} {json.dumps(part)}"
    for instance, (column, row) in names.cells.items():
        yield f"cell {json.dumps(instance)} {column} {row}"
    for class_name, parts in names.parts.items():
        for word, named in (("link", parts.links), ("joint", parts.joints)):
            for each in named.values():
                yield f"{word} {class_name} {json.dumps(each.urdf)} {each.class_name} {each.component}"
    for reference in names.gone:
        yield f"gone {reference}"


def read_names(text: str, file: str) -> ModularNames:
    """Read what `names_text` has written; NoBaseError names the line that is wrong."""
    lines = [(number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1)]
    facts = [(number, line) for number, line in lines if line.strip() and not line.startswith("#")]
    if not facts or facts[0][1] != _VERSION:
        found = facts[0][1][:60] if facts else ""
        raise NoBaseError(f"{file}: expected '{_VERSION}', found '{found}'")
    reader = _Reader()
    for number, line in facts[1:]:
        word, _, rest = line.partition(" ")
        try:
            reader.take(word, _values(rest))
        except (ValueError, KeyError, TypeError):
            raise NoBaseError(f"{file}:{number}: '{line[:60]}' is no line of such a file") from None
    if reader.robot is None:
        raise NoBaseError(f"{file}: there is no line 'robot'")
    return reader.names(reader.robot)


def _values(rest: str) -> list[str]:
    """The words of a line; one that begins with a quote is a string of JSON."""
    found: list[str] = []
    decoder = json.JSONDecoder()
    while rest:
        if rest.startswith('"'):
            value, end = decoder.raw_decode(rest)
            found.append(value)
            rest = rest[end:].removeprefix(" ")
        else:
            word, _, rest = rest.partition(" ")
            found.append(word)
    return found


class _Reader:
    """Collects the facts."""

    def __init__(self) -> None:
        self.robot: str | None = None
        self.modules: dict[str, str] = {}
        self.components: dict[str, str] = {}
        self.numbers: dict[str, dict[tuple[str, str], int]] = {word: {} for word in _NUMBERED}
        self.cells: dict[str, tuple[int, int]] = {}
        self.links: dict[str, dict[str, Named]] = {}
        self.joints: dict[str, dict[str, Named]] = {}
        self.gone: list[str] = []

    def take(self, word: str, values: list[str]) -> None:
        """One line; ValueError or KeyError if it is none."""
        takers: dict[str, Callable[..., Any]] = {
            "robot": self._robot,
            "module": self.modules.__setitem__,
            "component": self.components.__setitem__,
            "cell": lambda name, column, row: self.cells.__setitem__(name, (int(column), int(row))),
            "link": lambda *words: self._part(self.links, *words),
            "joint": lambda *words: self._part(self.joints, *words),
            "gone": self.gone.append,
        }
        for kind, table in self.numbers.items():
            takers[kind] = lambda number, name, part, table=table: table.__setitem__((name, part), int(number))
        takers[word](*values)

    def _robot(self, name: str) -> None:
        self.robot = name

    @staticmethod
    def _part(tables: dict[str, dict[str, Named]], module: str, urdf: str, class_name: str, component: str) -> None:
        tables.setdefault(module, {})[urdf] = Named(urdf, class_name, component)

    def names(self, robot: str) -> ModularNames:
        """All of it."""
        classes = dict.fromkeys(self.modules.values())
        parts = {name: NameTable(name, self.links.get(name, {}), self.joints.get(name, {})) for name in classes}
        rotational, translational, ends = (self.numbers[word] for word in _NUMBERED)
        return ModularNames(
            robot,
            self.modules,
            self.components,
            parts,
            rotational,
            translational,
            ends,
            self.cells,
            tuple(self.gone),
        )
