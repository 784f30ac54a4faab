"""Links and joints that have a new name in the URDF: those that the user names, and those that are probably so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
from attrs import evolve, frozen

from modelica_ast.generate import (
    Outside,
    Question,
    UpdateError,
    UserPackage,
    digest,
    is_modelica,
    renamed_package,
    untouched_files,
    with_line_ends_of,
)
from urdf_frontend.building import BuildOptions
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import Joint, Link, Robot
from urdf_frontend.names import Named, NameTable, make_names
from urdf_frontend.update.generation import rebuilt_base
from urdf_frontend.update.keeping import Kept

_LIKELY: Final = 0.5  # share of equal values from which one part counts as another, renamed
_SHOWN: Final = 3

Pair = tuple[str, Named, Named]  # package, old names, new names


@frozen
class Renamed:
    """A package after its links and joints were renamed; nothing is written.

    `known` are the names by what the new URDF file calls things. `outside` are files of the library around the package
    that refer to what was renamed: what is in them, and what will be.
    """

    kept: Kept
    user: UserPackage
    known: NameTable
    outside: Outside


def renamed(kept: Kept, user: UserPackage, renames: Mapping[str, str], robot: Robot, options: BuildOptions) -> Renamed:
    """Rename; UpdateError if a name is not what it should be, or if something else has the new one."""
    if not renames:
        return Renamed(kept, user, kept.names, {})
    pairs = renamed_parts(kept, renames, robot, options)
    untouched = untouched_files(kept.file, user)
    before, made = rebuilt_base(kept, options), kept.file.files  # under the old names
    after = renamed_package(user, names_in_package(kept.name, pairs))
    names = NameTable(kept.names.robot, dict(kept.names.links), dict(kept.names.joints))
    known = NameTable(kept.names.robot, dict(kept.names.links), dict(kept.names.joints))
    paths: dict[str, str] = {}
    for package, old, new in pairs:
        for table, urdf in ((names, old.urdf), (known, new.urdf)):
            side = table.links if package == LINKS else table.joints
            assert isinstance(side, dict)
            del side[old.urdf]
            side[urdf] = evolve(new, urdf=urdf)
        paths[f"{package}/{old.class_name}.mo"] = f"{package}/{new.class_name}.mo"
        paths[f"{package}/{old.parameters}.mo"] = f"{package}/{new.parameters}.mo"
    moved = {paths.get(path, path): found for path, found in kept.file.files.items()}
    kept = evolve(kept, names=names, file=evolve(kept.file, files=moved, before={}))
    base = rebuilt_base(kept, options)
    # What the user did not touch is as it would have been generated under the new name.
    fresh = {paths.get(path, path) for path in untouched if is_modelica(path)} & base.keys()
    now = after.user.files
    files = {**now, **{path: with_line_ends_of(base[path], now.get(path, b"")) for path in fresh}}
    same = {paths.get(path, path) for path, data in before.items() if digest(path, data) == made.get(path)}
    known_texts = (fresh | same) & base.keys()
    recorded = {path: digest(path, base[path]) if path in known_texts else found for path, found in moved.items()}
    kept = evolve(kept, file=evolve(kept.file, files=recorded))
    return Renamed(kept, evolve(user, files=files), known, after.outside)


def names_in_package(model: str, pairs: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    """What is renamed, by its name in the package, and its new last name."""
    for package, old, new in pairs:
        yield f"{model}.{old.component}", new.component
        yield f"{package}.{old.class_name}", new.class_name
        yield f"{package}.{old.parameters}", new.parameters


def renamed_parts(kept: Kept, renames: Mapping[str, str], robot: Robot, options: BuildOptions) -> list[Pair]:
    """(package, old names, new names) of each part that is renamed."""
    sides = {
        LINKS: (kept.names.links, [link.name for link in robot.links]),
        JOINTS: (kept.names.joints, [joint.name for joint in robot.joints]),
    }
    found: list[tuple[str, str, str]] = []
    for old, new in renames.items():
        fitting = [
            (package, old, new)
            for package, (before, now) in sides.items()
            if old in before and old not in now and new in now and new not in before
        ]
        if not fitting:
            raise UpdateError(_why_not(old, new, sides))
        found += fitting
    gone = {(package, old) for package, old, _ in found}
    table = make_names(
        kept.names.robot,
        (link.name for link in robot.links),
        (joint.name for joint in robot.joints),
        style=options.name_style,
        known=NameTable(
            kept.names.robot,
            {name: named for name, named in kept.names.links.items() if (LINKS, name) not in gone},
            {name: named for name, named in kept.names.joints.items() if (JOINTS, name) not in gone},
        ),
    )
    return [
        (package, sides[package][0][old], table.link(new) if package == LINKS else table.joint(new))
        for package, old, new in found
    ]


def _why_not(old: str, new: str, sides: Mapping[str, tuple[Mapping[str, Named], list[str]]]) -> str:
    start = f"--rename {old}={new}: "
    if not any(old in before for before, _ in sides.values()):
        return f"{start}the package has no link or joint '{old}'"
    if not any(new in now for _, now in sides.values()):
        return f"{start}the URDF file has no link or joint '{new}'"
    if any(old in before and old in now for before, now in sides.values()):
        return f"{start}the URDF file still has '{old}', so it was not renamed"
    return f"{start}there is a '{new}' in the package already, or one is a link and the other a joint"


# ---------------------------------------------------------------- probable renames


def probable_renames(before: Robot, now: Robot, known: Mapping[str, str]) -> tuple[Question, ...]:
    """A question for each link or joint that seems to have another name: one is gone, and a new one is much like it.

    Those that are `known` to be renamed need none.
    """
    links = _likely("link", *_only_in(before.links, now.links, known), _LinkFacts(before, now, known))
    names = {**known, **{each.old: each.new for each in links}}
    joints = _likely("joint", *_only_in(before.joints, now.joints, known), _JointFacts(names))
    return (*links, *joints)


_Items = Sequence[Link] | Sequence[Joint]


def _only_in(before: _Items, now: _Items, known: Mapping[str, str]) -> tuple[list[Link | Joint], list[Link | Joint]]:
    old, new = {each.name for each in before}, {each.name for each in now}
    return (
        [each for each in before if each.name not in new and each.name not in known],
        [each for each in now if each.name not in old and each.name not in known.values()],
    )


def _likely(
    what: str, gone: Sequence[Link | Joint], new: Sequence[Link | Joint], facts: _LinkFacts | _JointFacts
) -> list[Question]:
    """The pairs that are most alike; of several that are equally so, the first of the file."""
    pairs = []
    for at, old in enumerate(gone):
        for other in new:
            one, two = facts.of(old, is_old=True), facts.of(other, is_old=False)
            same = sum(one.get(key) == value for key, value in two.items())
            share = same / len({*one, *two}) if one or two else 0.0
            if share >= _LIKELY:
                differing = [key for key in {**one, **two} if one.get(key) != two.get(key)]
                pairs.append((-share, at, old.name, other.name, differing))
    found: dict[str, Question] = {}
    for _, _, old_name, new_name, differing in sorted(pairs):
        if old_name not in found and new_name not in {each.new for each in found.values()}:
            changed = tuple(key for key in differing if not key.startswith("of "))
            found[old_name] = Question(what, old_name, new_name, changed[:_SHOWN])
    return list(found.values())


@frozen
class _LinkFacts:
    """What a link is known by: its values, and the joint that it hangs on."""

    before: Robot
    now: Robot
    known: Mapping[str, str]

    def of(self, link: Link | Joint, *, is_old: bool) -> dict[str, str]:
        above = Kinematics.of(self.before if is_old else self.now).joint_above(link.name)
        found = dict(_facts("", link))
        if above is not None:
            name = self.known.get(above.name, above.name) if is_old else above.name
            found["of the joint above"] = name
            found["of the link above"] = self.known.get(above.parent, above.parent) if is_old else above.parent
        return found


@frozen
class _JointFacts:
    """What a joint is known by: its values, and the links that it is between, as the new file calls them."""

    names: Mapping[str, str]

    def of(self, joint: Link | Joint, *, is_old: bool) -> dict[str, str]:
        assert isinstance(joint, Joint)
        found = dict(_facts("", evolve(joint, parent_reference=None, child_reference=None)))
        for key, name in (("of parent", joint.parent), ("of child", joint.child)):
            found[key] = self.names.get(name, name) if is_old else name
        return found


def _facts(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """The values in a part of a robot by their paths, but for its name."""
    if attrs.has(type(value)) and not hasattr(value, "text"):
        for attribute in attrs.fields(type(value)):
            if attribute.eq and not (not path and attribute.name == "name"):
                inside = f"{path}.{attribute.name}" if path else attribute.name
                yield from _facts(inside, getattr(value, attribute.name))
    elif isinstance(value, tuple) and any(attrs.has(type(each)) and not hasattr(each, "text") for each in value):
        for number, each in enumerate(value, 1):
            yield from _facts(f"{path}[{number}]", each)
    elif value not in (None, ()):
        yield path, repr(value)
