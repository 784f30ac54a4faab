"""The plugins of gazebo-fmi as XML: one FMU at a joint or at a link each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen
from lxml import etree

from urdf_frontend.fmi.errors import FmiError
from urdf_frontend.fmi.near import near
from urdf_frontend.fmi.profiles import GAZEBO_ACTUATOR, GAZEBO_FLUID, Profile


@frozen
class Kind:
    """What a plugin is called in SDF."""

    filename: str
    tag: str  # of the element that has everything
    target: str  # of the element in it that names the joint or link
    prefix: str  # of the names that we give
    profile: Profile


ACTUATOR: Final = Kind("libFMIActuatorPlugin.so", "actuator", "joint", "fmi_actuator", GAZEBO_ACTUATOR)
FLUID: Final = Kind(
    "libFMISingleBodyFluidDynamicsPlugin.so", "single_body_fluid_dynamics", "link", "fmi_fluid", GAZEBO_FLUID
)
KINDS: Final = (ACTUATOR, FLUID)


@frozen
class Plugin:
    """A plugin. What is None is not written, so that the plugin's own default counts."""

    kind: Kind
    target: str  # the name of the joint or link
    fmu: str
    verbose: bool | None = None
    enabled: bool | None = None
    disable_limits: bool | None = None  # those of velocity and effort
    variable_names: Mapping[str, str] = field(factory=dict)  # default name -> name in the FMU

    def __attrs_post_init__(self) -> None:
        for name in self.variable_names:
            if self.kind.profile.get(name) is None:
                known = [wanted.name for wanted in self.kind.profile.required]
                raise FmiError(f"the plugin for {self.kind.target}s has no variable '{name}'{near(name, known)}")
        if self.kind is FLUID and not (self.verbose is self.enabled is self.disable_limits is None):
            raise FmiError("verbose, enabled and limits are options of actuators, and this is a fluid")

    @property
    def name(self) -> str:
        """The name that it gets in Gazebo."""
        return f"{self.kind.prefix}_{self.target.replace('::', '_')}"

    @property
    def values(self) -> dict[str, str]:
        """The elements in that of the FMU, in their order; `variable_names` is not among them."""
        found = {"name": self.name, self.kind.target: self.target, "fmu": self.fmu}
        if self.enabled is not None:
            found["enabled"] = _bool(self.enabled)
        if self.disable_limits is not None:
            found["disable_velocity_effort_limits"] = _bool(self.disable_limits)
        return found


def plugin_element(plugin: Plugin) -> etree._Element:
    """`<plugin>`, with all that is in it."""
    try:
        element = etree.Element("plugin", {"name": plugin.name, "filename": plugin.kind.filename})
        if plugin.verbose is not None:
            etree.SubElement(element, "verbose").text = _bool(plugin.verbose)
        about = etree.SubElement(element, plugin.kind.tag)
        for tag, text in plugin.values.items():
            etree.SubElement(about, tag).text = text
        if plugin.variable_names:
            names = etree.SubElement(about, "variable_names")
            for default, other in plugin.variable_names.items():
                etree.SubElement(names, default, {"name": other})
    except ValueError:
        raise FmiError(f"the names of '{plugin.target}' have characters that XML does not take") from None
    return element


def in_gazebo_element(element: etree._Element) -> etree._Element:
    """`<gazebo>` around a plugin, as URDF has it."""
    around = etree.Element("gazebo")
    around.append(element)
    return around


def text_of(element: etree._Element, indent: str = "  ") -> str:
    """The lines of an element, without a line end behind the last."""
    etree.indent(element, indent)
    return etree.tostring(element, encoding="unicode").rstrip()


def _bool(value: bool) -> str:  # noqa: FBT001  (a value, no option)
    return "true" if value else "false"
