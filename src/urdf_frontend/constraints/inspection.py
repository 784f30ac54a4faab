"""What is wrong with the objects of a model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

from modelica_ast.library import Libraries
from modelica_ast.semantics import Instance
from modelica_ast.tree import ComponentReference, EquationSection, NumberLiteral, walk
from urdf_frontend.constraints.model_text import Places
from urdf_frontend.constraints.networks import Finding, Network, model_of, networks_of
from urdf_frontend.constraints.objects import (
    CONTROL,
    LIBRARY,
    OBJECT_CLASSES,
    PLANAR,
    ConstraintObject,
    Role,
    Setting,
    ancestors,
    index_text,
    spread,
    unknown_classes,
)
from urdf_frontend.constraints.pairs import connection_findings, current_ids

# ---------------------------------------------------------------- ends that nothing is at
# The frame of each object, and the input `closed` of collision objects of mode Control: does anything name them?

_FRAME: Final = "frame_a"
_CLOSED: Final = "closed"
_WORLD: Final = "world"
_OBJECT_BASES: Final = (f"{LIBRARY}.Interfaces.", "Modelica.Mechanics.MultiBody.Interfaces.")  # of objects


def loose_frames(item: ConstraintObject) -> list[str]:
    """The elements of an object whose frame is connected with nothing, as people call them."""
    return [] if not item.is_sized else _unnamed(item, _FRAME, [True] * math.prod(item.known_sizes))


def open_inputs(item: ConstraintObject) -> list[str]:
    """The elements of a collision object whose input has no source, as people call them."""
    if not item.is_sized:
        return []
    closed = item.component.components.get(_CLOSED)
    modes = _modes(item)
    if closed is None or closed.binding is not None or CONTROL not in modes:
        return []
    return _unnamed(item, _CLOSED, [mode == CONTROL for mode in modes])


def _unnamed(item: ConstraintObject, end: str, wanted: list[bool]) -> list[str]:
    """Those of the wanted elements whose end no equation names."""
    written = list(_written(item, end))
    if any(indices is None for indices in written):  # by a name without indices, or in a loop
        return []
    done = {f"[{','.join(map(str, indices))}]" if indices else "" for indices in written if indices is not None}
    named = (index_text(number, item.known_sizes) for number in range(len(wanted)))
    return [
        f"{item.path}{index}" for index, is_wanted in zip(named, wanted, strict=True) if is_wanted and index not in done
    ]


def _modes(item: ConstraintObject) -> list[str]:
    """The mode of each element; '' if it can't be decided."""
    value: Any = item.component.components["mode"].value
    found = None if value is None else spread(value, item.known_sizes)
    return [""] * math.prod(item.known_sizes) if found is None else [str(each) for each in found]


def _written(item: ConstraintObject, end: str) -> Iterator[tuple[int, ...] | None]:
    """The indices with which equations name an end, in the classes around it; None if they mean all or some."""
    way = ancestors(item.component)
    names = (*(component.name for component in way), end)
    for depth in range(len(way) + 1):
        around = way[depth].parent if depth < len(way) else item.component
        has_more_around = any(component.dimensions for component in way[:depth])
        for reference in _references(around, names[depth:]):
            indices = _indices(reference, len(names) - depth)
            is_whole = indices is not None and not indices and bool(item.sizes)
            yield None if indices is None or is_whole or has_more_around else indices


def _references(around: Any, names: tuple[str, ...]) -> Iterator[ComponentReference]:
    """What names something, or a part of it, in the equations of a class, but for what objects say of their ends."""
    environment = around.environment
    for part in environment.ancestry() if environment is not None else ():
        if part.full_name in OBJECT_CLASSES or part.full_name.startswith(_OBJECT_BASES):
            continue
        for section in getattr(part.definition, "sections", []):
            if isinstance(section, EquationSection):
                for view in walk(section, annotations=False):
                    if isinstance(view, ComponentReference) and tuple(view.parts)[: len(names)] == names:
                        yield view


def _indices(reference: ComponentReference, count: int) -> tuple[int, ...] | None:
    """The subscripts of the first so many parts of a name; None if they are not all numbers."""
    found: list[int] = []
    for subscripts in reference.subscripts[:count]:
        for subscript in subscripts.items if subscripts is not None else []:
            if not isinstance(subscript, NumberLiteral):
                return None
            found.append(int(subscript.text))
    return tuple(found)


# ---------------------------------------------------------------- checking

CODES: Final = {
    "constraints-no-collector": "Objects have no inner collector to meet at.",
    "constraints-id-missing": "An object has no ID of its own.",
    "constraints-id-duplicate": "Two objects of one collector have the same ID.",
    "constraints-id-range": "An ID is not between 1 and the number of objects.",
    "constraints-id-unknown": "The value of an ID can't be decided.",
    "constraints-count": "The collector has a wrong number of objects.",
    "constraints-size": "An object has a wrong number of objects.",
    "constraints-array-size": "The size of an array of objects is not known.",
    "constraints-connection": "A pair of objects is not connected, or at wrong indices.",
    "constraints-closed": "The input closed of a collision object of mode Control has no source.",
    "constraints-frame": "The frame of an object is connected with nothing, so nothing says where it is.",
    "constraints-no-world": "There is no inner world, so compilers put one there, with gravity along -y.",
    "constraints-conditional": "An object that has an ID may not be there.",
    "constraints-unknown-class": "A class is not found, so that objects in it are not known.",
    "constraints-alone": "There are only objects of one kind, which never touch.",
}
# What sync is there for; the rest is for the user to do.
SYNCED: Final = frozenset(CODES) - {
    "constraints-closed",
    "constraints-frame",
    "constraints-no-world",
    "constraints-alone",
}


def check(libraries: Libraries, model: str) -> list[Finding]:
    """Everything that is wrong with the objects of a model, in the order of the lines."""
    tree = model_of(libraries, model)
    return findings_of(libraries, tree, networks_of(libraries, tree))


def _unknown(libraries: Libraries, model: Instance, places: Places) -> Iterator[Finding]:
    for component, name in unknown_classes(libraries, model):
        what = model.name if component is None else component.path
        yield places.finding(
            "constraints-unknown-class",
            f"the class '{name}' of '{what}' is not found, so that objects in it are not known",
            component,
            "name its library with --library",
            severity="warning",
        )


def findings_of(libraries: Libraries, model: Instance, networks: Iterable[Network]) -> list[Finding]:
    """What is wrong with some networks of a model."""
    checks = _Checks(model, Places(libraries, model))
    found = [finding for network in networks for finding in checks.of_network(network)]
    found += _unknown(libraries, model, Places(libraries, model))
    return sorted(found, key=lambda finding: (finding.file, finding.line, finding.column))


class _Checks:
    def __init__(self, model: Instance, places: Places) -> None:
        self._model = model
        self._places = places

    def of_network(self, network: Network) -> Iterator[Finding]:
        yield from self._conditions(network)
        if network.family.has_collector:
            yield from self._collector(network)
            for role in Role:
                yield from self._ids(network, role)
        elif not network.place:
            yield from connection_findings(network, self._model, self._places)
        yield from self._sizes(network)
        for item in network.of_role(Role.COLLISION):
            yield from self._closed(item)
        for item in network.objects:
            yield from self._frames(item)
        yield from self._world(network)
        yield from self._alone(network)

    def _conditions(self, network: Network) -> Iterator[Finding]:
        for item in network.objects:
            if not item.is_sized:
                yield self._places.finding(
                    "constraints-array-size",
                    f"the size of '{item.path}' is not known, or not possible: its elements can't be numbered",
                    item.component,
                    "give its dimensions as numbers, or as parameters with values",
                )
            condition = item.condition
            if condition is not None:
                yield self._places.finding(
                    "constraints-conditional",
                    f"'{item.path}' is there only if '{condition.text}', and has an ID anyway",
                    item.component,
                    "without it the collector has an ID with no object, which compilers refuse",
                    severity="warning",
                )

    def _collector(self, network: Network) -> Iterator[Finding]:
        collector = network.collector
        if collector is None:
            yield self._places.finding(
                "constraints-no-collector",
                f"there is no inner {network.family.collector} '{network.collector_name}' in {self._model.name}",
                network.objects[0].component,
                "sync adds it",
            )
            return
        if network.has_other_collector:
            yield self._places.finding(
                "constraints-no-collector",
                f"'{collector.path}' is a {collector.type_name}, and '{network.objects[0].path}' needs a "
                f"{network.family.collector}",
                collector,
            )
            return
        for role in Role:
            setting = Setting(collector.components[role.count])
            wanted = network.count(role)
            if network.is_sized and setting.value != wanted and wanted:
                yield self._places.of_setting(
                    "constraints-count",
                    f"'{collector.path}.{role.count}' is {_said(setting)}, and there {_are(wanted, role)}",
                    setting,
                )

    def _ids(self, network: Network, role: Role) -> Iterator[Finding]:
        count = network.count(role)
        first: dict[int, str] = {}
        for item in network.of_role(role):
            if not item.is_sized or 0 in item.sizes:
                continue
            setting = item.setting("id")
            if setting.is_default:
                yield self._places.of_setting("constraints-id-missing", f"'{item.path}' has no ID", setting)
                continue
            if item.values("id") is None:
                yield self._places.of_setting(
                    "constraints-id-unknown",
                    f"the ID of '{item.path}' can't be decided: '{setting.text}'",
                    setting,
                    severity="warning",
                )
                continue
            sizes = network.own_sizes(item)
            for number, value in enumerate(current_ids(network, item)):
                name = f"{item.path}{index_text(number, sizes)}"
                if value is None or not 1 <= value <= count:
                    message = f"the ID of '{name}' is {value}, and IDs of {role.words}s go from 1 to {count}"
                    yield self._places.of_setting("constraints-id-range", message, setting)
                elif value in first:
                    message = f"'{name}' and '{first[value]}' are {role.words}s with the same ID, {value}"
                    yield self._places.of_setting("constraints-id-duplicate", message, setting)
                else:
                    first[value] = name

    def _sizes(self, network: Network) -> Iterator[Finding]:
        for item in network.objects:
            other = Role.CONSTRAINED if item.role is Role.COLLISION else Role.COLLISION
            wanted = network.count(other)
            setting = item.setting(item.role.size)
            is_left_to_collector = setting.is_default and network.family.has_collector
            if is_left_to_collector or not (network.is_sized and wanted):
                continue
            values = item.values(item.role.size)
            if values is None or any(value != wanted for value in values):
                message = f"'{setting.component.path}' is {_said(setting)}, and there {_are(wanted, other)}"
                yield self._places.of_setting("constraints-size", message, setting)

    def _closed(self, item: ConstraintObject) -> Iterator[Finding]:
        for name in open_inputs(item):
            yield self._places.finding(
                "constraints-closed",
                f"'{name}.closed' has no source, and '{name}' is of mode Control",
                item.component,
                "connect it with a Boolean signal, or set mode to Passive",
            )

    def _frames(self, item: ConstraintObject) -> Iterator[Finding]:
        for name in loose_frames(item):
            where = "what holds: a flange, a table" if item.role is Role.COLLISION else "the body that it sits on"
            yield self._places.finding(
                "constraints-frame",
                f"'{name}.{_FRAME}' is connected with nothing, so nothing says where '{name}' is",
                item.component,
                f"connect it with a frame of {where}",
            )

    def _world(self, network: Network) -> Iterator[Finding]:
        """One finding for a network; planar objects need no world."""
        if network.family is PLANAR or not network.objects:
            return
        first = network.objects[0].component
        around = [component.parent for component in ancestors(first)]
        inside = (None if each is None else each.components.get(_WORLD) for each in around)
        if not any(each is not None and each.is_inner for each in inside):
            yield self._places.finding(
                "constraints-no-world",
                f"there is no inner world around '{network.objects[0].path}': compilers put one there, with gravity "
                "along -y",
                first,
                "declare an inner Modelica.Mechanics.MultiBody.World world",
                severity="warning",
            )

    def _alone(self, network: Network) -> Iterator[Finding]:
        if not network.is_sized or not network.objects:
            return
        for role in Role:
            if not network.count(role):
                yield self._places.finding(
                    "constraints-alone",
                    f"there is no {role.words} for the others of '{network.name or self._model.name}' to touch",
                    network.objects[0].component,
                    severity="warning",
                )


def _said(setting: Setting) -> str:
    value = setting.value
    return f"'{setting.text}', which can't be decided" if value is None else str(value)


def _are(count: int, role: Role) -> str:
    return f"is 1 {role.words}" if count == 1 else f"are {count} {role.words}s"
