"""All files of a package merged: with the same merge as `modelica-patch merge`, and with what is known of robots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from attrs import define, evolve, field

from modelica_ast.compare import compare
from modelica_ast.merge import Conflict, Labels, MergedFiles, MergeError, merge, merge_files
from urdf_frontend.names import NameTable
from urdf_frontend.update.base_file import RememberedConflict
from urdf_frontend.update.conflicts import (
    Key,
    Side,
    UpdateConflict,
    described,
    is_drawing,
    is_page,
    key_of,
    with_urdf_values,
)
from urdf_frontend.update.errors import UnreadableError
from urdf_frontend.update.gone_parts import Part, base_without
from urdf_frontend.update.report import Taken
from urdf_frontend.update.showing import shown_path
from urdf_frontend.update.urdf_values import UrdfValue
from urdf_frontend.update.versions import Versions

_ORDER_FILE = "package.order"
_LABELS = Labels("generated before", "your file", "generated now")

Decide = Callable[[UpdateConflict], Side | None]  # None: it stays open


@define
class PackageMerge:
    """Merges one package; the results are its lists."""

    versions: Versions
    staying: list[Part]
    names: NameTable  # of the last time
    model: str  # the name of the robot's model
    values: Mapping[tuple[str, str], UrdfValue]
    decide: Decide
    open: tuple[RememberedConflict, ...]  # conflicts of earlier updates
    prefer: Side | None  # who wins those
    texts: dict[str, str | None] = field(factory=dict)  # by where the user has the file; None: it goes
    conflicts: list[UpdateConflict] = field(factory=list)
    kept: list[str] = field(factory=list)
    still_open: list[RememberedConflict] = field(factory=list)

    def run(self) -> None:
        """Merge all files; UnreadableError if one of them is not Modelica."""
        base, ours, theirs = (dict(each) for each in (self.versions.base, self.versions.ours, self.versions.theirs))
        for part in self.staying:
            for path in part.files:
                base.pop(path, None)
                ours.pop(path, None)
        robot = f"{self.model}.mo"
        if self.staying and robot in base:
            base[robot] = base_without(base[robot], self.model, self.staying, self.names)
        for path in theirs:
            if path.endswith(_ORDER_FILE):
                theirs[path] = _order_with(theirs[path], base.get(path, ""), path, self.staying)
        try:
            merged = merge_files(base, ours, theirs, labels=_LABELS, prefer="ours")
        except MergeError as wrong:
            raise UnreadableError(str(wrong)) from None
        for path in dict.fromkeys([*ours, *theirs, *base]):
            self._take(path, merged, (base.get(path), ours.get(path), theirs.get(path)))

    def _take(self, path: str, merged: MergedFiles, versions: tuple[str | None, str | None, str | None]) -> None:
        base, ours, theirs = versions
        place = self.versions.place(path)
        text = merged.texts.get(path)
        found = merged.merged[path].conflicts if path in merged.merged else ()
        if ours is None or theirs is None:
            if found:
                self.kept.append(_sentence_of_file(place, is_removed_by_user=ours is None))
        elif text is not None:
            text = self._decided(path, place, text, found, (base or "", ours, theirs))
        if text != ours:
            self.texts[place] = text

    def _decided(
        self, path: str, place: str, text: str, found: tuple[Conflict, ...], versions: tuple[str, str, str]
    ) -> str:
        """The text with what was decided about its conflicts."""
        theirs = versions[2]
        asked = []
        for conflict in found:
            if is_drawing(conflict):
                self.kept.append(f"{place}: {shown_path(conflict.path)} is drawn as you have drawn it")
            elif is_page(conflict):
                self.kept.append(f"{place}: {shown_path(conflict.path)} is the page that you have written")
            else:
                asked.append(described(place, path, conflict, self.values))
        known = [each for each in self.open if each.file == place and _is_open(each, theirs, text)]
        decided = [evolve(conflict, decided=self.decide(conflict)) for conflict in asked]
        chosen = {key_of(conflict) for conflict in decided if conflict.takes_urdf}
        if self.prefer == "urdf":
            chosen |= {key_of(each) for each in known}
        left: set[Key] = set()
        if chosen:
            text, left = with_urdf_values(text, theirs, chosen)
        if left and decided and all(conflict.takes_urdf for conflict in decided):
            text, left = merge(*versions, prefer="theirs").text, set()
        self.kept += [f"{place}: {shown_path(where)} can't be taken alone from the URDF" for _, where in sorted(left)]
        decided = [evolve(each, decided=None) if key_of(each) in left else each for each in decided]
        self.conflicts += decided
        self.still_open += [each for each in known if self.prefer is None or key_of(each) in left]
        self.still_open += [conflict.remembered for conflict in decided if conflict.decided is None]
        return text

    def taken(self) -> Iterator[Taken]:
        """What has changed in the user's files."""
        ours = {self.versions.place(path): text for path, text in self.versions.ours.items()}
        for place, text in self.texts.items():
            if text is not None and place in ours and place.endswith(".mo"):
                for change in compare(ours[place], text):
                    yield Taken(place, change)


def _is_open(conflict: RememberedConflict, theirs: str, text: str) -> bool:
    """Do both sides still differ there, with the values that they had when the conflict was seen?"""
    depth = len(conflict.path)
    differing = [change for change in compare(theirs, text) if change.path[:depth] == conflict.path]
    same = [change for change in differing if key_of(change) == key_of(conflict)]
    # Of a whole record that both added, single values differ; of a value, it itself.
    return all((change.old, change.new) == (conflict.urdf, conflict.user) for change in same) and bool(differing)


def _sentence_of_file(place: str, *, is_removed_by_user: bool) -> str:
    if is_removed_by_user:
        return f"{place}: you removed it, so what the URDF changed in it is left out"
    return f"{place}: the URDF no longer needs it, and it stays, for you changed it"


def _order_with(theirs: str, base: str, path: str, staying: list[Part]) -> str:
    """A package.order that still has the classes that stay, behind the same names as before."""
    package = path.rpartition("/")[0]
    stays = {
        name for part in staying if part.package == package for name in (part.named.class_name, part.named.parameters)
    }
    names = theirs.split()
    before: str | None = None
    for name in base.split():
        if name in stays and name not in names:
            names.insert(0 if before is None else names.index(before) + 1, name)
        if name in names:
            before = name
    end = "\r\n" if "\r\n" in theirs else "\n"
    return "".join(f"{name}{end}" for name in names)
