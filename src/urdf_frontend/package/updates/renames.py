"""Links and joints that have a new name in the URDF: those that the user names, and those that are probably so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

import attrs
from attrs import define, evolve, field, frozen

from modelica_ast.foundation import split_name
from modelica_ast.generate import (
    ChangedName,
    Followed,
    Generated,
    Outside,
    Part,
    Question,
    SideCar,
    UpdateError,
    Versions,
    digest,
    followed,
    is_modelica,
    kept_up,
    most_like,
    renamed_package,
    untouched_files,
    versions_of,
    with_line_ends_of,
)
from urdf_frontend.package.builder.options import BuildOptions
from urdf_frontend.package.builder.part_models import JOINTS, LINKS
from urdf_frontend.package.builder.side_car import names_json
from urdf_frontend.package.robot_package import RobotPackage
from urdf_frontend.package.updates.generation import free_names, rebuilt_base
from urdf_frontend.robot import Joint, Kinematics, Link, Named, NameTable, Robot, last_name

_LIKELY: Final = 0.5  # share of equal values from which one part counts as another, renamed
_SHOWN: Final = 3
_MANY: Final = 50  # parts with other values, up to which one may have passed its name on

Pair = tuple[str, Named, Named]  # package, old names, new names


@frozen
class Renamed:
    """A package after its links and joints were renamed; nothing is written.

    `known` are the names by what the new URDF file calls things. `outside` are files of the library around the package
    that refer to what was renamed: what is in them, and what will be.
    """

    package: RobotPackage
    known: NameTable
    outside: Outside


def renamed(package: RobotPackage, renames: Mapping[str, str], robot: Robot, options: BuildOptions) -> Renamed:
    """Rename; UpdateError if a name is not what it should be, or if something else has the new one."""
    kept, user = package.base, package.user
    if not renames:
        return Renamed(package, kept.names, {})
    pairs = renamed_parts(package, renames, robot, options)
    untouched = untouched_files(kept.side_car, user)
    before, made = rebuilt_base(kept, options), kept.side_car.files  # under the old names
    changed = list(names_in_package(kept.table.robot, pairs))
    after = renamed_package(user, changed)
    names, known = (_with_names(kept.names, pairs, is_new=is_new) for is_new in (False, True))
    paths: dict[str, str] = {}
    for kind, old, new in pairs:
        paths[f"{kind}/{old.class_name}.mo"] = f"{kind}/{new.class_name}.mo"
        paths[f"{kind}/{old.parameters}.mo"] = f"{kind}/{new.parameters}.mo"
    moved = {paths.get(path, path): found for path, found in kept.side_car.files.items()}
    plain = names_json(kept.side_car.names.get("urdf"), names)
    kept = evolve(kept, side_car=evolve(kept.side_car, names=plain, files=moved, before={}))
    base = rebuilt_base(kept, options)
    # What the user did not touch is as it would have been generated under the new name.
    fresh = {paths.get(path, path) for path in untouched if is_modelica(path)} & base.keys()
    now = after.user.files
    files = {**now, **{path: with_line_ends_of(base[path], now.get(path, b"")) for path in fresh}}
    moves = [(old, ".".join((*split_name(old)[:-1], new))) for old, new in changed]
    files |= kept_up(evolve(user, files=files), followed(before, kept.side_car.package, moves).files, base)
    same = {paths.get(path, path) for path, data in before.items() if digest(path, data) == made.get(path)}
    known_texts = (fresh | same) & base.keys()
    recorded = {path: digest(path, base[path]) if path in known_texts else found for path, found in moved.items()}
    kept = evolve(kept, side_car=evolve(kept.side_car, files=recorded))
    return Renamed(package.with_files(evolve(user, files=files), kept), known, after.outside)


def _with_names(table: NameTable, pairs: Sequence[Pair], *, is_new: bool) -> NameTable:
    """The table with the new names of what is renamed, by what the new URDF file calls that, or the old one."""
    sides = {LINKS: dict(table.links), JOINTS: dict(table.joints)}
    for package, old, _ in pairs:
        del sides[package][old.urdf]
    for package, old, new in pairs:
        urdf = new.urdf if is_new else old.urdf
        sides[package][urdf] = evolve(new, urdf=urdf)
    joints = {old.urdf: new.urdf for package, old, new in pairs if package == JOINTS} if is_new else {}
    followers = {joints.get(joint, joint): name for joint, name in table.followers.items()}
    return NameTable(table.robot, sides[LINKS], sides[JOINTS], followers)


def names_in_package(model: str, pairs: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    """What is renamed, by its name in the package, and its new last name."""
    for package, old, new in pairs:
        yield f"{model}.{old.component}", new.component
        yield f"{package}.{old.class_name}", new.class_name
        yield f"{package}.{old.parameters}", new.parameters


def renamed_parts(package: RobotPackage, renames: Mapping[str, str], robot: Robot, options: BuildOptions) -> list[Pair]:
    """(package, old names, new names) of each part that is renamed; all of them are renamed at once.

    The new names are out of the way of what the user has, as those of new parts are.
    """
    kept = package.base.names
    sides = {
        LINKS: (kept.links, [link.name for link in robot.links]),
        JOINTS: (kept.joints, [joint.name for joint in robot.joints]),
    }
    fitting = {kind: _fitting(renames, before, now) for kind, (before, now) in sides.items()}
    for old, new in renames.items():
        if not any(old in each for each in fitting.values()):
            raise UpdateError(_why_not(old, new, sides))
        others = [other for other in renames if renames[other] == new]
        if len(others) > 1:
            raise UpdateError(f"--rename: {' and '.join(others)} can't both become '{new}'")
    table = NameTable(
        kept.robot,
        {name: named for name, named in kept.links.items() if name not in fitting[LINKS]},
        {name: named for name, named in kept.joints.items() if name not in fitting[JOINTS]},
    )
    names = free_names(package, robot, options, table)
    return [
        (kind, sides[kind][0][old], names.link(new) if kind == LINKS else names.joint(new))
        for kind, pairs in fitting.items()
        for old, new in pairs.items()
    ]


def _fitting(renames: Mapping[str, str], before: Collection[str], now: Collection[str]) -> dict[str, str]:
    """The renames of links, or of joints: from one that is gone to one that is new, but for those that are renamed."""
    found = {old: new for old, new in renames.items() if old in before and new in now}
    while True:
        fits = {
            old: new
            for old, new in found.items()
            if (old not in now or old in found.values()) and (new not in before or new in found)
        }
        if len(fits) == len(found):
            return found
        found = fits


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

    A name may also have gone over from one to another: `a` is `b` now, and what was `b` is `c`. Those that are `known`
    to be renamed need none.
    """
    links = _Likeness("link", before.links, now.links, known, _LinkFacts.of_both(before, now, known)).questions()
    names = {**known, **{each.old: each.new for each in links}}
    joints = _Likeness("joint", before.joints, now.joints, known, _JointFacts(names)).questions()
    return (*links, *joints)


@define(slots=False)
class _Likeness:
    """Links, or joints, of before and now, and the pairs of them that are much like each other."""

    what: str
    before: Sequence[Link] | Sequence[Joint]
    now: Sequence[Link] | Sequence[Joint]
    known: Mapping[str, str]
    facts: _LinkFacts | _JointFacts

    def questions(self) -> list[Question]:
        """The pairs that are most alike; of several that are equally so, the first of the file."""
        old, new = self._facts
        others = {name for name in old.keys() & new.keys() if old[name] != new[name]}
        if len(others) > _MANY:
            others = set()  # a robot that is another one as a whole
        while True:
            gone = [name for name in old if name not in new or name in others]
            found = self._pairs(gone, [name for name in new if name not in old or name in others])
            # A name that went over from one to another has come from a third one too.
            loose = others - ({each.new for each in found} & {each.old for each in found})
            if not loose:
                return found
            others -= loose

    @cached_property
    def _facts(self) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
        """What is known of each, before and now, by their names."""
        before = [each for each in self.before if each.name not in self.known]
        now = [each for each in self.now if each.name not in self.known.values()]
        return (
            {each.name: self.facts.of(each, is_old=True) for each in before},
            {each.name: self.facts.of(each, is_old=False) for each in now},
        )

    def _compared(self, old_name: str, new_name: str) -> tuple[float, list[str]]:
        """The share of values that are the same, and those that are not."""
        one, two = self._facts[0].get(old_name, {}), self._facts[1].get(new_name, {})
        every = {**one, **two}
        differing = [key for key in every if one.get(key) != two.get(key)]
        return (1 - len(differing) / len(every) if every else 0.0), differing

    def _pairs(self, gone: Sequence[str], new: Sequence[str]) -> list[Question]:
        own = {name: self._compared(name, name)[0] for name in {*gone, *new}}  # how much a name still says the same
        pairs = []
        for at, old in enumerate(gone):
            for other in new:
                share, differing = self._compared(old, other)
                if share >= _LIKELY and share > max(own[old], own[other]):
                    pairs.append((-share, at, old, other, differing))
        found: dict[str, Question] = {}
        for _, _, old_name, new_name, differing in sorted(pairs):
            if old_name not in found and new_name not in {each.new for each in found.values()}:
                changed = tuple(key for key in differing if not key.startswith("of "))
                is_passed_on = new_name in self._facts[0] or old_name in self._facts[1]
                found[old_name] = Question(self.what, old_name, new_name, changed[:_SHOWN], is_passed_on)
        return list(found.values())


@frozen
class _LinkFacts:
    """What a link is known by: its values, and the joint that it is attached to."""

    before: Kinematics
    now: Kinematics
    known: Mapping[str, str]

    @classmethod
    def of_both(cls, before: Robot, now: Robot, known: Mapping[str, str]) -> _LinkFacts:
        """Those of two robots."""
        return cls(Kinematics.of(before), Kinematics.of(now), known)

    def of(self, link: Link | Joint, *, is_old: bool) -> dict[str, str]:
        above = (self.before if is_old else self.now).joint_above(link.name)
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


# ---------------------------------------------------------------- layout
# What is generated for a package, as its user calls and places it: what they have renamed or moved, follows first.

_Value = TypeVar("_Value")


@define(frozen=True, slots=False)
class Layout:
    """What was generated last, which `rebuild` generates again, and what is generated now, if it is known."""

    package: RobotPackage
    rebuild: Callable[[], Mapping[str, bytes]]
    made: Generated = field(factory=lambda: Generated({}))

    @cached_property
    def names(self) -> tuple[ChangedName, ...]:
        """What the user calls otherwise, as far as both versions can have these names."""
        return self._both[1].names if self._wanted else ()

    @cached_property
    def _wanted(self) -> tuple[ChangedName, ...]:
        return (*self.package.changed_names, *self._models())

    def _models(self) -> Iterator[ChangedName]:
        """The models with the robot in them that have other names."""
        package, files = self.package, self.package.base.side_car.files
        gone = [name for name in package.built_models if f"{name}.mo" in files and not package.has_class(name)]
        texts = package.own_models if gone else {}
        for name in gone:
            new = most_like(self._built[f"{name}.mo"].decode(), texts)
            if new is not None:
                yield name, new.removeprefix(f"{package.full_name}.")

    @cached_property
    def side_car(self) -> SideCar:
        """What was generated last, by its paths of now."""
        side_car = self.package.base.side_car
        return self._base.side_car(side_car, self._built) if self.names else side_car

    @cached_property
    def generated(self) -> Generated:
        """What is generated now, by its paths of now."""
        if not self.names:
            return self.made
        return evolve(self.made, files=self._both[1].files, as_before={})

    @property
    def former(self) -> Versions:
        """What was generated last, and what the user has."""
        return versions_of(self.side_car, self.package.user, lambda: self._base.files)

    @property
    def versions(self) -> Versions:
        """All three."""
        return versions_of(self.side_car, self.package.user, lambda: self._base.files, self.generated)

    def path(self, generated: str) -> str:
        """What a generated file is called."""
        return self._paths.get(generated, generated)

    def values(self, values: Mapping[tuple[str, str], _Value]) -> dict[tuple[str, str], _Value]:
        """Values by their files, as those are called."""
        return {(self.path(file), path): value for (file, path), value in values.items()}

    def part(self, part: Part) -> Part:
        """A link, joint or follower as it is called."""
        model = self.package.base.table.robot
        component = dict(self.names).get(f"{model}.{part.component}")
        classes = tuple(map(self.path, part.classes))
        return evolve(part, classes=classes, component=last_name(component) if component else part.component)

    # ------------------------------------------------------------ what follows

    @cached_property
    def _built(self) -> Mapping[str, bytes]:
        return self.rebuild()

    @cached_property
    def _base(self) -> Followed:
        return self._both[0] if self.names else self._followed(self._built, ())

    @cached_property
    def _both(self) -> tuple[Followed, Followed]:
        base = self._followed(self._built, self._wanted)
        made = self._followed(self.made.files, base.names)
        return (base if base.names == made.names else self._followed(self._built, made.names)), made

    def _followed(self, files: Mapping[str, bytes], names: tuple[ChangedName, ...]) -> Followed:
        return followed(files, self.package.base.side_car.package, names)

    @cached_property
    def _paths(self) -> Mapping[str, str]:
        return {**self._both[0].paths, **self._both[1].paths} if self.names else {}
