"""A library as it will be when a save that was interrupted there has been put in order, without touching it.

Who only looks writes nothing. Inside of a `looking` block, files whose new content still waits for its place are read
where it waits, and files that are about to go are not there. So what a reader sees is the state before the save or
the one after it, and never a mixture.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from modelica_ast.files import regular
from modelica_ast.files.interrupted import (
    Interrupted,
    JournalError,
    folders_with_journals,
    interrupted_in,
    state_of,
)
from modelica_ast.files.lock import holder_of
from modelica_ast.files.saving import OURS


@contextmanager
def looking() -> Iterator[None]:
    """Write nothing in this block, and read what `look_at` was told of as it will be."""
    token = regular.WAITING.set(regular.Waiting())
    try:
        yield
    finally:
        regular.WAITING.reset(token)


def look_at(paths: Iterable[Path]) -> list[str]:
    """Inside of `looking`: see some places as they will be; a sentence for each save that was interrupted there."""
    waiting = regular.WAITING.get()
    assert waiting is not None, "look_at is called inside of looking"
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
    return regular.WAITING.get() is not None


def _note(save: Interrupted, waiting: dict[str, str | None]) -> list[Path]:
    """Note where contents wait that will be in the place of what is there; the files that somebody has changed since.

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
        return f"{holder} is saving in {save.folder} at this moment; you see the state {shown}"
    rest = f", but for {', '.join(map(str, changed))}, changed since" if changed else ""
    return (
        f"a save in {save.folder} was interrupted; you see the state {shown}{rest}; "
        f"the next command that writes there, or 'modelica-patch recover {save.folder}', puts it in order"
    )


# ---------------------------------------------------------------- what is there


def names_in(folder: Path) -> list[str]:
    """The names in a folder, sorted; OSError if it can't be read. Contents that wait for their place are not listed."""
    names = {name for name in os.listdir(folder) if not OURS.fullmatch(name)}  # noqa: PTH208  (PERF: no Path each)
    waiting = regular.WAITING.get()
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
    actual = regular.actual_place(path)
    return actual is not None and Path(actual).is_file()


def exists(path: Path) -> bool:
    """Is there such a file or folder?"""
    actual = regular.actual_place(path)
    return actual is not None and Path(actual).exists()
