"""The three versions of a package that an update merges: what was generated last, the user's, what is generated now."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from attrs import evolve, frozen

from modelica_ast import Source
from urdf_frontend.building import BuildOptions
from urdf_frontend.update.digests import digest, is_modelica
from urdf_frontend.update.generating import Generated, generate
from urdf_frontend.update.keeping import Kept, WithBase
from urdf_frontend.update.relocating import relocated
from urdf_frontend.update.user_package import UserPackage

_PACKAGE_FILE: Final = "package.mo"
_WITHIN: Final = re.compile(r"^[^\S\n]*within\s+(?P<name>[^;]*?)\s*;", re.MULTILINE)
_SIMILAR: Final = 0.5  # share of equal lines from which a new file of the user's counts as a generated one, moved


@frozen
class Versions:
    """Texts by the paths of the generated files. `moved` says where the user has such a file now."""

    base: Mapping[str, str]
    ours: Mapping[str, str]
    theirs: Mapping[str, str]
    moved: Mapping[str, str]
    changed: frozenset[str]  # generated files that the user has edited, moved or removed
    notes: tuple[str, ...]

    def place(self, path: str) -> str:
        """Where the user has a generated file."""
        return self.moved.get(path, path)


def untouched_files(kept: WithBase, user: UserPackage) -> frozenset[str]:
    """The generated files that are as they were generated."""
    return frozenset(
        path
        for path, recorded in kept.file.files.items()
        if path in user.files and digest(path, user.files[path]) == recorded
    )


def base_and_ours(kept: Kept, user: UserPackage, options: BuildOptions, as_before: Collection[str] = ()) -> Versions:
    """What was generated last, and the user's."""
    return base_beside_ours(kept, user, lambda: rebuilt_base(kept, options).files, as_before)


def base_beside_ours(
    kept: WithBase, user: UserPackage, rebuild: Callable[[], Mapping[str, bytes]], as_before: Collection[str] = ()
) -> Versions:
    """What was generated last, and the user's; only texts that are merged, Modelica and package.order.

    `rebuild` generates once more what was generated last.

    PERF: what the user did not touch is its own base, so a package without edits is not built again. What is generated
    as before leaves the user's file as it is, so that may be its base as well.
    """
    untouched = untouched_files(kept, user)
    wanted = [path for path in kept.file.files if is_modelica(path)]
    ours = {path: user.text(path) for path in wanted if path in user.files}
    base = {path: ours[path] for path in wanted if path in untouched or path in as_before}
    changed = [path for path in wanted if path not in untouched]
    to_rebuild = [path for path in changed if path not in as_before]
    if not to_rebuild:
        return Versions(base, ours, {}, {}, frozenset(changed), ())
    rebuilt = rebuild()
    old, new = kept.file.package, user.full_name
    located = relocated(rebuilt, old, new)
    notes: list[str] = []
    for path in to_rebuild:
        if path not in rebuilt:
            notes.append(f"{path}: it was made by {kept.file.generator}, and is no longer generated; it stays")
            continue
        is_left = old != new and path != _PACKAGE_FILE and _is_in_same(ours.get(path, ""), rebuilt[path].decode())
        base[path] = (rebuilt if is_left else located)[path].decode()
        if digest(path, rebuilt[path]) != kept.file.files[path]:
            notes.append(
                f"{path}: you changed it, and {kept.file.generator} made it from other templates; "
                "what the URDF changed is brought in, what the templates changed is left out"
            )
    moved = _moved_files(base, user, set(kept.file.files))
    ours |= {path: user.text(place) for path, place in moved.items()}
    return Versions(base, ours, {}, moved, frozenset(changed), tuple(notes))


def with_theirs(versions: Versions, kept: WithBase, user: UserPackage, theirs: Generated) -> Versions:
    """With what is generated now; a file of the user's that has such a name counts as their version of it."""
    new = {path: data for path, data in theirs.files.items() if is_modelica(path)}
    located = relocated(new, kept.file.package, user.full_name)
    ours = {**{path: user.text(path) for path in new if path in user.files}, **versions.ours}
    texts = {
        path: ours[path] if path in theirs.as_before else _with_line_ends(data.decode(), ours.get(path, ""))
        for path, data in located.items()
    }
    return evolve(versions, ours=ours, theirs=texts)


def rebuilt_base(kept: Kept, options: BuildOptions) -> Generated:
    """What was generated last time, generated again."""
    again = evolve(options, known_names=kept.names, known_resources=kept.file.resources)
    return generate(kept.robot, kept.file.package, again)


def _is_in_same(one: str, other: str) -> bool:
    """Do both texts say that they are in the same package? A file that still says what it said has yet to follow."""
    found = [_WITHIN.search(text) for text in (one, other)]
    return all(found) and len({each["name"] for each in found if each is not None}) == 1


def _with_line_ends(text: str, like: str) -> str:
    """Git may have given all files of a package other line ends than a generated text has."""
    return text.replace("\n", "\r\n") if "\r\n" in like else text


def _moved_files(base: Mapping[str, str], user: UserPackage, generated: set[str]) -> dict[str, str]:
    """The user's own files that a generated one seems to have become: it is gone, and most lines are the same."""
    gone = [path for path in base if path not in user.files and path.endswith(".mo")]
    own = [path for path in user.modelica_files if path not in generated]
    lines = {path: _lines(Source.from_bytes(user.files[path]).text) for path in own} if gone else {}
    moved: dict[str, str] = {}
    for path in gone:
        wanted = _lines(base[path])
        scores = {place: len(wanted & found) / max(len(wanted), len(found), 1) for place, found in lines.items()}
        best = max(scores, key=lambda place: scores[place], default=None)
        if best is not None and scores[best] >= _SIMILAR:
            moved[path] = best
            del lines[best]
    return moved


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip()}
