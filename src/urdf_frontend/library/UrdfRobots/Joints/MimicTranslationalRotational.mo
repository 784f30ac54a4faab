within UrdfRobots.Joints;
model MimicTranslationalRotational "A joint that turns follows one that slides"
  extends UrdfRobots.Icons.Mimic;

  parameter Real multiplier(unit="rad/m")=1 "Factor on the position of the joint that is followed";
  parameter Modelica.Units.SI.Angle offset=0 "Position of the follower where the other joint is at 0";

  Modelica.Mechanics.Translational.Interfaces.Flange_a master "Axis of the joint that is followed"
    annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b mimic "Axis of the joint that follows"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
equation
  mimic.phi = multiplier*master.s + offset;
  0 = master.f + multiplier*mimic.tau;
  annotation (Documentation(info="<html>
<p>
An ideal gear between the axes of two joints, <code>flange_a</code> of each. It transmits what drives the first joint,
and what the follower needs acts back: no power is lost. The follower has no drive of its own, and
<code>startFixed=false</code>, because its motion follows.
</p>
</html>"));
end MimicTranslationalRotational;
