"""Objects that meet at a collector: their IDs, and the numbers of objects that the collector and they have to know."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from modelica_ast.edit import ClassHandle
from modelica_ast.library import Instance
from urdf_frontend.constraints.classes import COLLECTOR_CLASSES, Role
from urdf_frontend.constraints.diagram_places import free_place
from urdf_frontend.constraints.element_values import gathered
from urdf_frontend.constraints.errors import ConstraintError
from urdf_frontend.constraints.networks import Network
from urdf_frontend.constraints.numbering import Wish, numbers_for
from urdf_frontend.constraints.objects import ConstraintObject, Setting, kinds_of
from urdf_frontend.constraints.writing import ModelWriter


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
        raise ConstraintError(
            f"the collector has to be called '{name}', and in {model.name} this is a {there.type_text}"
        )
    if there.is_outer or declared is None:
        raise ConstraintError(
            f"'{name}' of {model.name} is {'outer' if there.is_outer else 'inherited and not inner'}: "
            "sync the model that has the collector"
        )
    declared.set_prefixes(["inner", *declared.prefixes])
