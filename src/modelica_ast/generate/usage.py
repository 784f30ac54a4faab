"""Who uses what: the places in a package, and in the library around it, that name a generated class or component."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from attrs import define, field

from modelica_ast.edit import NotFoundError
from modelica_ast.errors import ModelicaError
from modelica_ast.generate.errors import UnreadableError
from modelica_ast.generate.packages import UserPackage
from modelica_ast.generate.renames import Outside
from modelica_ast.library import Libraries, Reference, references


@define(slots=False)
class Around:
    """The library around a package, with the files of the package as they are given."""

    user: UserPackage
    outside: Outside = field(factory=dict)

    @cached_property
    def libraries(self) -> Libraries:
        """All of it, in memory."""
        folder = self.user.folder.resolve()
        files: dict[Path, bytes | None] = {path: new for path, (_, new) in self.outside.items()}
        files |= {folder / path: data for path, data in self.user.files.items()}
        root = self.user.root_folder.resolve()
        try:
            return Libraries([root], files=files)
        except (ModelicaError, OSError) as wrong:
            raise UnreadableError(f"the library in {root} can't be read: {wrong}") from None

    def uses(self, names: Iterable[str], skipped: Collection[str] = ()) -> Iterator[tuple[str, str, str]]:
        """(name, where, what stands there) for each use of names of the package; `skipped` are files of the package."""
        folder = self.user.folder.resolve()
        left_out = {folder / path for path in skipped}
        for name in names:
            for found in self._references(f"{self.user.full_name}.{name}"):
                if found.file not in left_out:
                    yield name, self._shown(found, folder), found.around

    def _references(self, full_name: str) -> list[Reference]:
        try:
            return references(self.libraries, full_name)
        except NotFoundError:
            return []
        except ModelicaError as wrong:
            raise UnreadableError(f"the library around the package can't be read: {wrong}") from None

    def _shown(self, found: Reference, folder: Path) -> str:
        if found.file.is_relative_to(folder):
            return f"{found.file.relative_to(folder).as_posix()}:{found.line}"
        return f"{found.file}:{found.line}"


def overlaid(files: Mapping[str, bytes], new: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """Files with others in their places; None is one that goes."""
    return {path: data for path, data in {**files, **new}.items() if data is not None}
