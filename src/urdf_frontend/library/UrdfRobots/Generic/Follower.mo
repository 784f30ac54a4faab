within UrdfRobots.Generic;
model Follower "A joint follows another one; each of them turns or slides"
  extends UrdfRobots.Icons.Mimic;

  parameter Boolean leaderTurns=true "= true, if the joint that is followed turns; = false, if it slides"
    annotation (Evaluate=true);
  parameter Boolean followerTurns=true "= true, if the joint that follows turns; = false, if it slides"
    annotation (Evaluate=true);
  parameter Real multiplier=1 "Factor on the position of the joint that is followed";
  parameter Real offset=0 "Position of the follower where the other joint is at 0, in rad or m";

  Modelica.Mechanics.Rotational.Interfaces.Flange_a rotational_leader "Axis of the joint that is followed, if it turns"
    annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_a translational_leader
    "Axis of the joint that is followed, if it slides"
    annotation (Placement(transformation(extent={{-110,-70},{-90,-50}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b rotational_follower "Axis of the joint that follows, if it turns"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_b translational_follower
    "Axis of the joint that follows, if it slides"
    annotation (Placement(transformation(extent={{90,-70},{110,-50}})));
  Real position "Position of the joint that is followed, in rad or m";
  Real effort "Torque or force at the joint that follows";
equation
  if leaderTurns then
    position = rotational_leader.phi;
    rotational_leader.tau = -multiplier*effort;
    translational_leader.s = 0;
  else
    position = translational_leader.s;
    translational_leader.f = -multiplier*effort;
    rotational_leader.phi = 0;
  end if;
  if followerTurns then
    rotational_follower.phi = multiplier*position + offset;
    rotational_follower.tau = effort;
    translational_follower.s = 0;
  else
    translational_follower.s = multiplier*position + offset;
    translational_follower.f = effort;
    rotational_follower.phi = 0;
  end if;
  annotation (Documentation(info="<html>
<p>
Part of <a href=\"modelica://UrdfRobots.Generic.MultiBodyRobot\">MultiBodyRobot</a>: an ideal gear between the axes of two
joints, as <a href=\"modelica://UrdfRobots.Joints.MimicRotationalRotational\">MimicRotationalRotational</a> and its kin.
The flanges that are not connected stay at 0.
</p>
</html>"));
end Follower;
