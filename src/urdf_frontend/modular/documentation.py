"""The pages of a robot that is made of modules: which modules there are, and how they hang together.

The tables have no numbers but those of flanges and ends: values are in the records of the modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from urdf_frontend.building.documentation import table
from urdf_frontend.modular.module_model import flange_of
from urdf_frontend.modular.naming import MODULES, ModularNames, driven_joints, open_ends
from urdf_frontend.modular.outlets import Outlet, outlets_of
from urdf_frontend.modules import Module
from urdf_frontend.modules.placing import Placed, Tree
from urdf_frontend.names import NameTable


def package_info(title: str, tree: Tree, names: ModularNames, package: str) -> str:
    """The page of the package, as HTML."""
    head = ("Instance", "Module", "Hangs on", "Ends of the robot", "Flanges of the robot")
    lines = [
        "<html>",
        f"<p>The <strong>{_text(title)}</strong>, put together from modules: each is a model between",
        "connectors, and the robot has them connected one behind the other.</p>",
        *table(head, _instance_rows(tree, names, package)),
        "</html>",
    ]
    return "\n".join(lines)


def robot_info(package: str) -> str:
    """The page of the robot's model."""
    lines = (
        "<html>",
        "<p>All modules of the robot, connected as its assembly says.",
        f'<a href="modelica://{package}">The page of the package</a> lists them, and says which frame and which flange',
        "belongs to which of them.</p>",
        "</html>",
    )
    return "\n".join(lines)


def module_info(module: Module, names: NameTable, package: str) -> str:
    """The page of a module's package, and of its model."""
    links = (_linked(name, f"{package}.Links.{named.class_name}") for name, named in names.links.items())
    frames = [(outlet.frame, _what(outlet)) for outlet in outlets_of(module)]
    for joint in driven_joints(module):
        component = names.joint(joint.name).component
        pair = " and ".join(flange_of(component, side) for side in "ab")
        frames.append((pair, f"axis and support of the {joint.type.value} joint {_text(joint.name)}"))
    inside = ", ".join(link for link, name in zip(links, names.links, strict=True) if _is_inside(name, module))
    lines = [
        "<html>",
        f"<p>The module <strong>{_text(module.path.stem)}</strong>, made from its URDF file.",
        "<code>frame_a</code> is its input connector.</p>",
        *table(("Connector", "Meaning"), [(_text(frame), what) for frame, what in frames]),
        f"<p>Links: {inside or 'none'}.</p>",
        "</html>",
    ]
    return "\n".join(lines)


def _is_inside(link: str, module: Module) -> bool:
    is_virtual = any(outlet.is_connector and outlet.link == link for outlet in outlets_of(module))
    return not is_virtual and not (module.has_empty_input and link == module.root_link)


def _what(outlet: Outlet) -> str:
    return f"{'output connector' if outlet.is_connector else 'frame of the link'} {_text(outlet.key)}"


def _instance_rows(tree: Tree, names: ModularNames, package: str) -> Iterator[tuple[str, ...]]:
    ends: dict[str, list[str]] = {}
    for placed, key in open_ends(tree):
        ends.setdefault(placed.name, []).append(f"frame_b[{names.ends[placed.name, key]}]")
    for placed in tree.placed:
        class_name = names.class_of(placed)
        yield (
            _text(names.component(placed)),
            _linked(class_name, f"{package}.{MODULES}.{class_name}"),
            _text(_parent(placed, tree, names)),
            ", ".join(ends.get(placed.name, ())),
            ", ".join(_flanges(placed, names)),
        )


def _parent(placed: Placed, tree: Tree, names: ModularNames) -> str:
    if placed.parent is None or placed.port is None:
        return "frame_a"
    parent = tree.placed[placed.parent]
    frame = next(outlet.frame for outlet in outlets_of(parent.module) if outlet.key == placed.port.joint)
    return f"{names.component(parent)}.{frame}"


def _flanges(placed: Placed, names: ModularNames) -> Iterable[str]:
    for joint in driven_joints(placed.module):
        key = (placed.name, joint.name)
        if joint.type.is_rotational:
            yield f"rotational_flange_a[{names.rotational[key]}]"
        else:
            yield f"translational_flange_a[{names.translational[key]}]"


def _linked(name: str, class_name: str) -> str:
    return f'<a href="modelica://{class_name}">{_text(name)}</a>'


def _text(text: str) -> str:
    return escape(" ".join(text.split()))
