"""Names that mean something else already where the classes and components of a robot stand."""

from __future__ import annotations

from typing import Final

KEYWORDS: Final = frozenset(
    """algorithm and annotation block break class connect connector constant constrainedby der discrete each else
    elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow for function
    if import impure in initial inner input loop model not operator or outer output package parameter partial
    protected public pure record redeclare replaceable return stream then true type when while within""".split()
)
# Section 4.9 of the specification, and what is known everywhere without being declared.
PREDEFINED: Final = frozenset(
    """Real Integer Boolean String Clock StateSelect ExternalObject AssertionLevel Connections time
    abs sign sqrt div mod rem ceil floor integer sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10
    assert terminate initial terminal sample pre edge change reinit delay cardinality homotopy semiLinear inStream
    actualStream spatialDistribution getInstanceName ndims size scalar vector matrix identity diagonal zeros ones
    fill linspace min max sum product transpose outerProduct symmetric cross skew cat promote smooth noEvent
    rooted hold previous subSample superSample shiftSample backSample noClock firstTick interval""".split()
)
LIBRARY_ROOTS: Final = frozenset(
    "Modelica ModelicaServices Complex UrdfRobots URDFModelica Visualization Visualization2 VehicleInterfaces".split()
)
# Files of these names can't be made on some systems, whatever their ending; nor beside package.mo, in any case.
FILE_NAMES: Final = frozenset(
    ["package", "con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
# The components of the link and joint templates: a class should not have a component of its own name.
_TEMPLATE_COMPONENTS: Final = frozenset(
    """frame_a frame_b world linkParams jointParams trafo trafoInertial body trafoVisual trafoCollision
    visualBox visualCylinder visualSphere visualCapsule visualCapsuleEnd1 visualCapsuleEnd2 visualMesh
    collisionBox collisionCylinder collisionSphere collisionCapsule collisionCapsuleEnd1 collisionCapsuleEnd2
    collisionMesh revolute prismatic planar floating flange_a flange_b friction endStop q_start qd_start
    startFixed useEndStops endStopStiffness endStopDamping showCollision enableCollision enableInertial""".split()
)
# The components of the robot templates, and the packages that the robot's own classes name.
_ROBOT_COMPONENTS: Final = frozenset(
    """frame_a frame_b world robot Links Joints Resources startFixed showCollision enableCollision numLinks
    numCollisionLinks numNonCollisionLinks numLeafLinks numJoints numRotationalJoints numTranslationalJoints
    numMimicJoints numOtherJoints
    rotational_flange_a rotational_flange_b translational_flange_a translational_flange_b""".split()
)
_EVERYWHERE: Final = KEYWORDS | PREDEFINED | LIBRARY_ROOTS

FOR_CLASSES: Final = _EVERYWHERE | _TEMPLATE_COMPONENTS
FOR_COMPONENTS: Final = _EVERYWHERE | _ROBOT_COMPONENTS
FOR_ROBOTS: Final = _EVERYWHERE | {"Links", "Joints", "Resources", "world", "frame_a", "frame_b", "robot"}
