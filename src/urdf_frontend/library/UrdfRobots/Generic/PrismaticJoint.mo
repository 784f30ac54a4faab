within UrdfRobots.Generic;
model PrismaticJoint "Joint that slides"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  extends UrdfRobots.Icons.Prismatic;

  parameter Modelica.Units.SI.Position xyz[3]={0,0,0} "Origin of the joint";
  parameter Modelica.Units.SI.Angle rpy[3]={0,0,0} "Roll, pitch and yaw of the joint";
  parameter Real axis[3](each final unit="1")={1,0,0} "Axis in the frame of the joint";
  parameter Modelica.Units.SI.TranslationalDampingConstant damping=0 "Viscous friction";
  parameter Modelica.Units.SI.Force dryFriction=0 "Dry friction";
  parameter Modelica.Units.SI.Position q_start=0 "Start value of the position";
  parameter Modelica.Units.SI.Velocity qd_start=0 "Start value of the velocity";
  parameter Boolean startFixed=true "= true, if the joint starts there; = false, if it follows another one"
    annotation (Evaluate=true);

  Modelica.Mechanics.Translational.Interfaces.Flange_a flange_a "Axis: drives act here"
    annotation (Placement(transformation(extent={{-10,90},{10,110}})));
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
  Modelica.Mechanics.MultiBody.Joints.Prismatic prismatic(
    useAxisFlange=true,
    n=axis,
    s(start=q_start, fixed=startFixed),
    v(start=qd_start, fixed=startFixed),
    animation=false) "The joint itself"
    annotation (Placement(transformation(extent={{-20,-20},{20,20}})));
  UrdfRobots.Joints.TranslationalFriction friction(damping=damping, friction=dryFriction) "Viscous and dry friction"
    annotation (Placement(transformation(extent={{-50,30},{-30,50}})));
equation
  connect(frame_a, trafo.frame_a) annotation (Line(
      points={{-100,0},{-90,0}},
      color={95,95,95},
      thickness=0.5));
  connect(trafo.frame_b, prismatic.frame_a) annotation (Line(
      points={{-50,0},{-20,0}},
      color={95,95,95},
      thickness=0.5));
  connect(prismatic.frame_b, frame_b) annotation (Line(
      points={{20,0},{100,0}},
      color={95,95,95},
      thickness=0.5));
  connect(prismatic.support, friction.flange_a)
    annotation (Line(points={{-8,12},{-8,26},{-60,26},{-60,40},{-50,40}}, color={0,127,0}));
  connect(friction.flange_b, prismatic.axis)
    annotation (Line(points={{-30,40},{0,40},{0,26},{16,26},{16,12}}, color={0,127,0}));
  connect(prismatic.axis, flange_a) annotation (Line(points={{16,12},{16,26},{0,26},{0,100}}, color={0,127,0}));
  annotation (Documentation(info="<html>
<p>
Part of <a href=\"modelica://UrdfRobots.Generic.MultiBodyRobot\">MultiBodyRobot</a>: a joint with plain parameters,
all of them there whatever the robot, because compilers need the elements of an array to be alike.
</p>
</html>"));
end PrismaticJoint;
