within UrdfRobots.Robots;
partial model BaseRobot "Base of robots with their connectors at fixed places"
  extends UrdfRobots.Robots.PartialRobot;

  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b[numLeafLinks] "Frames of the links without a joint below them"
    annotation (Placement(transformation(extent={{84,-16},{116,16}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_a rotational_flange_a[numRotationalJoints] "Axes of joints that turn"
    annotation (Placement(transformation(extent={{-50,90},{-30,110}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b rotational_flange_b[numRotationalJoints]
    "Supports of joints that turn"
    annotation (Placement(transformation(extent={{-100,90},{-80,110}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_a translational_flange_a[numTranslationalJoints]
    "Axes of joints that slide"
    annotation (Placement(transformation(extent={{80,90},{100,110}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_b translational_flange_b[numTranslationalJoints]
    "Supports of joints that slide"
    annotation (Placement(transformation(extent={{30,90},{50,110}})));
  annotation (Documentation(info="<html>
<p>
<code>frame_a</code> is the frame of the root link. <code>frame_b</code> are the frames of the links at the ends of
the tree: tools, wheels, feet.
</p>
<p>
Each joint that turns or slides and follows no other has a pair of flanges. A drive acts between the axis
(<code>rotational_flange_a</code> or <code>translational_flange_a</code>) and its support
(<code>rotational_flange_b</code> or <code>translational_flange_b</code>). Pairs that are left alone are free.
</p>
<p>
The counters say how many there are of each. A robot that extends this model sets them. Its diagram has the connectors
where this one has them; <a href=\"modelica://UrdfRobots.Robots.RobotWithConnectors\">RobotWithConnectors</a> has its
own.
</p>
</html>"));
end BaseRobot;
