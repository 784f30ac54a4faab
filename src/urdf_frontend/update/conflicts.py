"""What both the user and the URDF file changed: with both values, both places, and who wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from attrs import frozen

from modelica_ast.compare import Change, compare
from modelica_ast.merge import Conflict, merge
from urdf_frontend.model.places import Place
from urdf_frontend.update.base_file import RememberedConflict
from urdf_frontend.update.showing import short, shown_path
from urdf_frontend.update.urdf_values import UrdfValue

_DRAWINGS: Final = frozenset({"Placement", "Line", "Icon", "Diagram", "coordinateSystem"})
_PAGES: Final = frozenset({"Documentation"})

Side = Literal["user", "urdf"]
Key = tuple[str, tuple[str, ...]]  # what it is, and its path


@frozen
class UpdateConflict:
    """One value, or one piece of a class; the texts are None where it is not there.

    `decided` says who wins. If nobody has decided, the user's stays, and the conflict is remembered.
    """

    file: str  # where the user has it
    line: int | None
    what: str
    path: tuple[str, ...]
    base: str | None
    user: str | None
    urdf: str | None
    urdf_place: Place | None
    sentence: str
    decided: Side | None = None

    @property
    def takes_urdf(self) -> bool:
        """Is the URDF's value taken?"""
        return self.decided == "urdf"

    @property
    def facts(self) -> str:
        """Where it is, and both values."""
        where = f"{self.file}:{self.line}" if self.line is not None else self.file
        if self.user is None or self.urdf is None:
            return f"{where}: {self.sentence}"
        place = "" if self.urdf_place is None else f" (line {self.urdf_place.line})"
        before = f", before it was {short(self.base)}" if self.base is not None else ""
        values = f"yours is {short(self.user)}, the URDF has {short(self.urdf)}{place}{before}"
        return f"{where}: {shown_path(self.path)}: {values}"

    def __str__(self) -> str:
        return f"{self.facts}; {'the URDF has its way' if self.takes_urdf else 'yours stays'}"

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        place = self.urdf_place
        return {
            "file": self.file,
            "line": self.line,
            "what": self.what,
            "path": list(self.path),
            "base": self.base,
            "user": self.user,
            "urdf": self.urdf,
            "urdf_line": None if place is None else place.line,
            "urdf_xpath": None if place is None else place.xpath,
            "taken": "urdf" if self.takes_urdf else "user",
            "decided": self.decided is not None,
        }

    @property
    def remembered(self) -> RememberedConflict:
        """What the side-car keeps of it."""
        return RememberedConflict(self.file, self.what, self.path, self.user, self.urdf)


def is_drawing(conflict: Conflict) -> bool:
    """Is it about how something is drawn? A place or a line that the user has moved is kept without a question."""
    return conflict.what == "annotation" and not _DRAWINGS.isdisjoint(conflict.path)


def is_page(conflict: Conflict) -> bool:
    """Is it about documentation? A page that the user has written is kept without a question."""
    return conflict.what == "annotation" and not _PAGES.isdisjoint(conflict.path)


def described(
    file: str, generated: str, conflict: Conflict, values: Mapping[tuple[str, str], UrdfValue]
) -> UpdateConflict:
    """A conflict of the merge with its places; `generated` is the path of the generated file."""
    span = conflict.ours_span
    return UpdateConflict(
        file,
        None if span is None else span.start.line,
        conflict.what,
        conflict.path,
        conflict.base,
        conflict.ours,
        conflict.theirs,
        place_of(generated, conflict.path, values),
        str(conflict),
    )


def path_in_record(path: tuple[str, ...]) -> str:
    """From a path of the merge to one of the record: `inertial.mass`."""
    inside = path[1:]
    if inside and inside[0].startswith("extends "):
        inside = inside[1:]
    return ".".join(inside)


def place_of(generated: str, path: tuple[str, ...], values: Mapping[tuple[str, str], UrdfValue]) -> Place | None:
    """Where the URDF file has a value, or the nearest thing around it."""
    inside = path_in_record(path)
    while inside:
        found = values.get((generated, inside))
        if found is not None:
            return found.place
        inside = inside.rpartition(".")[0]
    found = values.get((generated, "name"))
    return None if found is None else found.place


def with_urdf_values(ours: str, theirs: str, wanted: set[Key]) -> tuple[str, set[Key]]:
    """The user's text with the values of the URDF for some conflicts, and those for which that is not possible.

    Theirs gets the user's values there and serves as base: so the merge sees that only the URDF has changed them.
    """
    pieces = []
    for change in compare(theirs, ours):
        if key_of(change) in wanted and change.kind == "changed" and change.old_span and change.new_span:
            text = ours[change.new_span.start.offset : change.new_span.end.offset]
            pieces.append((change.old_span.start.offset, change.old_span.end.offset, text))
    base = theirs
    for start, end, text in sorted(pieces, reverse=True):
        base = base[:start] + text + base[end:]
    result = merge(base, ours, theirs, prefer="theirs").text if pieces else ours
    return result, {key_of(change) for change in compare(theirs, result)} & wanted


def key_of(thing: UpdateConflict | RememberedConflict | Change) -> Key:
    """What something is about; a comment has the path of what it stands at."""
    return thing.what, thing.path
