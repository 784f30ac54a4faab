"""From one wiring to the other: objects at a collector become connected ones, and the other way round."""

from __future__ import annotations

from modelica_ast.edit import ClassHandle
from modelica_ast.library import Instance
from urdf_frontend.constraints.classes import CONNECTED, PLANAR, SPATIAL, Family, Role
from urdf_frontend.constraints.connected_wiring import (
    Wiring,
    connect_ports,
    connected_ids,
    wanted_connections,
)
from urdf_frontend.constraints.element_values import gathered
from urdf_frontend.constraints.errors import ConstraintError
from urdf_frontend.constraints.networks import Network
from urdf_frontend.constraints.outer_wiring import add_collector, current_ids


def to_connected(handle: ClassHandle, model: Instance, network: Network) -> None:
    """Connect the objects of a network, whose IDs are in order, and take its collector away."""
    if network.family is PLANAR:
        raise ConstraintError(f"{PLANAR.package} has no connected objects: leave --style away")
    _refuse_others(handle, model, network, SPATIAL)
    ids: dict[str, int] = {}
    for role in Role:
        for element in network.elements(role):
            number = current_ids(network, element.object)[element.number]
            if number is None:
                raise ConstraintError(f"'{element.text}' has no ID that is a number: give it one first")
            ids[element.text] = number
    for item in network.objects:
        component = handle.find_component(item.path)
        component.set_type(CONNECTED.class_of(item.role))
        component.remove_modifier("id")
    if network.collector is not None:
        handle.find_component(network.collector_name).remove()
    for one, other in wanted_connections(network, ids).values():
        connect_ports(handle, one, other)


def to_outer(handle: ClassHandle, model: Instance, network: Network) -> None:
    """Let connected objects meet at a collector; the IDs are those of their connections."""
    _refuse_others(handle, model, network, CONNECTED)
    wiring = Wiring.of(network, model)
    if wiring.strange:
        first = wiring.strange[0]
        raise ConstraintError(f"connect({first.left}, {first.right}) is no connection of one pair by numbers")
    ids = connected_ids(network, model, wiring)
    for wire in wiring.wires:
        if wire.connection.declared_in != model.name:
            raise ConstraintError(f"the connections of '{wire.collision}' are inherited: sync the class they are in")
        handle.disconnect(wire.connection.left, wire.connection.right)
    for role in Role:
        elements = network.elements(role)
        for item in network.of_role(role):
            component = handle.find_component(item.path)
            component.set_type(SPATIAL.class_of(role))
            numbers = [ids[element.text] for element in elements if element.object is item]
            component.set("id", gathered(numbers, item.known_sizes))
    add_collector(handle, model, Network(SPATIAL, "", None, "collector", (), network.objects))


def _refuse_others(handle: ClassHandle, model: Instance, network: Network, family: Family) -> None:
    """Only what the model declares itself, of the library's own classes, can become something else."""
    if network.place:
        raise ConstraintError(f"the collector of '{network.name}' is inside a component: sync the class it is in")
    collector = network.collector
    is_own = collector is None or handle.get_component(collector.name) is not None
    if not is_own:
        raise ConstraintError(f"'{network.collector_name}' of {model.name} is inherited: its objects can't be rewired")
    for item in network.objects:
        if handle.get_component(item.path) is None:
            raise ConstraintError(
                f"'{item.path}' is not declared in {model.name} itself, where connections of ports have to be: "
                "leave --style away"
            )
        if item.component.type_name != family.class_of(item.role):
            raise ConstraintError(
                f"'{item.path}' is a {item.component.type_name}: only a {family.class_of(item.role)} can be rewired"
            )
