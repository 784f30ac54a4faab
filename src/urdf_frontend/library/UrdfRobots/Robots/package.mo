within UrdfRobots;
package Robots "Templates of robots and of models that run them"
  extends Modelica.Icons.Package;
  annotation (Documentation(info="<html>
<p>
Three models make a robot that can be simulated:
</p>
<ol>
<li>the robot, which has its links and joints, and extends
<a href=\"modelica://UrdfRobots.Robots.BaseRobot\">BaseRobot</a> with its connectors, or
<a href=\"modelica://UrdfRobots.Robots.PartialRobot\">PartialRobot</a> and declares them itself, to have them at the ends
of its diagram: <a href=\"modelica://UrdfRobots.Robots.RobotWithConnectors\">RobotWithConnectors</a>;</li>
<li>a run model, which puts the robot into a world:
<a href=\"modelica://UrdfRobots.Robots.RunStationary\">RunStationary</a> or
<a href=\"modelica://UrdfRobots.Robots.RunMobile\">RunMobile</a>. It can be simulated: nothing drives the joints;</li>
<li>a test model, which extends the run model and moves the joints:
<a href=\"modelica://UrdfRobots.Robots.Test\">Test</a>.</li>
</ol>
<p>
The world stands in the run model, and the test model extends it: the world is at the top of whatever is simulated.
</p>
<p>
A program that writes a package for a URDF file fills these templates.
<a href=\"modelica://UrdfRobots.Examples.Arm\">Examples.Arm</a> shows the result.
</p>
</html>"));
end Robots;
