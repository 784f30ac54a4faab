within UrdfRobots.Joints;
model Floating "Joint that moves freely"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  extends UrdfRobots.Icons.Floating;

  parameter UrdfRobots.Records.Joint jointParams "Values of the joint"
    annotation (Dialog(group="URDF"));
  parameter Modelica.Units.SI.Position r_start[3]={0,0,0} "Start values of the position in the frame of the joint"
    annotation (Dialog(group="Initialization"));
  parameter Modelica.Units.SI.Angle rpy_start[3]={0,0,0} "Start values of roll, pitch and yaw"
    annotation (Dialog(group="Initialization"));
  parameter Modelica.Units.SI.Velocity v_start[3]={0,0,0} "Start values of the velocity in the frame of the joint"
    annotation (Dialog(group="Initialization"));
  parameter Modelica.Units.SI.AngularVelocity w_start[3]={0,0,0}
    "Start values of the angular velocity in the frame of the joint"
    annotation (Dialog(group="Initialization"));
  parameter Boolean startFixed=true
    "= true, if the motion starts there; = false, if something else sets the motion, and these are guesses"
    annotation (Evaluate=true, Dialog(group="Initialization"));

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
  Modelica.Mechanics.MultiBody.Joints.FreeMotion floating(
    r_rel_a(start=r_start, each fixed=startFixed),
    v_rel_a(start=v_start, each fixed=startFixed),
    angles_fixed=startFixed,
    angles_start={rpy_start[3],rpy_start[2],rpy_start[1]},
    sequence_start={3,2,1},
    w_rel_a_fixed=startFixed,
    w_rel_a_start=w_start,
    enforceStates=true,
    animation=false) "The joint itself"
    annotation (Placement(transformation(extent={{-20,-20},{20,20}})));
equation
  connect(frame_a, trafo.frame_a) annotation (Line(
      points={{-100,0},{-90,0}},
      color={95,95,95},
      thickness=0.5));
  connect(trafo.frame_b, floating.frame_a) annotation (Line(
      points={{-50,0},{-20,0}},
      color={95,95,95},
      thickness=0.5));
  connect(floating.frame_b, frame_b) annotation (Line(
      points={{20,0},{100,0}},
      color={95,95,95},
      thickness=0.5));
  annotation (Documentation(info="<html>
<p>
The child link moves freely in its six degrees of freedom. The start values place it in the frame of the joint, with
roll, pitch and yaw as everywhere in URDF.
</p>
</html>"));
end Floating;
