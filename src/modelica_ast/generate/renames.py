"""Parts that the data call otherwise now: the user's classes, components and files follow before the merge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import evolve, frozen

from modelica_ast.edit import NotFoundError
from modelica_ast.errors import ModelicaError
from modelica_ast.generate.errors import UpdateError
from modelica_ast.generate.packages import UserPackage
from modelica_ast.library import Libraries, rename

Outside = Mapping[Path, tuple[bytes | None, bytes | None]]


@frozen
class Question:
    """A rename that is probable, and that only the user can know of."""

    what: str
    old: str
    new: str
    changed: tuple[str, ...] = ()  # values that are not the same

    def __str__(self) -> str:
        values = f"all but {', '.join(self.changed)} the same" if self.changed else "all else the same"
        return f"the {self.what} '{self.old}' is gone and '{self.new}' is new, with {values}: was it renamed?"

    def as_json(self) -> dict[str, object]:
        """The fields by their names."""
        return {"what": self.what, "old": self.old, "new": self.new, "changed": list(self.changed)}


@frozen
class RenamedPackage:
    """The package after its classes and components have followed, and the files around it that refer to them."""

    user: UserPackage
    outside: Outside


def renamed_package(user: UserPackage, names: Iterable[tuple[str, str]]) -> RenamedPackage:
    """Give things other names, (name in the package, last name): `Links.hand`, `gripper`; nothing is written."""
    try:
        libraries = Libraries([user.root_folder])
        for old, new in names:
            try:
                rename(libraries, f"{user.full_name}.{old}", new)
            except NotFoundError:
                continue  # the user has given it a name of their own, which stays
    except (ModelicaError, OSError) as wrong:
        raise UpdateError(f"the package can't follow the new names: {wrong}") from None
    files = dict(user.files)
    outside: dict[Path, tuple[bytes | None, bytes | None]] = {}
    assert libraries.workspace is not None, "a library is open"
    folder = user.folder.resolve()
    for write in libraries.workspace.writes():
        if not write.path.is_relative_to(folder):
            outside[write.path] = (write.expected, write.new)
        elif write.new is None:
            files.pop(write.path.relative_to(folder).as_posix(), None)
        else:
            files[write.path.relative_to(folder).as_posix()] = write.new
    return RenamedPackage(evolve(user, files=files), outside)
