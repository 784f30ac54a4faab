"""Where a module goes on: its output connectors, or the last links of a robot that is attached as it is."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from urdf_frontend.building import BuildOptions
from urdf_frontend.building.parts import shown_collisions, shown_visuals
from urdf_frontend.model import Link
from urdf_frontend.modules import Module
from urdf_frontend.modules.module_file import OUTPUT_CONNECTOR
from urdf_frontend.names import plain_identifier

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
