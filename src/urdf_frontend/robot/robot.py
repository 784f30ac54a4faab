"""A robot: everything that its URDF file says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import field, frozen

from urdf_frontend.robot.geometry import Material
from urdf_frontend.robot.items import Comment, Extension, Item, Number
from urdf_frontend.robot.joints import Joint
from urdf_frontend.robot.links import Link


@frozen(kw_only=True)
class Actuator(Item):
    """A motor of a transmission."""

    name: str
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: Number | None = None


@frozen(kw_only=True)
class TransmissionJoint(Item):
    """A joint of a transmission."""

    name: str
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: Number | None = None


@frozen(kw_only=True)
class Transmission(Item):
    """Motors that drive joints. Its `text` is the whole element as it is written: there are many dialects."""

    name: str | None
    type: str | None
    joints: tuple[TransmissionJoint, ...] = ()
    actuators: tuple[Actuator, ...] = ()
    mechanical_reduction: Number | None = None
    text: str = field(default="", repr=False)


@frozen(kw_only=True, slots=False)
class Robot(Item):
    """All of a file, in its order. What the file does not say is None or empty, never a default.

    `materials` are those at the top of the file, `looks` all definitions by name, inline ones included.
    """

    name: str | None
    version: str | None = None
    links: tuple[Link, ...] = ()
    joints: tuple[Joint, ...] = ()
    materials: tuple[Material, ...] = ()
    looks: Mapping[str, Material] = field(factory=dict, repr=False, hash=False)
    transmissions: tuple[Transmission, ...] = ()
    comments: tuple[Comment, ...] = field(default=(), repr=False)

    @cached_property
    def _links_by_name(self) -> dict[str, Link]:
        # Of two links with one name, which is an error, the first one counts.
        return {link.name: link for link in reversed(self.links)}

    @cached_property
    def _joints_by_name(self) -> dict[str, Joint]:
        return {joint.name: joint for joint in reversed(self.joints)}

    def get_link(self, name: str) -> Link | None:
        """The link with this name."""
        return self._links_by_name.get(name)

    def get_joint(self, name: str) -> Joint | None:
        """The joint with this name."""
        return self._joints_by_name.get(name)

    def extensions_named(self, tag: str) -> tuple[Extension, ...]:
        """The elements at the top of the file that URDF does not define and that have this tag, such as `gazebo`."""
        return tuple(extension for extension in self.extensions if extension.tag == tag)
