"""Where the parts of a robot are in a Modelica model: typed names for simulation results and parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Self, TypeAlias, TypeGuard, cast

from urdf_frontend.typed.skeleton import Skeleton
from urdf_frontend.typed.values import AxisT, JointT, LinkId, LinkT, Value

ParameterValue: TypeAlias = float | bool | list[float]


class Axis(Value):
    """The names of a joint that has one angle or distance: in the robot's model, without what is before that."""

    q: str  # angle or distance
    qd: str  # its derivative
    tau: str  # torque or force of the drive
    flange: str | None = None  # where drives act; None if there is no such connector


class Modelica(Value, Generic[LinkT, JointT, AxisT]):
    """What the robot is called in Modelica. `at` is the component that the robot is in `model`, '' if it is that."""

    package: str
    robot: str
    model: str
    at: str
    links: Mapping[LinkT, str]
    joints: Mapping[JointT, str]
    axes: Mapping[AxisT, Axis]


class ModelicaSkeleton(Skeleton[LinkT, JointT], Generic[LinkT, JointT, AxisT]):
    """A robot that is also a Modelica package.

        result[ARM.q(ArmJointId.ELBOW)]

    Any mapping of names to values will do as a result.
    """

    modelica: Modelica[LinkT, JointT, AxisT]

    @property
    def model(self) -> str:
        """The class to simulate, by its full name."""
        return self.modelica.model

    @property
    def axes(self) -> tuple[AxisT, ...]:
        """The joints that have an angle or a distance in Modelica."""
        return tuple(self.modelica.axes)

    def is_axis(self, joint: JointT) -> TypeGuard[AxisT]:
        """Has the joint an angle or a distance in Modelica?"""
        return joint in cast(Mapping[JointT, Axis], self.modelica.axes)

    def at(self, path: str) -> Self:
        """The same robot as the component `path` of another model; '' is the robot's model itself."""
        now = self.modelica
        moved: Modelica[LinkT, JointT, AxisT] = Modelica(
            now.package, now.robot, now.model, path, now.links, now.joints, now.axes
        )
        return type(self)(self.name, self.linkage, self.articulation, self.transmissions, moved)

    def q(self, joint: AxisT) -> str:
        """The name of its angle or distance."""
        return self._full(self._axis(joint).q)

    def qd(self, joint: AxisT) -> str:
        """The name of its speed."""
        return self._full(self._axis(joint).qd)

    def tau(self, joint: AxisT) -> str:
        """The name of the torque or force of its drive."""
        return self._full(self._axis(joint).tau)

    def flange(self, joint: AxisT) -> str | None:
        """The name of the connector that drives act on."""
        flange = self._axis(joint).flange
        return None if flange is None else self._full(flange)

    def component(self, part: LinkT | JointT) -> str:
        """The name of the component that a link or a joint is."""
        return self._full(self.modelica.links[part] if isinstance(part, LinkId) else self.modelica.joints[part])

    def named(self, part: LinkT | JointT, values: Mapping[str, object]) -> dict[str, ParameterValue]:
        """Values for parameters of a link or a joint, by their full names, as a simulation takes them.

        The class of a generated module has `parameters` too, which knows the names and types of each part's. Several
        of these are joined with `|`.
        """
        component = self.component(part)
        return {
            f"{component}.{name}": list(value) if isinstance(value, Sequence) else cast(ParameterValue, value)
            for name, value in values.items()
        }

    def _axis(self, joint: AxisT) -> Axis:
        found = self.modelica.axes.get(joint)
        if found is None:
            raise KeyError(f"{joint!r} has no angle and no distance in {self.modelica.robot}")
        return found

    def _full(self, path: str) -> str:
        return f"{self.modelica.at}.{path}" if self.modelica.at else path


AnySkeleton: TypeAlias = Skeleton[Any, Any]
