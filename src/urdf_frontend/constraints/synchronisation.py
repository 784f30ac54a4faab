"""`sync`: IDs, counts and wiring of a model, brought in order by as few edits as possible; `add`: one object more."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from attrs import evolve, field, frozen

from modelica_ast.edit import ClassHandle
from modelica_ast.library import Libraries
from modelica_ast.semantics import ComponentInstance, Instance
from modelica_ast.tree import Reference, ShortClassSpecifier
from urdf_frontend.constraints.inspection import SYNCED, findings_of
from urdf_frontend.constraints.model_text import ModelWriter, place_beside
from urdf_frontend.constraints.networks import (
    Assignment,
    ConstraintError,
    Network,
    NetworkCount,
    Report,
    model_of,
    networks_of,
)
from urdf_frontend.constraints.objects import (
    CONNECTED,
    CONTROL,
    LIBRARY,
    PLANAR,
    SPATIAL,
    Family,
    Role,
    gathered,
    kinds_of,
    shown,
)
from urdf_frontend.constraints.pairs import (
    Order,
    Wiring,
    add_collector,
    connect_ports,
    connected_ids,
    current_ids,
    orders_for,
    rewire,
    wanted_connections,
)

# ---------------------------------------------------------------- styles
# From one wiring to the other: objects at a collector become connected ones, and the other way round.


def to_connected(handle: ClassHandle, model: Instance, network: Network) -> None:
    """Connect the objects of a network, whose IDs are in order, and take its collector away."""
    if network.family is PLANAR:
        raise ConstraintError(f"{PLANAR.package} has no connected objects: omit --style")
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
        raise ConstraintError(f"connect({first.left}, {first.right}) is not a connection of one pair by numbers")
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
                f"'{item.path}' is not declared in {model.name} itself, where "
                "connections of ports have to be: omit --style"
            )
        if item.component.type_name != family.class_of(item.role):
            raise ConstraintError(
                f"'{item.path}' is a {item.component.type_name}: only a {family.class_of(item.role)} can be rewired"
            )


# ---------------------------------------------------------------- syncing


class Style(Enum):
    """How objects find each other."""

    OUTER = "outer"  # at an inner collector, by IDs
    CONNECT = "connect"  # by connections of all pairs


def sync(
    libraries: Libraries,
    model: str,
    *,
    style: Style | str | None = None,
    renumber: bool = False,
    collector: str | None = None,
) -> Report:
    """Number the objects of a model, as one step that can be undone.

    IDs that are valid and unique stay; with `renumber` none does. `collector` is the path of the one whose objects are
    meant, without it all are. A `style` rewires objects that are of the other one. All edits are in the text of the
    model itself. ConstraintError, and no edit, if something can't be done; what sync must leave to the user is among
    the findings.
    """
    job = _Sync(libraries, model, collector)
    wanted = None if style is None else Style(style)
    with libraries.transaction():
        job.number(renumber=renumber)
        if wanted is not None:
            job.rewire(wanted)
            job.number(renumber=False)
    return job.report()


def count_networks(libraries: Libraries, model: str) -> list[NetworkCount]:
    """How many objects and pairs there are at each collector of a model."""
    return [NetworkCount.of(network) for network in networks_of(libraries, model_of(libraries, model))]


class _Sync:
    def __init__(self, libraries: Libraries, model: str, collector: str | None) -> None:
        self._libraries = libraries
        self._name = model
        self._collector = collector
        self._handle: ClassHandle = libraries.find_class(model)
        self._settings: list[Assignment] = []
        self._added: list[str] = []
        self._removed: list[str] = []
        if isinstance(self._handle.view.specifier, ShortClassSpecifier):
            raise ConstraintError(f"{model} is a short class, which has no elements: sync the class that it stands for")
        if libraries.library_of(model).read_only:
            raise ConstraintError(f"{model} is in a library that is only looked at")

    def _tree(self) -> tuple[Instance, list[Network]]:
        """The model as it is now, and the networks that are meant."""
        tree = model_of(self._libraries, self._name)
        every = networks_of(self._libraries, tree)
        chosen = [network for network in every if self._collector in (None, network.name)]
        if self._collector is not None and not chosen:
            known = ", ".join(f"'{network.name}'" for network in every) or "none"
            raise ConstraintError(f"there is no collector '{self._collector}' in {self._name}; there is {known}")
        return tree, chosen

    def number(self, *, renumber: bool) -> None:
        tree, networks = self._tree()
        missing = [each for each in networks if each.family.has_collector and each.collector is None and each.objects]
        if len({network.collector_name for network in missing}) < len(missing):
            raise ConstraintError(f"{self._name} has planar objects and others, which can't share a collector")
        for network in missing:
            add_collector(self._handle, tree, network)
            self._added.append(f"{network.family.collector} {network.collector_name}")
        if missing:
            tree, networks = self._tree()
        writer = ModelWriter(self._handle, tree)
        orders = [order for network in networks for order in orders_for(network, self._name, renumber=renumber)]
        for order in orders:
            self._note(order)
            order.carry_out(writer)
        for network in networks:
            if not network.family.has_collector and (not network.place or self._collector is not None):
                added, removed = rewire(self._handle, tree, network, renumber=renumber)
                self._added += added
                self._removed += removed

    def _note(self, order: Order) -> None:
        setting = order.setting
        old = "" if setting.is_default else setting.text
        self._settings.append(Assignment(setting.component.path, old, shown(order.value)))

    def rewire(self, style: Style) -> None:
        tree, networks = self._tree()
        for network in networks:
            is_outer = network.family.has_collector
            if not network.objects or is_outer is (style is Style.OUTER):
                continue
            if self._collector is not None:  # what it is called from now on
                self._collector = "" if is_outer else "collector"
            if is_outer:
                to_connected(self._handle, tree, network)
                self._removed.append(f"{network.family.collector} {network.name}")
                pairs = network.count(Role.COLLISION) * network.count(Role.CONSTRAINED)
                self._added.append(f"connections of {pairs} pairs")
            else:
                to_outer(self._handle, tree, network)
                pairs = network.count(Role.COLLISION) * network.count(Role.CONSTRAINED)
                self._removed.append(f"connections of {pairs} pairs")
                self._added.append("a collector")

    def report(self) -> Report:
        tree, networks = self._tree()
        findings = [each for each in findings_of(self._libraries, tree, networks) if each.code in SYNCED]
        return Report(
            self._name,
            tuple(NetworkCount.of(network) for network in networks),
            tuple(self._settings),
            tuple(self._added),
            tuple(self._removed),
            tuple(findings),
        )


# ---------------------------------------------------------------- adding
# An object on a frame of a model, with its connections, and all objects numbered.

_FRAMES: Final = {
    "Modelica.Mechanics.MultiBody.Interfaces.Frame": SPATIAL,
    f"{LIBRARY}.Planar.Interfaces.Frame": PLANAR,
}
_LONGEST_WAY: Final = 2  # of a connector: a connector of the model, or of one of its components


@frozen(kw_only=True)
class NewObject:
    """An object to be added: the frame that it sits on, and what its parameters are.

    `closed` is the Boolean signal of one that is of mode Control. Without a `name` it is called after its frame.
    """

    role: Role
    frame: str
    name: str | None = None
    mode: str | None = None  # Control or Passive
    shape: str | None = None  # Sphere or Rectangle
    closed: str | None = None
    parameters: Mapping[str, float | bool] = field(factory=dict)

    @property
    def component(self) -> str:
        """What it is called."""
        return self.name or f"{self.frame.replace('.', '_').replace('[', '_').replace(']', '')}_object"


@frozen
class _Signal:
    """What closes an object: a connector is connected, a variable is its value."""

    path: str
    is_connector: bool


def add(libraries: Libraries, model: str, new: NewObject, *, style: Style | str | None = None) -> Report:
    """Add an object to a model and sync it, as one step; ConstraintError or EditError if that can't be done."""
    tree = model_of(libraries, model)
    handle = libraries.find_class(model)
    family = _family_of(libraries, tree, new, None if style is None else Style(style))
    signal = _signal_of(tree, new)
    with libraries.transaction():
        _declare(handle, new, family, signal)
        handle.connect(new.frame, f"{new.component}.frame_a")
        if signal is not None and signal.is_connector:
            handle.connect(signal.path, f"{new.component}.closed")
        report = sync(libraries, model)
    return evolve(report, added=(f"{family.class_of(new.role)} {new.component}", *report.added))


def _family_of(libraries: Libraries, tree: Instance, new: NewObject, style: Style | None) -> Family:
    frame = _reachable(tree, new.frame, "a frame")
    kinds = set() if frame is None else kinds_of(frame)
    family = next((_FRAMES[name] for name in kinds if name in _FRAMES), None)
    if family is None:
        if frame is not None and frame.environment is not None:
            raise ConstraintError(f"'{new.frame}' is a {frame.type_text}, but an object needs a frame")
        family = SPATIAL  # its class is not known here
    if family is PLANAR:
        return family
    there = {network.family for network in networks_of(libraries, tree) if network.objects and not network.place}
    is_connected = style is Style.CONNECT or (style is None and there == {CONNECTED})
    return CONNECTED if is_connected else family


def _reachable(tree: Instance, path: str, what: str) -> ComponentInstance | None:
    """The connector of a path; connections of a model reach those of its own components, and no further.

    None if it may come from a class that is not found, as those of the Standard Library where there is none.
    """
    bare = ".".join(part.partition("[")[0] for part in path.split("."))
    if bare.count(".") >= _LONGEST_WAY:
        raise ConstraintError(f"'{path}' is inside a component of a component: connections can't reach {what} there")
    first, _, rest = bare.partition(".")
    around = tree.find(first) if rest else tree
    is_unknown = isinstance(around, ComponentInstance) and around.environment is None
    if tree.get(bare) is None and (is_unknown or around.unresolved_bases):
        return None
    return tree.find(bare)


def _signal_of(tree: Instance, new: NewObject) -> _Signal | None:
    is_control = new.role is Role.COLLISION and new.mode != "Passive"
    if new.closed is None:
        if is_control:
            raise ConstraintError(
                f"'{new.component}' is of mode Control and binds while it is closed: name its signal with --closed, "
                "or say --mode Passive"
            )
        return None
    if not is_control:
        raise ConstraintError(f"'{new.component}' has no input closed: only collision objects of mode Control have one")
    signal = _reachable(tree, new.closed, "a signal")
    if signal is not None and signal.environment is not None and signal.end_type != "Boolean":
        raise ConstraintError(f"'{new.closed}' is a {signal.type_text}, but the input closed is Boolean")
    return _Signal(new.closed, is_connector=_is_connector(signal))


def _is_connector(component: ComponentInstance | None) -> bool:
    """Is it of a connector class? One that is not known is taken for it."""
    environment = None if component is None else component.environment
    parts = [] if environment is None else environment.ancestry()
    kinds = [getattr(part.definition, "class_kind", "") for part in parts]
    return environment is None or any(kind.endswith("connector") for kind in kinds)


def _declare(handle: ClassHandle, new: NewObject, family: Family, signal: _Signal | None) -> None:
    modifiers: dict[str, Any] = {}
    types = CONTROL.rpartition(".Mode.")[0]
    if new.mode is not None:
        modifiers["mode"] = Reference(f"{types}.Mode.{new.mode}")
    if new.shape is not None:
        modifiers["shape"] = Reference(f"{types}.Shape.{new.shape}")
    modifiers |= new.parameters
    if signal is not None and not signal.is_connector:
        modifiers["closed"] = Reference(signal.path)
    if handle.get_component(new.component) is not None:
        raise ConstraintError(f"there is a '{new.component}' in {handle.name} already: choose another name with --name")
    placement = place_beside(handle, new.frame.partition(".")[0].partition("[")[0])
    added = handle.add_component(family.class_of(new.role), new.component, modifiers)
    added.set_placement(placement)
