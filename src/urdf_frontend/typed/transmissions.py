"""Motors that drive joints."""

from __future__ import annotations

from typing import Generic

from urdf_frontend.typed.ids import JointT_co
from urdf_frontend.typed.values import Value


class Actuator(Value):
    """A motor of a transmission."""

    name: str
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: float | None = None


class TransmissionJoint(Value, Generic[JointT_co]):
    """A joint of a transmission."""

    id: JointT_co
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: float | None = None


class Transmission(Value, Generic[JointT_co]):
    """Motors and the joints that they drive."""

    name: str | None
    type: str | None
    joints: tuple[TransmissionJoint[JointT_co], ...] = ()
    actuators: tuple[Actuator, ...] = ()
    mechanical_reduction: float | None = None
