"""Names for what a URDF file has more than last time, out of the way of what the user has added."""

from __future__ import annotations

from modelica_ast.edit import Document
from urdf_frontend.building import BuildOptions
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.model import Robot
from urdf_frontend.names import NameTable, make_names
from urdf_frontend.update.keeping import Kept
from urdf_frontend.update.user_package import UserPackage


def names_without_clashes(
    kept: Kept, known: NameTable, names: NameTable, robot: Robot, user: UserPackage, options: BuildOptions
) -> NameTable:
    """The names that were made, or others for those that the user has given to something else."""
    new = [
        (package, named)
        for package, table, before in ((LINKS, names.links, known.links), (JOINTS, names.joints, known.joints))
        for name, named in table.items()
        if name not in before
    ]
    if not new:
        return names
    used = _components(kept, known, user)
    taken: set[str] = set()
    for package, named in new:
        files = (f"{package}/{named.class_name}.mo", f"{package}/{named.parameters}.mo")
        if any(file in user.files for file in files):
            taken.add(named.class_name)
        if named.component in used:
            taken.add(named.component)
    if not taken:
        return names
    return make_names(
        names.robot,
        (link.name for link in robot.links),
        (joint.name for joint in robot.joints),
        style=options.name_style,
        known=NameTable(
            names.robot,
            {name: named for name, named in names.links.items() if _is_free(named.class_name, named.component, taken)},
            {name: named for name, named in names.joints.items() if _is_free(named.class_name, named.component, taken)},
        ),
        reserved=taken | used,
    )


def _is_free(class_name: str, component: str, taken: set[str]) -> bool:
    return class_name not in taken and component not in taken


def _components(kept: Kept, known: NameTable, user: UserPackage) -> set[str]:
    """The components that the user has added to the robot's model."""
    path = f"{kept.name}.mo"
    if path not in user.files:
        return set()
    model = Document(user.text(path)).get_class(kept.name)
    if model is None:
        return set()
    generated = {named.component for named in (*known.links.values(), *known.joints.values())}
    return {component.name for component in model.components} - generated
