within UrdfRobots;
package Examples "Robots that run"
  extends Modelica.Icons.ExamplesPackage;
  annotation (Documentation(info="<html>
<p>
<a href=\"modelica://UrdfRobots.Examples.Arm\">Arm</a> is a robot made of parts of this library by hand, in the form
in which a program would write it. <a href=\"modelica://UrdfRobots.Examples.RollingWheel\">RollingWheel</a> shows a
contact, <a href=\"modelica://UrdfRobots.Examples.GenericArm\">GenericArm</a> a robot of a record.
</p>
</html>"));
end Examples;
