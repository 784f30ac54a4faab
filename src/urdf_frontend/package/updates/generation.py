"""A robot's package as it was generated last time, and as it would be generated today.

PERF: of a robot with 200 links and one new mass, one record is made. The others are as they were generated last,
whatever that was: if the user has not touched such a file it is there, and if they have, theirs stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from modelica_ast.edit import Document
from modelica_ast.generate import (
    Generated,
    UserPackage,
    file_of_class,
    is_as_generated,
    older_files,
    templates_digest,
    untouched_files,
)
from urdf_frontend.package.builder.assembly import PreviousBuild, robot_files
from urdf_frontend.package.builder.options import BuildOptions, has_own_connectors, is_read_as_today
from urdf_frontend.package.builder.part_models import JOINTS, LINKS
from urdf_frontend.package.builder.resources import SCHEME, check_source, named_files, path_in_package, place_of_copy
from urdf_frontend.package.builder.robot_model import free_name
from urdf_frontend.package.builder.side_car import RobotFiles, generator
from urdf_frontend.package.memory import PackageMemory
from urdf_frontend.package.robot_package import RobotPackage
from urdf_frontend.robot import Named, NameTable, Robot, make_names
from urdf_frontend.urdf import MissingFileError, RefusedFileError, not_copied

# ---------------------------------------------------------------- resources
# Meshes that were copied once and are not found any more, or refused: their copies serve on.


@frozen
class LostSources:
    """Where the copies are of files that can't be copied again, and sentences about those that are refused."""

    places: dict[str, str]
    refused: tuple[str, ...]


def lost_sources(resources: Mapping[str, str], options: BuildOptions) -> LostSources:
    """Those of the files that were copied which can't be copied again."""
    lost: dict[str, str] = {}
    refused: list[tuple[str, RefusedFileError]] = []
    for filename, place in resources.items():
        if not place.startswith(SCHEME):
            continue
        try:
            check_source(filename, place, options)
        except MissingFileError:
            lost[filename] = place
        except RefusedFileError as error:
            lost[filename] = place
            refused.append((filename, error))
    return LostSources(lost, tuple(f"{line}; the copy in the package stays as it is" for line in not_copied(refused)))


def with_copies(generated: Generated, lost: LostSources, user: UserPackage, package: str) -> Generated:
    """What is generated now, with the copies of lost files; `package` is the name that they were copied for."""
    paths = [path_in_package(place, package) for place in lost.places.values()]
    copies = {path: user.files[path] for path in paths if path in user.files}
    return evolve(generated, files={**copies, **generated.files}, left_out=(*generated.left_out, *lost.refused))


def last_copies(
    resources: Mapping[str, str], named: Iterable[str], user: UserPackage, package: str
) -> dict[str, bytes]:
    """The copies in a package of files that its data named last; they stand for what can't be copied again.

    A side-car may call any file a copy: one is where copies are put.
    """
    paths = [place_of_copy(resources[name], package) for name in named if name in resources]
    return {path: user.files[path] for path in paths if path is not None and path in user.files}


# ---------------------------------------------------------------- generation


def rebuilt_base(base: PackageMemory, options: BuildOptions, user: UserPackage | None = None) -> Mapping[str, bytes]:
    """What was generated last time, generated again; with the copies of meshes, if it is said who has them."""
    side_car = base.side_car
    again = evolve(options, known_names=base.names, known_resources=side_car.resources)
    files = robot_files(base.robot, side_car.package, again).files
    if user is None:
        return files
    return last_copies(side_car.resources, named_files(base.robot), user, side_car.package) | {**files}


@frozen
class Generation:
    """Generates what a URDF file says now, for a package that was generated before; `known` are names that stay."""

    package: RobotPackage
    robot: Robot
    known: NameTable

    def generate(self, options: BuildOptions) -> tuple[RobotFiles, dict[str, str]]:
        """All files, out of the way of the user's names; and those that are as before, with their digests."""
        options = evolve(options, known_names=self.known)
        made, as_before = self._generated(options)
        free = self._names_without_clashes(made, options)
        return (made, as_before) if free is made.names else self._generated(evolve(options, known_names=free))

    def _generated(self, options: BuildOptions) -> tuple[RobotFiles, dict[str, str]]:
        base, file = self.package.base, self.package.base.side_car
        if not self._is_comparable(options):
            return robot_files(self.robot, file.package, options), {}
        known = self._known_files()
        previous = PreviousBuild(base.robot, base.names, file.resources, known)
        made = robot_files(self.robot, file.package, options, previous=previous)
        return made, {path: file.files[path] for path in known if path in made.reused}

    def _is_comparable(self, options: BuildOptions) -> bool:
        """Has the same generator made the package, from the same templates, and is it still where it was?"""
        base = self.package.base
        file, names, robot = base.side_car, base.names, base.robot
        return (
            self.known is names  # after `--rename` they are others
            and all(link.name in names.links for link in robot.links)
            and all(joint.name in names.joints for joint in robot.joints)
            and file.generator == generator()
            and is_read_as_today(file.options)
            and file.templates == templates_digest(options.templates)
            and file.package == self.package.full_name
            and has_own_connectors(file.options) == options.own_connectors
        )

    def _known_files(self) -> dict[str, bytes]:
        """The generated classes that are there. What somebody has asked about is made again, to have both sides."""
        file, user = self.package.base.side_car, self.package.user
        asked = {conflict.file for conflict in file.conflicts}
        is_as_is = self._has_gone_parts() or self.package.changed_names
        paths = untouched_files(file, user) if is_as_is else file.files.keys() & user.files.keys()
        paths = paths - older_files(file, user)
        return {path: user.files[path] for path in paths if path.endswith(".mo") and path not in asked}

    def _has_gone_parts(self) -> bool:
        """Then it counts what the user has written into each file: it may use what is gone."""
        before, now = self.package.base.robot, self.robot
        links = {link.name for link in before.links} - {link.name for link in now.links}
        return bool(links or {joint.name for joint in before.joints} - {joint.name for joint in now.joints})

    # ------------------------------------------------------------ names

    def _names_without_clashes(self, made: RobotFiles, options: BuildOptions) -> NameTable:
        """The names that were made, or others for those that the user has given to something else."""
        names, known = made.names, self.known
        new = [(LINKS, named) for name, named in names.links.items() if name not in known.links]
        new += [(JOINTS, named) for name, named in names.joints.items() if name not in known.joints]
        followers = {joint: name for joint, name in names.followers.items() if joint not in known.followers}
        if not new and not followers:
            return names
        used = _own_components(self.package, self.known)
        taken = {name for package, named in new for name in self._taken(package, named, made, used)}
        if not used.keys().isdisjoint(followers.values()):
            types = _components_in(made)
            taken |= {name for name in followers.values() if used.get(name, types[name]) != types[name]}
        if not taken:
            return names
        kept = {joint: name for joint, name in names.followers.items() if name not in taken}
        free = make_names(
            names.robot,
            (link.name for link in self.robot.links),
            (joint.name for joint in self.robot.joints),
            style=options.name_style,
            known=NameTable(names.robot, _free(names.links, taken), _free(names.joints, taken), kept),
            reserved=taken | set(used),
        )
        others = {*used, *(each.component for each in (*free.links.values(), *free.joints.values()))}
        return evolve(free, followers=_free_followers(names.followers, kept, others))

    def _taken(self, package: str, named: Named, made: RobotFiles, used: Mapping[str, str]) -> set[str]:
        """The names that something else of the user's has. What is equal to what is generated is not another thing."""
        found: set[str] = set()
        user = self.package.user
        there = [path for path in _files(package, named) if file_of_class(user, path) is not None]
        if named.class_name in self.package.new_names or not all(
            is_as_generated(user, path, made.files[path]) for path in there
        ):
            found.add(named.class_name)
        if used.get(named.component, f"{package}.{named.class_name}") != f"{package}.{named.class_name}":
            found.add(named.component)
        return found


def _components_in(made: RobotFiles) -> dict[str, str]:
    """The components of the robot's model that was made, with their types."""
    model = Document(made.files[f"{made.names.robot}.mo"].decode()).find_class(made.names.robot)
    return {each.name: str(each.type) for each in model.components}


def free_names(package: RobotPackage, robot: Robot, options: BuildOptions, known: NameTable) -> NameTable:
    """Names for all of a robot: those that are known, and for the rest such that nothing of the user's has."""
    before, user = package.base.names, package.user
    used = _own_components(package, before).keys()
    generated = {path for part in _parts(before) for path in _files(*part)}
    there = set(_parts(known))
    taken: set[str] = set()
    while True:
        names = make_names(
            known.robot,
            (link.name for link in robot.links),
            (joint.name for joint in robot.joints),
            style=options.name_style,
            known=known,
            reserved=taken,
        )
        new = [part for part in _parts(names) if part not in there]
        clashes = {named.component for _, named in new if named.component in used}
        clashes |= {
            named.class_name
            for kind, named in new
            if any(path not in generated and file_of_class(user, path) for path in _files(kind, named))
        }
        if clashes <= taken:
            return names
        taken |= clashes


def _own_components(package: RobotPackage, known: NameTable) -> dict[str, str]:
    """The components of the robot's model that no link or joint is generated as, with their types.

    One that the user has renamed counts as theirs, for nothing else can be called so.
    """
    generated = {*known.followers.values(), *(named.component for _, named in _parts(known))} - package.new_names
    return {name: type_ for name, type_ in package.components.items() if name not in generated}


def _parts(names: NameTable) -> Iterator[tuple[str, Named]]:
    yield from ((LINKS, named) for named in names.links.values())
    yield from ((JOINTS, named) for named in names.joints.values())


def _files(package: str, named: Named) -> tuple[str, str]:
    return f"{package}/{named.class_name}.mo", f"{package}/{named.parameters}.mo"


def _free_followers(names: Mapping[str, str], kept: Mapping[str, str], taken: set[str]) -> dict[str, str]:
    found = dict(kept)
    for joint, name in names.items():
        if joint not in kept:
            found[joint] = free_name(name, {*taken, *found.values()})
    return found


def _free(names: Mapping[str, Named], taken: set[str]) -> dict[str, Named]:
    return {
        name: named for name, named in names.items() if named.class_name not in taken and named.component not in taken
    }
