"""From a robot to the file with its record and the models that move it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from modelica_ast.edit import Document
from modelica_ast.formatting import format_class
from modelica_ast.generate import CLONE, BuildError, Surroundings, Templates
from urdf_frontend.building.admission import admit
from urdf_frontend.building.result import BuiltPackage, Summary
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import Robot
from urdf_frontend.names import NameTable, make_names
from urdf_frontend.record.arrays import Arrays
from urdf_frontend.record.documentation import record_info
from urdf_frontend.record.leftovers import left_out, notes
from urdf_frontend.record.options import RecordOptions
from urdf_frontend.record.robot_record import BASE, NEEDED, TAKEN, RobotRecord
from urdf_frontend.record.structure import Structure

TEMPLATE: Final = "Examples.GenericArm"
_RECORD: Final = "Params"  # in the template
_MODELS: Final = {"ByEquations": "by its equations of motion", "ByParts": "made of MultiBody parts"}
_ROBOT: Final = "robot"  # the component
_DATA: Final = "Data"
_WIDTH: Final = 120


def build_record(robot: Robot, options: RecordOptions | None = None) -> BuiltPackage:
    """Make the record of a robot, and two models of it; nothing is written.

    The package is one file. The same robot and options give the same bytes. UrdfError with all errors of a robot that
    can't be built, BuildError if something else is wrong, or if a generic robot can't move like this one.
    """
    options = RecordOptions() if options is None else options
    surroundings, name = admit(robot, options)
    structure = Structure.of(Kinematics.of(robot))
    return _Build(robot, options, surroundings, name, structure).package()


class _Build:
    """One build, step after step."""

    def __init__(
        self, robot: Robot, options: RecordOptions, surroundings: Surroundings, name: str, structure: Structure
    ) -> None:
        self.robot = robot
        self.options = options
        self.surroundings = surroundings
        self.name = name
        self.full_name = surroundings.full_name(name)
        self.structure = structure
        self.templates = Templates.open(options.templates)
        if self.full_name.split(".", 1)[0] == self.templates.name:
            raise BuildError(f"the templates are called {self.templates.name} too: choose another name")
        self.arrays = Arrays(structure, self.templates)
        self._require_templates()
        self.names = self._make_names()

    def _require_templates(self) -> None:
        """Say all that is missing before anything is made."""
        models = {f"{TEMPLATE}.{model}": (_ROBOT,) for model in _MODELS}
        self.templates.require({TEMPLATE: (), f"{TEMPLATE}.{_RECORD}": (), **models})
        self.templates.require({BASE: NEEDED, **self.arrays.needed_parts()})

    def _make_names(self) -> NameTable:
        declared = {component.name for component in self.templates.clone(BASE).find_class(CLONE).components}
        return make_names(
            self.name,
            (link.name for link in self.robot.links),
            (joint.name for joint in self.robot.joints),
            style=self.options.name_style,
            known=self.options.known_names,
            reserved=declared | TAKEN | {self.templates.name, self.full_name.split(".", 1)[0]},
        )

    def package(self) -> BuiltPackage:
        file = Path(f"{self.name}.mo")
        files = {file: self._document().text.encode()}
        changed: dict[Path, bytes] = {}
        for path, (old, new) in self.surroundings.changed_files(self.name, self._uses()).items():
            files[path] = new
            changed[path] = old
        return BuiltPackage(self.name, file, files, changed, self.names, self._summary())

    def _document(self) -> Document:
        """The template with this robot in place of its own."""
        document = self.templates.clone(TEMPLATE)
        clone = document.find_class(CLONE)
        title = f"robot {' '.join((self.robot.name or self.name).split())}"
        record = self.name + _DATA
        with document.transaction():
            clone.find_class(_RECORD).rename(record)
            data = clone.find_class(record)
            data.set_description(f"Structure and values of the {title}")
            RobotRecord(self.robot.name, self.structure, self.names, self.templates, self.arrays).fill(data)
            for name, words in _MODELS.items():
                model = clone.find_class(name)
                model.set_description(f"The {title}, {words}")
                if model.get_annotation("Documentation.info") is not None:  # it is about the template's robot
                    model.remove_annotation("Documentation")
            clone.set_description(f"The {title} as a record")
            clone.set_annotation("Documentation.info", record_info(self.structure, self.names, self.robot.name, record))
            if self.surroundings.parent is None:
                for library, version in self._uses().items():
                    clone.set_annotation(f"uses.{library}.version", version)
            clone.rename(self.name)
            document.set_within(self.surroundings.parent)
            # Nobody can read an array of all joints on one line. The rest stays as the template has it.
            format_class(document, f"{self.name}.{record}", width=_WIDTH)
        return document

    def _uses(self) -> dict[str, str]:
        uses = {"Modelica": self.options.modelica_version}
        if self.templates.version is not None:
            uses[self.templates.name] = self.templates.version
        return uses

    def _summary(self) -> Summary:
        return Summary(
            package=self.full_name,
            links=len(self.robot.links),
            joints=len(self.robot.joints),
            driven=len(self.structure.moveable),
            followers=0,
            left_out=tuple(left_out(self.robot, self.structure)),
            notes=(
                f"it uses {self.templates.name}, which is in {self.options.templates}",
                *notes(self.structure),
            ),
        )
