"""The three versions that an update of a package of the script merges.

The script's own text is not known, so base and theirs are made from the user's files: base has the values and the
structure of the URDF file as it was, theirs those of the new one. What neither URDF file speaks of is the same in all
three, and so it stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from attrs import define, field

from modelica_ast.compare import compare
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.generate import ORDER_FILE, Part, UserPackage, Versions, commented, with_line_ends_of
from urdf_frontend.package.builder.part_models import JOINTS, LINKS
from urdf_frontend.package.dlr.part_classes import (
    DEFAULTS,
    JOINT_TEMPLATES,
    LIBRARY,
    PARAMETERS,
    RECORDS,
    Fields,
    Role,
    TemplateCopies,
    extended_template,
    family_of,
    get_fields,
    get_record,
    joint_family,
    joint_template,
    missing_shapes,
    new_model,
    new_record,
    script_link_template,
    with_fields,
)
from urdf_frontend.package.dlr.script_package import RUN, TEST, ScriptPackage, as_update_errors, opened
from urdf_frontend.package.dlr.structure import (
    NewPart,
    Structure,
    as_generated,
    restructured,
    structure_of,
    with_counts,
    with_numbers,
    with_sources,
)
from urdf_frontend.package.updates.changes import files_of
from urdf_frontend.robot import JointType, NameTable, Robot

_VISUALIZATION2: Final = "Visualization2."
_TELLS: Final = f"--templates with the folder of {LIBRARY} tells"
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
    attention: list[str] = field(factory=list)  # about what only the user can put right
    gone: list[Part] = field(factory=list)
    generated: set[str] = field(factory=set)  # files that the robot of today has
    added: dict[str, list[str]] = field(factory=lambda: {LINKS: [], JOINTS: []})  # classes, by package

    def kept_part(self, role: Role, part: NewPart) -> None:
        """A part that both URDF files have."""
        model, record = files_of(part.package, part.named)
        old, new = self.old_fields[role], get_fields(self.new, role)
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
        model, record = files_of(part.package, part.named)
        fields = get_fields(self.new, role)
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

    def gone_part(self, role: Role, part: NewPart) -> Part:
        """A part that only the old URDF file has. Its classes go if they are known to be as they were made."""
        model, record = files = files_of(part.package, part.named)
        for path in files:
            if path in self.user.files:
                self.base[path] = self.ours[path] = self.user.text(path)
        fields, within, doubt = self.old_fields[role], self.user.full_name, None
        plain = new_record(part.package, within, part.named, RECORDS[part.package], fields)
        if record in self.base and not _is_plain(self.base[record], plain, part.package, fields):
            self.base[record] = plain
        if model in self.base and not self._is_as_made(part):
            found = self._class(model, part.named.class_name)
            template = None if found is None else extended_template(found)
            if template is None and self.copies.library is None:
                doubt = f"it can't be seen whether you have changed {model} ({_TELLS})"
            else:
                self.base[model] = new_model(part.package, within, part.named, template or self._link_template())
        what = "link" if part.package == LINKS else "joint"
        return Part(what, part.named.urdf, files, part.named.component, doubt=doubt)

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
        elif joint_family(found) not in {family_of(joint.type), None} and not self._is_copy(part, path):
            self._take_out(part, path, wanted, joint.type)
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

    def _take_out(self, part: NewPart, path: str, template: str, type_: JointType) -> None:
        """What may be the user's in a copy of another template becomes a comment: the robot could not move with it."""
        text = self.user.text(path)
        self.base[path] = self.ours[path] = text
        made = Document(new_model(part.package, self.user.full_name, part.named, template))
        lines = commented(opened(self.user, path).find_class(part.named.class_name).view).split("\n")
        head, end = made.text.rstrip().rsplit("\n", 1)
        new = "\n".join([head, *(f"  {line}" for line in lines), end, ""])
        self.theirs[path] = with_line_ends_of(new.encode(), self.user.files[path]).decode()
        self.attention.append(
            f"{path}: the joint '{part.named.urdf}' is {type_.value} in the URDF, and its model is a copy of another "
            f"template: it extends {template} now, and what was there is commented out, because {self._why_kept()}"
        )

    def _make_anew(self, part: NewPart, path: str, template: str, why: str) -> None:
        """A copy of a template becomes a class that extends one, if nothing of the user's is in it."""
        if self._is_copy(part, path):
            self.base[path] = self.ours[path] = self.user.text(path)
            self.theirs[path] = new_model(part.package, self.user.full_name, part.named, template)
        else:
            self.notes.append(f"{path}: {why}; it stays: {self._why_kept()}; or let it extend {template}")

    def _why_kept(self) -> str:
        return "you may have edited it (" + _TELLS + ")" if self.copies.library is None else "you have edited it"

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
        path = files_of(part.package, part.named)[0]
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
        return script_link_template(visualization2=any(_VISUALIZATION2 in text for text in texts))


# ---------------------------------------------------------------- all versions


def make_versions(parts: PartVersions) -> Versions:
    """All three, with sentences about what can't be brought in; `parts` collects them."""
    with as_update_errors(parts.user):
        return _made(parts)


def _made(parts: PartVersions) -> Versions:
    before = structure_of(parts.old, parts.names, parts.families(parts.old))
    gone = [role for role in before.parts if get_fields(parts.new, role) is None and _is_there(parts, role)]
    for role, part in before.parts.items():
        if role in gone:
            parts.gone.append(parts.gone_part(role, part))
        elif get_fields(parts.new, role) is not None:
            parts.kept_part(role, part)
    after = structure_of(parts.new, parts.names, parts.families(parts.new))
    for role, part in after.parts.items():
        parts.generated |= {*files_of(part.package, part.named)}
        if role not in before.parts:
            parts.new_part(role, part)
    _robot_models(parts, before, after, gone)
    _orders(parts)
    changed = frozenset(path for path, text in parts.ours.items() if parts.base[path] != text)
    return Versions(parts.base, parts.ours, parts.theirs, changed=changed, notes=tuple(parts.notes))


def _is_plain(text: str, plain: str, package: str, fields: Fields) -> bool:
    """Has a record these values, in whatever form, and nothing besides?"""
    if with_fields(text, RECORDS[package], fields, DEFAULTS[package]) != text:
        return False
    return not any(change.what != "modifier" or change.kind != "changed" for change in compare(plain, text))


def _is_there(parts: PartVersions, role: Role) -> bool:
    known = parts.package.names
    return role[1] in (known.links if role[0] == LINKS else known.joints)


def _is_other(parts: PartVersions, path: str) -> bool:
    return path in parts.theirs and parts.theirs[path] != parts.base.get(path)


def _robot_models(parts: PartVersions, before: Structure, after: Structure, gone: list[Role]) -> None:
    """The robot itself, and the models that run and test it."""
    name, path, user = parts.package.model, parts.package.model_file, parts.user
    text = user.text(path)
    parts.ours[path] = text
    # What the user has set at a component whose class is another now may not fit it.
    others = [role for role, part in before.parts.items() if _is_other(parts, files_of(part.package, part.named)[0])]
    base = as_generated(with_numbers(text, name, before), name, before, [*gone, *others])
    parts.base[path] = base
    parts.theirs[path], notes = restructured(with_numbers(base, name, after), name, before, after)
    parts.notes += notes
    for path in (f"{name}{RUN}.mo", f"{name}{TEST}.mo"):
        if path in user.files:
            text = opened(user, path).text  # what is wrong in it is said with its name
            parts.ours[path] = text
            parts.base[path] = with_counts(text, before.counts)
            parts.theirs[path], notes = with_sources(with_counts(text, after.counts), before, after, name)
            parts.notes += notes


def _orders(parts: PartVersions) -> None:
    """Each package.order without the classes that go, and with the new ones at its end."""
    for package, added in parts.added.items():
        path = f"{package}/{ORDER_FILE}"
        if path not in parts.user.files:
            continue
        text = parts.user.text(path)
        files = (file for part in parts.gone for file in part.classes)
        gone = {PurePosixPath(file).stem for file in files if file.startswith(f"{package}/")}
        lines = [line for line in text.splitlines(keepends=True) if line.strip() not in gone]
        end = "\r\n" if "\r\n" in text else "\n"
        new = [name for name in added if name not in text.split()]
        if lines and new and not lines[-1].endswith("\n"):
            lines[-1] += end
        parts.base[path] = parts.ours[path] = text
        parts.theirs[path] = "".join([*lines, *(f"{name}{end}" for name in new)])
