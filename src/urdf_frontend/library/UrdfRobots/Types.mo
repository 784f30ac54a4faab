within UrdfRobots;
package Types "Types of the parameter records"
  extends Modelica.Icons.TypesPackage;

  type GeometryType = enumeration(
      box "Box, given by its size",
      cylinder "Cylinder along z, given by radius and length",
      sphere "Sphere, given by its radius",
      capsule "Cylinder along z with a half sphere at each end; length is that of the cylinder",
      mesh "Shape from a file") "Geometry of a visual or a collision element";

  type JointType = enumeration(
      revolute "Turns about its axis, between two limits",
      continuous "Turns about its axis without limits",
      prismatic "Slides along its axis",
      fixedJoint "Does not move (URDF: fixed)",
      floating "Moves freely",
      planar "Moves in the plane orthogonal to its axis, and turns about the axis") "Type of a joint";

  annotation (Documentation(info="<html>
<p>
The enumerations name the kinds of geometry and of joints that URDF knows. <code>fixed</code> is called
<code>fixedJoint</code> here, because <code>fixed</code> is the name of an attribute in Modelica.
</p>
</html>"));
end Types;
