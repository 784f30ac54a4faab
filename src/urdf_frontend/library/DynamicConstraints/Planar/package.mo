within DynamicConstraints;
package Planar "The same objects in a vertical plane"
  extends Modelica.Icons.Package;
  annotation (Documentation(info="<html>
<p>
Objects and parts that move in the plane of the world's axes x (to the right) and z (upwards) and turn in it. They
follow the same rules as the others and translate and run much faster: for first ideas and for large numbers of
objects. They do not use <code>Modelica.Mechanics.MultiBody</code>.
</p>
<p>
Positions and forces are vectors {x, z}. Angles turn x towards z.
</p>
</html>"));
end Planar;
