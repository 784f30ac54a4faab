"""A document: a file or a text that is edited. Every verb is one step that can be undone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from modelica_ast.edit import classes, patch
from modelica_ast.edit.diffs import unified_diff
from modelica_ast.edit.editor import Editor
from modelica_ast.edit.errors import EditError, NotFoundError
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.handles import ClassHandle
from modelica_ast.edit.index import Index
from modelica_ast.edit.methods import method
from modelica_ast.edit.replacing import patch_between
from modelica_ast.edit.steps import Changes, Steps
from modelica_ast.edit.text_edits import TextEdit, text_edits
from modelica_ast.edit.working import Working
from modelica_ast.errors import ModelicaError
from modelica_ast.files.disk import THE_DISK, Disk
from modelica_ast.files.saving import target_of
from modelica_ast.green import Node, equal, render
from modelica_ast.parse import parse_source, parse_whole
from modelica_ast.source import Source
from modelica_ast.views.files import StoredDefinition

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
        """Another document with the text as it is now, and no path: edited by itself, without parsing again."""
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
            raise EditError(f"{self.path} is not there yet: a patch changes a text, it makes none")
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
            raise EditError("the document has no path: save(path) names one")
        from modelica_ast.files.journal import save_file, warn_of  # noqa: PLC0415  (PERF: only where one is saved)

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
        return ClassHandle(self, name)

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
