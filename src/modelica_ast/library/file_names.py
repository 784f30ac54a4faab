"""Which classes can have a file or a folder of their own, by their names.

The file of a class is called like the class, and the quotes of a quoted identifier are part of its name: `'my class'`
is in `'my class'.mo`. A class whose name no file can have stands in the file of its package. Some tools leave out the
quotes, so what is between them has to be a good name too.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from modelica_ast.files.disk import Disk
from modelica_ast.files.names import fault_of_file_name, folded, unprintable_in
from modelica_ast.identifiers import split_name

_ENDING: Final = ".mo"
_PACKAGE: Final = "package"  # in package.mo is the package itself


def fault_of_class_name(name: str) -> str | None:
    """Why no file can be called like a class: a phrase about 'it'; None if one can."""
    for written in (name, _without_quotes(name)):
        fault = fault_of_file_name(written) or fault_of_file_name(written + _ENDING)
        if fault is not None:
            return fault
        if folded(written) == _PACKAGE:
            return "the package around it has that file"
    return None


def fault_in_folder(disk: Disk, folder: Path, siblings: Iterable[str], name: str, *, as_folder: bool) -> str | None:
    """Why a class can't have a file, or a folder, beside those of its siblings; None if it can."""
    fault = fault_of_class_name(name)
    if fault is not None:
        return fault
    twin = next((each for each in sorted(siblings) if folded(each) == folded(name)), None)
    if twin is not None:
        return f"'{twin}' is there, and some systems can't tell them apart"
    other = next((each for each in _other_folders(disk, folder) if folded(each.name) == folded(name)), None)
    return f"there is a folder {other}" if as_folder and other is not None else None


def _other_folders(disk: Disk, folder: Path) -> list[Path]:
    """The folders in a package's folder that are not packages themselves, as Resources."""
    names = disk.names_in(folder) if disk.is_folder(folder) else []  # a new one is not there before it is saved
    inside = [folder / name for name in names]
    return [each for each in inside if disk.is_folder(each) and not disk.is_file(each / f"{_PACKAGE}{_ENDING}")]


def is_class_name(name: str) -> bool:
    """Can a class be called like a file or folder? It takes one name, in one line, and its quotes are closed."""
    return unprintable_in(name) is None and split_name(name) == [name] and (name[:1] != "'" or _is_quoted(name))


def _is_quoted(name: str) -> bool:
    return len(name) > 2 and name[0] == name[-1] == "'"  # noqa: PLR2004  (two quotes with nothing between are no name)


def _without_quotes(name: str) -> str:
    return name[1:-1] if _is_quoted(name) else name
