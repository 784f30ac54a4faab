"""The three versions of a package that an update merges: what was generated last, the user's, what is generated now."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import Final

from attrs import define, evolve, field, frozen

from modelica_ast.compare import compare, merge
from modelica_ast.foundation import ModelicaError, Source
from modelica_ast.generate.outcome import FileUpdate, UnreadableError
from modelica_ast.generate.packages import (
    PACKAGE_FILE,
    UserPackage,
    class_inside,
    file_of_class,
    hosts_of,
    is_order_inside,
    laid_out,
    name_inside,
    older_files,
    untouched_files,
    without_within,
)
from modelica_ast.generate.side_car import SideCar, digest, is_modelica, same_content
from modelica_ast.generate.templates import Generated, relocated

_WITHIN: Final = re.compile(r"^[^\S\n]*within\s+(?P<name>[^;]*?)\s*;", re.MULTILINE)
_SIMILAR: Final = 0.5  # share of equal lines from which a new file of the user's counts as a generated one, moved


@frozen
class Versions:
    """Texts by the files that the user has them in, or that they are generated in. `moved` and `hosts` say where.

    `strange` are files that the side-car calls generated, and that can't be shown to be so: they are the user's.
    """

    base: Mapping[str, str] = field(repr=False)
    ours: Mapping[str, str] = field(repr=False)
    theirs: Mapping[str, str] = field(repr=False)
    moved: Mapping[str, str] = field(factory=dict)  # generated files that the user calls otherwise
    hosts: Mapping[str, str] = field(factory=dict)  # generated files whose classes are inside of other files
    changed: frozenset[str] = frozenset()  # files that are not as they were generated
    notes: tuple[str, ...] = ()
    strange: frozenset[str] = frozenset()

    def place(self, path: str) -> str:
        """Where the user has a generated file."""
        return self.moved.get(path, self.hosts.get(path, path))

    def is_edited(self, path: str) -> bool:
        """Has the user written something into a file? Blanks and the order of arguments are nothing that is written."""
        if path not in self.changed or path not in self.ours:
            return False
        return path not in self.base or differs(self.base[path], self.ours[path], path)


def differs(one: str, other: str, path: str) -> bool:
    """Do two versions of a file say different things?"""
    if not path.endswith(".mo"):
        return one.split() != other.split()
    try:
        return bool(compare(one, other))
    except ModelicaError as wrong:
        raise UnreadableError(str(wrong).replace("<text>", path, 1)) from None


def is_as_generated(user: UserPackage, path: str, data: bytes) -> bool:
    """Does the class of a generated file say the same as this, in whatever file the user has it?"""
    place = file_of_class(user, path)
    if place in (None, path):
        return place is not None and not differs(data.decode(), user.text(path), path)
    from modelica_ast.edit import Document  # noqa: PLC0415  (PERF: nothing is edited if nothing is new)

    found = class_inside(Document(user.text(place)), name_inside(user, path, place))
    return found is not None and not differs(without_within(data.decode()), f"{found.view.text};", path)


def versions_of(
    side_car: SideCar,
    user: UserPackage,
    rebuild: Callable[[], Mapping[str, bytes]],
    theirs: Generated | None = None,
) -> Versions:
    """All three of a package whose last generation can be generated again: `rebuild` does it, if it must be.

    Without `theirs`, what was generated last and the user's alone.

    A side-car is a stranger's, and may have the digest of any file. So a file that is not generated any more counts as
    generated only if the last generation, made again, has it: the same text, or one that is mostly the same if another
    version of the generator or of the templates has made it. All others are `strange`.
    """
    return _Making(side_car, user, rebuild, theirs).versions()


@define(slots=False)
class _Making:
    side_car: SideCar
    user: UserPackage
    rebuild: Callable[[], Mapping[str, bytes]]
    theirs: Generated | None
    notes: list[str] = field(factory=list)

    def versions(self) -> Versions:
        new = {} if self.theirs is None else {p: data for p, data in self.theirs.files.items() if is_modelica(p)}
        strange = self._strange()
        known = [path for path in self.side_car.files if is_modelica(path) and path not in strange]
        hosts = hosts_of(self.user, [*known, *new])
        before = self._before(known, hosts, () if self.theirs is None else self.theirs.as_before)
        if self.theirs is None:
            return before
        return self._with_theirs(evolve(before, strange=strange), new)

    @cached_property
    def _made_again(self) -> Mapping[str, bytes]:
        return self.rebuild()

    def _strange(self) -> frozenset[str]:
        """What would go because the side-car says that it was generated, and is not shown to be so."""
        if self.theirs is None:
            return frozenset()
        user, side_car = self.user, self.side_car
        would_go = (untouched_files(side_car, user) | older_files(side_car, user)) - self.theirs.files.keys()
        found = frozenset(path for path in would_go if path in user.files and not self._is_proved(path))
        self.notes += [
            f"{path}: it is as the side-car says, but unlike anything that was generated; so it is yours, and stays"
            for path in sorted(found)
        ]
        return found

    def _is_proved(self, path: str) -> bool:
        made, found = self._made_again.get(path), self.user.files[path]
        if made is None:
            return False
        if digest(path, made) == digest(path, found):
            return True
        texts = [Source.from_bytes(data).text for data in (made, found)] if is_modelica(path) else []
        return bool(texts) and _likeness(*map(_lines, texts)) >= _SIMILAR

    # ------------------------------------------------------------ base and ours

    def _before(self, known: list[str], hosts: Mapping[str, str], as_before: Collection[str]) -> Versions:
        """What was generated last, and the user's.

        PERF: what the user did not touch is its own base, so a package without edits is not built again. What is
        generated as before leaves the user's file as it is, so that may be its base as well.
        """
        user = self.user
        older = older_files(self.side_car, user)
        as_is = untouched_files(self.side_car, user) | older
        # What the last generation has added is not there in an older folder, and nobody has removed it.
        known = [path for path in known if path not in older or path in user.files]
        changed = {path for path in known if path not in as_is}
        inside = {path for path in known if path in hosts or path in hosts.values()}
        wanted = [path for path in known if path in user.files and path not in inside]
        ours = {path: user.text(path) for path in wanted}
        base = {path: ours[path] for path in wanted if path in as_is or path in as_before}
        to_rebuild = [path for path in changed if path not in base]
        if older:
            self.notes.append(_older(sorted(older)))
        if not to_rebuild and not hosts:
            return Versions(base, ours, {}, {}, {}, frozenset(changed), tuple(self.notes))
        rebuilt = self._rebuilt([*to_rebuild, *inside], ours)
        base |= laid_out(rebuilt, hosts)
        ours |= {host: user.text(host) for host in hosts.values() if host in user.files}
        edited = frozenset(hosts.get(path, path) for path in changed if hosts.get(path, path) in base)
        moved = self._moved(base)
        ours |= {path: user.text(place) for path, place in moved.items()}
        return Versions(base, ours, {}, moved, hosts, edited, tuple(self.notes))

    def _rebuilt(self, paths: Collection[str], ours: Mapping[str, str]) -> dict[str, str]:
        """What was generated last, generated again, under the name that the package has now."""
        side_car = self.side_car
        rebuilt = self._made_again
        old, new = side_car.package, self.user.full_name
        located = relocated(rebuilt, old, new)
        found: dict[str, str] = {}
        for path in dict.fromkeys(paths):
            if path not in rebuilt:
                self.notes.append(f"{path}: it was made by {side_car.generator}, and is no longer generated; it stays")
                continue
            is_left = old != new and path != PACKAGE_FILE and _is_in_same(ours.get(path, ""), rebuilt[path].decode())
            found[path] = (rebuilt if is_left else located)[path].decode()
            if digest(path, rebuilt[path]) != side_car.files[path]:
                self.notes.append(
                    f"{path}: you changed it, and {side_car.generator} made it from other templates; "
                    "what the data changed is brought in, what the templates changed is left out"
                )
        return found

    def _moved(self, base: Mapping[str, str]) -> dict[str, str]:
        """The user's own files that a generated one seems to have become: it is gone, and most lines are the same."""
        user, generated = self.user, set(self.side_car.files)
        gone = [path for path in base if path not in user.files and path.endswith(".mo")]
        own = [path for path in user.modelica_files if path not in generated]
        texts = {path: Source.from_bytes(user.files[path]).text for path in own} if gone else {}
        moved: dict[str, str] = {}
        for path in gone:
            best = most_like(base[path], texts)
            if best is not None:
                moved[path] = best
                del texts[best]
        return moved

    # ------------------------------------------------------------ theirs

    def _with_theirs(self, before: Versions, new: Mapping[str, bytes]) -> Versions:
        """With what is generated now; a file of the user's that has such a name counts as their version of it."""
        assert self.theirs is not None
        user, as_before = self.user, self.theirs.as_before
        located = relocated(new, self.side_car.package, user.full_name)
        ours = {**{path: user.text(path) for path in new if path in user.files}, **before.ours}
        texts = {
            path: ours[path] if path in as_before and path in ours else data.decode() for path, data in located.items()
        }
        laid = laid_out(texts, before.hosts)
        theirs = {path: with_line_ends_of(text.encode(), ours.get(path, "").encode()) for path, text in laid.items()}
        found = evolve(before, ours=ours, theirs={path: data.decode() for path, data in theirs.items()})
        newer = [path for path in found.changed if self._is_newer(path, found)]
        note = _newer(sorted(newer)) if newer else ()
        return evolve(found, notes=(*found.notes, *([note] if newer else ())))

    def _is_newer(self, path: str, found: Versions) -> bool:
        """Is it there as it would be generated today, and not as it was?"""
        ours, theirs = found.ours.get(path), found.theirs.get(path)
        if ours is None or theirs is None or theirs == found.base.get(path):
            return False
        return not differs(ours, theirs, path)


def _older(paths: list[str]) -> str:
    return f"{_listed(paths)} as generated before the last update: older than the side-car, so nothing in it is yours"


def _newer(paths: list[str]) -> str:
    return f"{_listed(paths)} already as generated from these data: newer than the side-car"


def _listed(paths: list[str]) -> str:
    return f"{paths[0]} is" if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more are"


def _is_in_same(one: str, other: str) -> bool:
    """Do both texts say that they are in the same package? A file that still says what it said has yet to follow."""
    found = [_WITHIN.search(text) for text in (one, other)]
    return all(found) and len({each["name"] for each in found if each is not None}) == 1


def with_line_ends_of(data: bytes, like: bytes) -> bytes:
    """Git may have given all files of a package other line ends than a generated text has."""
    return data.replace(b"\n", b"\r\n") if b"\r\n" in like and b"\r\n" not in data else data


def most_like(text: str, others: Mapping[str, str]) -> str | None:
    """The one of some texts that another one seems to have become: most of their lines are the same."""
    wanted = _lines(text)
    scores = {name: _likeness(wanted, _lines(other)) for name, other in others.items()}
    best = max(scores, key=lambda name: scores[name], default=None)
    return best if best is not None and scores[best] >= _SIMILAR else None


def _likeness(one: set[str], other: set[str]) -> float:
    return len(one & other) / max(len(one), len(other), 1)


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip()}


def kept_up(user: UserPackage, before: Mapping[str, bytes], now: Mapping[str, bytes]) -> dict[str, bytes]:
    """The user's files with what is generated `now` where it was generated as `before`; what they wrote stays."""
    paths = [path for path in before.keys() & now.keys() if path.endswith(".mo")]
    hosts = hosts_of(user, paths)
    old, new = (laid_out({path: files[path].decode() for path in paths}, hosts) for files in (before, now))
    found: dict[str, bytes] = {}
    for path in old.keys() & user.files.keys():
        if old[path] != new[path]:
            ours = user.text(path)
            theirs = with_line_ends_of(new[path].encode(), ours.encode()).decode()
            text = merge(old[path], ours, theirs, prefer="ours").text
            found |= {path: user.encoded(path, text)} if text != ours else {}
    return found


# ---------------------------------------------------------------- adoption
# A package that has lost its side-car: what is as it would be generated was generated, all else is the user's.


@define
class Comparison:
    """The generated files by how they are in a package; blanks and line ends are not an edit."""

    equal: list[str] = field(factory=list)
    edited: list[str] = field(factory=list)
    missing: list[str] = field(factory=list)


def compared(user: UserPackage, generated: Mapping[str, bytes]) -> Comparison:
    """How a package has what would be generated, in whatever files its classes are."""
    found = Comparison()
    hosts = hosts_of(user, generated)
    edited = set(_edited_inside(user, generated, hosts)) if hosts else set()
    for path, data in generated.items():
        place = file_of_class(user, path)
        if place is None:
            if not is_order_inside(path, hosts):
                found.missing.append(path)
        elif place != path or path in hosts.values():
            (found.edited if path in edited else found.equal).append(path)
        elif same_content(path, user.files[path], data) or (
            is_modelica(path) and not differs(data.decode(), user.text(path), path)
        ):
            found.equal.append(path)
        else:
            found.edited.append(path)
    return found


def _edited_inside(user: UserPackage, generated: Mapping[str, bytes], hosts: Mapping[str, str]) -> Iterator[str]:
    """The generated files whose classes are in files with others, and are not as they would be generated."""
    texts = laid_out({path: data.decode() for path, data in generated.items() if is_modelica(path)}, hosts)
    for place in {*hosts.values()} & texts.keys() & user.files.keys():
        inside = {name_inside(user, path, place): path for path, host in hosts.items() if host == place}
        if place in generated:
            inside[name_inside(user, place, place)] = place
        for change in compare(texts[place], user.text(place)):
            names = [change.path[:length] for length in range(len(change.path), 0, -1)]
            yield from [inside[name] for name in names if name in inside][:1]


def in_place_of(
    user: UserPackage, folder: str, endings: tuple[str, ...], kept: Mapping[str, bytes]
) -> tuple[FileUpdate, ...]:
    """What is written for a package to keep these files, in place of those in a folder with one of the endings."""
    here = [path for path in user.files if path.rpartition("/")[0] == folder]
    new: dict[str, bytes | None] = {path: None for path in here if path.endswith(endings)}
    new |= kept
    return tuple(
        FileUpdate(user.folder / path, user.files.get(path), data)
        for path, data in sorted(new.items())
        if user.files.get(path) != data
    )
