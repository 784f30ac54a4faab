within UrdfRobots.Generic;
model Robot "Robot of a record, by its equations of motion"
  extends UrdfRobots.Icons.StationaryRobot;

  replaceable parameter UrdfRobots.Records.Robot robotParams constrainedby UrdfRobots.Records.Robot
    "Structure and values of the robot"
    annotation (Dialog(group="URDF"));
  parameter Modelica.Units.SI.Acceleration g[3]={0,0,-9.81} "Gravity in the frame of the base";
  parameter Real q_start[robotParams.nRevolute + robotParams.nPrismatic]=
    zeros(robotParams.nRevolute + robotParams.nPrismatic)
    "Start values of the positions, in rad or m"
    annotation (Dialog(group="Initialization"));
  parameter Real qd_start[robotParams.nRevolute + robotParams.nPrismatic]=
    zeros(robotParams.nRevolute + robotParams.nPrismatic)
    "Start values of the velocities, in rad/s or m/s"
    annotation (Dialog(group="Initialization"));
  parameter Real slipSpeed=0.02 "Speed at which 76 % of the dry friction act, in rad/s or m/s";

  Modelica.Mechanics.Rotational.Interfaces.Flange_a rotational_flange_a[robotParams.nRevolute]
    "Axes of joints that turn"
    annotation (Placement(transformation(extent={{-50,90},{-30,110}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_a translational_flange_a[robotParams.nPrismatic]
    "Axes of joints that slide"
    annotation (Placement(transformation(extent={{30,90},{50,110}})));
  Real q[robotParams.nRevolute + robotParams.nPrismatic](
    start=UrdfRobots.Generic.coupled(
      robotParams.nRevolute + robotParams.nPrismatic + robotParams.nFixed,
      robotParams.nRevolute + robotParams.nPrismatic,
      robotParams.leader,
      robotParams.multiplier,
      robotParams.offset,
      q_start),
    each fixed=true) "Positions of the joints";
  Real qd[robotParams.nRevolute + robotParams.nPrismatic](
    start=UrdfRobots.Generic.coupled(
      robotParams.nRevolute + robotParams.nPrismatic + robotParams.nFixed,
      robotParams.nRevolute + robotParams.nPrismatic,
      robotParams.leader,
      robotParams.multiplier,
      zeros(robotParams.nRevolute + robotParams.nPrismatic + robotParams.nFixed),
      qd_start),
    each fixed=true) "Their velocities";
  Real qdd[robotParams.nRevolute + robotParams.nPrismatic] "Their accelerations";
  Real A[robotParams.nRevolute + robotParams.nPrismatic,robotParams.nRevolute + robotParams.nPrismatic + 1]
    "Mass matrix, and beside it the forces without acceleration";
  Real M[robotParams.nRevolute + robotParams.nPrismatic,robotParams.nRevolute + robotParams.nPrismatic] "Mass matrix";
  Real h[robotParams.nRevolute + robotParams.nPrismatic] "Gravity, centrifugal and Coriolis forces";
  Real excess[robotParams.nRevolute + robotParams.nPrismatic]
    "What joints get from those that follow them, or from what they follow: torques and forces";
  Real freeAcceleration[robotParams.nRevolute + robotParams.nPrismatic - robotParams.nFollowers]
    "Accelerations of the joints that follow no other";
  final parameter Real G[robotParams.nRevolute + robotParams.nPrismatic,
    robotParams.nRevolute + robotParams.nPrismatic - robotParams.nFollowers]=
    UrdfRobots.Generic.coupling(
      robotParams.nRevolute + robotParams.nPrismatic + robotParams.nFixed,
      robotParams.nRevolute + robotParams.nPrismatic,
      robotParams.nFollowers,
      robotParams.leader,
      robotParams.multiplier)
    "Speeds of all joints for each unit of speed of one that follows no other";
  Real tau[robotParams.nRevolute + robotParams.nPrismatic] "Torques and forces of drives and friction";
equation
  der(q) = qd;
  der(qd) = qdd;
  A = UrdfRobots.Generic.motion(
    robotParams.nRevolute,
    robotParams.nPrismatic,
    robotParams.nFixed,
    robotParams.parent,
    robotParams.order,
    robotParams.xyz,
    robotParams.rpy,
    robotParams.axis,
    robotParams.mass,
    robotParams.center,
    robotParams.inertia,
    g,
    q,
    qd);
  // What drives a joint also moves those that follow it; no power is lost.
  qdd = G*freeAcceleration;
  excess = M*qdd + h - tau;
  transpose(G)*excess = zeros(robotParams.nRevolute + robotParams.nPrismatic - robotParams.nFollowers);
  for i in 1:robotParams.nRevolute + robotParams.nPrismatic loop
    for k in 1:robotParams.nRevolute + robotParams.nPrismatic loop
      M[i, k] = A[i, k];
    end for;
    h[i] = A[i, robotParams.nRevolute + robotParams.nPrismatic + 1];
  end for;
  for i in 1:robotParams.nRevolute loop
    rotational_flange_a[i].phi = q[i];
    tau[i] = rotational_flange_a[i].tau - robotParams.damping[i]*qd[i] - robotParams.friction[i]*tanh(qd[i]/slipSpeed);
  end for;
  for i in 1:robotParams.nPrismatic loop
    translational_flange_a[i].s = q[robotParams.nRevolute + i];
    tau[robotParams.nRevolute + i] = translational_flange_a[i].f
      - robotParams.damping[robotParams.nRevolute + i]*qd[robotParams.nRevolute + i]
      - robotParams.friction[robotParams.nRevolute + i]*tanh(qd[robotParams.nRevolute + i]/slipSpeed);
  end for;
  annotation (Documentation(info="<html>
<p>
The model states <em>M(q) q'' + h(q, q') = tau</em>, with the mass matrix and the other forces from
<a href=\"modelica://UrdfRobots.Generic.motion\">motion</a>. The base stands still at the origin; it needs no world,
and gravity is a parameter.
</p>
<p>
Joints that follow others move with these, <em>q'' = G s''</em>, and what they need acts back:
<em>G' (M(q) q'' + h(q, q') - tau) = 0</em>. They start where they follow; from there on a difference could not grow,
for it is linear in the positions. Their flanges are there too: what drives a follower drives the joint that it follows.
</p>
</html>"));
end Robot;
