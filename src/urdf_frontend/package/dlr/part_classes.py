"""The classes of links and joints: copies of templates, as the script makes them, and those that extend one.

The script copies a template as a whole. What is made here extends it, `extends URDFModelica.Joints.Revolute(…)`, so
it is short, works with every version of the library, and can follow when the joint gets another type.

Whether a class is still the copy of a template, with nothing of the user's in it, can be seen only with the template
at hand. URDFModelica is looked for where the user says, around the package and where libraries are. Without it a copy
counts as edited.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import define, field

from modelica_ast.compare import Change, compare
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.foundation import ModelicaError, NotFoundError
from modelica_ast.generate import UpdateError
from modelica_ast.library import Libraries, Shelf
from urdf_frontend.package.builder.parts import JOINTS, LINKS
from urdf_frontend.package.builder.values import geometry_kind
from urdf_frontend.package.dlr.records import LIBRARY, Fields, arguments_of, known_collision, known_visual
from urdf_frontend.robot import JointType, Link, Named

PARAMETERS: Final = {LINKS: "linkParams", JOINTS: "jointParams"}
_LINK: Final = f"{LIBRARY}.Links.Link"
_LINK_OF_VISUALIZATION2: Final = f"{LIBRARY}.Links.Link_Visualization2"
_JOINTS: Final = f"{LIBRARY}.Joints."
# What the copy of a template has inside, by the last name of the component's type.
_INSIDE: Final = {"Prismatic": "prismatic", "Planar": "planar", "FreeMotion": "floating", "Revolute": "revolute"}
JOINT_TEMPLATES: Final[Mapping[JointType, str]] = {
    each: f"{_JOINTS}{each.value.capitalize()}" for each in JointType if each is not JointType.UNKNOWN
}
_TEMPLATES: Final = frozenset({_LINK, _LINK_OF_VISUALIZATION2, *JOINT_TEMPLATES.values()})
# The script leaves out the shapes that a link does not have, and what they are connected with.
_LEFT_OUT: Final = ("visual", "collision", "trafoVisual", "trafoCollision")
_LINES: Final = 4  # how far the values of a record are indented
_INNER_LINES: Final = 6


def script_link_template(*, visualization2: bool) -> str:
    """The template that a new link extends."""
    return _LINK_OF_VISUALIZATION2 if visualization2 else _LINK


def joint_template(type_: JointType) -> str:
    """The template that a joint of this type extends."""
    return JOINT_TEMPLATES[type_]


def new_model(package: str, within: str, named: Named, template: str) -> str:
    """The model of a new link or joint; `package` is Links or Joints."""
    document = Document("")
    model = document.add_class(named.class_name)
    with document.transaction():
        document.set_within(f"{within}.{package}")
        model.add_extends(template)
        model.redeclare_in_extends(template, PARAMETERS[package], named.parameters)
    return document.text


def new_record(package: str, within: str, named: Named, base: str, fields: Fields) -> str:
    """The record of a new link or joint, with all fields in calls as the script writes them."""
    document = Document("")
    record = document.add_class(named.parameters, "record")
    with document.transaction():
        document.set_within(f"{within}.{package}")
        record.add_extends(base)
        record.set_extends_modifiers(base, arguments_of(fields, _INNER_LINES), indent=_LINES)
        record.set_annotation("preferredView", "text")
    return document.text


def extended_template(model: ClassHandle) -> str | None:
    """The template of URDFModelica that a class extends; None for a copy of one, and for what the user has made."""
    return next((base for base in model.extends if base in _TEMPLATES), None)


def joint_family(model: ClassHandle) -> str | None:
    """What a joint's model moves like; a continuous joint is one that is revolute. None if that can't be seen."""
    template = extended_template(model)
    if template is not None:
        return family_of(JointType(template.removeprefix(_JOINTS).lower()))
    inside = {each.type.split(".")[-1] for each in model.components if ".MultiBody.Joints." in each.type}
    if len(inside) == 1:
        return _INSIDE.get(inside.pop())
    fixed = any(each.type.endswith("MultiBody.Parts.FixedRotation") for each in model.components)
    return "fixed" if fixed and not inside else None


def family_of(type_: JointType) -> str:
    """The types that one model can serve for."""
    return "revolute" if type_ is JointType.CONTINUOUS else type_.value


def flange_of(family: str) -> str | None:
    """The array of flanges of the robot that such a joint is connected to: `rotational` or `translational`."""
    return {"revolute": "rotational", "prismatic": "translational"}.get(family)


def shapes_of(link: Link) -> set[str]:
    """The components that show a link, as the script calls them: `visualMesh`, `collisionBox`."""
    visual, collision = known_visual(link), known_collision(link)
    found = set()
    for side, shape in (("visual", visual), ("collision", collision)):
        if shape is not None:
            found.add(f"{side}{(geometry_kind(shape.geometry) or '').capitalize()}")
    return found


def missing_shapes(model: ClassHandle, link: Link) -> set[str]:
    """The shapes that a copy of the template lacks, for the URDF file did not have them when it was made."""
    if extended_template(model) is not None:
        return set()
    declared = {component.name for component in model.components}
    is_copy = "trafoInertial" in declared
    return shapes_of(link) - declared if is_copy else set()


# ---------------------------------------------------------------- copies of templates


@define
class TemplateCopies:
    """Compares classes with the templates of a library; without a library no class is known to be a copy."""

    library: Path | None
    _libraries: Libraries | None = field(default=None, init=False)
    _known: dict[tuple[str, str], bool] = field(factory=dict, init=False)

    def is_copy(self, text: str, name: str, package: str, template: str) -> bool:
        """Is this the text of a class that the script has copied from a template, and nobody has changed since?"""
        if self.library is None:
            return False
        key = (text, template)
        if key not in self._known:
            self._known[key] = self._is_copy(text, name, package, template)
        return self._known[key]

    def _is_copy(self, text: str, name: str, package: str, template: str) -> bool:
        original = self._template(template)
        if original is None:
            return False
        document = Document(text)
        original.classes[0].rename(name)
        document.set_within(None)
        return all(_is_of_script(change, PARAMETERS[package]) for change in compare(original.text, document.text))

    def _template(self, template: str) -> Document | None:
        assert self.library is not None, "there is one to look into"
        try:
            if self._libraries is None:
                self._libraries = Libraries([], read_only=[self.library])
            definition = self._libraries.find_class(template).view.text
        except NotFoundError:
            return None
        except (ModelicaError, OSError) as wrong:
            raise UpdateError(f"the templates in {self.library} can't be read: {wrong}") from None
        document = Document("")
        document.insert_class(definition)
        return document


def template_library(given: Path | None, package: Path) -> Path | None:
    """Where URDFModelica is; UpdateError if what the user has named is another library."""
    if given is not None:
        if given.stem != LIBRARY and not (given.is_dir() and given.resolve().name == LIBRARY):
            raise UpdateError(f"--templates {given}: the package was made from the templates of {LIBRARY}")
        return given
    return Shelf(around=[package]).find(LIBRARY)


def _is_of_script(change: Change, parameters: str) -> bool:
    inside = change.path[1] if len(change.path) > 1 else ""
    if inside == parameters:
        return change.what in {"prefix", "type", "annotation", "constraint"}
    if change.kind != "removed":
        return False
    if change.what == "connection":
        return any(f"({name}" in inside or f" {name}" in inside for name in _LEFT_OUT)
    return change.what == "component" and inside.startswith(_LEFT_OUT)
