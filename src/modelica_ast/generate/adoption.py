"""A package that has lost its side-car: what is as it would be generated was generated, all else is the user's."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from modelica_ast.generate.outcome import FileUpdate
from modelica_ast.generate.packages import UserPackage
from modelica_ast.generate.side_car import is_modelica, same_content
from modelica_ast.generate.versions import differs


@define
class Comparison:
    """The generated files by how they are in a package; blanks and line ends are no edit."""

    equal: list[str] = field(factory=list)
    edited: list[str] = field(factory=list)
    missing: list[str] = field(factory=list)


def compared(user: UserPackage, generated: Mapping[str, bytes]) -> Comparison:
    """How a package has what would be generated."""
    found = Comparison()
    for path, data in generated.items():
        if path not in user.files:
            found.missing.append(path)
        elif same_content(path, user.files[path], data) or (
            is_modelica(path) and not differs(data.decode(), user.text(path), path)
        ):
            found.equal.append(path)
        else:
            found.edited.append(path)
    return found


def in_place_of(
    user: UserPackage, folder: str, endings: tuple[str, ...], kept: Mapping[str, bytes]
) -> tuple[FileUpdate, ...]:
    """What is written for a package to keep these files, in place of those in a folder with one of the endings."""
    here = [path for path in user.files if path.rpartition("/")[0] == folder]
    new: dict[str, bytes | None] = {path: None for path in here if path.endswith(endings)}
    new |= kept
    return tuple(
        FileUpdate(user.folder / path, user.files.get(path), data)
        for path, data in sorted(new.items())
        if user.files.get(path) != data
    )
