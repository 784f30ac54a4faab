within UrdfRobots;
package Generic "Robots whose structure is a parameter"
  extends Modelica.Icons.Package;
  annotation (Documentation(info="<html>
<p>
One model for all robots: the structure and all values are in one record,
<a href=\"modelica://UrdfRobots.Records.Robot\">Records.Robot</a>, which is redeclared:
</p>
<blockquote><pre>
UrdfRobots.Generic.Robot robot(redeclare parameter MyRobotParams robotParams);
</pre></blockquote>
<p>
There are two models that take the same record and give the same motion:
</p>
<ul>
<li><a href=\"modelica://UrdfRobots.Generic.Robot\">Robot</a> computes the equations of motion in a function. It has
no connections, so every compiler takes it; its base is fixed to the world, and it has no frames of links.</li>
<li><a href=\"modelica://UrdfRobots.Generic.MultiBodyRobot\">MultiBodyRobot</a> builds the robot of MultiBody parts.
Its base can move and the frames of all links are there; the compiler has to evaluate the structure to make the
connections.</li>
</ul>
<p>
Both know joints that turn, slide or are fixed, and joints that follow others. A robot with planar or floating joints,
or with a part that differs from link to link, is written out component by component; see
<a href=\"modelica://UrdfRobots.Robots\">Robots</a>.
</p>
</html>"));
end Generic;
