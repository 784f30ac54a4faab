within UrdfRobots.Joints;
model Prismatic "Joint that slides along its axis, between two limits"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  extends UrdfRobots.Icons.Prismatic;

  parameter UrdfRobots.Records.Joint jointParams "Values of the joint"
    annotation (Dialog(group="URDF"));
  parameter Modelica.Units.SI.Position q_start=0 "Start value of the position"
    annotation (Dialog(group="Initialization"));
  parameter Modelica.Units.SI.Velocity qd_start=0 "Start value of the velocity"
    annotation (Dialog(group="Initialization"));
  parameter Boolean startFixed=true
    "= true, if the motion starts there; = false, if something else sets the motion, and these are guesses"
    annotation (Evaluate=true, Dialog(group="Initialization"));
  parameter Boolean useEndStops=false "= true, if springs stop the joint at its limits"
    annotation (Dialog(group="End stops"));
  parameter Modelica.Units.SI.TranslationalSpringConstant endStopStiffness=1e4 "Stiffness of the end stops"
    annotation (Dialog(group="End stops", enable=useEndStops));
  parameter Modelica.Units.SI.TranslationalDampingConstant endStopDamping=100 "Damping of the end stops"
    annotation (Dialog(group="End stops", enable=useEndStops));

  Modelica.Mechanics.Translational.Interfaces.Flange_a flange_a "Axis: drives act here"
    annotation (Placement(transformation(extent={{-10,90},{10,110}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_b flange_b "Support of the axis, fixed to the parent link"
    annotation (Placement(transformation(extent={{-70,90},{-50,110}})));
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
  Modelica.Mechanics.MultiBody.Joints.Prismatic prismatic(
    useAxisFlange=true,
    n=jointParams.axis,
    s(start=q_start, fixed=startFixed),
    v(start=qd_start, fixed=startFixed),
    animation=false) "The joint itself"
    annotation (Placement(transformation(extent={{-20,-20},{20,20}})));
  UrdfRobots.Joints.TranslationalFriction friction(
    damping=jointParams.dynamics.damping,
    friction=jointParams.dynamics.friction) "Viscous and dry friction"
    annotation (Placement(transformation(extent={{-50,30},{-30,50}})));
  UrdfRobots.Joints.TranslationalEndStop endStop(
    lower=jointParams.limit.lower,
    upper=jointParams.limit.upper,
    stiffness=if useEndStops then endStopStiffness else 0,
    damping=if useEndStops then endStopDamping else 0) "Springs at the limits"
    annotation (Placement(transformation(extent={{-50,60},{-30,80}})));
equation
  assert(prismatic.s >= jointParams.limit.lower,
    "Joint " + jointParams.name + " is below its lower limit of " + String(jointParams.limit.lower) + " m.",
    AssertionLevel.warning);
  assert(prismatic.s <= jointParams.limit.upper,
    "Joint " + jointParams.name + " is above its upper limit of " + String(jointParams.limit.upper) + " m.",
    AssertionLevel.warning);
  assert(abs(prismatic.v) <= jointParams.limit.velocity,
    "Joint " + jointParams.name + " is faster than its limit of " + String(jointParams.limit.velocity) + " m/s.",
    AssertionLevel.warning);
  assert(abs(flange_a.f) <= jointParams.limit.effort,
    "Joint " + jointParams.name + " is driven with more than its limit of " + String(jointParams.limit.effort) + " N.",
    AssertionLevel.warning);
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
  connect(prismatic.support, flange_b) annotation (Line(points={{-8,12},{-8,26},{-60,26},{-60,100}}, color={0,127,0}));
  connect(prismatic.axis, flange_a) annotation (Line(points={{16,12},{16,26},{0,26},{0,100}}, color={0,127,0}));
  connect(prismatic.support, friction.flange_a)
    annotation (Line(points={{-8,12},{-8,26},{-60,26},{-60,40},{-50,40}}, color={0,127,0}));
  connect(friction.flange_b, prismatic.axis)
    annotation (Line(points={{-30,40},{0,40},{0,26},{16,26},{16,12}}, color={0,127,0}));
  connect(prismatic.support, endStop.flange_a)
    annotation (Line(points={{-8,12},{-8,26},{-60,26},{-60,70},{-50,70}}, color={0,127,0}));
  connect(endStop.flange_b, prismatic.axis)
    annotation (Line(points={{-30,70},{0,70},{0,26},{16,26},{16,12}}, color={0,127,0}));
  annotation (Documentation(info="<html>
<p>
The child link slides along <code>jointParams.axis</code>, which is given in the frame of the joint, after its
origin.
</p>
<p>
A drive acts between <code>flange_a</code>, the axis, and <code>flange_b</code>, its support. Left alone, the joint
moves freely. Friction acts between the two, so it takes part of what the drive gives.
</p>
<p>
Each limit is watched by an assertion that warns and names the joint; the simulation goes on. Limits that are not
given are infinite and never warn. The limit of the effort is that of the drive: friction and end stops do not count.
</p>
<p>
With <code>useEndStops=true</code>, a spring with a damper pushes the joint back into its limits. Choose the stiffness
to suit the robot: the heavier the links, the stiffer.
</p>
<p>
<code>q_start</code> and <code>qd_start</code> are where the motion starts. Set <code>startFixed=false</code> where
something else decides that: a drive that prescribes the motion, or another joint that this one follows.
</p>
</html>"));
end Prismatic;
