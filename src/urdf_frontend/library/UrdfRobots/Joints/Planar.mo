within UrdfRobots.Joints;
model Planar "Joint that moves in the plane orthogonal to its axis"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  extends UrdfRobots.Icons.Planar;

  parameter UrdfRobots.Records.Joint jointParams "Values of the joint"
    annotation (Dialog(group="URDF"));
  parameter Modelica.Units.SI.Position s_start[2]={0,0} "Start values of the position in the plane"
    annotation (Dialog(group="Initialization"));
  parameter Modelica.Units.SI.Angle phi_start=0 "Start value of the angle about the axis"
    annotation (Dialog(group="Initialization"));
  parameter Modelica.Units.SI.Velocity v_start[2]={0,0} "Start values of the velocity in the plane"
    annotation (Dialog(group="Initialization"));
  parameter Modelica.Units.SI.AngularVelocity w_start=0 "Start value of the angular velocity"
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
  Modelica.Mechanics.MultiBody.Joints.Planar planar(
    n=jointParams.axis,
    n_x=UrdfRobots.Functions.inPlaneDirection(jointParams.axis),
    s_x(start=s_start[1], fixed=startFixed),
    s_y(start=s_start[2], fixed=startFixed),
    phi(start=phi_start, fixed=startFixed),
    v_x(start=v_start[1], fixed=startFixed),
    v_y(start=v_start[2], fixed=startFixed),
    w(start=w_start, fixed=startFixed),
    animation=false) "The joint itself"
    annotation (Placement(transformation(extent={{-20,-20},{20,20}})));
equation
  connect(frame_a, trafo.frame_a) annotation (Line(
      points={{-100,0},{-90,0}},
      color={95,95,95},
      thickness=0.5));
  connect(trafo.frame_b, planar.frame_a) annotation (Line(
      points={{-50,0},{-20,0}},
      color={95,95,95},
      thickness=0.5));
  connect(planar.frame_b, frame_b) annotation (Line(
      points={{20,0},{100,0}},
      color={95,95,95},
      thickness=0.5));
  annotation (Documentation(info="<html>
<p>
The child link moves in the plane orthogonal to <code>jointParams.axis</code> and turns about it. URDF gives the
plane, but no directions in it. Here the first direction is that of
<a href=\"modelica://UrdfRobots.Functions.inPlaneDirection\">inPlaneDirection</a>, the second one completes a
right-handed frame: for the axis {0,0,1} they are x and y.
</p>
<p>
A planar joint has no flanges: forces act on its frames. URDF has no limits for it, and its friction is left out.
</p>
</html>"));
end Planar;
