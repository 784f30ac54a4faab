"""Names of links, joints and robots that a type checker knows.

A name is equal to its text, as members of StrEnum are. So a link and a joint that URDF calls alike are equal too: what
holds both keeps them apart.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar


class LinkId(StrEnum):
    """Base of the links of a robot: a member for each, its value is the name in URDF."""


class JointId(StrEnum):
    """Base of the joints of a robot: a member for each, its value is the name in URDF."""


class RobotId(StrEnum):
    """Base of the robots of a registry: a member for each, its value is what it is asked for by."""


LinkT = TypeVar("LinkT", bound=LinkId)
JointT = TypeVar("JointT", bound=JointId)
LinkT_co = TypeVar("LinkT_co", bound=LinkId, covariant=True)
JointT_co = TypeVar("JointT_co", bound=JointId, covariant=True)
# The joints that have one angle or distance in Modelica: a `Literal` of some of them.
AxisT = TypeVar("AxisT", bound=JointId)
