"""What modules and their instances are called, which numbers their flanges and ends have, and where they are drawn.

All of this is kept with the package. What was there before keeps its name, its number and its place, so that another
module changes no line of the others.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeVar

from attrs import field, frozen

from urdf_frontend.building import BuildOptions
from urdf_frontend.building.side_car import names_json, names_of
from urdf_frontend.kinematics import follows
from urdf_frontend.model import Joint
from urdf_frontend.modular.outlets import is_real, outlets_of
from urdf_frontend.modular.places import Cell, cells_of
from urdf_frontend.modules import Assembly, Module
from urdf_frontend.modules.placing import Placed, Tree
from urdf_frontend.names import NameTable, make_names, plain_identifier
from urdf_frontend.names.reserved import FOR_COMPONENTS, FOR_ROBOTS

MODULES: Final = "Modules"
_TURN: Final = "/turn"
_END: Final = "/end/"

End = tuple[str, str]  # an instance, and a joint or the key of an outlet
T = TypeVar("T", bound=Hashable)
V = TypeVar("V")


@frozen
class ModularNames:
    """The names of one robot.

    `modules` are classes by module file, as the assembly names it. `components` are those of the robot's model: of
    instances by their names, of what turns them and of links at their ends by keys of this module. `parts` has the
    links and joints of each module by its class. `gone` are components and connectors of the robot's model that are no
    more, and that the user still refers to.
    """

    robot: str
    modules: Mapping[str, str] = field(factory=dict)
    components: Mapping[str, str] = field(factory=dict)
    parts: Mapping[str, NameTable] = field(factory=dict)
    rotational: Mapping[End, int] = field(factory=dict)
    translational: Mapping[End, int] = field(factory=dict)
    ends: Mapping[End, int] = field(factory=dict)
    cells: Mapping[str, Cell] = field(factory=dict)
    gone: tuple[str, ...] = ()

    def class_of(self, placed: Placed) -> str:
        """The class of an instance's module; its package is called the same."""
        return self.modules[module_key(placed)]

    def component(self, placed: Placed) -> str:
        """The component of an instance."""
        return self.components[placed.name]

    def turn(self, placed: Placed) -> str:
        """The component that turns an instance."""
        return self.components[placed.name + _TURN]

    def end_link(self, placed: Placed, link: str) -> str:
        """The component of a virtual link at an open end."""
        return self.components[placed.name + _END + link]


def module_key(placed: Placed) -> str:
    """What a module file is known by: how the assembly names it."""
    return os.path.normpath(placed.instance.use).replace(os.sep, "/")


def driven_joints(module: Module) -> list[Joint]:
    """The joints of a module that have flanges."""
    return [joint for joint in module.robot.joints if joint.type.is_single and not follows(joint)]


def make_modular_names(
    assembly: Assembly,
    robot: str,
    options: BuildOptions,
    *,
    known: ModularNames | None = None,
    reserved: AbstractSet[str] = frozenset(),
    taken: AbstractSet[str] = frozenset(),
) -> ModularNames:
    """Name everything. `reserved` are names that the templates use, `taken` those of the user's own components."""
    known = ModularNames(robot) if known is None else known
    tree = assembly.tree
    modules = _classes(tree, known.modules, reserved | {robot})
    forbidden = FOR_COMPONENTS | reserved | {robot, MODULES}
    joints = [(each.name, joint) for each in tree.placed for joint in driven_joints(each.module)]
    turning = [(name, joint.name) for name, joint in joints if joint.type.is_rotational]
    sliding = [(name, joint.name) for name, joint in joints if not joint.type.is_rotational]
    return ModularNames(
        robot,
        modules,
        _components(_component_wishes(tree, options), known.components, forbidden, taken),
        {
            modules[module_key(each)]: _part_names(each.module, modules[module_key(each)], options, known, reserved)
            for each in tree.placed
        },
        numbered(turning, known.rotational),
        numbered(sliding, known.translational),
        numbered([(each.name, outlet) for each, outlet in open_ends(tree)], known.ends),
        cells_of(tree, known.cells),
        known.gone,
    )


def open_ends(tree: Tree) -> Iterator[tuple[Placed, str]]:
    """The ends that nothing hangs on: instance, and key of the outlet."""
    for placed in tree.placed:
        for outlet in outlets_of(placed.module):
            if (placed.index, outlet.key) not in tree.children:
                yield placed, outlet.key


def numbered(wanted: Collection[T], known: Mapping[T, int]) -> dict[T, int]:
    """Numbers from 1 on without gaps. Known ones stay, unless there are not so many any more."""
    kept = {key: known[key] for key in wanted if key in known and known[key] <= len(wanted)}
    free = iter(sorted(set(range(1, len(wanted) + 1)) - set(kept.values())))
    return {key: kept[key] if key in kept else next(free) for key in wanted}


def _classes(tree: Tree, known: Mapping[str, str], reserved: AbstractSet[str]) -> dict[str, str]:
    """A class for each module file; the same file named in two ways is one module."""
    of_module: dict[Module, str] = {}
    for placed in tree.placed:
        if module_key(placed) in known:
            of_module.setdefault(placed.module, known[module_key(placed)])
    used = {name.lower() for name in of_module.values()}
    for placed in tree.placed:
        if placed.module in of_module:
            continue
        stem = plain_identifier(placed.module.path.stem, FOR_ROBOTS | reserved | {MODULES})
        name, number = stem, 1
        while name.lower() in used:
            number += 1
            name = f"{stem}_{number}"
        of_module[placed.module] = name
        used.add(name.lower())
    return {module_key(placed): of_module[placed.module] for placed in tree.placed}


def _component_wishes(tree: Tree, options: BuildOptions) -> Iterator[tuple[str, str]]:
    """(key, wish): instances first, for what belongs to them gives way."""
    for placed in tree.placed:
        yield placed.name, placed.name
    for placed in tree.placed:
        if placed.instance.rotate:
            yield placed.name + _TURN, f"{placed.name}_turn"
    for placed, key in open_ends(tree):
        link = virtual_link_at(placed, key, options)
        if link is not None:
            yield placed.name + _END + link, f"{placed.name}_{link}"


def virtual_link_at(placed: Placed, key: str, options: BuildOptions) -> str | None:
    """The virtual link at an open end, if it has a mass or a shape."""
    outlet = next(each for each in outlets_of(placed.module) if each.key == key)
    link = placed.module.robot.get_link(outlet.link)
    return outlet.link if outlet.is_connector and link is not None and is_real(link, options) else None


def _components(
    wishes: Iterable[tuple[str, str]], known: Mapping[str, str], forbidden: AbstractSet[str], taken: AbstractSet[str]
) -> dict[str, str]:
    wished = list(wishes)
    found = {key: known[key] for key, _ in wished if key in known}
    used = {*found.values(), *taken}
    for key, wish in wished:
        if key in found:
            continue
        name = plain_identifier(wish, forbidden)
        while name in used:
            name += "_"
        found[key] = name
        used.add(name)
    return {key: found[key] for key, _ in wished}


def _part_names(
    module: Module, class_name: str, options: BuildOptions, known: ModularNames, reserved: AbstractSet[str]
) -> NameTable:
    frames = {outlet.frame for outlet in outlets_of(module)}
    return make_names(
        class_name,
        (link.name for link in module.robot.links),
        (joint.name for joint in module.robot.joints),
        style=options.name_style,
        known=known.parts.get(class_name),
        reserved=reserved | frames | _flange_names(module),
    )


def _flange_names(module: Module) -> set[str]:
    """Connectors of the module are called after its joints, and must not be called like a link."""
    joints = [plain_identifier(joint.name) for joint in driven_joints(module)]
    return {f"{joint}{more}_flange_{side}" for joint in joints for more in ("", "_joint") for side in "ab"}


# ---------------------------------------------------------------- as the side-car has them


def modular_names_json(names: ModularNames) -> dict[str, Any]:
    """The names in plain values."""
    return {
        "robot": names.robot,
        "modules": dict(names.modules),
        "components": dict(names.components),
        "parts": {class_name: names_json(None, parts) for class_name, parts in names.parts.items()},
        "rotational": _by_instance(names.rotational),
        "translational": _by_instance(names.translational),
        "ends": _by_instance(names.ends),
        "cells": {instance: f"{column} {row}" for instance, (column, row) in names.cells.items()},
        "gone": list(names.gone),
    }


def _by_instance(numbers: Mapping[End, int]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (instance, part), number in numbers.items():
        found.setdefault(instance, {})[part] = number
    return found


def modular_names_of(data: Mapping[str, Any]) -> ModularNames:
    """The names again; ValueError if they are not what `modular_names_json` makes."""
    robot, gone = data.get("robot"), data.get("gone")
    if not isinstance(gone, list) or not all(isinstance(each, str) for each in (robot, *gone)):
        raise ValueError("'robot' or 'gone' is missing, or not what it has to be")
    modules = _table(data.get("modules"), "modules", str)
    parts = {name: names_of(each) for name, each in _table(data.get("parts"), "parts", dict).items()}
    missing = sorted(set(modules.values()) - parts.keys())
    if missing:
        raise ValueError(f"there are no 'parts' of the module '{missing[0]}'")
    return ModularNames(
        robot=str(robot),
        modules=modules,
        components=_table(data.get("components"), "components", str),
        parts=parts,
        rotational=_numbers(data, "rotational"),
        translational=_numbers(data, "translational"),
        ends=_numbers(data, "ends"),
        cells={instance: _cell(cell) for instance, cell in _table(data.get("cells"), "cells", str).items()},
        gone=tuple(gone),
    )


def _table(values: object, what: str, kind: type[V]) -> dict[str, V]:
    if not isinstance(values, dict) or not all(isinstance(value, kind) for value in values.values()):
        raise ValueError(f"'{what}' is missing, or not what it has to be")
    return values


def _numbers(data: Mapping[str, Any], what: str) -> dict[End, int]:
    of_instances = _table(data.get(what), what, dict)
    return {
        (instance, part): number
        for instance, numbers in of_instances.items()
        for part, number in _table(numbers, what, int).items()
    }


def _cell(text: str) -> Cell:
    try:
        column, row = map(int, text.split())
    except ValueError:
        raise ValueError("a cell is not a column and a row") from None
    return column, row
