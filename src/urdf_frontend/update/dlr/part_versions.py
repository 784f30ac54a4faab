"""Links and joints of a package of the script in three versions: their records, and the models that must follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import define, field

from modelica_ast.edit import ClassHandle
from modelica_ast.generate import UserPackage
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.model import JointType, Robot
from urdf_frontend.names import NameTable
from urdf_frontend.update.dlr.fields import LIBRARY, Fields
from urdf_frontend.update.dlr.gone import DEFAULTS, fields_of, files_of
from urdf_frontend.update.dlr.part_classes import (
    JOINT_TEMPLATES,
    PARAMETERS,
    extended_template,
    family_of,
    joint_family,
    joint_template,
    link_template,
    missing_shapes,
    new_model,
    new_record,
)
from urdf_frontend.update.dlr.record_texts import get_record, with_fields
from urdf_frontend.update.dlr.script_package import RECORDS, ScriptPackage, opened
from urdf_frontend.update.dlr.structure import NewPart, Role
from urdf_frontend.update.dlr.template_copies import TemplateCopies

_VISUALIZATION2: Final = "Visualization2."
_OTHER_OF_FAMILY: Final = {
    JointType.REVOLUTE: JointType.CONTINUOUS,
    JointType.CONTINUOUS: JointType.REVOLUTE,
}


@define
class PartVersions:
    """Collects texts by their files, and sentences about what can't be brought in.

    `names` has all links and joints of both robots. `old_fields` are what the records had to have for the old URDF
    file, by what the new one calls the parts.
    """

    user: UserPackage
    package: ScriptPackage
    names: NameTable
    old: Robot
    new: Robot
    old_fields: Mapping[Role, Fields]
    copies: TemplateCopies
    base: dict[str, str] = field(factory=dict)
    ours: dict[str, str] = field(factory=dict)
    theirs: dict[str, str] = field(factory=dict)
    notes: list[str] = field(factory=list)
    added: dict[str, list[str]] = field(factory=lambda: {LINKS: [], JOINTS: []})  # classes, by package
    removed: set[str] = field(factory=set)  # files

    def kept_part(self, role: Role, part: NewPart) -> None:
        """A part that both URDF files have."""
        model, record = files_of(part)
        old, new = self.old_fields[role], fields_of(self.new, role)
        assert new is not None, "both robots have it"
        base = RECORDS[part.package]
        if record not in self.user.files:  # the user has removed it
            within = self.user.full_name
            self.base[record] = new_record(part.package, within, part.named, base, old)
            self.theirs[record] = new_record(part.package, within, part.named, base, new)
            return
        text = self.user.text(record)
        self.ours[record] = text
        if get_record(opened(self.user, record), base) is None:
            self.base[record] = self.theirs[record] = text
            if old != new:
                self.notes.append(f"{record}: it does not extend {base}, so what the URDF changed in it is left out")
            return
        defaults = DEFAULTS[part.package]
        self.base[record] = with_fields(text, base, old, defaults)
        # PERF: most parts are the same in both URDF files, and to read a record takes most of the time.
        self.theirs[record] = self.base[record] if old == new else with_fields(text, base, new, defaults)
        found = self._class(model, part.named.class_name)
        if found is not None and part.package == LINKS:
            self._follow_shapes(role[1], part, found, model)
        elif found is not None:
            self._follow_type(role[1], part, found, model)

    def new_part(self, role: Role, part: NewPart) -> None:
        """A part that only the new URDF file has."""
        model, record = files_of(part)
        fields = fields_of(self.new, role)
        assert fields is not None, "it is one of the new robot"
        if record in self.user.files:
            self.notes.append(f"{record}: it was there before the URDF had '{role[1]}', so its values stay")
            return
        within = self.user.full_name
        joint = self.new.get_joint(role[1])
        is_link = part.package == LINKS or joint is None
        template = self._link_template() if is_link or joint is None else joint_template(joint.type)
        self.theirs[model] = new_model(part.package, within, part.named, template)
        self.theirs[record] = new_record(part.package, within, part.named, RECORDS[part.package], fields)
        self.added[part.package] += [part.named.class_name, part.named.parameters]

    def gone_part(self, part: NewPart, *, stays: bool) -> None:
        """A part that only the old URDF file has. Its classes go if they are known to be as they were made."""
        what = "link" if part.package == LINKS else "joint"
        start = f"the {what} '{part.named.urdf}' is not in the URDF any more"
        if stays:
            self.notes.append(f"{start}; it stays, for you have changed or used it")
            return
        paths = [path for path in files_of(part) if path in self.user.files]
        if self._is_as_made(part):
            for path in paths:
                self.base[path] = self.ours[path] = self.user.text(path)
            self.removed |= {*paths}
        else:
            self.notes.append(f"{start}, and not in the robot; {' and '.join(paths)} stay: {self._why_kept('them')}")

    def families(self, robot: Robot) -> Mapping[str, str]:
        """What the model of each joint moves like. A copy of a template that stays does not change with the URDF."""
        return dict(self._found_families(robot))

    # ------------------------------------------------------------ models that follow

    def _follow_shapes(self, name: str, part: NewPart, found: ClassHandle, path: str) -> None:
        """The copy of a template has only the shapes that the link had when it was made."""
        link = self.new.get_link(name)
        missing = set() if link is None else missing_shapes(found, link)
        if missing:
            why = f"the URDF asks for {', '.join(sorted(missing))}, which is not in this copy of a template"
            self._make_anew(part, path, self._link_template(), why)

    def _follow_type(self, name: str, part: NewPart, found: ClassHandle, path: str) -> None:
        """The model of a joint whose type is another now."""
        before, joint = self.old.get_joint(name), self.new.get_joint(name)
        assert before is not None, "both robots have it"
        assert joint is not None, "both robots have it"
        template, wanted = extended_template(found), joint_template(joint.type)
        if template is not None:
            self.ours[path] = self.user.text(path)
            self.base[path] = self._with_template(path, found.name, template, joint_template(before.type))
            self.theirs[path] = self._with_template(path, found.name, template, wanted)
        elif (
            before.type is not joint.type
            or joint_family(found) not in {family_of(joint.type), None}
            or self._is_copy_of_the_other(part, joint.type, path)
        ):
            why = f"the joint is {joint.type.value} in the URDF, and its model is a copy of another template"
            self._make_anew(part, path, wanted, why)

    def _with_template(self, path: str, name: str, template: str, wanted: str) -> str:
        if template == wanted:
            return self.user.text(path)
        document = opened(self.user, path)
        model = document.find_class(name)
        parameters = model.get_extends_redeclaration(template, PARAMETERS[JOINTS])
        with document.transaction():
            model.remove_extends(template)
            model.add_extends(wanted)
            if parameters is not None:
                model.redeclare_in_extends(wanted, PARAMETERS[JOINTS], parameters)
        return document.text

    def _make_anew(self, part: NewPart, path: str, template: str, why: str) -> None:
        """A copy of a template becomes a class that extends one, if nothing of the user's is in it."""
        if self._is_copy(part, path):
            self.base[path] = self.ours[path] = self.user.text(path)
            self.theirs[path] = new_model(part.package, self.user.full_name, part.named, template)
        else:
            self.notes.append(f"{path}: {why}; it stays: {self._why_kept('it')}; or let it extend {template}")

    def _why_kept(self, what: str) -> str:
        if self.copies.library is None:
            return f"you may have edited {what}, which --templates with the folder of {LIBRARY} tells"
        return f"you have edited {what}"

    def _is_copy(self, part: NewPart, path: str) -> bool:
        """Is a model the unchanged copy of a template?"""
        templates = [self._link_template()] if part.package == LINKS else JOINT_TEMPLATES.values()
        text, name = self.user.text(path), part.named.class_name
        return any(self.copies.is_copy(text, name, part.package, template) for template in templates)

    def _is_copy_of_the_other(self, part: NewPart, type_: JointType, path: str) -> bool:
        """Is a model that should be revolute a copy of the template for continuous joints, or the other way round?"""
        other = _OTHER_OF_FAMILY.get(type_)
        text, name = self.user.text(path), part.named.class_name
        return other is not None and self.copies.is_copy(text, name, JOINTS, joint_template(other))

    def _is_as_made(self, part: NewPart) -> bool:
        """Is the model one that the script or an update has made, without an edit?"""
        path = files_of(part)[0]
        found = self._class(path, part.named.class_name)
        if found is None:
            return path not in self.user.files
        template = extended_template(found)
        if template is None:
            return self._is_copy(part, path)
        made = new_model(part.package, self.user.full_name, part.named, template)
        return made.split() == self.user.text(path).split()

    # ------------------------------------------------------------ what is there

    def _found_families(self, robot: Robot) -> Iterator[tuple[str, str]]:
        for joint in robot.joints:
            named = self.names.joint(joint.name)
            path = f"{JOINTS}/{named.class_name}.mo"
            found = None if path in self.theirs else self._class(path, named.class_name)
            family = None if found is None or extended_template(found) is not None else joint_family(found)
            yield joint.name, family or family_of(joint.type)

    def _class(self, path: str, name: str) -> ClassHandle | None:
        return opened(self.user, path).get_class(name) if path in self.user.files else None

    def _link_template(self) -> str:
        """The template of the links of this package."""
        paths = [f"{LINKS}/{named.class_name}.mo" for named in self.package.names.links.values()]
        texts = [self.user.text(path) for path in paths if path in self.user.files]
        return link_template(visualization2=any(_VISUALIZATION2 in text for text in texts))
