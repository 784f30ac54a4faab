"""The URDF file of a robot has changed, the package follows, and what its user wrote stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from modelica_ast.generate import (
    DataPlace,
    Generated,
    Memory,
    Part,
    Plan,
    Update,
    UserPackage,
    versions_of,
    work_out,
)
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.building.robot_model import mimic_components
from urdf_frontend.building.settings import options_of
from urdf_frontend.building.side_car import RobotFiles, kept_files, side_car_of
from urdf_frontend.model import Robot
from urdf_frontend.names import Named, NameTable
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.generation import Generation, rebuilt_base
from urdf_frontend.update.keeping import Kept
from urdf_frontend.update.options import SIDE, WORD, UpdateOptions
from urdf_frontend.update.renaming import probable_renames, renamed
from urdf_frontend.update.resources import lost_sources, with_copies
from urdf_frontend.update.urdf_values import urdf_values


def update_robot(kept: Kept, user: UserPackage, urdf: ReadResult, options: UpdateOptions) -> Update:
    """Work out what a new URDF file means for a package of this project; nothing is written."""
    return work_out(_Updating(kept, user, urdf, options).plan(), options.decisions)


class _Updating:
    """One update, step after step."""

    def __init__(self, kept: Kept, user: UserPackage, urdf: ReadResult, options: UpdateOptions) -> None:
        self.disk = user
        self.urdf = urdf
        self.options = options
        document = urdf.document
        self.build_options = evolve(
            options_of(kept.file.options, options.templates, kept.shown_file),
            urdf=None if document is None else document.path,
            packages=options.packages,
        )
        self.robot: Robot = urdf.usable_robot(allowed=self.build_options.allowed)
        self.questions = () if options.no_renames else probable_renames(kept.robot, self.robot, options.renames)
        self.renamed = renamed(kept, user, options.renames, self.robot, self.build_options)
        self.kept = self.renamed.kept
        self.user = self.renamed.user

    def plan(self) -> Plan:
        kept, user = self.kept, self.user
        lost = lost_sources(kept.file.resources, self.build_options)
        options = evolve(self.build_options, known_resources=lost.places)
        made, as_before = Generation(kept, user, self.robot, self.renamed.known).generate(options)
        anew = Generated(made.files, made.resources, made.summary.left_out, as_before)
        generated = with_copies(anew, lost, user, kept.file.package)
        made = evolve(made, files=generated.files)
        values = urdf_values(self.urdf, made.names, self.build_options)

        def place(file: str, path: str) -> DataPlace | None:
            found = values.get((file, path))
            return None if found is None else found.place

        return Plan(
            user=user,
            disk=self.disk,
            side_car=kept.file,
            versions=versions_of(kept.file, user, lambda: rebuilt_base(kept, self.build_options), generated),
            generated=generated,
            places=place,
            remember=lambda memory: self._remembered(made, as_before, memory),
            word=WORD,
            side=SIDE,
            model=f"{kept.name}.mo",
            gone=(*gone_parts(self.renamed.known, made.names), *self._gone_mimics(made)),
            outside=self.renamed.outside,
            questions=self.questions,
            former=lambda: versions_of(kept.file, user, lambda: rebuilt_base(kept, self.build_options)),
        )

    def _gone_mimics(self, made: RobotFiles) -> Iterator[Part]:
        """The elements that made joints follow others, which do so no more."""
        now = {name for _, name in mimic_components(self.robot, made.names)}
        names, robot = self.kept.names, self.kept.robot
        if all(joint.name in names.joints for joint in robot.joints):  # after a rename they have the new names
            for joint, name in mimic_components(robot, names):
                if name not in now:
                    yield Part("follower", joint.name, (), name)

    def _remembered(self, made: RobotFiles, as_before: Mapping[str, str], memory: Memory) -> dict[str, bytes | None]:
        side_car = side_car_of(
            made,
            self.build_options,
            package=self.kept.file.package,
            digests=as_before,
            before=memory.before,
            conflicts=memory.conflicts,
            kept=memory.kept,
        )
        older = dict.fromkeys(self.kept.older)
        return {**older, **kept_files(side_car, self.kept.name, self.urdf)}


def gone_parts(before: NameTable, now: NameTable) -> list[Part]:
    """The links and joints that only the first table has."""
    links = [_part(LINKS, "link", named) for name, named in before.links.items() if name not in now.links]
    return links + [_part(JOINTS, "joint", named) for name, named in before.joints.items() if name not in now.joints]


def _part(package: str, what: str, named: Named) -> Part:
    files = (f"{package}/{named.class_name}.mo", f"{package}/{named.parameters}.mo")
    return Part(what, named.urdf, files, named.component)
