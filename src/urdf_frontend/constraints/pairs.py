"""Objects that are connected pair by pair: `connect(collision.port[j], constrained.port[i])`, where i and j are IDs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from modelica_ast.edit import ClassHandle
from modelica_ast.graphics import Color, Line
from modelica_ast.semantics import Connection, Instance
from urdf_frontend.constraints.model_text import ModelWriter, Places, free_place
from urdf_frontend.constraints.networks import ConstraintError, Finding, Network
from urdf_frontend.constraints.objects import COLLECTOR_CLASSES, ConstraintObject, Role, Setting, gathered, kinds_of

# ---------------------------------------------------------------- numbering
# Which ID each object gets: those that are valid and unique stay, the others get what is free.


@frozen
class Wish:
    """What an element has now, None if nothing; `is_fixed` if that can't change, `weight` is how much speaks for it."""

    current: int | None
    is_fixed: bool = False
    weight: int = 1


def numbers_for(wishes: Sequence[Wish], *, renumber: bool = False) -> list[int | None]:
    """An ID from 1 on for each element, in their order; None for one that can't be changed and has no valid one.

    What can't be changed goes first. Of those that have the same ID the one with the most weight keeps it, the first of
    equals. With `renumber` nothing is
    kept that can be changed, so that the IDs follow the order of the elements.
    """
    highest = len(wishes)
    found: list[int | None] = [None] * highest
    taken: set[int] = set()
    by_weight = sorted(enumerate(wishes), key=lambda item: -item[1].weight)
    for stays in (True, False):
        for place, wish in by_weight:
            number = wish.current
            is_due = wish.is_fixed is stays and (stays or not renumber)
            if is_due and number is not None and 1 <= number <= highest and number not in taken:
                found[place] = number
                taken.add(number)
    free = iter([number for number in range(1, highest + 1) if number not in taken])
    for place, wish in enumerate(wishes):
        if found[place] is None and not wish.is_fixed:
            found[place] = next(free)
    return found


# ---------------------------------------------------------------- connected wiring

_END: Final = re.compile(r"(?P<object>.+)\.port\[(?P<index>\d+)\]")
_COLOR: Final = Color(200, 0, 0)  # that of the connectors

Ends = frozenset[str]


@frozen
class Wire:
    """A connection of a pair: who is connected, and with which IDs."""

    collision: str
    constrained: str
    collision_id: int
    constrained_id: int
    connection: Connection


@frozen
class Wiring:
    """The connections of a network as they are. `strange` are those of ports that are not of this kind."""

    wires: tuple[Wire, ...]
    strange: tuple[Connection, ...]

    @classmethod
    def of(cls, network: Network, model: Instance) -> Wiring:
        """Look at all connections of a model."""
        names = {element.text: role for role in Role for element in network.elements(role)}
        wires, strange = [], []
        for connection in model.connections:
            ends = [_plain(connection.left), _plain(connection.right)]
            found = [_END.fullmatch(end) for end in ends]
            roles = {names.get(match["object"]): match for match in found if match is not None}
            one, other = roles.get(Role.COLLISION), roles.get(Role.CONSTRAINED)
            if one is not None and other is not None:
                wires.append(Wire(one["object"], other["object"], int(other["index"]), int(one["index"]), connection))
            elif any(_is_port(end, network) for end in ends):
                strange.append(connection)
        return cls(tuple(wires), tuple(strange))

    def ids(self, network: Network, model: str, role: Role) -> list[Wish]:
        """The ID that connections give to each element of a role, if all give the same."""
        votes: dict[str, list[int]] = {}
        fixed: set[str] = set()
        for wire in self.wires:
            name, number = (
                (wire.collision, wire.collision_id)
                if role is Role.COLLISION
                else (wire.constrained, wire.constrained_id)
            )
            votes.setdefault(name, []).append(number)
            if wire.connection.declared_in != model:
                fixed.add(name)
        found = []
        for element in network.elements(role):
            given = votes.get(element.text, [])
            current = given[0] if len(set(given)) == 1 else None
            found.append(Wish(current, is_fixed=element.text in fixed, weight=len(given)))
        return found


def _plain(end: str) -> str:
    return "".join(end.split())


def _is_port(end: str, network: Network) -> bool:
    """Is it a port of an object, or of all elements of one?"""
    bare = re.sub(r"\[[^\]]*\]", "", end)
    return any(bare == f"{item.path}.port" for item in network.objects)


def wanted_connections(network: Network, ids: Mapping[str, int]) -> dict[Ends, tuple[str, str]]:
    """The connections of all pairs, by their ends in any order."""
    found: dict[Ends, tuple[str, str]] = {}
    for one in network.elements(Role.COLLISION):
        for other in network.elements(Role.CONSTRAINED):
            ends = (f"{one.text}.port[{ids[other.text]}]", f"{other.text}.port[{ids[one.text]}]")
            found[frozenset(ends)] = ends
    return found


def connected_ids(network: Network, model: Instance, wiring: Wiring, *, renumber: bool = False) -> dict[str, int]:
    """The ID of each element: what connections say where that is valid, else what is free."""
    found: dict[str, int] = {}
    for role in Role:
        numbers = numbers_for(wiring.ids(network, model.name, role), renumber=renumber)
        for element, number in zip(network.elements(role), numbers, strict=True):
            if number is None:
                raise ConstraintError(
                    f"the connections of '{element.text}' are inherited and have no valid ID: "
                    "sync the class that they are in"
                )
            found[element.text] = number
    return found


def rewire(handle: ClassHandle, model: Instance, network: Network, *, renumber: bool) -> tuple[list[str], list[str]]:
    """Connect all pairs, and disconnect what is wrong; (added, removed)."""
    if network.place:
        raise ConstraintError(
            f"the connected objects in '{network.place}' belong to the class {_class_around(network)}: sync that class"
        )
    _refuse_unsized(network, model)
    wiring = Wiring.of(network, model)
    if wiring.strange:
        first = wiring.strange[0]
        raise ConstraintError(
            f"connect({first.left}, {first.right}) in line {first.line} is in a loop or connects arrays of ports: "
            "write it with numbers, or remove it"
        )
    wanted = wanted_connections(network, connected_ids(network, model, wiring, renumber=renumber))
    there: set[Ends] = set()
    removed = []
    for wire in wiring.wires:
        ends = frozenset((_plain(wire.connection.left), _plain(wire.connection.right)))
        if ends in wanted and ends not in there:
            there.add(ends)
        elif wire.connection.declared_in == model.name:
            handle.disconnect(wire.connection.left, wire.connection.right)
            removed.append(f"connect({wire.connection.left}, {wire.connection.right})")
    added = []
    for ends, (one, other) in wanted.items():
        if ends not in there:
            connect_ports(handle, one, other)
            added.append(f"connect({one}, {other})")
    return added, removed


def connect_ports(handle: ClassHandle, one: str, other: str) -> None:
    """Connect two ports, with a line of their colour where both components are placed."""
    handle.connect(one, other)
    if handle.get_line(one, other) is not None:
        handle.set_line(one, other, Line(color=_COLOR))


def _class_around(network: Network) -> str:
    return network.objects[0].component.declared_in


def _refuse_unsized(network: Network, model: Instance) -> None:
    for item in network.objects:
        if not item.is_sized:
            raise ConstraintError(f"the size of '{item.path}' in {model.name} is not known: it can't be connected")


def connection_findings(network: Network, model: Instance, places: Places) -> Iterator[Finding]:
    """What is wrong with the connections of a network."""
    if not network.is_sized:
        return
    wiring = Wiring.of(network, model)
    for connection in wiring.strange:
        message = f"connect({connection.left}, {connection.right}) is not a connection of one pair by numbers"
        yield places.of_connection("constraints-connection", message, connection.line)
    if wiring.strange:
        return
    wanted = wanted_connections(network, connected_ids(network, model, wiring))
    there = set()
    for wire in wiring.wires:
        ends = frozenset((_plain(wire.connection.left), _plain(wire.connection.right)))
        if ends not in wanted or ends in there:
            message = f"connect({wire.connection.left}, {wire.connection.right}) has wrong indices, or appears twice"
            yield places.of_connection("constraints-connection", message, wire.connection.line)
        there.add(ends)
    for ends, (one, other) in wanted.items():
        if ends not in there:
            name = one.partition(".port[")[0].partition("[")[0]
            component = next(item.component for item in network.objects if item.path == name)
            yield places.finding("constraints-connection", f"connect({one}, {other}) is missing", component)


# ---------------------------------------------------------------- outer wiring
# Objects that meet at a collector: their IDs, and the numbers of objects that the collector and they have to know.


@frozen
class Order:
    """A parameter that has to be set; with `each`, to one value for all elements of arrays."""

    setting: Setting
    value: Any
    each: bool = False

    def carry_out(self, writer: ModelWriter) -> None:
        """Set it."""
        writer.set(self.setting.component, self.value, each=self.each)


def orders_for(network: Network, model: str, *, renumber: bool) -> list[Order]:
    """All that has to be set in a network; nothing if it is in order. What can't be set is left alone."""
    if not network.is_sized or network.has_other_collector:
        return []  # how many there are, or where, is not known
    if not network.family.has_collector:
        return [] if network.place else list(_sizes(network, model))
    return [*_ids(network, model, renumber=renumber), *_sizes(network, model), *_counts(network, model)]


def current_ids(network: Network, item: ConstraintObject) -> list[int | None]:
    """The IDs of the elements of an object; None for those without, or with one that can't be decided."""
    sizes = network.own_sizes(item)
    count = math.prod(sizes)
    setting = item.setting("id")
    values = None if setting.is_default else item.values("id")
    if values is None:
        return [None] * count
    found: list[int | None] = []
    for number in range(count):
        there = {value if _is_id(value) else None for value in values[number::count]}  # in each network of its kind
        found.append(there.pop() if len(there) == 1 else None)
    return found


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _ids(network: Network, model: str, *, renumber: bool) -> Iterator[Order]:
    for role in Role:
        objects = [item for item in network.of_role(role) if 0 not in item.sizes]
        current = [current_ids(network, item) for item in objects]
        fixed = [item.setting("id").hindrance(model) is not None for item in objects]
        wishes = [Wish(number, is_fixed=f) for ids, f in zip(current, fixed, strict=True) for number in ids]
        numbers = iter(numbers_for(wishes, renumber=renumber))
        for item, ids, is_fixed in zip(objects, current, fixed, strict=True):
            new = [next(numbers) for _ in ids]
            if is_fixed or new == ids:
                continue
            sizes = network.own_sizes(item)
            if sizes:
                copies = math.prod(item.known_sizes) // len(new)
                yield Order(item.setting("id"), gathered(new * copies, item.known_sizes))
            else:
                yield Order(item.setting("id"), new[0], each=bool(item.sizes))


def _sizes(network: Network, model: str) -> Iterator[Order]:
    """Some compilers want a number where the library's default is that of the collector."""
    for item in network.objects:
        other = Role.CONSTRAINED if item.role is Role.COLLISION else Role.COLLISION
        wanted = network.count(other)
        setting = item.setting(item.role.size)
        if not wanted or 0 in item.sizes or setting.hindrance(model) is not None:
            continue
        if setting.is_default or item.values(item.role.size) != [wanted] * math.prod(item.known_sizes):
            yield Order(setting, wanted, each=bool(item.sizes))


def _counts(network: Network, model: str) -> Iterator[Order]:
    if network.collector is None:
        return
    for role in Role:
        wanted = network.count(role)
        setting = Setting(network.collector.components[role.count])
        is_said = setting.value == wanted and not setting.is_default
        if wanted and not is_said and setting.hindrance(model) is None:
            yield Order(setting, wanted, each=bool(network.outer_sizes))


def add_collector(handle: ClassHandle, model: Instance, network: Network) -> None:
    """Give a model the collector that its objects look for; ConstraintError if its name is taken."""
    name = network.collector_name
    there = model.components.get(name)
    if there is None:
        counts = {role.count: network.count(role) or 1 for role in Role}
        placement = free_place(handle)
        added = handle.add_component(network.family.collector, name, counts, prefixes=["inner"], place="first")
        added.set_placement(placement)
        return
    declared = handle.get_component(name)
    if kinds_of(there).isdisjoint(COLLECTOR_CLASSES):
        raise ConstraintError(f"the collector must be called '{name}', but in {model.name} that is a {there.type_text}")
    if there.is_outer or declared is None:
        raise ConstraintError(
            f"'{name}' of {model.name} is {'outer' if there.is_outer else 'inherited and not inner'}: "
            "sync the model that has the collector"
        )
    declared.set_prefixes(["inner", *declared.prefixes])
