"""The URDF file of a robot has changed, the package follows, and what its user wrote stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import evolve, frozen

from modelica_ast.compare import compare
from modelica_ast.generate import (
    FileUpdate,
    Generated,
    Memory,
    Part,
    Plan,
    Update,
    UpdateError,
    UserPackage,
    Versions,
    class_chain,
    compared,
    file_of_class,
    in_place_of,
    parent_and_name,
    save_updates,
    short,
    untouched_files,
    value_key,
    work_out,
)
from urdf_frontend.package.builder.assembly import robot_files
from urdf_frontend.package.builder.options import BuildOptions, options_of
from urdf_frontend.package.builder.part_models import JOINTS, LINKS
from urdf_frontend.package.builder.part_values import LEAF_FRAMES
from urdf_frontend.package.builder.side_car import FOLDER, RobotFiles, kept_files, side_car_of
from urdf_frontend.package.dlr.part_classes import DifferingValue
from urdf_frontend.package.memory import BASE, NAMES, PackageMemory, read_settings
from urdf_frontend.package.robot_package import RobotPackage
from urdf_frontend.package.updates.export import places_of, urdf_values
from urdf_frontend.package.updates.generation import Generation, lost_sources, rebuilt_base, with_copies
from urdf_frontend.package.updates.options import SIDE, WORD, UpdateOptions
from urdf_frontend.package.updates.renames import Layout, probable_renames, renamed
from urdf_frontend.robot import (
    MOTION_VALUES,
    PARAMETERS,
    Named,
    NameStyle,
    NameTable,
    Robot,
    last_name,
    make_names,
)
from urdf_frontend.urdf import ReadResult


def update_robot(package: RobotPackage, urdf: ReadResult, options: UpdateOptions) -> Update:
    """Work out what a new URDF file means for a package of this project; nothing is written."""
    return work_out(_Updating(package, urdf, options).plan(), options.decisions)


class _Updating:
    """One update, step after step."""

    def __init__(self, package: RobotPackage, urdf: ReadResult, options: UpdateOptions) -> None:
        self.disk = package.user
        self.urdf = urdf
        self.options = options
        document = urdf.document
        asked = options_of(package.base.options, options.templates, package.base.shown_file)
        self.build_options = evolve(
            asked,
            urdf=None if document is None else document.path,
            packages=options.packages,
            own_connectors=asked.own_connectors or _has_untouched_diagram(package),
        )
        self.robot: Robot = urdf.usable_robot(allowed=self.build_options.allowed)
        before = package.base.robot
        self.questions = () if options.no_renames else probable_renames(before, self.robot, options.renames)
        self.renamed = renamed(package, options.renames, self.robot, self.build_options)
        self.package = self.renamed.package
        self.base = self.package.base

    def plan(self) -> Plan:
        side_car, user = self.base.side_car, self.package.user
        lost = lost_sources(side_car.resources, self.build_options)
        options = evolve(self.build_options, known_resources=lost.places)
        made, as_before = Generation(self.package, self.robot, self.renamed.known).generate(options)
        anew = Generated(made.files, made.resources, made.summary.left_out, as_before)
        generated = with_copies(anew, lost, user, side_car.package)
        made = evolve(made, files=generated.files)
        layout = Layout(self.package, lambda: rebuilt_base(self.base, self.build_options, user), generated)
        values = layout.values(urdf_values(self.urdf, made.names, self.build_options))

        gone = (*gone_parts(self.renamed.known, made.names), *self._gone_followers(made.names))
        versions = layout.versions
        return Plan(
            user=user,
            disk=self.disk,
            side_car=layout.side_car,
            versions=versions,
            generated=layout.generated,
            places=places_of(values),
            remember=lambda memory: self._remembered(made, as_before, memory),
            word=WORD,
            side=SIDE,
            models=(layout.path(f"{self.base.table.robot}.mo"),),
            gone=tuple(map(layout.part, gone)),
            outside=self.renamed.outside,
            questions=self.questions,
            attention=tuple(self._other_units(layout, versions)),
            former=lambda: layout.former,
        )

    def _gone_followers(self, now: NameTable) -> Iterator[Part]:
        """The elements that made joints follow others, which do so no more."""
        for joint, name in self.base.names.followers.items():
            if name not in now.followers.values():
                yield Part("follower", joint, (), name)

    def _other_units(self, layout: Layout, versions: Versions) -> Iterator[str]:
        """What the user has written into the record of a joint that turned and slides now, or the other way round."""
        for joint in self.package.base.robot.joints:
            now = self.robot.get_joint(self.options.renames.get(joint.name, joint.name))
            named = self.base.names.joints.get(joint.name)
            if now is None or named is None or not (joint.type.is_single and now.type.is_single):
                continue
            file = layout.path(f"{JOINTS}/{named.parameters}.mo")
            key = versions.hosts.get(file, file)
            if joint.type.is_rotational == now.type.is_rotational or key not in versions.changed & versions.ours.keys():
                continue
            verbs = ("turns", "slides") if joint.type.is_rotational else ("slides", "turns")
            for change in compare(versions.base[key], versions.ours[key]):
                found, path = value_key(key, change.path, change.class_name)
                is_other = any(f"{each}.".startswith(f"{path}.") for each in MOTION_VALUES)
                if found == file and path and is_other and change.new is not None and change.new_span is not None:
                    yield (
                        f"{versions.place(file)}:{change.new_span.start.line}: the joint '{now.name}' {verbs[1]} now: "
                        f"{path} is your {short(change.new)}, in the unit of one that {verbs[0]}"
                    )

    def _remembered(self, made: RobotFiles, as_before: Mapping[str, str], memory: Memory) -> dict[str, bytes | None]:
        side_car = side_car_of(
            made,
            self.build_options,
            package=self.base.side_car.package,
            digests=as_before,
            before={} if self.package.changed_names else memory.before,
            conflicts=memory.conflicts,
            kept=memory.kept,
        )
        older = dict.fromkeys(self.base.older)
        return {**older, **kept_files(side_car, self.base.name, self.urdf)}


def _has_untouched_diagram(package: RobotPackage) -> bool:
    """Is the robot's model as it was generated? Then it is made anew, with connectors of its own."""
    base = package.base
    return f"{base.table.robot}.mo" in untouched_files(base.side_car, package.user)


def gone_parts(before: NameTable, now: NameTable, folder: str = "") -> list[Part]:
    """The links and joints that only the first table has; `folder` is that of a package in the package, with a `/`."""
    tables = ((LINKS, "link", before.links, now.links), (JOINTS, "joint", before.joints, now.joints))
    return [
        Part(what, named.urdf, files_of(f"{folder}{package}", named), named.component)
        for package, what, then, today in tables
        for name, named in then.items()
        if name not in today
    ]


def files_of(package: str, named: Named) -> tuple[str, str]:
    """The files of the model and of the record of a link or joint."""
    return f"{package}/{named.class_name}.mo", f"{package}/{named.parameters}.mo"


# ---------------------------------------------------------------- adoption
# A package whose base is lost: what is equal to a build of the URDF file becomes base, all else is the user's.


@frozen
class Adoption:
    """The files that keep the base of a package, and the files that were generated by how they are now.

    Of a package that URDFModelica's script has made, only the records are looked at: `edited` are those with values
    that the URDF file does not have, which are in `values`, and `notes` are sentences about what else was found.
    """

    package: str
    folder: Path
    files: tuple[FileUpdate, ...]
    equal: tuple[str, ...]
    edited: tuple[str, ...]
    missing: tuple[str, ...]
    origin: str | None = None  # the library whose script has made the package, if it is not one of this project
    values: tuple[DifferingValue, ...] = ()
    notes: tuple[str, ...] = ()

    def save(self) -> None:
        """Write the files that keep the base: all, or none."""
        save_updates(self.folder, self.files)


def adopt_robot(package: RobotPackage, urdf: ReadResult, options: BuildOptions, *, force: bool = False) -> Adoption:
    """Work out the base of a package of this project; UpdateError if it is not one of such a robot.

    Without `force` it is not one either if the package or the URDF file lacks some of the other's links and joints.
    """
    settings, user = read_settings(package.folder), package.user
    parent, last = parent_and_name(user.full_name)
    name = last if settings is None else settings.names.robot
    robot, full_name = urdf.usable_robot(allowed=options.allowed), f"{parent}.{name}" if parent else name
    if settings is not None:
        options = evolve(options, known_names=settings.names)
    elif options.name_style is NameStyle.AS_IS:
        options = evolve(options, name_style=_style_of(user, robot, name))
    made = robot_files(robot, full_name, options)
    side_car = side_car_of(made, options)
    again = package.with_files(user, PackageMemory(package.folder, name, side_car))
    if LEAF_FRAMES not in again.components:
        options = evolve(options, own_connectors=False)
        made = robot_files(robot, full_name, options)
        side_car = side_car_of(made, options)
    generated = Layout(again, lambda: made.files, Generated(made.files)).generated.files
    _refuse_other_robots(again, generated)
    if not force:
        _refuse_other_parts(again)
    found = compared(user, generated)
    files = files_in_place(user, kept_files(side_car, name, urdf))
    return Adoption(user.full_name, user.folder, files, tuple(found.equal), tuple(found.edited), tuple(found.missing))


def _style_of(user: UserPackage, robot: Robot, name: str) -> NameStyle:
    """As it is built today, or as it was when names were escaped: the style of which it has more classes."""

    def there(style: NameStyle) -> int:
        names = make_names(name, (link.name for link in robot.links), (each.name for each in robot.joints), style=style)
        paths = [f"{LINKS}/{named.class_name}.mo" for named in names.links.values()]
        paths += [f"{JOINTS}/{named.class_name}.mo" for named in names.joints.values()]
        return sum(file_of_class(user, path) is not None for path in paths)

    return max((NameStyle.AS_IS, NameStyle.ESCAPED), key=there)


def files_in_place(user: UserPackage, kept: Mapping[str, bytes]) -> tuple[FileUpdate, ...]:
    """What is written for a package to keep these files, in place of what it has kept before."""
    return in_place_of(user, FOLDER, (BASE, NAMES, ".json"), kept)


def refuse_strangers(user: UserPackage, there: int, wanted: int, why: str) -> None:
    """Less than half of what was generated: then this is something else, and an update would make a mess of it."""
    if 2 * there < wanted:
        raise UpdateError(f"{user.folder} is not a package of this robot: {why}")


def _refuse_other_robots(package: RobotPackage, generated: Iterable[str]) -> None:
    classes = [path for path in generated if path.endswith(".mo") and "/" in path]
    there = sum(package.has_class(".".join(class_chain(path))) for path in classes)
    why = f"of the {len(classes)} classes of its links and joints {there} are there; if it was built with other names, "
    refuse_strangers(package.user, there, len(classes), f"{why}say --names")


def _refuse_other_parts(package: RobotPackage) -> None:
    """A URDF file of another day as base: the next update would take what it has not for the user's own."""
    names, called = package.base.table, dict(package.changed_names)
    own = dict(package.components)
    classes: set[str] = set()
    lacking: list[str] = []
    for what, folder, table in (("link", LINKS, names.links), ("joint", JOINTS, names.joints)):
        for named in table.values():
            component, class_name = f"{names.robot}.{named.component}", f"{folder}.{named.class_name}"
            class_name = called.get(class_name, class_name)
            classes.add(class_name)
            is_there = own.pop(last_name(called.get(component, component)), None) is not None
            if not is_there and not package.has_class(class_name):
                lacking.append(f"the {what} '{named.urdf}'")
    others = sorted(type_ for type_ in {*own.values()} - classes if _is_of_part(package, type_))
    said = [f"the package lacks {', '.join(lacking)}"] if lacking else []
    if others:
        said.append(f"the URDF file lacks what {', '.join(others)} {'is' if len(others) == 1 else 'are'} for")
    if said:
        raise UpdateError(
            f"{package.folder} was not built from this URDF file: {' and '.join(said)}. Take the file that it was "
            "built from last. With --force it is adopted anyway: what the URDF file lacks counts as yours then, "
            "and what the package lacks as removed by you"
        )


def _is_of_part(package: RobotPackage, type_: str) -> bool:
    """Is this a class that is generated for a link or joint? They have a record beside them."""
    around = type_.partition(".")[0]
    return around in {LINKS, JOINTS} and all(package.has_class(name) for name in (type_, f"{type_}{PARAMETERS}"))
