"""Several documents of one folder: edited, undone and saved as one."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from modelica_ast.edit.diffs import TextEdit, unified_diff
from modelica_ast.edit.document import Document, OtherFiles, Parse
from modelica_ast.edit.draft import Steps
from modelica_ast.files import (
    THE_DISK,
    Disk,
    FileWrite,
    Recovery,
    folders_with_journals,
    is_looking,
    recover_around,
    save_files,
    target_of,
    warn_of,
)
from modelica_ast.foundation import EditError, Source
from modelica_ast.tree import parse_source


class WorkspaceDocument(Document):
    """A document of a workspace. Its steps are the workspace's: undo takes back the last one, whatever it touched."""

    _workspace: Workspace
    _key: Path
    _like: Path | None = None  # the file that it was, whose permissions it takes

    @classmethod
    def read(cls, workspace: Workspace, path: Path, key: Path) -> WorkspaceDocument:
        """A file that is there."""
        document = cls.on(workspace.disk, path, workspace.parse)
        document._join(workspace, key)  # noqa: SLF001  (its own)
        return document

    @classmethod
    def new(cls, workspace: Workspace, path: Path, key: Path, content: str | Document) -> WorkspaceDocument:
        """A file that is not there yet."""
        document = cls.__new__(cls)
        tree = content.tree if isinstance(content, Document) else parse_source(Source(content, path))
        document._start_from(tree, path, "utf-8")  # noqa: SLF001  (its own)
        document._saved = None  # noqa: SLF001
        document._join(workspace, key)  # noqa: SLF001
        return document

    def _join(self, workspace: Workspace, key: Path) -> None:
        self._workspace = workspace
        self._key = key
        self._steps = workspace.steps

    def edit(self, verb: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Carry out a verb as one step of the workspace."""
        if not self._workspace.holds(self._key):
            raise EditError(f"{self.path} has been deleted from the workspace")
        self._workspace.refuse_outside(self._key, self.path)
        return super().edit(verb, *arguments, **options)

    def save(self, path: str | os.PathLike[str] | None = None, *, force: bool = False) -> None:
        """Save this file alone; `Workspace.save` writes all of them."""
        if path is not None and target_of(Path(path)) != self._key:
            raise EditError(
                f"{self.path} belongs to a workspace and can't be saved elsewhere: use create() for a new file"
            )
        super().save(force=force)

    def mark_gone(self) -> None:
        """There is no file."""
        self._saved = None
        self._is_in_file = False


class Workspace:
    """The documents of a folder. Paths are relative to it, or lead into it.

    A save that was interrupted is finished or taken back when a workspace is opened on its folder: a warning says so,
    and `recovered` keeps it. With `roots`, only what is in one of these folders is written: a file that a link leads
    to from there can be read, and refuses edits. Without them, such a file is written where it is. What a `disk` has
    in memory is edited like other files; then the workspace writes nothing, and it can't be saved.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        parse: Parse = parse_source,
        roots: Iterable[Path] | None = None,
        disk: Disk = THE_DISK,
    ) -> None:
        self.parse = parse
        self.disk = disk
        self.folder = Path(folder).resolve()
        if not disk.is_folder(self.folder):
            raise EditError(f"{folder} is not a folder")
        self.roots = None if roots is None else tuple(roots)
        self.steps = Steps()
        self.others = OtherFiles(self.steps, disk)
        self.recovered: Recovery | None = None
        self._in_order: set[Path] = set()  # folders that were looked at for saves that were interrupted
        self._put_in_order(self.folder)
        self._documents: dict[Path, WorkspaceDocument] = {}  # by file, so that a link gives no second document
        self._born_here: set[Path] = set()  # those of them that were not there before they were created
        # Those that are not as they were at first: deleted, or created. What is opened later needs no entry, so a
        # step back restores this set whatever has been opened since.
        self._turned: frozenset[Path] = frozenset()

    def _put_in_order(self, folder: Path) -> None:
        """Finish or take back saves that were interrupted around a folder.

        Whoever only looks sees them as they will be.
        """
        if folder in self._in_order or is_looking() or self.disk.is_covered:
            return
        self._in_order.add(folder)
        if folders_with_journals([folder]):
            self._keep(recover_around([folder]))

    def _keep(self, recovered: list[Recovery]) -> None:
        if recovered:
            self.recovered = recovered[-1]
            warn_of(recovered)

    def refuse_outside(self, file: Path, name: Path | None = None) -> None:
        """EditError if a file, links followed, is in none of the folders that may be written."""
        if self.roots is None or self.disk.is_covered:
            return
        if not any(file.is_relative_to(root) for root in self.roots):
            where = ", ".join(map(str, self.roots))
            raise EditError(f"{name or file} is a link that leads out of {where}, to {file}, so it is read-only")

    # ------------------------------------------------------------ documents

    @property
    def documents(self) -> list[Document]:
        """The documents that were opened or created and are not deleted, in the order of their files."""
        return [document for key, document in sorted(self._documents.items()) if self.holds(key)]

    @property
    def deleted(self) -> list[Path]:
        """The files that the next save removes."""
        known = sorted(self._documents.items())
        return [key for key, document in known if document.saved_text is not None and not self.holds(key)]

    def holds(self, file: Path) -> bool:
        """Is a file, links followed, among the documents?"""
        return file in self._documents and (file in self._born_here) == (file in self._turned)

    def open(self, path: str | os.PathLike[str]) -> Document:
        """The document of a file; the same one each time."""
        place, key = self._place(path)
        if key not in self._documents:
            self._put_in_order(key.parent)
            self._documents[key] = WorkspaceDocument.read(self, place, key)
        elif not self.holds(key):
            raise EditError(f"{self._name(key)} has been deleted from the workspace")
        return self._documents[key]

    def opened(self, path: str | os.PathLike[str]) -> Document | None:
        """The document of a file if it was opened or created before, and not deleted."""
        key = self._place(path)[1]
        return self._documents[key] if self.holds(key) else None

    def create(self, path: str | os.PathLike[str], content: str | Document, *, like: Path | None = None) -> Document:
        """A new document with a text, or with that of another document, which is not parsed again.

        The next save makes its file, and its folders. It takes the permissions of `like`.
        """
        place, key = self._place(path)
        self.refuse_outside(key, place)
        if self.holds(key) or (key not in self._documents and self.disk.exists(key)):
            raise EditError(f"{self._name(key)} already exists")
        new = WorkspaceDocument.new(self, place, key, content)
        if key not in self._documents:
            self._documents[key] = new
            self._born_here.add(key)
        document = self._documents[key]
        document._like = like  # noqa: SLF001  (its own)
        if like is not None and like in self._documents:
            self._documents[like]._like = key  # noqa: SLF001  (after an undo it is that one again)
        with self.transaction(), document.transaction():
            document.restore(new.state)
            self._turned ^= {key}
        return document

    def delete(self, path: str | os.PathLike[str]) -> None:
        """Take a file away; the next save removes it."""
        place, key = self._place(path)
        if place.is_symlink():
            raise EditError(
                f"{place} is a link: unlink() removes it, and delete({str(key)!r}) removes the file it leads to"
            )
        self.refuse_outside(key, place)
        self.open(path)
        with self.transaction():
            self._turned ^= {key}

    def unlink(self, path: str | os.PathLike[str]) -> None:
        """Take a link to a file or folder away; the next save removes it, and not what it leads to."""
        link = Path(os.path.normpath(self.folder / path))
        self.refuse_outside(Path(os.path.realpath(link.parent), link.name), link)
        if not link.is_symlink():
            raise EditError(f"{link} is not a link: delete() removes a file")
        self.others.unlink(link)

    def _place(self, path: str | os.PathLike[str]) -> tuple[Path, Path]:
        """Where a file is by its name, and which file that is."""
        place = Path(os.path.normpath(self.folder / path))
        if not place.is_relative_to(self.folder):
            raise EditError(f"{path} is outside the workspace {self.folder}")
        return place, target_of(place)

    def _name(self, key: Path) -> str:
        return Path(os.path.relpath(key, self.folder)).as_posix()

    # ------------------------------------------------------------ steps

    @property
    def state(self) -> frozenset[Path]:
        """The files that were created or deleted; for `Steps`."""
        return self._turned

    def restore(self, state: frozenset[Path]) -> None:
        """Take back which files were created or deleted; for `Steps`."""
        self._turned = state

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Edits of any of the documents as one step: all of them, or none if one is refused."""
        with self.steps.transaction(self):
            yield

    def apply(self, files: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
        """Carry out a patch for each of several files, as one step; the inverse patches come back."""
        inverse: dict[str, list[dict[str, Any]]] = {}
        with self.transaction():
            for name, operations in files.items():
                try:
                    inverse[name] = self.open(name).apply(operations)
                except EditError as error:
                    raise type(error)(f"{name}: {error}") from None
                except OSError as error:
                    raise EditError(f"{name}: {error.strerror or error}") from None
        # The last first: a file may be there twice, under two names.
        return dict(reversed(inverse.items()))

    def undo(self) -> None:
        """Take the last step back, in all documents."""
        self.steps.undo()

    def redo(self) -> None:
        """Do again what was undone last."""
        self.steps.redo()

    # ------------------------------------------------------------ what has changed

    @property
    def is_changed(self) -> bool:
        """Is there anything to save?"""
        return bool(self.deleted or self.others.changed) or any(document.is_changed for document in self.documents)

    def changes(self) -> dict[str, list[dict[str, Any]]]:
        """What has changed since the files were read or saved, as a patch for each; EditError if one is new or gone."""
        if self.deleted:
            raise EditError(
                f"{self._name(self.deleted[0])} is deleted: a patch changes a text, it does not remove a file"
            )
        changed = {key: d for key, d in sorted(self._documents.items()) if self.holds(key) and d.is_changed}
        return {self._name(key): document.changes() for key, document in changed.items()}

    def diff(self, start: Path | None = None) -> str:
        """What has changed in all files since they were read or saved, as one unified diff.

        Files are named from `start` on, without it from the folder of the workspace on.
        """
        parts = []

        def named(path: Path) -> str:
            return self._name(path) if start is None else Path(os.path.relpath(path, start)).as_posix()

        for key, document in sorted(self._documents.items()):
            new = document.text if self.holds(key) else None
            parts.append(unified_diff(document.saved_text, new, named(key)))
        for path in self.others.changed:
            old, new_data = self.others.there(path), self.others.read(path)
            try:
                texts = [None if data is None else data.decode() for data in (old, new_data)]
            except UnicodeDecodeError:
                parts.append(f"binary file {named(path)} changes\n")
            else:
                parts.append(unified_diff(texts[0], texts[1], named(path)))
        return "".join(parts)

    # ------------------------------------------------------------ saving

    def save(self, *, force: bool = False) -> None:
        """Write all that has changed: every file, or none.

        A process that is killed on the way leaves each file old or new; whoever opens a workspace on the folder next,
        or calls `recover`, makes all of them one or the other. EditError if another process saves here, or if a file is
        no longer as it was read or saved last; `force` overwrites it anyway.
        """
        if self.disk.is_covered:
            raise EditError(f"some files of {self.folder} are in memory only: whoever made them has to write them")
        writes = self.writes()
        if not writes:
            return
        # What was opened by its name may be a link that leads elsewhere; all else is in the folder.
        roots = (self.folder, *self._documents) if self.roots is None else self.roots
        self._keep(save_files(writes, folder=self.folder, roots=roots, force=force))
        self.others.mark_saved()
        for key, document in self._documents.items():
            if self.holds(key):
                document.mark_saved()
            else:
                document.mark_gone()

    def writes(self) -> list[FileWrite]:
        """What a save has to do."""
        writes = list(self.others.writes())
        for key, document in sorted(self._documents.items()):
            if self.holds(key) and document.is_changed:
                writes.append(FileWrite(key, document.encoded(), document.bytes_in_file, document._like))  # noqa: SLF001
        writes += [FileWrite(key, None, self._documents[key].bytes_in_file) for key in self.deleted]
        return writes


# ---------------------------------------------------------------- lsp
# Edits for editors: what has changed in documents, in the form of the Language Server Protocol.
#
# A position there is a line and a number of code units; LF, CRLF and CR each end a line. A byte order mark is not
# counted: editors keep it out of the text that they show.

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]
_BOM: Final = "\ufeff"
# How a text is encoded to be counted, and how many bytes a code unit has.
_UNITS: Final[dict[str, tuple[str, int]]] = {
    "utf-8": ("utf-8", 1),
    "utf-16": ("utf-16-le", 2),
    "utf-32": ("utf-32-le", 4),
}


def workspace_edit(
    documents: Iterable[Document], *, deleted: Iterable[Path] = (), encoding: PositionEncoding = "utf-16"
) -> dict[str, Any]:
    """A WorkspaceEdit that brings an editor from the saved texts to the texts as they are now.

    `encoding` is the one that client and server agreed on. For a workspace give `workspace.documents` and
    `workspace.deleted`; documents of files that are not there yet become CreateFile operations.
    """
    changes: list[dict[str, Any]] = []
    for document in documents:
        if document.path is None:
            raise EditError("a document without a path can't be shown in an editor")
        edits = document_edits(document, encoding=encoding)
        uri = _uri(document.path)
        if document.saved_text is None:
            changes.append({"kind": "create", "uri": uri})
        if edits:
            changes.append({"textDocument": {"uri": uri, "version": None}, "edits": edits})
    changes += [{"kind": "delete", "uri": _uri(path)} for path in deleted]
    return {"documentChanges": changes}


def document_edits(document: Document, *, encoding: PositionEncoding = "utf-16") -> list[dict[str, Any]]:
    """The TextEdits from a document's saved text to its text as it is now; all refer to the saved text."""
    if encoding not in _UNITS:
        raise EditError(f"{encoding!r} is not a position encoding; there is {', '.join(_UNITS)}")
    text = document.saved_text or ""
    places = _Places(text, encoding)
    found = []
    for edit in document.text_edits():
        start, end, new = _expressible(text, edit)
        if start < end or new:
            found.append({"range": {"start": places.of(start), "end": places.of(end)}, "newText": new})
    return found


def _uri(path: Path) -> str:
    return path.absolute().as_uri()


def _expressible(text: str, edit: TextEdit) -> tuple[int, int, str]:
    """An edit that starts and ends where a position can be: not inside of CRLF, not before a byte order mark."""
    start, end, new = edit.start, edit.end, edit.text
    if start == 0:
        new = new.removeprefix(_BOM)
        if text.startswith(_BOM):
            start, end = 1, max(end, 1)
    if 0 < start < len(text) and text[start - 1 : start + 1] == "\r\n":
        start, new = start - 1, "\r" + new
    if 0 < end < len(text) and text[end - 1 : end + 1] == "\r\n":
        end, new = end + 1, new + "\n"
    return start, end, new


class _Places:
    """Offsets of a text as positions."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text = text
        self._codec, self._size = _UNITS[encoding]
        first = 1 if text.startswith(_BOM) else 0
        self._starts = [first, *(match.end() for match in re.finditer(r"\r\n?|\n", text))]

    def of(self, offset: int) -> dict[str, int]:
        """The position of a character."""
        line = bisect_right(self._starts, offset) - 1
        before = self._text[self._starts[line] : offset]
        return {"line": line, "character": len(before.encode(self._codec, "surrogatepass")) // self._size}
