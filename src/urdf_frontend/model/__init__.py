"""Robots as immutable values: everything that a URDF file says, with its places."""

from urdf_frontend.model.geometry import (
    Box,
    Capsule,
    Colour,
    Cylinder,
    Geometry,
    Material,
    Mesh,
    OtherGeometry,
    Sphere,
    Texture,
)
from urdf_frontend.model.items import Comment, Extension, Item, OtherAttribute
from urdf_frontend.model.joints import (
    Axis,
    Calibration,
    Dynamics,
    Joint,
    JointType,
    Limit,
    LinkReference,
    Mimic,
    Safety,
)
from urdf_frontend.model.links import Collision, Inertia, Inertial, Link, Visual
from urdf_frontend.model.numbers import Number, Vector
from urdf_frontend.model.origins import Origin
from urdf_frontend.model.places import NOWHERE, Place, Span
from urdf_frontend.model.poses import IDENTITY, Pose, Rotation, Triple
from urdf_frontend.model.robot import Actuator, Robot, Transmission, TransmissionJoint

__all__ = [
    "IDENTITY",
    "NOWHERE",
    "Actuator",
    "Axis",
    "Box",
    "Calibration",
    "Capsule",
    "Collision",
    "Colour",
    "Comment",
    "Cylinder",
    "Dynamics",
    "Extension",
    "Geometry",
    "Inertia",
    "Inertial",
    "Item",
    "Joint",
    "JointType",
    "Limit",
    "Link",
    "LinkReference",
    "Material",
    "Mesh",
    "Mimic",
    "Number",
    "Origin",
    "OtherAttribute",
    "OtherGeometry",
    "Place",
    "Pose",
    "Robot",
    "Rotation",
    "Safety",
    "Span",
    "Sphere",
    "Texture",
    "Transmission",
    "TransmissionJoint",
    "Triple",
    "Vector",
    "Visual",
]
