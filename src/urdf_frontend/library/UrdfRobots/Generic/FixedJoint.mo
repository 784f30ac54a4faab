within UrdfRobots.Generic;
model FixedJoint "Joint that does not move"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  extends UrdfRobots.Icons.Fixed;

  parameter Modelica.Units.SI.Position xyz[3]={0,0,0} "Origin of the joint";
  parameter Modelica.Units.SI.Angle rpy[3]={0,0,0} "Roll, pitch and yaw of the joint";

  Modelica.Mechanics.MultiBody.Parts.FixedRotation trafo(
    r=xyz,
    rotationType=Modelica.Mechanics.MultiBody.Types.RotationTypes.PlanarRotationSequence,
    sequence={3,2,1},
    angles=Modelica.Units.Conversions.to_deg({
      rpy[3],
      rpy[2],
      rpy[1]}),
    animation=false) "Frame of the joint in the frame of the parent link"
    annotation (Placement(transformation(extent={{-90,-20},{-50,20}})));
equation
  connect(frame_a, trafo.frame_a) annotation (Line(
      points={{-100,0},{-90,0}},
      color={95,95,95},
      thickness=0.5));
  connect(trafo.frame_b, frame_b) annotation (Line(
      points={{-50,0},{100,0}},
      color={95,95,95},
      thickness=0.5));
  annotation (Documentation(info="<html>
<p>
Part of <a href=\"modelica://UrdfRobots.Generic.MultiBodyRobot\">MultiBodyRobot</a>: a joint with plain parameters,
all of them there whatever the robot, because compilers need the elements of an array to be alike.
</p>
</html>"));
end FixedJoint;
