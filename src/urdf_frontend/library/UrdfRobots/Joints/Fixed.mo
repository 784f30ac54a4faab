within UrdfRobots.Joints;
model Fixed "Joint that does not move"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  extends UrdfRobots.Icons.Fixed;

  parameter UrdfRobots.Records.Joint jointParams "Values of the joint"
    annotation (Dialog(group="URDF"));

  Modelica.Mechanics.MultiBody.Parts.FixedRotation trafo(
    r=jointParams.origin.xyz,
    rotationType=Modelica.Mechanics.MultiBody.Types.RotationTypes.PlanarRotationSequence,
    sequence={3,2,1},
    angles=Modelica.Units.Conversions.to_deg({
      jointParams.origin.rpy[3],
      jointParams.origin.rpy[2],
      jointParams.origin.rpy[1]}),
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
The child link is fixed to the parent link, at the origin of the joint.
</p>
</html>"));
end Fixed;
