"""Links and joints that the URDF file no longer has: they go where the user did not touch them, and stay otherwise.

A part counts as touched if one of its classes is edited, if its component is, or if something that the user wrote
uses it. A link that stays keeps the joint that leads to it, and a joint its links, so what stays hangs on the robot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from modelica_ast.compare import compare
from modelica_ast.edit import Document
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.names import Named, NameTable
from urdf_frontend.update.keeping import Kept
from urdf_frontend.update.user_package import UserPackage
from urdf_frontend.update.versions import Versions

_NOT_NAMES: Final = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_WORDS_OF_PEOPLE: Final = frozenset({"comment", "description", "annotation"})


@frozen
class Part:
    """A link or a joint of the package, by its URDF name; `package` is Links or Joints."""

    package: str
    named: Named

    @property
    def what(self) -> str:
        """`link` or `joint`."""
        return "link" if self.package == LINKS else "joint"

    @property
    def files(self) -> tuple[str, str]:
        """The files of its model and of its values."""
        return f"{self.package}/{self.named.class_name}.mo", f"{self.package}/{self.named.parameters}.mo"


def gone_parts(before: NameTable, now: NameTable) -> list[Part]:
    """The parts that only the first table has."""
    links = [Part(LINKS, named) for name, named in before.links.items() if name not in now.links]
    return links + [Part(JOINTS, named) for name, named in before.joints.items() if name not in now.joints]


def parts_that_stay(kept: Kept, versions: Versions, user: UserPackage, gone: list[Part]) -> list[Part]:
    """Those of the gone parts that the user has touched, and what they hang on."""
    if not gone:
        return []
    written = list(_written_by_user(kept, versions, user))
    touched = {part for part in gone if _is_touched(part, versions, written)}
    links = {part.named.urdf: part for part in gone if part.package == LINKS}
    joints = [
        (joint, part)
        for part in gone
        if part.package == JOINTS and (joint := kept.robot.get_joint(part.named.urdf)) is not None
    ]
    size = -1
    while len(touched) != size:
        size = len(touched)
        for joint, part in joints:
            around = {links[name] for name in (joint.parent, joint.child) if name in links}
            if part in touched:
                touched |= around
            elif links.get(joint.child) in touched:
                touched.add(part)
    return [part for part in gone if part in touched]


def _is_touched(part: Part, versions: Versions, written: list[tuple[str, str]]) -> bool:
    if any(path in versions.changed and path in versions.ours for path in part.files):
        return True
    component = re.escape(part.named.component)
    classes = f"(?:{re.escape(part.named.class_name)}|{re.escape(part.named.parameters)})"
    # In the robot's own model its name is enough, elsewhere it stands behind a dot: `robot.tool`, `Links.tool`.
    uses = {
        "model": re.compile(rf"(?<![\w.'])(?:{component}|{part.package}\.{classes})(?![\w'])"),
        part.package: re.compile(rf"(?<![\w'])(?:{component}|{classes})(?![\w'])"),
    }
    elsewhere = re.compile(rf"\.(?:{component}|{classes})(?![\w'])")
    return any(uses.get(where, elsewhere).search(text) for where, text in written)


def _written_by_user(kept: Kept, versions: Versions, user: UserPackage) -> Iterator[tuple[str, str]]:
    """(where, text) of all that the user has added or changed; a path counts as text, `tool.Placement`."""
    for path in versions.changed:
        if not path.endswith(".mo") or path not in versions.ours or path not in versions.base:
            continue
        where = "model" if path == f"{kept.name}.mo" else path.partition("/")[0]
        for change in compare(versions.base[path], versions.ours[path]):
            if change.kind == "removed":
                continue
            yield where, ".".join(change.path[1:])
            if change.what not in _WORDS_OF_PEOPLE:
                yield where, _names_in(f"{change.old or ''}\n{change.new or ''}")
    generated = {*kept.file.files, *versions.theirs, *versions.moved.values()}
    for path in user.modelica_files:
        if path not in generated:
            yield path.partition("/")[0], _names_in(user.text(path))


def _names_in(text: str) -> str:
    return _NOT_NAMES.sub(" ", text)


def base_without(text: str, model: str, staying: list[Part], all_names: NameTable) -> str:
    """The robot's model as if the parts that stay had never been generated: so they are the user's own.

    Their connections to the connectors of the robot stay in the base, and go with the URDF: the numbers of these
    belong to the parts that the URDF has.
    """
    document = Document(text)
    robot = document.find_class(model)
    components = {named.component for named in (*all_names.links.values(), *all_names.joints.values())}
    stays = {part.named.component for part in staying}
    with document.transaction():
        for one, other in robot.connections:
            ends = {end.rpartition(".")[0] for end in (one, other)}
            if ends & stays and ends <= components:
                robot.disconnect(one, other)
        for component in stays:
            if robot.get_component(component) is not None:
                robot.find_component(component).remove()
    return document.text
