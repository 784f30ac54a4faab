"""The URDF file of a robot has changed, the package follows, and what its user wrote stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from modelica_ast.generate import Generated, Memory, Part, Plan, Update, work_out
from urdf_frontend.package.builder.options import options_of
from urdf_frontend.package.builder.parts import JOINTS, LINKS
from urdf_frontend.package.builder.side_car import RobotFiles, kept_files, side_car_of
from urdf_frontend.package.robot_package import RobotPackage
from urdf_frontend.package.updates.export import places_of, urdf_values
from urdf_frontend.package.updates.generation import Generation, lost_sources, rebuilt_base, with_copies
from urdf_frontend.package.updates.options import SIDE, WORD, UpdateOptions
from urdf_frontend.package.updates.renames import Layout, probable_renames, renamed
from urdf_frontend.robot import Named, NameTable, Robot
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
        self.build_options = evolve(
            options_of(package.base.options, options.templates, package.base.shown_file),
            urdf=None if document is None else document.path,
            packages=options.packages,
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
        return Plan(
            user=user,
            disk=self.disk,
            side_car=layout.side_car,
            versions=layout.versions,
            generated=layout.generated,
            places=places_of(values),
            remember=lambda memory: self._remembered(made, as_before, memory),
            word=WORD,
            side=SIDE,
            models=(layout.path(f"{self.base.table.robot}.mo"),),
            gone=tuple(map(layout.part, gone)),
            outside=self.renamed.outside,
            questions=self.questions,
            former=lambda: layout.former,
        )

    def _gone_followers(self, now: NameTable) -> Iterator[Part]:
        """The elements that made joints follow others, which do so no more."""
        for joint, name in self.base.names.followers.items():
            if name not in now.followers.values():
                yield Part("follower", joint, (), name)

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
