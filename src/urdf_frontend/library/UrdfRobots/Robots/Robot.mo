within UrdfRobots.Robots;
model Robot "Template of a robot: no links yet"
  extends UrdfRobots.Robots.BaseRobot(
    numLinks=0,
    numLeafLinks=0,
    numRotationalJoints=0,
    numTranslationalJoints=0,
    numMimicJoints=0,
    numOtherJoints=0);
  extends UrdfRobots.Icons.StationaryRobot;
equation

  annotation (
    Diagram(coordinateSystem(extent={{-100,-100},{100,100}})),
    Documentation(info="<html>
<p>
To make a robot of it, add its links and joints, set the counters, and connect: <code>frame_a</code> with the root
link, each joint between its links, the flanges of each joint with a pair of flanges of the robot, and the links at
the ends with <code>frame_b</code>.
</p>
</html>"));
end Robot;
