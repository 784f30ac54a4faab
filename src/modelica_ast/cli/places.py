"""The files that a call is about: locked and put in order before a command reads what it will write, or only looked at.

A command that writes Modelica files holds the lock of what it names from before it reads until it has written, so no
change of somebody else is lost in between; and it begins with what a killed command has left there. A command that
writes none changes nothing: it sees such a save as it will be.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from modelica_ast.cli.address import place_of
from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError
from modelica_ast.cli.terminal import tell
from modelica_ast.edit import quoted_name, unified_diff
from modelica_ast.files import folders_with_journals, is_held, is_looking, locked, look_at, looking
from modelica_ast.foundation import FilesError, Record, Source, shown

if TYPE_CHECKING:
    from modelica_ast.cli.catalogue import Runnable
    from modelica_ast.files import FileWrite
    from modelica_ast.library import Libraries


# What the options and arguments are called that name files, folders and addresses; another has its place before `::`.
_PLACES: Final = frozenset(
    "address addresses also base file files folder folders into names output ours package paths place places "
    "target theirs".split()
)


@contextmanager
def prepared(command: Runnable, options: argparse.Namespace) -> Iterator[None]:
    """Run a command inside of this; what is wrong with files is reported in the words of the command line."""
    try:
        if hasattr(command, "RECOVERS"):
            yield
            return
        with locked([], waiting=_tell_of_waiting) if _writes(command, options) else looking():
            prepare(_places(options))
            yield
    except FilesError as error:
        message, sign, rest = str(error).partition("; save(force=True)")
        if sign:
            message += f"; --force{rest}" if hasattr(options, "force") else "; nothing was written, so start again"
        raise CommandError(shortened(message), EXIT_UNREADABLE) from None


def prepare(places: Iterable[Path]) -> None:
    """Lock and put in order what is about to be read, or see it as it will be; inside of `prepared`."""
    found = [place.resolve() for place in places]
    if is_looking():
        for sentence in look_at(found):
            tell(f"note: {shortened(sentence)}", quiet=False)
    elif is_held():
        from modelica_ast.files import recover_around  # noqa: PLC0415  (PERF: only for what is written)

        with locked(found):
            for recovery in recover_around(found):
                tell(f"note: {shortened(str(recovery))}", quiet=False)


def shortened(message: str) -> str:
    """A message with paths as one would write them from here."""
    try:
        return message.replace(f"{Path.cwd()}{os.sep}", "")
    except OSError:  # the working folder has gone, perhaps by what is told of
        return message


def _writes(command: Runnable, options: argparse.Namespace) -> bool:
    """Does this call write Modelica files? A command that has no `--in-place` tells by a function `writes`."""
    if hasattr(command, "writes"):
        return bool(command.writes(options))
    names_model = (getattr(options, "output", None) or "").endswith(".mo")
    return bool((getattr(options, "in_place", False) or names_model) and not getattr(options, "dry_run", False))


def _places(options: argparse.Namespace) -> list[Path]:
    """The Modelica files and folders that a call names: `Lib::Lib.A`, `--package Robots.Arm`, `--into .`."""
    found: dict[Path, None] = {}
    for name, value in vars(options).items():
        for word in _words([value]):
            place = place_of(word)
            if place is not None or name in _PLACES:  # another word may be a value, whatever there is of that name
                found.update(dict.fromkeys(_path(word if place is None else place)))
    return list(found)


def _path(place: str) -> Iterator[Path]:
    """The path of a place, by its name or as a dotted one; where there is nothing, the folder around it."""
    named = Path(place)
    try:
        if named.exists():
            if named.is_dir() or named.suffix == ".mo":
                yield named
            return
        dotted = Path(*place.split("."))
        yield from (path for path in (dotted if dotted.is_dir() else named.parent,) if path.is_dir())
    except (OSError, ValueError):  # too long, or with a NUL
        return


def _words(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str) and value:
            yield value
        elif isinstance(value, list):
            yield from _words(value)


def _tell_of_waiting(folder: Path, holder: str) -> None:
    tell(shortened(f"waiting for {holder}, which is saving in {folder}"), quiet=False)


# ---------------------------------------------------------------- changes
# What becomes of files, as people and programs are told: changed, created, removed, renamed.

_SIMILAR: Final = 0.5  # share of equal lines from which a new file counts as an old one under another name
_MOST_COMPARED: Final = 400  # pairs of files whose lines are compared when nothing else tells what a new file was


class Change(Record):
    """A file before and after: None where it is not there. A renamed one has the path that it comes from.

    A link that goes has nothing before and after: what it leads to stays.
    """

    path: Path
    old: bytes | None
    new: bytes | None
    source: Path | None = None
    is_link: bool = False

    @property
    def status(self) -> str:
        """`changed`, `created`, `removed` or `renamed`."""
        if self.source is not None:
            return "renamed"
        if self.is_link:
            return "removed"  # links are only ever removed, and what they lead to is not read
        return "created" if self.old is None else "removed" if self.new is None else "changed"

    @property
    def shown_path(self) -> str:
        """The path as a person would write it from here."""
        return shown(self.path)

    @property
    def diff(self) -> str:
        """The change as a unified diff, in the form that `git apply` reads; one line where there is no text."""
        if self.is_link:
            return f"link {quoted_name(self.shown_path)} {self.status}\n"
        if any(data is not None and b"\0" in data for data in (self.old, self.new)):
            return f"binary file {quoted_name(self.shown_path)} {self.status}\n"
        name = self.shown_path
        if self.source is None:
            return unified_diff(_text(self.old), _text(self.new), name)
        before = shown(self.source)
        head = f"diff --git {quoted_name(f'a/{before}')} {quoted_name(f'b/{name}')}\n"
        head += f"rename from {quoted_name(before)}\nrename to {quoted_name(name)}\n"
        return head + unified_diff(_text(self.old), _text(self.new), name).replace(
            f"--- {quoted_name(f'a/{name}')}\n", f"--- {quoted_name(f'a/{before}')}\n", 1
        )


def _text(data: bytes | None) -> str | None:
    return None if data is None else Source.from_bytes(data).text


def changes_of(writes: Iterable[FileWrite]) -> list[Change]:
    """The changes that some writes make, in the order of their files; a file that only moves is one of them."""
    listed = list(writes)
    found = [Change(write.path, write.expected, write.new, is_link=write.is_link) for write in listed]
    likes = {write.path: write.like for write in listed if write.like is not None}
    moved = _Moves(found).found(likes)
    gone = {old.path for old in moved.values()}
    left = [change for change in found if change.status != "removed" or change.path not in gone]
    merged = [
        Change(change.path, old.old, change.new, old.path)
        if change.status == "created" and (old := moved.get(change.path)) is not None
        else change
        for change in left
    ]
    return sorted(merged, key=lambda change: change.path)


class _Moves:
    """Which new file was which old one: what is known comes first, then what is equal, and guesses come last.

    A guess compares lines, and all with all would take minutes for a package of thousands of files. So each file is
    split once, a name that is there once on both sides settles its pair, and for the rest there is a bound.
    """

    def __init__(self, changes: list[Change]) -> None:
        self._old = {change.path: change for change in changes if change.status == "removed" and not change.is_link}
        self._new = {change.path: change for change in changes if change.status == "created"}
        self._lines: dict[Path, frozenset[bytes]] = {}
        self._moved: dict[Path, Change] = {}

    def found(self, likes: Mapping[Path, Path]) -> dict[Path, Change]:
        """By the new paths: the removed file that each was. `likes` says it of those of which it is known."""
        self._take_known(likes)
        self._take_equal(lambda path: path.name)
        self._take_equal(lambda path: path.suffix)
        self._take_same_names()
        self._take_similar()
        return self._moved

    def _take(self, new: Path, old: Path) -> None:
        self._moved[new] = self._old.pop(old)
        del self._new[new]

    def _take_known(self, likes: Mapping[Path, Path]) -> None:
        """A file that was cut into several is that which has most of its lines."""
        claims: dict[Path, list[Path]] = {}
        for new, old in likes.items():
            if new in self._new and old in self._old and new.suffix == old.suffix:
                claims.setdefault(old, []).append(new)
        for old, claiming in claims.items():
            self._take(claiming[0] if len(claiming) == 1 else max(claiming, key=lambda new: self._share(new, old)), old)

    def _take_equal(self, key: Callable[[Path], str]) -> None:
        by_key: dict[tuple[str, bytes], list[Path]] = {}
        for path, change in reversed(self._old.items()):
            if change.old:  # empty files are all equal
                by_key.setdefault((key(path), change.old), []).append(path)
        for path, change in list(self._new.items()):
            if change.new and (equal := by_key.get((key(path), change.new))):
                self._take(path, equal.pop())

    def _take_same_names(self) -> None:
        counts = [Counter(path.name for path in paths) for paths in (self._old, self._new)]
        by_name = {path.name: path for path in self._old if counts[0][path.name] == 1}
        for new in list(self._new):
            old = by_name.get(new.name) if counts[1][new.name] == 1 else None
            if old is not None and self._share(new, old) >= _SIMILAR:
                self._take(new, old)

    def _take_similar(self) -> None:
        by_suffix: dict[str, list[Path]] = {}
        for old in self._old:
            by_suffix.setdefault(old.suffix, []).append(old)
        pairs = ((new, old) for new in self._new for old in by_suffix.get(new.suffix, ()))
        shares = [(self._share(new, old), new, old) for new, old in islice(pairs, _MOST_COMPARED)]
        # Those that are most alike first; of equals, those that were listed first.
        for share, new, old in sorted(shares, key=lambda each: -each[0]):
            if share >= _SIMILAR and new in self._new and old in self._old:
                self._take(new, old)

    def _share(self, new: Path, old: Path) -> float:
        """The share of lines that two files have in common, wherever they are."""
        mine, its = self._lines_of(new, self._new[new].new), self._lines_of(old, self._old[old].old)
        return len(mine & its) / max(len(mine), len(its), 1)

    def _lines_of(self, path: Path, data: bytes | None) -> frozenset[bytes]:
        if path not in self._lines:
            self._lines[path] = _split(data or b"")
        return self._lines[path]


def _split(data: bytes) -> frozenset[bytes]:
    return frozenset(data.splitlines())


# ---------------------------------------------------------------- searches
# Libraries beside those of the call: what `--library` names, and what a search finds, which nobody has looked at yet.
#
# Only where a save was interrupted is something to do. A library that is merely used is not locked otherwise: all who
# use the Standard Library would wait for each other.


def add_library_option(parser: argparse.ArgumentParser, *old_names: str) -> None:
    """Add --library; old names of it are taken and not shown."""
    text = "a library, or a folder of libraries, to search before all others; repeatable"
    parser.add_argument("--library", action="append", default=[], metavar="DIR", help=text)
    for name in old_names:
        parser.add_argument(name, dest="library", action="append", help=argparse.SUPPRESS)


def settle(places: Iterable[Path]) -> bool:
    """Put in order what is about to be read, or see it as it will be; True if a save was interrupted there."""
    found = [place.resolve() for place in places]
    if not folders_with_journals(found):
        return False
    prepare(found)
    return True


def opened(search: Callable[[], Libraries]) -> Libraries:
    """The libraries that a search opens, each in order; which ones it finds is only known when they are open."""
    libraries = search()
    return search() if settle(library.path for library in libraries) else libraries
