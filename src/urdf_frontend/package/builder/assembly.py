"""From a robot to all files of its package: a pure function of the robot, the full name and the options."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from attrs import define, evolve, field, frozen

from modelica_ast.edit import Workspace
from modelica_ast.foundation import read_regular
from modelica_ast.generate import PACKAGE_FILE, BuildError, ChangedError, Templates, parent_and_name
from modelica_ast.library import Copy, copy_in, files_of, refuse_others, versioned
from urdf_frontend.package.builder.documentation import package_info, robot_info
from urdf_frontend.package.builder.notes import leftovers, motion_notes
from urdf_frontend.package.builder.options import BuildOptions, BuiltPackage, Summary, Visualisation
from urdf_frontend.package.builder.part_models import JOINTS, LINKS, Parts
from urdf_frontend.package.builder.part_values import PartValues
from urdf_frontend.package.builder.resources import collect_resources, named_files
from urdf_frontend.package.builder.robot_model import Counts, RobotModel, mimic_components, robot_template
from urdf_frontend.package.builder.scaffold import Scaffold, admit, part_files, refuse_unusable
from urdf_frontend.package.builder.side_car import RobotFiles, with_side_car
from urdf_frontend.robot import Kinematics, NameTable, Robot, follows, make_names, tree_svg

# ---------------------------------------------------------------- previous
# What the same generator has made of a robot before: a class whose inputs are the same is not made again.


@frozen
class PreviousBuild:
    """A build with the same options and templates, for the same package.

    `files` has what is known of its files, by their paths in the package with `/`. `resources` says what files of the
    URDF were called in Modelica.
    """

    robot: Robot
    names: NameTable
    resources: Mapping[str, str]
    files: Mapping[str, bytes] = field(repr=False)


@define
class KnownFiles:
    """The files of a previous build with their inputs; `reused` grows."""

    files: Mapping[str, tuple[str, bytes]] = field(factory=dict)
    reused: set[str] = field(factory=set)

    def made(self, path: str, inputs: str, make: Callable[[], bytes]) -> bytes:
        """The file of the previous build if it was made from the same inputs, or else a new one."""
        known = self.files.get(path)
        if known is None or known[0] != inputs:
            return make()
        self.reused.add(path)
        return known[1]


def known_files(
    previous: PreviousBuild | None, name: str, full_name: str, templates: Templates, options: BuildOptions
) -> KnownFiles:
    """What is known; nothing without a previous build."""
    if previous is None:
        return KnownFiles()
    places = previous.resources
    values = PartValues(templates.name, lambda filename: places.get(filename, filename))
    parts = Parts(previous.robot, previous.names, full_name, templates, values, options)
    inputs = {f"{part.package}/{part.name}.mo": part.inputs for part in parts.classes()}
    model = RobotModel(
        templates,
        Kinematics.of(previous.robot),
        previous.names,
        parts.parameters,
        own_connectors=options.own_connectors,
    )
    inputs[f"{name}.mo"] = model_inputs(model, robot_title(previous.robot, name))
    return KnownFiles({path: (inputs[path], data) for path, data in previous.files.items() if path in inputs})


def robot_title(robot: Robot, name: str) -> str:
    """What the descriptions of a robot's classes call it; `name` is that of its package."""
    return f"robot {' '.join((robot.name or name).split())}"


def model_inputs(model: RobotModel, title: str) -> str:
    """All that the file of the robot's model depends on but the templates."""
    return f"{title}\n{model.inputs}"


# ---------------------------------------------------------------- assembly


def build(robot: Robot, options: BuildOptions | None = None) -> BuiltPackage:
    """Make the package of a robot, for the folder that the options name; nothing is written.

    The same robot and options give the same bytes. UrdfError with all errors of a robot that can't be built, BuildError
    if something else is wrong.
    """
    options = BuildOptions() if options is None else options
    surroundings, name = admit(robot, options)
    full_name = surroundings.full_name(name)
    made = robot_files(robot, full_name, options)
    scaffold = Scaffold(full_name, robot_title(robot, name), options)
    return scaffold.built(surroundings, with_side_car(made, options), made.names, made.summary)


def build_models(robot: Robot, options: BuildOptions) -> BuiltPackage:
    """The same package as `build` makes, without records, pictures and meshes: enough to look at the robot's model."""
    surroundings, name = admit(robot, options)
    made = _Build(robot, surroundings.full_name(name), options, None).models()
    files = {Path(name, path): data for path, data in with_side_car(made, options).items()}
    return BuiltPackage(name, Path(name), files, {}, made.names, made.summary)


def robot_files(
    robot: Robot, full_name: str, options: BuildOptions, *, previous: PreviousBuild | None = None
) -> RobotFiles:
    """All files of the package of this full name. What is on the disk counts only where meshes are copied from.

    PERF: what a previous build has made from the same inputs is taken over, as it is there.
    """
    refuse_unusable(robot, options)
    return _Build(robot, full_name, options, previous).robot_files()


class _Build:
    """One build, step after step."""

    def __init__(self, robot: Robot, full_name: str, options: BuildOptions, previous: PreviousBuild | None) -> None:
        self.robot = robot
        self.options = options
        self.full_name = full_name
        self.name = parent_and_name(full_name)[1]
        self.scaffold = Scaffold(full_name, robot_title(robot, self.name), options)
        self.templates = self.scaffold.templates
        self.kinematics = Kinematics.of(robot)
        self.counts = Counts.of(self.kinematics)
        classes = self.scaffold.require([robot])
        known = options.known_names
        names = make_names(
            self.name,
            (link.name for link in robot.links),
            (joint.name for joint in robot.joints),
            style=options.name_style,
            known=known,
            reserved=self.scaffold.reserved(robot_template(self.templates, own_connectors=options.own_connectors)),
            reserved_classes=classes,
        )
        names = names if known is None else evolve(names, followers=known.followers)
        self.names = evolve(names, followers={joint.name: name for joint, name in mimic_components(robot, names)})
        self.resources = collect_resources(robot, self.full_name, options)
        self.parts = Parts(
            robot,
            self.names,
            self.full_name,
            self.templates,
            PartValues(self.templates.name, self.resources.place),
            options,
        )
        self.known = known_files(previous, self.name, self.full_name, self.templates, options)

    def robot_files(self) -> RobotFiles:
        return self._made(self._files())

    def models(self) -> RobotFiles:
        return self._made(self._models())

    def _made(self, files: Iterable[tuple[str, bytes]]) -> RobotFiles:
        return RobotFiles(
            self.full_name,
            dict(files),
            self.robot.name,
            self.names,
            self._resource_table(),
            self._summary(),
            frozenset(self.known.reused),
        )

    def _resource_table(self) -> dict[str, str]:
        """All files that the URDF names; those that were not copied keep their names."""
        if not self.options.copy_meshes:
            return {}
        return {name: self.resources.place(name) for name in named_files(self.robot)}

    def _files(self) -> Iterator[tuple[str, bytes]]:
        yield from part_files(
            self.parts.classes(),
            self.scaffold.title,
            self.full_name,
            lambda path, part: self.known.made(path, part.inputs, part.make),
        )
        yield f"{self.name}.mo", self._robot_file()
        yield from self.scaffold.run_and_test(self.counts)
        drawing = f"Resources/Images/{self.name}.svg"
        yield drawing, tree_svg(self.kinematics)
        yield from self.scaffold.package(
            package_info(self.kinematics, self.names, self.full_name, drawing), [LINKS, JOINTS]
        )
        for path, data in self.resources.files.items():
            yield path.as_posix(), data

    def _models(self) -> Iterator[tuple[str, bytes]]:
        models = (part for part in self.parts.classes() if not part.is_record)
        yield from part_files(models, self.scaffold.title, self.full_name, lambda _, part: part.make())
        yield f"{self.name}.mo", self._robot_file()
        yield from self.scaffold.package("", [LINKS, JOINTS])

    def _robot_file(self) -> bytes:
        model = RobotModel(
            self.templates,
            self.kinematics,
            self.names,
            self.parts.parameters,
            own_connectors=self.options.own_connectors,
        )

        def make() -> bytes:
            document = model.document(stationary=self.options.stationary)
            return self.scaffold.robot_file(document, robot_info(self.full_name))

        return self.known.made(f"{self.name}.mo", model_inputs(model, self.scaffold.title), make)

    def _summary(self) -> Summary:
        followers = sum(follows(joint) for joint in self.robot.joints)
        notes = [*motion_notes(self.kinematics, stationary=self.options.stationary), self.scaffold.templates_note]
        if self.options.visualisation is Visualisation.VISUALIZATION2:
            notes.append("it uses DLR Visualization 2, which has to be loaded")
        return Summary(
            package=self.full_name,
            links=len(self.robot.links),
            joints=len(self.robot.joints),
            driven=self.counts.numRotationalJoints + self.counts.numTranslationalJoints,
            followers=followers,
            left_out=(*leftovers(self.robot), *self.resources.problems),
            notes=tuple(notes),
        )


# ---------------------------------------------------------------- disk
# A built package on the disk: all of its files, or none.


def write(built: BuiltPackage, into: str | os.PathLike[str]) -> bool:
    """Write all files, or none; `into` is the folder that the package was built for, and is made if it is not there.

    False if all of them already exist as they were built. BuildError if another package is there, ChangedError if a
    file of the library has changed since the build.
    """
    folder = Path(into).absolute()
    if is_written(built, folder):
        return False
    workspace_of(built, folder).save()
    return True


class DifferingPackageError(BuildError):
    """There is another package of this name: one that was built from another file, or edited."""


def is_written(built: BuiltPackage, into: Path) -> bool:
    """Are all files there already? DifferingPackageError if there is another package of this name."""
    place = into / built.folder
    if not place.exists():
        return False
    for path, data in built.files.items():
        if _content(into / path) != data:
            raise DifferingPackageError(
                f"{place} already exists, and differs: bring it up to date with 'modelica-patch urdf update', move it "
                "away, or choose another name with --name"
            )
    return True


def library_beside(built: BuiltPackage, into: Path, templates: Path) -> Copy:
    """The place for a copy of the templates' library, beside the library that a package is in."""
    folder = into.absolute()
    if Path(PACKAGE_FILE) in built.files:
        folder = folder.parent
    while (folder / PACKAGE_FILE).is_file():
        folder = folder.parent
    return copy_in(versioned(templates), folder)


def with_library(built: BuiltPackage, into: Path, copy: Copy) -> BuiltPackage:
    """A built package with the copy of a library, if there is none; LibraryError if something else is there."""
    refuse_others([copy], "remove it or move it away, or build without a copy of it")
    if copy.state == "same":
        return built
    place = Path(os.path.relpath(copy.place, into.absolute()))
    files = {place / path: data for path, data in files_of(copy.library).items()}
    notes = (*built.summary.notes, f"a copy of {copy.library.name} goes to {copy.place}")
    return evolve(built, files={**built.files, **files}, summary=evolve(built.summary, notes=notes))


def _content(path: Path) -> bytes | None:
    """What is in a file; None if there is none that can be read."""
    try:
        return read_regular(path)
    except OSError:
        return None


def workspace_of(built: BuiltPackage, into: Path) -> Workspace:
    """The files in a workspace that has not been saved yet."""
    paths = {path: Path(os.path.normpath(into / path)) for path in built.files}
    folder = Path(os.path.commonpath([into, *(path.parent for path in paths.values())]))
    while not folder.is_dir():  # the save makes what is missing, with the files or not at all
        folder = folder.parent
    workspace = Workspace(folder)
    for path, old in built.changed.items():
        if workspace.others.there(paths[path]) != old:
            raise ChangedError(f"{paths[path]} has changed since the package was built: build it again")
    for path, data in built.files.items():
        workspace.others.write(paths[path], data)
    return workspace
