"""Objects that are connected pair by pair: `connect(collision.port[j], constrained.port[i])`, where i and j are IDs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from modelica_ast.edit import ClassHandle
from modelica_ast.graphics import Color, Line
from modelica_ast.library import Connection, Instance
from urdf_frontend.constraints.classes import Role
from urdf_frontend.constraints.errors import ConstraintError
from urdf_frontend.constraints.networks import Network
from urdf_frontend.constraints.numbering import Wish, numbers_for
from urdf_frontend.constraints.places import Places
from urdf_frontend.constraints.report import Finding

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
            "write it with numbers, or take it away"
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
        message = f"connect({connection.left}, {connection.right}) is no connection of one pair by numbers"
        yield places.of_connection("constraints-connection", message, connection.line)
    if wiring.strange:
        return
    wanted = wanted_connections(network, connected_ids(network, model, wiring))
    there = set()
    for wire in wiring.wires:
        ends = frozenset((_plain(wire.connection.left), _plain(wire.connection.right)))
        if ends not in wanted or ends in there:
            message = f"connect({wire.connection.left}, {wire.connection.right}) has wrong indices, or is there twice"
            yield places.of_connection("constraints-connection", message, wire.connection.line)
        there.add(ends)
    for ends, (one, other) in wanted.items():
        if ends not in there:
            name = one.partition(".port[")[0].partition("[")[0]
            component = next(item.component for item in network.objects if item.path == name)
            yield places.finding("constraints-connection", f"connect({one}, {other}) is missing", component)
