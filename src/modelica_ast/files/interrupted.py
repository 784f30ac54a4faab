"""Saves that were interrupted: what their journals say, as far as it is anything that this program writes.

A journal lies in a folder that may come from anywhere, so it is a stranger's data. It may name files inside of its
folder, and temporaries that are called as ours are and lie beside them; one that says anything else, is not an ordinary
file or belongs to somebody else is reported and left alone.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from modelica_ast.files.lock import holder_of
from modelica_ast.files.save import MARK, OURS
from modelica_ast.foundation import WAITING, FilesError, Record, Waiting, actual_place, read_regular

PLAN: Final = f"{MARK}.plan"
JOURNAL: Final = f"{MARK}.journal"
VERSION: Final = 2
_LARGEST: Final = 64_000_000  # bytes; a save of 100,000 files takes a third of it
_DIGEST: Final = re.compile(r"(link )?[0-9a-f]{64}")
# What is in there is not for us: a hook that is put there runs.
_KEPT_OUT: Final = frozenset({".git", ".hg", ".svn", ".bzr", "_darcs"})


class JournalError(FilesError):
    """A journal that is not treated: strange, or somebody else's."""


class ForeignJournalError(JournalError):
    """A journal of another user."""


class Entry(Record):
    """What becomes of one file: where its new and its old content wait, and what it is before and after."""

    file: Path
    temporary: Path | None
    backup: Path | None
    old: str | None
    new: str | None


class Interrupted(Record):
    """A save that was interrupted; decided, it is to be finished, else to be taken back."""

    folder: Path
    decided: bool
    files: tuple[Entry, ...]
    made: tuple[Path, ...]  # folders, the outer before the inner
    emptied: tuple[Path, ...]  # the inner before the outer

    @property
    def journal(self) -> Path:
        """The file that says all this."""
        return self.folder / (JOURNAL if self.decided else PLAN)


def state_of(path: Path) -> str | None:
    """What is at a place: None, the digest of a file or of a link, or a word that no journal has."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            return "link " + digest_of(os.fsencode(path.readlink()))
        return digest_of(read_regular(path)) if stat.S_ISREG(mode) else "special"
    except (FileNotFoundError, NotADirectoryError):
        return None


def digest_of(data: bytes) -> str:
    """What tells one content from all others."""
    import hashlib  # noqa: PLC0415  (PERF: most commands find no journal)

    return hashlib.sha256(data).hexdigest()


# ---------------------------------------------------------------- finding


def folders_with_journals(paths: Iterable[Path]) -> list[Path]:
    """The folders around some places, and these themselves, in which a save was interrupted; the outermost first."""
    found: set[str] = set()
    seen: set[str] = set()
    for path in paths:
        folder = os.fspath(path)
        while folder not in seen:
            seen.add(folder)
            if os.path.lexists(os.path.join(folder, JOURNAL)) or os.path.lexists(os.path.join(folder, PLAN)):  # noqa: PTH118  (PERF: for each file of each command)
                found.add(folder)
            folder = os.path.dirname(folder)  # noqa: PTH120  (PERF)
    return [Path(folder) for folder in sorted(found) if not _is_of_a_stranger_in_public(folder)]


def _is_of_a_stranger_in_public(folder: str) -> bool:
    """Is it in a folder like /tmp, where everybody can put a journal above the libraries of all others?"""
    if os.name != "posix":
        return False
    try:
        around = os.stat(folder)  # noqa: PTH116  (PERF)
        own = [
            os.lstat(os.path.join(folder, name)).st_uid == os.geteuid()  # noqa: PTH118  (PERF)
            for name in (JOURNAL, PLAN)
            if os.path.lexists(os.path.join(folder, name))  # noqa: PTH118  (PERF)
        ]
    except OSError:
        return True
    return bool(around.st_mode & stat.S_IWOTH and around.st_mode & stat.S_ISVTX) and not any(own)


# ---------------------------------------------------------------- reading


def interrupted_in(folder: Path, *, foreign: bool = False) -> Interrupted | None:
    """The save that was interrupted in a folder, or None; JournalError if its journal is strange.

    ForeignJournalError if it is another user's, unless `foreign` is wanted.
    """
    for name in (JOURNAL, PLAN):
        data = _read(folder / name, foreign=foreign)
        if data is not None:
            return _checked(folder, data, decided=name == JOURNAL)
    return None


def _read(path: Path, *, foreign: bool) -> Any:
    """What a journal says, unchecked; None if there is none."""
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise _strange(path, "it is not an ordinary file")
        if not foreign and os.name == "posix" and status.st_uid != os.geteuid():
            raise ForeignJournalError(
                f"a save of {_user(status.st_uid)} in {path.parent} was interrupted: {path.name} is theirs and is left "
                f"alone; 'modelica-patch recover --force {path.parent}' finishes it anyway"
            )
        text = read_regular(path, limit=_LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _strange(path, f"it can't be read: {error.strerror or error}") from None
    import json  # noqa: PLC0415  (PERF: as hashlib)

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise _strange(path, "it is not JSON") from None
    return {} if data is None else data


def _user(number: int) -> str:
    import pwd  # noqa: PLC0415  (POSIX only)

    try:
        return f"the user {pwd.getpwuid(number).pw_name}"
    except KeyError:
        return f"the user with the number {number}"


def _strange(path: Path, why: str) -> JournalError:
    return JournalError(
        f"{path} is not a journal that this program writes ({why}), so "
        "it is left alone; delete it if you don't know where it comes from"
    )


def _checked(folder: Path, data: Any, *, decided: bool) -> Interrupted:
    """A journal as a value; JournalError at the first thing that we would not have written."""
    path = folder / (JOURNAL if decided else PLAN)
    try:
        _check_version(data)
        files = tuple(_entry(folder, entry) for entry in _list(data, "files"))
        made = tuple(place_inside(folder, name) for name in _list(data, "folders"))
        names = _list(data, "emptied", optional=data["modelica_save"] == 1)
        emptied = tuple(place_inside(folder, name) for name in names)
    except StrangeNameError as strange:
        raise _strange(path, str(strange)) from None
    except OSError as error:
        raise _strange(path, f"{error.filename}: {error.strerror}") from None
    return Interrupted(folder, decided, files, made, emptied)


def _check_version(data: Any) -> None:
    version = data.get("modelica_save") if isinstance(data, dict) else None
    if type(version) is not int or version not in (1, VERSION):
        raise StrangeNameError("it names no known version")


def as_data(save: Interrupted) -> dict[str, Any]:
    """A save as its journal has it. Places are relative, so the folder may have moved when somebody finishes it."""

    def name(path: Path | None) -> str | None:
        return None if path is None else os.path.relpath(path, save.folder)

    return {
        "modelica_save": VERSION,
        "folders": [name(path) for path in save.made],
        "emptied": [name(path) for path in save.emptied],
        "files": [
            {
                "file": name(entry.file),
                "temporary": name(entry.temporary),
                "backup": name(entry.backup),
                "old": entry.old,
                "new": entry.new,
            }
            for entry in save.files
        ],
    }


class StrangeNameError(FilesError):
    """A name, or another value, that no journal of ours has; the message is a part of a sentence."""


def _list(data: dict[str, Any], key: str, *, optional: bool = False) -> list[Any]:
    found = data.get(key, [] if optional else None)
    if not isinstance(found, list):
        raise StrangeNameError(f"it has no list of {key}")
    return found


def _entry(folder: Path, data: Any) -> Entry:
    if not isinstance(data, dict):
        raise StrangeNameError("an entry is not an object")
    file = place_inside(folder, data.get("file"))
    temporary, backup = (_beside(file, folder, data.get(key), key) for key in ("temporary", "backup"))
    digests = data.get("old"), data.get("new")
    for digest in digests:
        if digest is not None and not (isinstance(digest, str) and _DIGEST.fullmatch(digest)):
            raise StrangeNameError("a digest is not valid")
    if (temporary is None) != (digests[1] is None):
        raise StrangeNameError(f"where the new content of {data['file']!r} waits is not given, or does not exist")
    mode = _mode(file)
    if mode is not None and not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        raise StrangeNameError(f"{data['file']!r} is not a file")
    return Entry(file, temporary, backup, *digests)


def place_inside(folder: Path, name: Any) -> Path:
    """The place of a name inside of a folder, on a way without links; StrangeNameError if it leads elsewhere."""
    if not isinstance(name, str) or not name or "\0" in name:
        raise StrangeNameError("a name is not valid")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise StrangeNameError("a name is not valid") from None
    parts = name.replace(os.sep, "/").split("/")
    if any(part in {"", ".", ".."} for part in parts) or (os.name == "nt" and ":" in name):
        raise StrangeNameError(f"{name!r} does not lead into the folder")
    if any(part.lower().rstrip(". ") in _KEPT_OUT for part in parts):
        raise StrangeNameError(f"{name!r} belongs to a version control system")
    place = folder.joinpath(*parts)
    for around in _between(folder, place):
        mode = _mode(around)
        if mode is not None and not stat.S_ISDIR(mode):
            raise StrangeNameError(f"the way to {name!r} leads through a link or a file")
    return place


def _between(folder: Path, place: Path) -> Iterator[Path]:
    for around in place.parents:
        if around == folder:
            return
        yield around


def _beside(file: Path, folder: Path, name: Any, what: str) -> Path | None:
    """Where a content waits: beside its file, and called as we call such a file."""
    if name is None:
        return None
    place = place_inside(folder, name)
    if place.parent != file.parent or not OURS.fullmatch(place.name):
        raise StrangeNameError(f"the {what} {name!r} does not have such a name, or is not beside its file")
    mode = _mode(place)
    if mode is not None and not (stat.S_ISREG(mode) or (what == "backup" and stat.S_ISLNK(mode))):
        raise StrangeNameError(f"the {what} {name!r} is not an ordinary file")
    return place


def _mode(path: Path) -> int | None:
    try:
        return path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


# ---------------------------------------------------------------- pending
# A library as it will be when a save that was interrupted there has been put in order, without touching it.
#
# Whoever only looks writes nothing. Inside of a `looking` block, files whose new content still waits for its place are
# read where it waits, and files that are about to go are not there. So what a reader sees is the state before the
# save or the one after it, and never a mixture.


@contextmanager
def looking() -> Iterator[None]:
    """Write nothing in this block, and read what `look_at` was told of as it will be."""
    token = WAITING.set(Waiting())
    try:
        yield
    finally:
        WAITING.reset(token)


def look_at(paths: Iterable[Path]) -> list[str]:
    """Inside of `looking`: see some places as they will be; a sentence for each save that was interrupted there."""
    waiting = WAITING.get()
    assert waiting is not None, "look_at is called inside looking"
    told = []
    for folder in folders_with_journals(paths):
        if folder in waiting.told:
            continue
        waiting.told.add(folder)
        try:
            save = interrupted_in(folder)
        except JournalError as error:
            told.append(str(error))
            continue
        if save is not None:
            told.append(_sentence(save, _note(save, waiting.places)))
    return told


def is_looking() -> bool:
    """Is this inside of a `looking` block, where nothing is written?"""
    return WAITING.get() is not None


def _note(save: Interrupted, waiting: dict[str, str | None]) -> list[Path]:
    """Note where contents wait that will be in place of what is there; the files that somebody has changed since.

    In a save that is taken back, files may be new already: then their old contents wait.
    """
    changed = []
    for entry in save.files:
        old, new, place = (
            (entry.old, entry.new, entry.temporary) if save.decided else (entry.new, entry.old, entry.backup)
        )
        found = state_of(entry.file)
        if found == new:
            continue
        if found == old and new is None:
            waiting[str(entry.file)] = None
        elif found == old and place is not None and state_of(place) == new:
            waiting[str(entry.file)] = str(place)
        else:
            changed.append(entry.file)
    return changed


def _sentence(save: Interrupted, changed: list[Path]) -> str:
    shown = "as it will be when it is finished" if save.decided else "as it was before"
    holder = holder_of(save.folder)
    if holder is not None:
        return f"{holder} is saving in {save.folder} right now; you see the state {shown}"
    rest = f", except for {', '.join(map(str, changed))}, changed since" if changed else ""
    return (
        f"a save in {save.folder} was interrupted; you see the state {shown}{rest}; "
        f"the next command that writes there, or 'modelica-patch recover {save.folder}', cleans it up"
    )


# ---------------------------------------------------------------- what is there


def names_in(folder: Path) -> list[str]:
    """The names in a folder, sorted; OSError if it can't be read. Contents that wait for their place are not listed."""
    names = {name for name in os.listdir(folder) if not OURS.fullmatch(name)}  # noqa: PTH208  (PERF: no Path each)
    waiting = WAITING.get()
    if waiting is not None and waiting.places:
        place = os.path.realpath(folder)
        for file, content in waiting.places.items():
            around, name = os.path.split(file)
            if around == place:
                (names.discard if content is None else names.add)(name)
    return sorted(names)


def files_below(folder: Path, *, onerror: Callable[[OSError], None] | None = None) -> Iterator[Path]:
    """The files in a folder and in those inside, by their names; hidden ones not, and links to folders not followed."""
    for around, folders, _ in os.walk(folder, onerror=onerror):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names_in(Path(around)):
            path = Path(around, name)
            if not name.startswith(".") and is_file(path):
                yield path


def is_file(path: Path) -> bool:
    """Is there such a file?"""
    actual = actual_place(path)
    return actual is not None and Path(actual).is_file()


def exists(path: Path) -> bool:
    """Is there such a file or folder?"""
    actual = actual_place(path)
    return actual is not None and Path(actual).exists()
