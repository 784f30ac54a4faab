"""What the user of a package calls otherwise than it was built, or has moved: classes, components and records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from attrs import frozen

from modelica_ast.edit import Document
from modelica_ast.generate import UserPackage, untouched_files
from modelica_ast.semantics import Instance
from urdf_frontend.package.builder import part_models
from urdf_frontend.package.insides import Kind, is_inside_as_built
from urdf_frontend.package.memory import PackageMemory
from urdf_frontend.package.parts import PACKAGES, Part
from urdf_frontend.robot import PARAMETERS, Named

if TYPE_CHECKING:
    from modelica_ast.generate import ChangedName

_RECORDS: Final[Mapping[Kind, str]] = {"link": part_models.LINK_PARAMETERS, "joint": part_models.JOINT_PARAMETERS}


@frozen
class Present:
    """A package as it is now: its full name, its robot with the links and joints, and whether it has a class."""

    package: str
    robot: Instance
    parts: tuple[Part, ...]
    has_class: Callable[[str], bool]


def changed_names(base: PackageMemory, now: Present) -> tuple[ChangedName, ...]:
    """(name as built, name now), in the package; components come before the classes that they are in."""
    robot, inside = base.table.robot, f"{now.package}."
    tables = dict(_tables(base))
    components: dict[str, str] = {}
    insides: dict[str, str] = {}  # of the classes of links and joints
    classes = {robot: now.robot.name}
    for part in now.parts:
        package, named = PACKAGES[part.kind], tables[part.kind][part.urdf]
        built = f"{package}.{named.class_name}"
        if part.component.declared_in == now.robot.name:
            components[f"{robot}.{named.component}"] = f"{robot}.{part.component.name}"
        if part.values is not None:
            classes |= {built: part.class_name, f"{package}.{named.parameters}": part.values_class}
            insides |= {f"{built}.{role}": f"{built}.{name}" for role, name in part.named.inside.items() if name}
    classes = {old: new.removeprefix(inside) for old, new in classes.items() if new.startswith(inside)}
    renamed = _renames(classes, set(filter(now.has_class, classes)))
    others = {old for old, new in classes.items() if old != new} - dict(renamed).keys()  # classes of the user's own
    insides = {old: new for old, new in insides.items() if old.rpartition(".")[0] not in others}
    own = {f"{robot}.{name}" for name in now.robot.components}
    return (*_renames(components, own), *_renames(insides, set()), *renamed)


def _tables(base: PackageMemory) -> tuple[tuple[Kind, Mapping[str, Named]], ...]:
    return ("link", base.table.links), ("joint", base.table.joints)


def _renames(names: Mapping[str, str], there: set[str]) -> list[ChangedName]:
    """The names that are others now.

    What is there under the name that was built is no longer that one only if it is another one of them: they have
    changed places. Else the user has put something else in its place, which is an edit.
    """
    found = {old: new for old, new in names.items() if old != new}
    while True:
        stay = {new for old, new in names.items() if old not in found}
        new = list(found.values())
        wrong = [
            old
            for old, name in found.items()
            if (old in there and old not in new) or name in stay or new.count(name) > 1
        ]
        if not wrong:
            return list(found.items())
        for old in wrong:
            del found[old]


def is_as_built(base: PackageMemory, user: UserPackage) -> bool:
    """Is everything there under the name that it was built with?

    PERF: this looks at no more than texts that were changed; the libraries are opened if those can't tell.
    """
    robot: dict[str, str] = {}
    models: dict[str, tuple[Kind, Named]] = {}
    for kind, names in _tables(base):
        for named in names.values():
            robot[named.component] = f"{PACKAGES[kind]}.{named.class_name}"
            models[f"{PACKAGES[kind]}/{named.class_name}.mo"] = (kind, named)
    records = {path.replace(".mo", f"{PARAMETERS}.mo") for path in models}
    model = f"{base.table.robot}.mo"
    if not {model, *models, *records} <= user.files.keys():
        return False
    touched = {model, *models} - untouched_files(base.side_car, user)
    return all(
        robot.items() <= _components(user.text(path)).items()
        if path == model
        else _is_inside_as_built(_components(user.text(path)), *models[path])
        for path in touched
    )


def _is_inside_as_built(components: Mapping[str, str], kind: Kind, named: Named) -> bool:
    return components.get(_RECORDS[kind]) == named.parameters and is_inside_as_built(kind, components)


def _components(text: str) -> dict[str, str]:
    return {each.name: str(each.type) for found in Document(text).classes for each in found.components}
