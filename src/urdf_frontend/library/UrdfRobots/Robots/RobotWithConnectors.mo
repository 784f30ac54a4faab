within UrdfRobots.Robots;
model RobotWithConnectors "Template of a robot that places its connectors: no links yet"
  extends UrdfRobots.Robots.PartialRobot(
    numLinks=0,
    numLeafLinks=0,
    numRotationalJoints=0,
    numTranslationalJoints=0,
    numMimicJoints=0,
    numOtherJoints=0);
  extends UrdfRobots.Icons.StationaryRobot;

  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b[numLeafLinks] "Frames of the links without a joint below them"
    annotation (Placement(
      transformation(extent={{84,-16},{116,16}}),
      iconTransformation(extent={{84,-16},{116,16}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_a rotational_flange_a[numRotationalJoints] "Axes of joints that turn"
    annotation (Placement(
      transformation(extent={{-50,90},{-30,110}}),
      iconTransformation(extent={{-50,90},{-30,110}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b rotational_flange_b[numRotationalJoints]
    "Supports of joints that turn"
    annotation (Placement(
      transformation(extent={{-100,90},{-80,110}}),
      iconTransformation(extent={{-100,90},{-80,110}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_a translational_flange_a[numTranslationalJoints]
    "Axes of joints that slide"
    annotation (Placement(
      transformation(extent={{80,90},{100,110}}),
      iconTransformation(extent={{80,90},{100,110}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_b translational_flange_b[numTranslationalJoints]
    "Supports of joints that slide"
    annotation (Placement(
      transformation(extent={{30,90},{50,110}}),
      iconTransformation(extent={{30,90},{50,110}})));
equation

  annotation (
    Diagram(coordinateSystem(extent={{-100,-100},{100,100}})),
    Documentation(info="<html>
<p>
To make a robot of it, add its links and joints, set the counters, and connect: <code>frame_a</code> with the root
link, each joint between its links, the flanges of each joint with a pair of flanges of the robot, and the links at
the ends with <code>frame_b</code>. The connectors are those of
<a href=\"modelica://UrdfRobots.Robots.BaseRobot\">BaseRobot</a>; here they can be moved to the ends of the diagram.
</p>
</html>"));
end RobotWithConnectors;
