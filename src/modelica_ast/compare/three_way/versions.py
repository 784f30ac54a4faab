"""The three versions that are merged, each with its tree."""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from modelica_ast.compare.changes import Changes, span_json
from modelica_ast.compare.model import file_thing, root_beside
from modelica_ast.compare.parts import Memo
from modelica_ast.compare.things import Thing
from modelica_ast.foundation import ModelicaError, ModelicaSyntaxError, Record, Span
from modelica_ast.syntax import Node, Prefix, lex, split_leaf
from modelica_ast.tree import parse

# ---------------------------------------------------------------- result
# What a merge gives: a text, what it took from the other side, and what both sides want differently.

Side = Literal["ours", "theirs"]
SIDES: Final = ("ours", "theirs")


class MergeError(ModelicaError):
    """A file that can't be merged, because it is not Modelica: the message says which one, where and why."""

    cause = "unreadable"


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
        return self.told(*SIDES)

    def told(self, ours: str, theirs: str) -> str:
        """What it is about, in a sentence that calls the sides so."""
        where = ".".join(self.path) or "the file"
        by, other = (theirs, ours) if self.theirs is None else (ours, theirs)  # by: has removed it
        is_of_one = self.kind == "added" and (self.ours is None or self.theirs is None)
        sentence = _ADDED_BY_ONE if is_of_one else _SENTENCES[self.kind]
        return f"{where}: {sentence.format(what=self.what, by=other if is_of_one else by, other=other)}"

    def as_json(self) -> dict[str, Any]:
        """The conflict in plain values, as `docs/diff-and-merge.md` describes them."""
        texts = {side: getattr(self, side) for side in ("base", *SIDES)}
        spans = {f"{side}_span": span_json(getattr(self, f"{side}_span")) for side in ("base", *SIDES)}
        head = {"kind": self.kind, "what": self.what, "class": self.class_name.replace("\0", ".")}
        return {**head, "path": list(self.path), **texts, **spans}


_ADDED_BY_ONE: Final = "both sides added the class around it, and only {by} has the {what}"
_SENTENCES: Final = {
    "changed": "both sides changed the {what}",
    "added": "both sides added the {what}, with different content",
    "removed": "{by} removed the {what}, {other} changed it",
    "moved": "both sides moved the {what}, to different places",
    "renamed": "both sides renamed the {what}, to different names",
    "reordered": "both sides changed the order differently",
    "reference": "one side uses a name that the other removed or renamed",
    "unproved": "the merge of this {what} could not be proved correct",
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


# ---------------------------------------------------------------- versions


class Version(Record):
    """A text and its tree."""

    text: str
    green: Node

    def thing(self, memo: Memo) -> Thing:
        """The file as a thing; whoever compares it may change it, so each gets one of its own."""
        return file_thing(self.green, memo, self.text)


def read_version(text: str, label: str, *, strict: bool = False) -> Version:
    """Parse a text; MergeError with its place if it is not Modelica."""
    try:
        tree = parse(text, path=label, strict=strict)
    except ModelicaSyntaxError as error:
        raise MergeError(f"{error.headline}; only files that are Modelica can be merged as Modelica") from error
    assert isinstance(tree.green, tuple)
    return Version(text, tree.green)


def with_text(version: Version, text: str, memo: Memo) -> Version:
    """The version with another text, which was made from its own."""
    return version if text == version.text else read_beside(text, "text", version, memo)


def read_beside(text: str, label: str, other: Version, memo: Memo, *, strict: bool = False) -> Version:
    """Parse a text that has most in common with another version; `strict` is about what it has not in common."""
    green = root_beside(text, other.text, other.green, memo.offsets, strict=strict)
    return read_version(text, label, strict=strict) if green is None else Version(text, green)


# ---------------------------------------------------------------- layout
# Text of one file put into another: its lines start as the lines there do.

_LINE: Final = re.compile(r"(\r?\n)([ \t]*)")


class Shift:
    """The difference between the indentation of two places: `shifted` moves a text from one to the other."""

    def __init__(self, here: str = "", there: str = "") -> None:
        self._here = here  # how lines start where the text goes
        self._there = there

    @classmethod
    def between(cls, here: str | None, there: str | None) -> Shift:
        """From prefixes of things that are at the same depth in both files; no shift where one shares a line."""
        starts = [Prefix.of(text or "").line_start for text in (here, there)]
        if not all(starts):
            return cls()
        return cls(*(start.lstrip("\r\n") for start in starts))

    def __bool__(self) -> bool:
        return self._here != self._there

    def back(self) -> Shift:
        """The shift the other way."""
        return Shift(self._there, self._here)

    def shifted(self, text: str) -> str:
        """The text with its lines moved; strings stay as they are."""
        if self._here == self._there or "\n" not in text:
            return text
        leaves = [split_leaf(leaf) for leaf, _ in lex(text, lazy=False)]
        return "".join(_LINE.sub(self._line, trivia) + token for trivia, token in leaves)

    def _line(self, found: re.Match[str]) -> str:
        end, indent = found.groups()
        behind = found.string[found.end() : found.end() + 1]
        if behind in ("\r", "\n"):  # an empty line stays empty
            return end + indent
        if indent.startswith(self._there):
            return end + self._here + indent.removeprefix(self._there)
        return end + indent


def shift_between(ours: Thing | None, theirs: Thing | None) -> Shift:
    """How to move a text from one list of things on lines to another."""
    starts = []
    for around in (ours, theirs):
        items = around.children if around is not None else []
        starts.append(next((item.pre for item in items if Prefix.of(item.pre).starts_line), None))
    return Shift.between(*starts)


def line_end_of(text: str) -> str:
    r"""The line end of a text: `\r\n` if it has more of those."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def with_line_ends_of(text: str, like: str) -> str:
    """A text with the line ends of another, if that has but one kind of them."""
    windows, all_ends = like.count("\r\n"), like.count("\n")
    if windows == 0 and all_ends:
        return text.replace("\r\n", "\n")
    if windows == all_ends and all_ends:
        return text.replace("\r\n", "\n").replace("\n", "\r\n")
    return text
