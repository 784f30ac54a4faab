"""What modules and their instances are called, which numbers their flanges and ends have, and where they are drawn.

All of this is kept with the package. What was there before keeps its name, its number and its place, so that another
module changes no line of the others.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Set as AbstractSet
from itertools import chain, count
from typing import Any, Final, TypeVar

from attrs import field, frozen

from modelica_ast.graphics import CoordinateSystem, Line, Placement
from urdf_frontend.modules.assembly import Assembly
from urdf_frontend.modules.module_file import OUTPUT_CONNECTOR, Module
from urdf_frontend.modules.structure import Placed, Tree
from urdf_frontend.package import (
    BuildOptions,
    Xy,
    coordinate_system,
    frame_line,
    names_json,
    names_of,
    placement,
    shown_collisions,
    shown_visuals,
    turned_placement,
)
from urdf_frontend.robot import (
    FOR_COMPONENTS,
    FOR_ROBOTS,
    Joint,
    Link,
    NameTable,
    follows,
    make_names,
    plain_identifier,
    simple_identifier,
)

# ---------------------------------------------------------------- outlets
# Where a module goes on: its output connectors, or the last links of a robot that is attached as it is.

FRAME: Final = "frame_b"


@frozen
class Outlet:
    """One end of a module. `key` is the joint of the connector, or the last link; `frame` the connector in Modelica."""

    key: str
    frame: str
    link: str  # the virtual link of a connector, or the last link
    is_connector: bool


def outlets_of(module: Module) -> tuple[Outlet, ...]:
    """All ends, in the order of the file. The output connector is `frame_b`, and so is an only one."""
    if module.ports:
        names = [port.short_name for port in module.ports]
        found = [(port.joint, port.virtual_link) for port in module.ports]
    else:
        names = list(module.kinematics.leaves)
        found = [(leaf, leaf) for leaf in module.kinematics.leaves]
    frames = _frames([key for key, _ in found], names)
    return tuple(Outlet(key, frame, link, bool(module.ports)) for (key, link), frame in zip(found, frames, strict=True))


def _frames(keys: list[str], names: list[str]) -> list[str]:
    frames: list[str] = []
    for key, name in zip(keys, names, strict=True):
        is_main = key == OUTPUT_CONNECTOR or len(keys) == 1
        frame = FRAME if is_main else f"{FRAME}_{plain_identifier(name)}"
        while frame in frames:
            frame += "_"
        frames.append(frame)
    return frames


def links_inside(module: Module) -> list[Link]:
    """The links that are part of the module's model: no virtual ones, and no empty one at its input connector."""
    left_out = {outlet.link for outlet in outlets_of(module) if outlet.is_connector}
    if module.has_empty_input:
        left_out.add(module.root_link)
    return [link for link in module.robot.links if link.name not in left_out]


def is_real(link: Link, options: BuildOptions) -> bool:
    """Has a virtual link something that a robot would miss at an open end: a mass, or a shape?"""
    mass = link.inertial.mass if link.inertial is not None else None
    return bool((mass is not None and mass.value > 0.0) or shown_visuals(link) or shown_collisions(link, options))


# ---------------------------------------------------------------- places
# Where the modules of a robot stand in its diagram: in cells of a grid, and what was drawn stays where it is.
#
# A module is to the right of the one that it is attached to. If somebody is there already, it goes to the next free row
# below. Lines run between the columns and between the rows, so they cross no module.

Cell = tuple[int, int]  # column and row

_LEFT: Final = -60
_TOP: Final = -60  # below the frames of the robot, which are at the height 0
_COLUMN: Final = 80
_ROW: Final = 40
_HALF: Final = 10
_HALF_OF_TURN: Final = 6
_TURN_BEFORE: Final = 40
_BEHIND: Final = 20  # where lines go up and down, to the right of a module
_BEFORE: Final = 60  # where they do to the left of it
_LINK_BEHIND: Final = 27  # between the lines that go up and down and what turns the next module
_HALF_OF_LINK: Final = 6
_FRAME_A: Final = (-100, 0)
_FRAME_B: Final = (100, 0)
_BEHIND_FRAME_A: Final = -80
_USUAL: Final = 100
_ICON: Final = 100  # half of the side of an icon, in its own units


def cells_of(tree: Tree, known: Mapping[str, Cell]) -> dict[str, Cell]:
    """The cells of all instances by name; those that are known stay."""
    cells = {placed.name: known[placed.name] for placed in tree.placed if placed.name in known}
    taken = set(cells.values())
    for placed in tree.parents_first:
        if placed.name in cells:
            continue
        column, row = (-1, 0) if placed.parent is None else cells[tree.placed[placed.parent].name]
        column += 1
        while (column, row) in taken:
            row += 1
        cells[placed.name] = column, row
        taken.add((column, row))
    return {placed.name: cells[placed.name] for placed in tree.placed}


def _middle(cell: Cell) -> Xy:
    column, row = cell
    return _LEFT + _COLUMN * column, _TOP - _ROW * row


def module_placement(cell: Cell) -> Placement:
    """The module itself."""
    return placement(*_middle(cell), _HALF)


def turn_placement(cell: Cell) -> Placement:
    """What turns a module comes before it."""
    x, y = _middle(cell)
    return placement(x - _TURN_BEFORE, y, _HALF_OF_TURN)


def end_link_placement(cell: Cell) -> Placement:
    """A link at an open end is attached to the line after its module."""
    x, y = _middle(cell)
    return turned_placement(x + _LINK_BEHIND, y - _HALF_OF_LINK, _HALF_OF_LINK, -90)


def diagram(cells: Iterable[Cell]) -> CoordinateSystem:
    """The whole diagram."""
    places = [_middle(cell) for cell in cells]
    right = max([_USUAL, *(x + 2 * _BEHIND for x, _ in places)])
    bottom = min([-_USUAL, *(y - _ROW for _, y in places)])
    return coordinate_system((-_USUAL, bottom), (right, _USUAL))


# ---------------------------------------------------------------- lines


def line_to_first(cell: Cell) -> Line:
    """From the frame of the robot to its first module."""
    x, y = _middle(cell)
    return frame_line(_FRAME_A, (_BEHIND_FRAME_A, 0), (_BEHIND_FRAME_A, y), (x - _HALF, y))


def line_between(start: Cell, height: int, end: Cell, *, to_turn: bool) -> Line:
    """From an outlet, `height` above the middle of its module's icon, to a module or to what turns it."""
    (x, y), (there, level) = _middle(start), _middle(end)
    y += _HALF * height // _ICON
    first, bend = (x + _HALF, y), x + _BEHIND
    target = (there - _TURN_BEFORE - _HALF_OF_TURN, level) if to_turn else (there - _HALF, level)
    if there == x + _COLUMN:
        return frame_line(first, target) if level == y else frame_line(first, (bend, y), (bend, level), target)
    # Between two rows there is nothing. It counts for nothing what is in the way now: a line should stay as it is.
    between = level + _ROW // 2
    before = there - _BEFORE
    return frame_line(first, (bend, y), (bend, between), (before, between), (before, level), target)


def line_from_turn(cell: Cell) -> Line:
    """From what turns a module to the module."""
    x, y = _middle(cell)
    return frame_line((x - _TURN_BEFORE + _HALF_OF_TURN, y), (x - _HALF, y))


def line_to_end(cell: Cell, height: int) -> Line:
    """From an open end to the frames of the robot."""
    x, y = _middle(cell)
    y += _HALF * height // _ICON
    return frame_line((x + _HALF, y), (x + _BEHIND, y), (x + _BEHIND, 0), _FRAME_B)


def line_to_end_link(cell: Cell, height: int) -> Line:
    """From an open end to the link that is there."""
    x, y = _middle(cell)
    if height == 0:
        return frame_line((x + _HALF, y), (x + _LINK_BEHIND, y))
    level = y + _HALF * height // _ICON
    return frame_line((x + _HALF, level), (x + _BEHIND, level), (x + _BEHIND, y), (x + _LINK_BEHIND, y))


def outlet_height(number: int) -> int:
    """How high the frame of an outlet is in the icon of its module: the first one in the middle, then down and up."""
    steps = (number + 1) // 2
    return (-1 if number % 2 else 1) * 40 * steps


# ---------------------------------------------------------------- naming

MODULES_PACKAGE: Final = "Modules"
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
    links and joints of each module by its class.
    """

    robot: str
    modules: Mapping[str, str] = field(factory=dict)
    components: Mapping[str, str] = field(factory=dict)
    parts: Mapping[str, NameTable] = field(factory=dict)
    rotational: Mapping[End, int] = field(factory=dict)
    translational: Mapping[End, int] = field(factory=dict)
    ends: Mapping[End, int] = field(factory=dict)
    cells: Mapping[str, Cell] = field(factory=dict)

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


def is_instance(key: str) -> bool:
    """Is it an instance that a component is known by, and not what belongs to one?"""
    return _TURN not in key and _END not in key


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
    reserved_classes: AbstractSet[str] = frozenset(),
    taken: AbstractSet[str] = frozenset(),
) -> ModularNames:
    """Name everything.

    `reserved` are names that the templates use, `reserved_classes` those of the templates of links and joints, `taken`
    those of the user's own components.
    """
    known = ModularNames(robot) if known is None else known
    tree = assembly.tree
    modules = _classes(tree, known.modules, reserved | {robot})
    forbidden = FOR_COMPONENTS | reserved | {robot, MODULES_PACKAGE}
    joints = [(each.name, joint) for each in tree.placed for joint in driven_joints(each.module)]
    turning = [(name, joint.name) for name, joint in joints if joint.type.is_rotational]
    sliding = [(name, joint.name) for name, joint in joints if not joint.type.is_rotational]
    return ModularNames(
        robot,
        modules,
        _components(_component_wishes(tree, options), known.components, forbidden, taken),
        {
            modules[module_key(each)]: make_names(
                modules[module_key(each)],
                (link.name for link in each.module.robot.links),
                (joint.name for joint in each.module.robot.joints),
                style=options.name_style,
                known=known.parts.get(modules[module_key(each)]),
                reserved=reserved | _connectors(each.module),
                reserved_classes=reserved_classes,
            )
            for each in tree.placed
        },
        numbered(turning, known.rotational),
        numbered(sliding, known.translational),
        numbered([(each.name, outlet) for each, outlet in open_ends(tree)], known.ends),
        cells_of(tree, known.cells),
    )


def open_ends(tree: Tree) -> Iterator[tuple[Placed, str]]:
    """The ends that nothing is attached to: instance, and key of the outlet."""
    for placed in tree.placed:
        for outlet in outlets_of(placed.module):
            if (placed.index, outlet.key) not in tree.children:
                yield placed, outlet.key


def numbered(wanted: Collection[T], known: Mapping[T, int]) -> dict[T, int]:
    """Numbers from 1 on without gaps. Known ones stay, unless there are no longer that many."""
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
        stem, words = placed.module.path.stem, FOR_ROBOTS | reserved | {MODULES_PACKAGE}
        longer = plain_identifier(stem, words)
        names = chain([simple_identifier(stem, words), longer], (f"{longer}_{number}" for number in count(2)))
        name = next(name for name in names if name.lower() not in used)
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
        name, longer = simple_identifier(wish, forbidden), plain_identifier(wish, forbidden)
        if name in used:
            name = longer
        while name in used:
            name += "_"
        found[key] = name
        used.add(name)
    return {key: found[key] for key, _ in wished}


def _connectors(module: Module) -> set[str]:
    """What the connectors of a module may be called, and so none of its links: they are called after its joints."""
    names = [joint.name for joint in driven_joints(module)]
    joints = {identifier(name) for name in names for identifier in (simple_identifier, plain_identifier)}
    flanges = {f"{joint}{more}_flange_{side}" for joint in joints for more in ("", "_joint") for side in "ab"}
    return flanges | {outlet.frame for outlet in outlets_of(module)}


def changed_numbers(before: ModularNames, now: ModularNames) -> list[str]:
    """A sentence for each flange and end of the robot that belongs to something else than before."""
    found = []
    tables = (
        ("rotational_flange_a", before.rotational, now.rotational),
        ("translational_flange_a", before.translational, now.translational),
        ("frame_b", before.ends, now.ends),
    )
    for connector, old, new in tables:
        owners = {number: key for key, number in new.items()}
        for (instance, part), number in old.items():
            owner = owners.get(number)
            if owner == (instance, part):
                continue
            is_now = "gone" if owner is None else f"that of {owner[0]}.{owner[1]}"
            found.append(
                f"{connector}[{number}] of the robot, which was that of {instance}.{part}, is {is_now}: "
                "see what you have connected with it"
            )
    return found


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
    }


def _by_instance(numbers: Mapping[End, int]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (instance, part), number in numbers.items():
        found.setdefault(instance, {})[part] = number
    return found


def modular_names_of(data: Mapping[str, Any]) -> ModularNames:
    """The names again; ValueError if they are not what `modular_names_json` makes."""
    robot = _table({"robot": data.get("robot")}, "robot", str)["robot"]
    modules = _table(data.get("modules"), "modules", str)
    parts = {name: names_of(each) for name, each in _table(data.get("parts"), "parts", dict).items()}
    missing = sorted(set(modules.values()) - parts.keys())
    if missing:
        raise ValueError(f"there are no 'parts' of the module '{missing[0]}'")
    return ModularNames(
        robot=robot,
        modules=modules,
        components=_table(data.get("components"), "components", str),
        parts=parts,
        rotational=_numbers(data, "rotational"),
        translational=_numbers(data, "translational"),
        ends=_numbers(data, "ends"),
        cells={instance: _cell(cell) for instance, cell in _table(data.get("cells"), "cells", str).items()},
    )


def _table(values: object, what: str, kind: type[V]) -> dict[str, V]:
    if not isinstance(values, dict) or not all(isinstance(value, kind) for value in values.values()):
        raise ValueError(f"'{what}' is missing or not valid")
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
