"""The file that keeps the names of a built robot, and the values that were written: a line for each.

    robot "my-robot" my_x2d_robot
    link "fl.hip" fl_x2e_hip 'fl.hip'
    value Links.fl_x2e_hipParams inertial.mass 1.50

A later update reads it to know what was there, so that what a user has changed since can be told from what the URDF
file has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from modelica_ast.files import read_regular
from urdf_frontend.names.table import Named, NameTable

_HEAD: Final = (
    "# What the links and joints of this robot are called in Modelica, and the values that were written for them.",
    "# An update of the robot reads this file and writes it anew. Keep it with the package.",
)
_VERSION: Final = "urdf-names 1"


class NamesFileError(ValueError):
    """A names file that can't be read; the sentence says where and why."""


@frozen
class NamesFile:
    """The names of a robot, the options that it was built with, and the values by class and path, as written."""

    urdf_name: str | None
    table: NameTable
    options: Mapping[str, str]
    values: Mapping[tuple[str, str], str]

    @property
    def text(self) -> str:
        """The file: one line for each name and value, in the order of the robot."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield from _HEAD
        yield _VERSION
        yield f"robot {json.dumps(self.urdf_name)} {self.table.robot}"
        for option, value in self.options.items():
            yield f"option {option} {value}"
        for kind, named in (("link", self.table.links), ("joint", self.table.joints)):
            for each in named.values():
                yield f"{kind} {json.dumps(each.urdf)} {each.class_name} {each.component}"
        for (class_name, path), text in self.values.items():
            # A line end can stand in a string only, and there it has another form.
            written = text.replace("\n", "\\n").replace("\r", "\\r")
            yield f"value {class_name} {path} {written}"


def load_names_file(path: Path) -> NamesFile:
    """Read the file of a package; OSError or UnicodeDecodeError if that can't be, NamesFileError if it is damaged."""
    # Not as lines of text: a name may have a carriage return in it, which is no end of a line here.
    return read_names_file(read_regular(path).decode(), str(path))


def read_names_file(text: str, file: str = "<names>") -> NamesFile:
    """Read what `NamesFile.text` has written; NamesFileError names the line that is wrong."""
    robot: tuple[str | None, str] | None = None
    options: dict[str, str] = {}
    named: dict[str, dict[str, Named]] = {"link": {}, "joint": {}}
    values: dict[tuple[str, str], str] = {}
    has_version = False
    for number, ended in enumerate(text.split("\n"), 1):
        line = ended.removesuffix("\r")  # git can write all files with these line ends
        if not line.strip() or line.startswith("#"):
            continue
        if not has_version:
            if line.strip() != _VERSION:
                raise NamesFileError(f"{file}:{number}: expected '{_VERSION}', found '{line[:60]}'")
            has_version = True
            continue
        word, _, rest = line.partition(" ")
        try:
            if word == "robot":
                urdf_name, class_name = _quoted(rest)
                robot = urdf_name, class_name
            elif word == "option":
                option, value = rest.split(" ", 1)
                options[option] = value
            elif word == "value":
                class_name, path, value = rest.split(" ", 2)
                values[class_name, path] = value
            else:
                name, both = _quoted(rest)
                class_name, component = both.split(" ", 1)
                named[word][name or ""] = Named(name or "", class_name, component)
        except (ValueError, KeyError, RecursionError):  # the last: brackets, where JSON is
            raise NamesFileError(f"{file}:{number}: '{line[:60]}' is no line of a names file") from None
    if robot is None:
        raise NamesFileError(f"{file}: there is no line 'robot'; write the file anew by building the robot")
    return NamesFile(robot[0], NameTable(robot[1], named["link"], named["joint"]), options, values)


def _quoted(rest: str) -> tuple[str | None, str]:
    """A name in the quotes of JSON, or null, and what stands behind it."""
    name, end = json.JSONDecoder().raw_decode(rest)
    if not isinstance(name, str | None) or rest[end : end + 1] != " ":
        raise ValueError(rest)
    return name, rest[end + 1 :]
