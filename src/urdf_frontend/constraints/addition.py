"""`add`: an object on a frame of a model, with its connections, and all objects numbered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve, field, frozen

from modelica_ast.edit import ClassHandle
from modelica_ast.library import Libraries, instance
from modelica_ast.semantics import ComponentInstance, Instance
from modelica_ast.tree import Reference
from urdf_frontend.constraints.model_text import place_beside
from urdf_frontend.constraints.networks import ConstraintError, networks_of
from urdf_frontend.constraints.objects import CONNECTED, CONTROL, LIBRARY, PLANAR, SPATIAL, Family, Role, kinds_of
from urdf_frontend.constraints.report import Report
from urdf_frontend.constraints.synchronisation import Style, sync

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
    tree = instance(libraries, model)
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
            raise ConstraintError(f"'{new.frame}' is a {frame.type_text}, and an object needs a frame")
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
        raise ConstraintError(f"'{new.closed}' is a {signal.type_text}, and the input closed is Boolean")
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
