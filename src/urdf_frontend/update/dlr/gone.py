"""Links and joints that the URDF file no longer has, in a package of the script.

One that the user has used or whose values the user has tuned stays in the robot, with what it hangs on. The others
leave the robot. Their classes go only if they are known to be as they were made.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from modelica_ast.compare import compare
from modelica_ast.edit import Document
from modelica_ast.generate import UserPackage
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.model import Robot
from urdf_frontend.update.dlr.fields import JOINT_DEFAULTS, LINK_DEFAULTS, Fields, joint_fields, link_fields
from urdf_frontend.update.dlr.part_classes import new_record
from urdf_frontend.update.dlr.record_texts import with_fields
from urdf_frontend.update.dlr.robot_texts import without_parts
from urdf_frontend.update.dlr.script_package import RECORDS, RUN, TEST, ScriptPackage, opened
from urdf_frontend.update.dlr.structure import NewPart, Role, Structure

DEFAULTS: Final[Mapping[str, Fields]] = {LINKS: LINK_DEFAULTS, JOINTS: JOINT_DEFAULTS}
_NOT_NAMES: Final = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def fields_of(robot: Robot, role: Role) -> Fields | None:
    """What the record of a link or joint has; None if the robot has no such part."""
    package, name = role
    if package == LINKS:
        link = robot.get_link(name)
        return None if link is None else link_fields(link)
    joint = robot.get_joint(name)
    return None if joint is None else joint_fields(joint)


def files_of(part: NewPart) -> tuple[str, str]:
    """The files of its model and of its record."""
    return f"{part.package}/{part.named.class_name}.mo", f"{part.package}/{part.named.parameters}.mo"


def staying_parts(
    gone: Collection[Role], old: Structure, robot: Robot, package: ScriptPackage, user: UserPackage
) -> set[Role]:
    """Those of the gone parts that the user has used or tuned, and what they hang on; `robot` is the one before."""
    if not gone:
        return set()
    text = user.text(package.model_file)
    model = _names_in(without_parts(text, package.model, old, gone))
    stays = {role for role in gone if _is_touched(old.parts[role], model, robot, user, package)}
    for role in gone:
        # A comment that would go with a part is the user's: the script writes none.
        if _comments(without_parts(text, package.model, old, [role])) != _comments(text):
            stays.add(role)
    size = -1
    while len(stays) != size:
        size = len(stays)
        for joint in robot.joints:
            role = (JOINTS, joint.name)
            around = {(LINKS, joint.parent), (LINKS, joint.child)} & {*gone}
            if role in stays:
                stays |= around
            elif role in gone and (LINKS, joint.child) in stays:
                stays.add(role)
    return stays


def is_plain_record(text: str, part: NewPart, fields: Fields) -> bool:
    """Has a record these values, in whatever form, and nothing besides?"""
    base = RECORDS[part.package]
    if with_fields(text, base, fields, DEFAULTS[part.package]) != text:
        return False
    within = Document(text).within or ""
    plain = new_record(part.package, within.removesuffix(f".{part.package}"), part.named, base, fields)
    return not any(change.what != "modifier" or change.kind != "changed" for change in compare(plain, text))


def _is_touched(part: NewPart, model: str, robot: Robot, user: UserPackage, package: ScriptPackage) -> bool:
    component = re.escape(part.named.component)
    if re.search(rf"(?<![\w.'])(?:{component}|{re.escape(part.type)})(?![\w'])", model):
        return True
    record = files_of(part)[1]
    fields = fields_of(robot, (part.package, part.named.urdf))
    if record in user.files and fields is not None and not is_plain_record(user.text(record), part, fields):
        return True
    return any(
        _uses(part, path, user, package)
        for path in user.modelica_files
        if path not in {package.model_file, *files_of(part)}
    )


def _uses(part: NewPart, path: str, user: UserPackage, package: ScriptPackage) -> bool:
    """Does a file name a part? In a file of the user's own each word counts, for it may extend the robot."""
    component = re.escape(part.named.component)
    classes = f"(?:{re.escape(part.named.class_name)}|{re.escape(part.named.parameters)})"
    folder = path.rpartition("/")[0]
    if folder in {LINKS, JOINTS}:
        pattern = classes if folder == part.package else rf"{part.package}\.{classes}"
    elif path in {f"{package.model}{RUN}.mo", f"{package.model}{TEST}.mo"}:
        models = opened(user, path).classes
        robots = [each.name for model in models for each in model.components if each.type == package.model]
        inside = "|".join(map(re.escape, [*robots, package.model.lower()]))
        pattern = rf"(?:{inside})\.{component}|{part.package}\.{classes}"
    else:
        pattern = rf"(?:{component}|{classes})"
    return re.search(rf"(?<![\w'])(?:{pattern})(?![\w'])", _names_in(user.text(path))) is not None


def _comments(text: str) -> int:
    return sum(not found.startswith('"') for found in _NOT_NAMES.findall(text))


def _names_in(text: str) -> str:
    return _NOT_NAMES.sub(" ", text)
