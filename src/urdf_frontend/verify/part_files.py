"""A library with a part of a robot alone: a copy of the user's files, in which one class is cut."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from modelica_ast import Source
from modelica_ast.edit import Document
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.package import RobotPackage
from urdf_frontend.verify.parts import Part
from urdf_frontend.verify.robot_class import RobotClass

_KEPT: Final = frozenset({".mo", ".order"})


class PartFiles:
    """The copy, which lasts as long as its context. Nothing of the user is written."""

    def __init__(self, package: RobotPackage, kinematics: Kinematics) -> None:
        self._library = package.library_folder
        _, entry, rest = package.libraries.entry_of(package.robot_class)
        self._file = entry.path
        self._source = Source.read(entry.path)
        inside = ".".join([entry.name, *rest])
        self.robot = RobotClass(Document.open(entry.path), inside, package.names, kinematics)
        self._folder = tempfile.TemporaryDirectory(prefix="robot-parts-")
        self.library = Path(self._folder.name, self._library.name)

    def __enter__(self) -> Self:
        shutil.copytree(self._library, self.library, ignore=_others)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._folder.cleanup()

    def write(self, part: Part, *, is_first: bool) -> None:
        """Let the copy have nothing but a part of the robot."""
        text = self.robot.text_of(part, is_first=is_first)
        self._copy_of(self._file).write_bytes(self._source.encode(text))

    def in_the_users_words(self, message: str) -> str:
        """A message about the copy as one about the files of the user; lines of the class that was cut are others."""
        cut = re.compile(re.escape(str(self._copy_of(self._file))) + r"(:\d+)*")
        return cut.sub(lambda _: _shown(self._file), message).replace(str(self.library), _shown(self._library))

    def _copy_of(self, path: Path) -> Path:
        return self.library / path.relative_to(self._library)


def _others(folder: str, names: list[str]) -> set[str]:
    """What a compiler does not read."""
    return {name for name in names if Path(name).suffix not in _KEPT and not Path(folder, name).is_dir()}


def _shown(path: Path) -> str:
    """A path as short as other messages have it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
