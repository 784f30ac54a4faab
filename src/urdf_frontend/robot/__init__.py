"""Robots as immutable values: everything that a URDF file says, with its places; how links are connected; names.

What the file does not say is None; a repair is a property beside what is written. `fields` is the one table of
fields: what each is called in the file, in the model and in the records of both libraries, its unit and its defaults.
Reading, checks, building, records, updates, typed modules and the second opinion walk it. `robot` loops over
lists, in linear time. `names` maps what links and joints are called in Modelica, once and injectively; the map is
kept with the package.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.robot.fields import (
        COLLISION as COLLISION,
        COLOUR as COLOUR,
        HOMES as HOMES,
        INERTIA as INERTIA,
        INERTIAL as INERTIAL,
        JOINT as JOINT,
        LINK as LINK,
        MATERIAL as MATERIAL,
        MOTION_VALUES as MOTION_VALUES,
        ROBOT_TAGS as ROBOT_TAGS,
        SHAPES as SHAPES,
        TEXTURE as TEXTURE,
        VERSIONS as VERSIONS,
        VISUAL as VISUAL,
        ElementType as ElementType,
        Field as Field,
        Kind as Kind,
        Part as Part,
        contents_of as contents_of,
        items_in as items_in,
        joined as joined,
        numbered as numbered,
        type_of as type_of,
        values_of as values_of,
    )
    from urdf_frontend.robot.items import (
        IDENTITY as IDENTITY,
        NOWHERE as NOWHERE,
        Comment as Comment,
        Extension as Extension,
        Item as Item,
        Number as Number,
        Origin as Origin,
        OtherAttribute as OtherAttribute,
        Place as Place,
        Pose as Pose,
        RobotError as RobotError,
        Rotation as Rotation,
        Span as Span,
        Standing as Standing,
        Triple as Triple,
        Vector as Vector,
        rotation_about as rotation_about,
        rotation_of_rpy as rotation_of_rpy,
    )
    from urdf_frontend.robot.limbs import Cell as Cell, limbs_of as limbs_of, tree_cells as tree_cells
    from urdf_frontend.robot.mechanism import (
        Axis as Axis,
        Box as Box,
        Calibration as Calibration,
        Capsule as Capsule,
        Collision as Collision,
        Colour as Colour,
        Cylinder as Cylinder,
        Dynamics as Dynamics,
        Geometry as Geometry,
        Inertia as Inertia,
        Inertial as Inertial,
        Joint as Joint,
        JointType as JointType,
        Limit as Limit,
        Link as Link,
        LinkReference as LinkReference,
        Material as Material,
        Mesh as Mesh,
        Mimic as Mimic,
        OtherGeometry as OtherGeometry,
        Safety as Safety,
        Sphere as Sphere,
        Texture as Texture,
        Visual as Visual,
    )
    from urdf_frontend.robot.names import (
        FOR_COMPONENTS as FOR_COMPONENTS,
        FOR_ROBOTS as FOR_ROBOTS,
        KEYWORDS as KEYWORDS,
        PARAMETERS as PARAMETERS,
        Named as Named,
        NameStyle as NameStyle,
        NameTable as NameTable,
        is_plain_identifier as is_plain_identifier,
        last_name as last_name,
        make_names as make_names,
        plain_identifier as plain_identifier,
        robot_class as robot_class,
        simple_identifier as simple_identifier,
    )
    from urdf_frontend.robot.robot import (
        Actuator as Actuator,
        JointValue as JointValue,
        Kinematics as Kinematics,
        Robot as Robot,
        Transmission as Transmission,
        TransmissionJoint as TransmissionJoint,
        follows as follows,
        joint_values as joint_values,
        motion as motion,
        plane_of as plane_of,
    )
    from urdf_frontend.robot.tree_picture import (
        joint_kind as joint_kind,
        short_name as short_name,
        shown_name as shown_name,
        tree_lines as tree_lines,
        tree_svg as tree_svg,
    )

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
    "NameStyle",
    "NameTable",
    "Named",
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
    "Standing",
    "Texture",
    "Transmission",
    "TransmissionJoint",
    "Triple",
    "Vector",
    "Visual",
    "is_plain_identifier",
    "last_name",
    "make_names",
    "plain_identifier",
    "tree_lines",
    "tree_svg",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "limbs": "Cell limbs_of tree_cells",
            "tree_picture": "joint_kind short_name shown_name tree_lines tree_svg",
            "fields": (
                "COLLISION COLOUR ElementType Field HOMES INERTIA INERTIAL JOINT Kind LINK MATERIAL MOTION_VALUES Part "
                "ROBOT_TAGS SHAPES TEXTURE VERSIONS VISUAL contents_of items_in joined numbered type_of values_of"
            ),
            "items": (
                "Comment Extension IDENTITY Item NOWHERE Number Origin OtherAttribute Place Pose RobotError "
                "Rotation Span Standing Triple Vector rotation_about rotation_of_rpy"
            ),
            "mechanism": (
                "Axis Box Calibration Capsule Collision Colour Cylinder Dynamics Geometry Inertia Inertial Joint "
                "JointType Limit Link LinkReference Material Mesh Mimic OtherGeometry Safety Sphere Texture Visual"
            ),
            "names": (
                "FOR_COMPONENTS FOR_ROBOTS KEYWORDS NameStyle NameTable Named PARAMETERS is_plain_identifier "
                "last_name make_names plain_identifier robot_class simple_identifier"
            ),
            "robot": (
                "Actuator JointValue Kinematics Robot Transmission TransmissionJoint follows joint_values motion "
                "plane_of"
            ),
        },
    )
