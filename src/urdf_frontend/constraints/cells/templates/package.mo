package Cell "A cell of robots, holders and tools"
  extends Modelica.Icons.Package;
  annotation (uses(
      Modelica(version="4.1.0"),
      DynamicConstraints(version="1.0.0"),
      UrdfRobots(version="1.0.0")), Documentation(info="<html>
<p>
Robots, holders and tools: <code>modelica-patch constraints from-urdf</code> has made the model of the cell, and keeps
what you change in it.
</p>
</html>"));
end Cell;
