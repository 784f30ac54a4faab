"""A document: a file or a text that is edited. Every verb is one step that can be undone."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypedDict, TypeVar

from modelica_ast.edit import patch
from modelica_ast.edit.diffs import TextEdit, apply_text_edits, text_edits, unified_diff
from modelica_ast.edit.draft import Changes, Steps, Working
from modelica_ast.edit.editor import Editor
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.handles import ClassHandle
from modelica_ast.edit.methods import method
from modelica_ast.edit.surgery import Index
from modelica_ast.edit.verbs import classes
from modelica_ast.files import THE_DISK, Disk, FileWrite, target_of
from modelica_ast.foundation import EditError, ModelicaError, ModelicaSyntaxError, NotFoundError, Source
from modelica_ast.syntax import Green, Node, equal, read, render
from modelica_ast.tree import StoredDefinition, parse_source, parse_whole

# ---------------------------------------------------------------- other files
# Files that are not Modelica and change with it: package.order, scripts, images.

_State = tuple[Mapping[Path, bytes | None], frozenset[Path]]


class OtherFiles:
    """The bytes that some files should have; a state like that of a document, so it can be undone."""

    def __init__(self, steps: Steps, disk: Disk) -> None:
        self._steps = steps
        self._disk = disk
        self._new: Mapping[Path, bytes | None] = {}
        self._unlinked: frozenset[Path] = frozenset()
        self._likes: dict[Path, Path] = {}  # the files that new ones take their permissions from
        self._first: dict[Path, bytes | None] = {}  # what was there when we first looked
        self._there: dict[Path, bytes | None] = {}  # what is there now, as far as we know

    @property
    def state(self) -> _State:
        """What they should be; for `Steps`."""
        return self._new, self._unlinked

    def restore(self, state: _State) -> None:
        """Let them be something else; for `Steps`."""
        self._new, self._unlinked = state

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file as they should be; None if there is none."""
        if path not in self._first:
            self._first[path] = self._there[path] = self._disk.read_if_there(path)
        return self._new.get(path, self._first[path])

    def there(self, path: Path) -> bytes | None:
        """The bytes of a file as they are on the disk, as far as we know."""
        self.read(path)
        return self._there[path]

    def is_there(self, path: Path) -> bool:
        """Shall there be such a file after the next save?"""
        return self._new[path] is not None if path in self._new else self._disk.is_file(path)

    def shall_hold(self, folder: Path) -> bool:
        """Shall there be a new file below a folder after the next save?"""
        return any(folder in path.parents for path, data in self._new.items() if data is not None)

    def below(self, folder: Path) -> list[Path]:
        """The files in a folder and in the folders inside, as they should be; links are not followed and not listed."""
        found = {path for path, data in self._new.items() if data is not None and path.is_relative_to(folder)}
        there = self._disk.files_below(folder)
        found |= {path for path in there if self.is_there(path) and not path.is_symlink()}
        return sorted(found)

    def write(self, path: Path, data: bytes | None, *, like: Path | None = None) -> None:
        """Let a file have these bytes after the next save, or (None) be gone; a new one takes the mode of `like`."""
        if self.read(path) == data:
            return
        if like is not None:
            self._likes[path] = like
            self._likes[like] = path  # after an undo it is that one again
        with self._steps.transaction(self):
            self._new = {**self._new, path: data}

    def unlink(self, link: Path) -> None:
        """Let a link be gone after the next save, and what it leads to stay."""
        with self._steps.transaction(self):
            self._unlinked |= {link}

    @property
    def unlinked(self) -> list[Path]:
        """The links that the next save removes."""
        return sorted(link for link in self._unlinked if link.is_symlink())

    @property
    def changed(self) -> dict[Path, bytes | None]:
        """The files that differ from what was there."""
        return {path: data for path in self._first if (data := self.read(path)) != self._there[path]}

    def writes(self) -> Iterator[FileWrite]:
        """What a save has to do."""
        for path, data in self.changed.items():
            yield FileWrite(path, data, self._there[path], self._likes.get(path))
        for link in self.unlinked:
            yield FileWrite(link, None, None, is_link=True)

    def mark_saved(self) -> None:
        """They are as they should be."""
        self._there.update(self.changed)


# ---------------------------------------------------------------- replacing
# Text replaced line by line: what the inverse of a patch is made of.
#
# A replacement names its line and says what is there, so a patch that meets another text is refused. The pieces
# that this module makes are whole lines, and never blank ones alone: they read like a diff, and they don't fit by
# accident where a text has moved.

_SHOWN = 80  # characters of a line that a message shows


class _Place(TypedDict):
    line: int
    old: str
    new: str


class Replacement(_Place, total=False):
    """At a line, and a column if it is not the first, the text `old` becomes `new`; both count from 1."""

    column: int


def replace_text(edit: ExactEditor, file: StoredDefinition, replacements: list[Replacement]) -> None:
    """Replace pieces of the text, all at once: each place is one of the text before; the result must parse."""
    text = render(edit.now(file).green)
    starts = _line_starts(text)
    edits = [_edit(text, starts, replacement) for replacement in replacements]
    edits.sort(key=lambda each: (each.start, each.end))
    for one, other in pairwise(edits):
        if other.start < one.end:
            raise EditError(f"two replacements overlap in line {bisect_right(starts, other.start)}")
    new = apply_text_edits(text, edits)
    if new == text:
        return
    try:
        reading = read(Source(new), recover=edit.is_broken)
        if edit.is_broken and len(reading.errors) > len(read(Source(text), recover=True).errors):
            raise reading.errors[0]
        edit.take(reading.green, is_proved=True)
    except ModelicaSyntaxError as error:
        raise EditError(
            f"the text would not be Modelica: line {error.line}, column {error.column}: {error.message}"
        ) from None


def patch_between(before: Green, after: Green) -> list[dict[str, Any]]:
    """The patch that makes the text of one tree from the text of another: one operation, or none if they are equal."""
    edits = text_edits(before, after)
    if not edits:
        return []
    return [{"op": "replace_text", "replacements": _on_whole_lines(render(before), edits)}]


def _line_starts(text: str) -> list[int]:
    """Where each line starts, as `Source` counts lines."""
    mark = "\n" if "\n" in text else "\r"
    return [0, *(match.end() for match in re.finditer(mark, text))]


def _edit(text: str, starts: list[int], replacement: Replacement) -> TextEdit:
    line, column, old = replacement["line"], replacement.get("column", 1), replacement["old"]
    if not 1 <= line <= len(starts):
        raise EditError(f"there is no line {line}: the text has {len(starts)}")
    end_of_line = starts[line] if line < len(starts) else len(text)
    start = starts[line - 1] + column - 1
    if column < 1 or start > end_of_line:
        raise EditError(f"line {line} has no column {column}")
    if not text.startswith(old, start):
        raise EditError(_what_stands_there(text, starts, start, old))
    return TextEdit(start, start + len(old), replacement["new"])


def _what_stands_there(text: str, starts: list[int], start: int, old: str) -> str:
    """The first line that is not as a replacement says."""
    wanted = old
    while "\n" in wanted and text.startswith(wanted[: wanted.index("\n") + 1], start):
        start += wanted.index("\n") + 1
        wanted = wanted[wanted.index("\n") + 1 :]
    first = wanted.partition("\n")[0][:_SHOWN]
    found = text[start : start + max(len(first), 1)].partition("\n")[0]
    return f"line {bisect_right(starts, start)}: there is {found!r}, not {first!r}"


def _on_whole_lines(text: str, edits: list[TextEdit]) -> list[Replacement]:
    """Edits widened to lines; those that come to share a line become one."""
    starts = _line_starts(text)
    groups: list[tuple[int, int, list[TextEdit]]] = []
    for edit in edits:
        first, last = _lines_around(text, starts, edit)
        if groups and first < groups[-1][1]:
            first, last = groups[-1][0], max(last, groups[-1][1])
            groups[-1] = (first, last, [*groups[-1][2], edit])
        else:
            groups.append((first, last, [edit]))
    return [_replacement(text, starts, *group) for group in groups]


def _lines_around(text: str, starts: list[int], edit: TextEdit) -> tuple[int, int]:
    """The first line (from 0) of an edit and the one after its last, with at least one that is not blank."""
    ends = [*starts[1:], len(text)]
    first = bisect_right(starts, edit.start) - 1
    last = bisect_right(starts, edit.end)
    if edit.start < edit.end == starts[last - 1]:  # it ends with a line end
        last -= 1
    while not text[starts[first] : ends[last - 1]].strip() and (first > 0 or last < len(starts)):
        if first > 0:
            first -= 1
        else:
            last += 1
    return first, last


def _replacement(text: str, starts: list[int], first: int, last: int, edits: list[TextEdit]) -> Replacement:
    start = starts[first]
    end = starts[last] if last < len(starts) else len(text)
    moved = [TextEdit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    old = text[start:end]
    return {"line": first + 1, "old": old, "new": apply_text_edits(old, moved)}


# ---------------------------------------------------------------- document

Parse = Callable[[Source], StoredDefinition]
_P = ParamSpec("_P")
_R = TypeVar("_R")


def _file(_: Document, edit: ExactEditor) -> StoredDefinition:
    return edit.tree


def _defined(document: Document, name: str) -> ClassHandle:
    return ClassHandle(document, name)


def _nothing(_: Document, __: None) -> None:
    """A verb that gives nothing back."""


def _new_class(
    verb: Callable[Concatenate[ExactEditor, StoredDefinition, _P], str],
) -> Callable[Concatenate[Document, _P], ClassHandle]:
    return method(verb, _file, _defined)


class Document:
    """Modelica source that is edited.

    Handles (`document.find_class("Robot.Arm")`) name a place by its Modelica names, so they stay right whatever else
    is edited, and what a verb wrote can be read at once. A verb that is refused changes nothing.
    """

    def __init__(self, text: str, *, path: str | os.PathLike[str] | None = None, recover: bool = False) -> None:
        self._start(Source(text, None if path is None else Path(path)), parse_whole if recover else parse_source)

    def __repr__(self) -> str:
        names = ", ".join(each.full_name for each in self.tree.classes)
        return f"<Document {self.path or 'without a path'}: {names or 'no class'}>"

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, parse: Parse = parse_source, recover: bool = False) -> Self:
        """Read a file; `parse` is the parser or a cache before it.

        With `recover` a file that does not parse is opened all the same, `errors` says what is wrong with it, and it
        can be edited where it is whole: what does not parse stays as it is.
        """
        return cls.on(THE_DISK, Path(path), parse_whole if recover else parse)

    @classmethod
    def on(cls, disk: Disk, path: Path, parse: Parse = parse_source) -> Self:
        """Read a file as somebody sees it; one that is in memory has not been seen on the disk."""
        document = cls.__new__(cls)
        document._start(disk.source(path), parse)  # noqa: SLF001  (its own)
        document._is_in_file = not disk.is_in_memory(path)  # noqa: SLF001
        return document

    @classmethod
    def of_source(cls, source: Source) -> Self:
        """A text that was read from somewhere else, with its encoding."""
        document = cls.__new__(cls)
        document._start(source)  # noqa: SLF001  (its own)
        return document

    def copy(self) -> Document:
        """Another document with the text as it is now, and no path: edited on its own, without parsing again."""
        document = Document.__new__(Document)
        document._start_from(self.tree, None, self._encoding)  # noqa: SLF001  (its own)
        document._work.is_broken = self._work.is_broken  # noqa: SLF001
        document.errors = self.errors
        return document

    def _start(self, source: Source, parse: Parse = parse_source) -> None:
        self._start_from(parse(source), source.path, source.encoding)

    def _start_from(self, tree: StoredDefinition, path: Path | None, encoding: str) -> None:
        root = tree.green
        assert isinstance(root, tuple)
        self._encoding = encoding
        self.errors = tree.errors  # what was wrong with the text when it was read
        self._steps = Steps()
        self._work = Working(root, Index(), file=path, encoding=encoding, is_broken=bool(tree.errors))
        self._work.changes = self._steps.changes
        # What changes are counted from; None for a file that is not there yet.
        self._saved: Node | None = root
        self._is_in_file = False  # a text may name a file that nobody has looked at

    # ------------------------------------------------------------ reading

    @property
    def path(self) -> Path | None:
        """Where it was read from, or saved to last."""
        return self._work.file

    @property
    def text(self) -> str:
        """The text as it is now."""
        return render(self._work.root)

    @property
    def tree(self) -> StoredDefinition:
        """The tree as it is now. It does not change: later edits make other trees."""
        return self._work.tree

    # ------------------------------------------------------------ what has changed

    @property
    def is_changed(self) -> bool:
        """Does the text differ from what was read or saved last?"""
        return self._saved is None or not equal(self._saved, self._work.root)

    @property
    def saved_text(self) -> str | None:
        """The text that was read or saved last; None if there is no file yet."""
        return None if self._saved is None else render(self._saved)

    def diff(self) -> str:
        """What has changed since the file was read or saved, as a unified diff."""
        return unified_diff(self.saved_text, self.text, "<text>" if self.path is None else str(self.path))

    def changes(self) -> list[dict[str, Any]]:
        """What has changed since the file was read or saved, as a patch from that text to this one."""
        if self._saved is None:
            raise EditError(f"{self.path} does not exist yet: a patch changes a text, it does not create one")
        return patch_between(self._saved, self._work.root)

    def text_edits(self) -> list[TextEdit]:
        """What has changed since the file was read or saved, as replaced pieces of that text."""
        return [TextEdit(0, 0, self.text)] if self._saved is None else text_edits(self._saved, self._work.root)

    # ------------------------------------------------------------ steps

    @property
    def state(self) -> Node:
        """The root, which is all that an edit changes; for `Steps`."""
        return self._work.root

    def restore(self, state: Node) -> None:
        """Take back a root; for `Steps`."""
        self._work.root = state

    def count_changes(self, changes: Changes) -> None:
        """Let others know of every change."""
        self._steps.changes = self._work.changes = changes

    @contextmanager
    def transaction(self) -> Iterator[Editor]:
        """Several edits as one step: all of them, or none if one is refused.

        The editor that it gives changes what views show; verbs of handles can be used beside it.
        """
        editor = Editor(self._work)
        with self._steps.transaction(self):
            try:
                yield editor
            finally:
                editor.close()

    def apply(self, operations: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Carry out a patch, a list of operations as data, as one step; see `modelica_ast.edit.patch`.

        What comes back is the inverse: the patch that restores every byte when it is applied to the result.
        """
        before = self._work.root
        todo = list(operations)
        with self.transaction():
            for number, operation in enumerate(todo, 1):
                try:
                    self.edit(patch.run, operation)
                except EditError as error:
                    if len(todo) == 1:
                        raise
                    raise type(error)(f"operation {number}: {error}") from None
        return patch_between(self._work.root, before)

    def undo(self) -> None:
        """Take the last step back."""
        self._steps.undo()

    def redo(self) -> None:
        """Do again what was undone last."""
        self._steps.redo()

    # ------------------------------------------------------------ saving

    def save(self, path: str | os.PathLike[str] | None = None, *, force: bool = False) -> None:
        """Write the text in the file's encoding; the file is replaced as a whole or not at all.

        EditError if the file is no longer as it was read or saved last, or if another process saves in its library;
        `force` overwrites what has changed all the same, and so does a path of another file.
        """
        named = Path(path) if path is not None else self.path
        if named is None:
            raise EditError("the document has no path: use save(path)")
        from modelica_ast.files import save_file, warn_of  # noqa: PLC0415  (PERF: only where one is saved)

        target = target_of(named)
        is_own = self.path is not None and target == target_of(self.path)
        started_from = (self.saved_text or "").encode(self._encoding)
        expected = (self.bytes_in_file, started_from) if is_own else None
        warn_of(save_file(target, self.encoded(), expected, force=force))
        self._work.file = named
        self.mark_saved()

    def encoded(self) -> bytes:
        """The text in the file's encoding; EditError if that lacks a character."""
        text = self.text
        try:
            return text.encode(self._encoding)
        except UnicodeEncodeError as error:
            place = "<text>" if self.path is None else self.path
            raise EditError(
                f"{place}: the file is {self._encoding}, which has no character {text[error.start]!r}"
            ) from None

    @property
    def bytes_in_file(self) -> bytes | None:
        """What was read or written last; None if the document has not seen its file."""
        return render(self._saved).encode(self._encoding) if self._saved is not None and self._is_in_file else None

    def mark_saved(self) -> None:
        """The file has the text as it is now."""
        self._saved = self._work.root
        self._is_in_file = True

    # ------------------------------------------------------------ the file

    @property
    def within(self) -> str | None:
        """The package that the file says it is in; '' for `within;`, None without a within clause."""
        return self.tree.within

    @property
    def document(self) -> Document:
        """Itself: what its methods edit."""
        return self

    set_within = method(classes.set_within, _file, _nothing)
    add_class = _new_class(classes.add_class)
    insert_class = _new_class(classes.insert_class)

    # ------------------------------------------------------------ handles

    def find_class(self, name: str) -> ClassHandle:
        """The class of a dotted name, with or without the file's `within`; NotFoundError names the nearest."""
        self._work.find_class(name)
        return ClassHandle(self, self._work.own_name(name))

    def get_class(self, name: str) -> ClassHandle | None:
        """The class of a dotted name, or None."""
        try:
            return self.find_class(name)
        except NotFoundError:
            return None

    @property
    def classes(self) -> list[ClassHandle]:
        """The classes that the file defines."""
        return [ClassHandle(self, definition.name) for definition in self.tree.classes]

    @property
    def work(self) -> Working:
        """The tree as verbs see it: what reads, takes this; what edits, goes through `edit`."""
        return self._work

    def edit(self, verb: Callable[Concatenate[ExactEditor, _P], _R], *arguments: _P.args, **options: _P.kwargs) -> _R:
        """Carry out a verb, a function of an editor, as one step; refused, it changes nothing."""
        with self._steps.transaction(self):
            try:
                return verb(ExactEditor(self._work), *arguments, **options)
            except EditError:
                raise
            except ModelicaError as error:
                raise EditError(str(error)) from None
