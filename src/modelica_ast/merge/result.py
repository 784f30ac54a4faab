"""What a merge gives: a text, what it took from the other side, and what both sides want differently."""

from __future__ import annotations

from typing import Any, Final, Literal

from modelica_ast.compare.changes import Changes, span_json
from modelica_ast.errors import ModelicaError
from modelica_ast.record import Record
from modelica_ast.source import Span

Side = Literal["ours", "theirs"]
SIDES: Final = ("ours", "theirs")


class MergeError(ModelicaError):
    """A file that can't be merged, because it is not Modelica: the message says which one, where and why."""


class Conflict(Record):
    """Something that both sides changed, each in its way.

    `kind` is changed, added, removed (one side removed what the other changed), moved, renamed, reordered, or reference
    (one side uses what the other removed). `what` and `path` are those of `Change`. The texts are None where the thing
    is not there; the spans are places in the texts that were given.
    """

    kind: str
    what: str
    path: tuple[str, ...]
    class_name: str
    base: str | None = None
    ours: str | None = None
    theirs: str | None = None
    base_span: Span | None = None
    ours_span: Span | None = None
    theirs_span: Span | None = None

    def __str__(self) -> str:
        where = ".".join(self.path) or "the file"
        return f"{where}: {_SENTENCES[self.kind].format(what=self.what)}"

    def as_json(self) -> dict[str, Any]:
        """The conflict in plain values, as `docs/diff-and-merge.md` describes them."""
        texts = {side: getattr(self, side) for side in ("base", *SIDES)}
        spans = {f"{side}_span": span_json(getattr(self, f"{side}_span")) for side in ("base", *SIDES)}
        head = {"kind": self.kind, "what": self.what, "class": self.class_name.replace("\0", ".")}
        return {**head, "path": list(self.path), **texts, **spans}


_SENTENCES: Final = {
    "changed": "both sides changed the {what}",
    "added": "both sides added the {what}, with different content",
    "removed": "one side removed the {what}, the other changed it",
    "moved": "both sides moved the {what}, to different places",
    "renamed": "both sides renamed the {what}, to different names",
    "reordered": "both sides changed the order, each in its way",
    "reference": "one side uses a name that the other removed or renamed",
    "unproved": "the merge of this {what} could not be proved right",
}


class Labels(Record):
    """How the versions are called in conflict markers."""

    base: str = "base"
    ours: str = "ours"
    theirs: str = "theirs"


class Merged(Record):
    """The result of a merge.

    `text` has conflict markers where there are conflicts, unless one side was preferred. `taken` is what changed from
    ours to the result, with conflicts left as ours has them.
    """

    text: str
    conflicts: tuple[Conflict, ...] = ()
    taken: Changes = Changes()

    @property
    def is_clean(self) -> bool:
        """Is there no conflict?"""
        return not self.conflicts

    def as_json(self) -> dict[str, Any]:
        """The result in plain values."""
        return {
            "version": 1,
            "conflicts": [conflict.as_json() for conflict in self.conflicts],
            "taken": [change.as_json() for change in self.taken],
        }
