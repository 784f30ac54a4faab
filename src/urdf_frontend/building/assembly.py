"""From a robot to all files of its package: a pure function of the robot, the full name and the options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from modelica_ast.edit import Document
from modelica_ast.generate import parent_and_name
from urdf_frontend.building.admission import admit, refuse_unusable
from urdf_frontend.building.class_files import RUN, TEST_SUFFIX, class_file, own_models
from urdf_frontend.building.documentation import package_info, robot_info
from urdf_frontend.building.joint_models import JointKind
from urdf_frontend.building.leftovers import leftovers
from urdf_frontend.building.link_models import needed_components
from urdf_frontend.building.motion_notes import motion_notes
from urdf_frontend.building.options import BuildOptions, Visualisation
from urdf_frontend.building.packages import order_file, package_document
from urdf_frontend.building.part_values import PartValues
from urdf_frontend.building.parts import (
    JOINTS,
    LINKS,
    Parts,
    link_kind,
    link_template,
    shown_collisions,
    shown_visuals,
)
from urdf_frontend.building.previous import PreviousBuild, known_files, model_inputs, robot_title
from urdf_frontend.building.resources import Resources, collect_resources, named_files
from urdf_frontend.building.result import BuiltPackage, Summary
from urdf_frontend.building.robot_model import TEMPLATE, Counts, RobotModel, needed_icons, needed_mimics
from urdf_frontend.building.run_models import ROBOT, TEST, run_model, run_template, testing_model
from urdf_frontend.building.side_car import RobotFiles, with_side_car
from urdf_frontend.building.surroundings import ORDER_FILE, PACKAGE_FILE
from urdf_frontend.building.templates import CLONE, Templates
from urdf_frontend.drawing import tree_svg
from urdf_frontend.kinematics import Kinematics, follows
from urdf_frontend.model import Robot
from urdf_frontend.names import NameTable, make_names


def build(robot: Robot, options: BuildOptions | None = None) -> BuiltPackage:
    """Make the package of a robot, for the folder that the options name; nothing is written.

    The same robot and options give the same bytes. UrdfError with all errors of a robot that can't be built, BuildError
    if something else is wrong.
    """
    options = BuildOptions() if options is None else options
    surroundings, name = admit(robot, options)
    made = robot_files(robot, surroundings.full_name(name), options)
    files = {Path(name, path): data for path, data in with_side_car(made, options).items()}
    changed: dict[Path, bytes] = {}
    for path, (old, new) in surroundings.changed_files(name, made.uses).items():
        files[path] = new
        changed[path] = old
    return BuiltPackage(name, Path(name), files, changed, made.names, made.summary)


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
        self.parent, self.name = parent_and_name(full_name)
        self.full_name = full_name
        self.kinematics = Kinematics.of(robot)
        self.counts = Counts.of(self.kinematics)
        self.templates = Templates.open(options.templates)
        self._require_templates()
        self.names = self._make_names()
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

    def _require_templates(self) -> None:
        """Say all that is missing before anything is made."""
        wanted: dict[str, dict[str, None]] = {
            TEMPLATE: {},
            run_template(stationary=self.options.stationary): {ROBOT: None},
            TEST: {},
        }
        for link in self.robot.links:
            kind = link_kind(shown_visuals(link), shown_collisions(link, self.options))
            wanted.setdefault(link_template(self.options), {}).update(dict.fromkeys(needed_components(kind)))
        for joint in self.robot.joints:
            joint_kind = JointKind.of(joint)
            wanted.setdefault(joint_kind.template, {}).update(dict.fromkeys(joint_kind.needed_components))
        for mimic in needed_mimics(self.robot):
            wanted.setdefault(mimic, {}).update({"master": None, "mimic": None})
        self.templates.require(wanted)
        icons = needed_icons(self.templates, stationary=self.options.stationary)
        self.templates.require(dict.fromkeys(icons, ()))

    def _make_names(self) -> NameTable:
        declared = {component.name for component in self.templates.clone(TEMPLATE).find_class(CLONE).components}
        return make_names(
            self.name,
            (link.name for link in self.robot.links),
            (joint.name for joint in self.robot.joints),
            style=self.options.name_style,
            known=self.options.known_names,
            reserved=declared | {self.templates.name, self.full_name.split(".", 1)[0]},
        )

    # ------------------------------------------------------------ files

    def robot_files(self) -> RobotFiles:
        files = {path.as_posix(): data for path, data in self._files()}
        return RobotFiles(
            self.full_name,
            files,
            self.robot.name,
            self.names,
            self._resource_table(),
            self._uses(),
            self._summary(self.resources),
            frozenset(self.known.reused),
        )

    def _resource_table(self) -> dict[str, str]:
        """All files that the URDF names; those that were not copied keep their names."""
        if not self.options.copy_meshes:
            return {}
        return {name: self.resources.place(name) for name in named_files(self.robot)}

    def _files(self) -> Iterator[tuple[Path, bytes]]:
        yield from self._part_files()
        yield from self._model_files()
        drawing = Path("Resources", "Images", f"{self.name}.svg")
        yield drawing, tree_svg(self.kinematics)
        info = package_info(self.kinematics, self.names, self.full_name, drawing.as_posix())
        document = package_document(
            self.name,
            f"The {self._title()}",
            within=self.parent,
            info=info,
            uses=self._uses() if self.parent is None else None,
        )
        yield Path(PACKAGE_FILE), document.text.encode()
        yield Path(ORDER_FILE), order_file([LINKS, JOINTS, self.name, self.name + RUN, self.name + TEST_SUFFIX])
        for path, data in self.resources.files.items():
            yield Path(path), data

    def _part_files(self) -> Iterator[tuple[Path, bytes]]:
        order: dict[str, list[str]] = {LINKS: [], JOINTS: []}
        for part in self.parts.classes():
            order[part.package].append(part.name)
            path = f"{part.package}/{part.name}.mo"
            yield Path(path), self.known.made(path, part.inputs, part.make)
        for package, names in order.items():
            document = package_document(package, f"{package} of the {self._title()}", within=self.full_name)
            yield Path(package, PACKAGE_FILE), document.text.encode()
            yield Path(package, ORDER_FILE), order_file(names)

    def _model_files(self) -> Iterator[tuple[Path, bytes]]:
        stationary = self.options.stationary
        robot = RobotModel(self.templates, self.kinematics, self.names, self.parts.parameters)
        run = self.name + RUN
        title = self._title()
        path = f"{self.name}.mo"
        yield Path(path), self.known.made(path, model_inputs(robot, title), lambda: self._robot_file(robot))
        running = run_model(self.templates, self.name, stationary=stationary)
        yield Path(f"{run}.mo"), self._class_file(running, run, f"The {title} in a world")
        test = self.name + TEST_SUFFIX
        testing = testing_model(self.templates, run, self.counts)
        yield Path(f"{test}.mo"), self._class_file(testing, test, f"The {title}, its joints moved to and fro")

    def _robot_file(self, robot: RobotModel) -> bytes:
        document = robot.document(stationary=self.options.stationary)
        # The template says how to make a robot. The pages of the others are true of every robot, and stay.
        document.find_class(CLONE).set_annotation("Documentation.info", robot_info(self.full_name))
        return self._class_file(document, self.name, f"The {self._title()}")

    def _class_file(self, document: Document, name: str, description: str) -> bytes:
        links = own_models(self.templates, self.full_name, self.name, stationary=self.options.stationary)
        return class_file(document, name, description, self.full_name, links)

    # ------------------------------------------------------------ words

    def _title(self) -> str:
        return robot_title(self.robot, self.name)

    def _uses(self) -> dict[str, str]:
        uses = {"Modelica": self.options.modelica_version}
        if self.templates.version is not None:
            uses[self.templates.name] = self.templates.version
        return uses

    def _summary(self, resources: Resources) -> Summary:
        followers = sum(follows(joint) for joint in self.robot.joints)
        notes = [f"it uses {self.templates.name}, which is in {self.options.templates}"]
        if self.options.visualisation is Visualisation.VISUALIZATION2:
            notes.append("it uses DLR Visualization 2, which has to be loaded")
        notes += motion_notes(self.kinematics, stationary=self.options.stationary)
        return Summary(
            package=self.full_name,
            links=len(self.robot.links),
            joints=len(self.robot.joints),
            driven=self.counts.numRotationalJoints + self.counts.numTranslationalJoints,
            followers=followers,
            left_out=(*leftovers(self.robot), *resources.problems),
            notes=tuple(notes),
        )
