within UrdfRobots.Generic;
model MultiBodyRobot "Robot of a record, made of MultiBody parts"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
  extends UrdfRobots.Icons.StationaryRobot;

  replaceable parameter UrdfRobots.Records.Robot robotParams constrainedby UrdfRobots.Records.Robot
    "Structure and values of the robot"
    annotation (Dialog(group="URDF"));
  parameter Real q_start[robotParams.nRevolute + robotParams.nPrismatic]=
    zeros(robotParams.nRevolute + robotParams.nPrismatic)
    "Start values of the positions, in rad or m"
    annotation (Dialog(group="Initialization"));
  parameter Real qd_start[robotParams.nRevolute + robotParams.nPrismatic]=
    zeros(robotParams.nRevolute + robotParams.nPrismatic)
    "Start values of the velocities, in rad/s or m/s"
    annotation (Dialog(group="Initialization"));

  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b[robotParams.nRevolute + robotParams.nPrismatic + robotParams.nFixed]
    "Frames of the links"
    annotation (Placement(transformation(extent={{84,-16},{116,16}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_a rotational_flange_a[robotParams.nRevolute]
    "Axes of joints that turn"
    annotation (Placement(transformation(extent={{-50,90},{-30,110}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_a translational_flange_a[robotParams.nPrismatic]
    "Axes of joints that slide"
    annotation (Placement(transformation(extent={{30,90},{50,110}})));
  UrdfRobots.Generic.LinkBody link[robotParams.nRevolute + robotParams.nPrismatic + robotParams.nFixed](
    mass=robotParams.mass,
    center=robotParams.center,
    inertia=robotParams.inertia) "Links"
    annotation (Placement(transformation(extent={{30,-10},{50,10}})));
  UrdfRobots.Generic.RevoluteJoint revolute[robotParams.nRevolute](
    xyz={{robotParams.xyz[i, k] for k in 1:3} for i in 1:robotParams.nRevolute},
    rpy={{robotParams.rpy[i, k] for k in 1:3} for i in 1:robotParams.nRevolute},
    axis={{robotParams.axis[i, k] for k in 1:3} for i in 1:robotParams.nRevolute},
    damping={robotParams.damping[i] for i in 1:robotParams.nRevolute},
    dryFriction={robotParams.friction[i] for i in 1:robotParams.nRevolute},
    q_start={q_start[i] for i in 1:robotParams.nRevolute},
    qd_start={qd_start[i] for i in 1:robotParams.nRevolute},
    startFixed={robotParams.leader[i] == 0 for i in 1:robotParams.nRevolute}) "Joints that turn"
    annotation (Placement(transformation(extent={{-50,30},{-30,50}})));
  UrdfRobots.Generic.PrismaticJoint prismatic[robotParams.nPrismatic](
    xyz={{robotParams.xyz[robotParams.nRevolute + i, k] for k in 1:3} for i in 1:robotParams.nPrismatic},
    rpy={{robotParams.rpy[robotParams.nRevolute + i, k] for k in 1:3} for i in 1:robotParams.nPrismatic},
    axis={{robotParams.axis[robotParams.nRevolute + i, k] for k in 1:3} for i in 1:robotParams.nPrismatic},
    damping={robotParams.damping[robotParams.nRevolute + i] for i in 1:robotParams.nPrismatic},
    dryFriction={robotParams.friction[robotParams.nRevolute + i] for i in 1:robotParams.nPrismatic},
    q_start={q_start[robotParams.nRevolute + i] for i in 1:robotParams.nPrismatic},
    qd_start={qd_start[robotParams.nRevolute + i] for i in 1:robotParams.nPrismatic},
    startFixed={robotParams.leader[robotParams.nRevolute + i] == 0 for i in 1:robotParams.nPrismatic})
    "Joints that slide"
    annotation (Placement(transformation(extent={{-50,-10},{-30,10}})));
  UrdfRobots.Generic.FixedJoint fixedJoint[robotParams.nFixed](
    xyz={{robotParams.xyz[robotParams.nRevolute + robotParams.nPrismatic + i, k]
      for k in 1:3} for i in 1:robotParams.nFixed},
    rpy={{robotParams.rpy[robotParams.nRevolute + robotParams.nPrismatic + i, k]
      for k in 1:3} for i in 1:robotParams.nFixed})
      "Joints that do not move"
    annotation (Placement(transformation(extent={{-50,-50},{-30,-30}})));
  UrdfRobots.Generic.Follower gear[robotParams.nFollowers](
    leaderTurns={robotParams.leader[robotParams.followers[k]] <= robotParams.nRevolute
      for k in 1:robotParams.nFollowers},
    followerTurns={robotParams.followers[k] <= robotParams.nRevolute for k in 1:robotParams.nFollowers},
    multiplier={robotParams.multiplier[robotParams.followers[k]] for k in 1:robotParams.nFollowers},
    offset={robotParams.offset[robotParams.followers[k]] for k in 1:robotParams.nFollowers})
    "What makes joints follow others"
    annotation (Placement(transformation(extent={{-10,10},{10,30}})));
equation
  for i in 1:robotParams.nRevolute loop
    if robotParams.parent[i] == 0 then
      connect(frame_a, revolute[i].frame_a);
    else
      connect(link[robotParams.parent[i]].frame_a, revolute[i].frame_a);
    end if;
    connect(revolute[i].frame_b, link[i].frame_a);
    connect(revolute[i].flange_a, rotational_flange_a[i]);
  end for;
  for i in 1:robotParams.nPrismatic loop
    if robotParams.parent[robotParams.nRevolute + i] == 0 then
      connect(frame_a, prismatic[i].frame_a);
    else
      connect(link[robotParams.parent[robotParams.nRevolute + i]].frame_a, prismatic[i].frame_a);
    end if;
    connect(prismatic[i].frame_b, link[robotParams.nRevolute + i].frame_a);
    connect(prismatic[i].flange_a, translational_flange_a[i]);
  end for;
  for i in 1:robotParams.nFixed loop
    if robotParams.parent[robotParams.nRevolute + robotParams.nPrismatic + i] == 0 then
      connect(frame_a, fixedJoint[i].frame_a);
    else
      connect(link[robotParams.parent[robotParams.nRevolute + robotParams.nPrismatic + i]].frame_a, fixedJoint[i].frame_a);
    end if;
    connect(fixedJoint[i].frame_b, link[robotParams.nRevolute + robotParams.nPrismatic + i].frame_a);
  end for;
  for i in 1:robotParams.nRevolute + robotParams.nPrismatic + robotParams.nFixed loop
    connect(link[i].frame_a, frame_b[i]);
  end for;
  for k in 1:robotParams.nFollowers loop
    if robotParams.leader[robotParams.followers[k]] <= robotParams.nRevolute then
      connect(revolute[robotParams.leader[robotParams.followers[k]]].flange_a, gear[k].rotational_leader);
    else
      connect(
        prismatic[robotParams.leader[robotParams.followers[k]] - robotParams.nRevolute].flange_a,
        gear[k].translational_leader);
    end if;
    if robotParams.followers[k] <= robotParams.nRevolute then
      connect(revolute[robotParams.followers[k]].flange_a, gear[k].rotational_follower);
    else
      connect(prismatic[robotParams.followers[k] - robotParams.nRevolute].flange_a, gear[k].translational_follower);
    end if;
  end for;
  if robotParams.nRevolute + robotParams.nPrismatic + robotParams.nFixed == 0 then
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
  end if;
  annotation (Documentation(info="<html>
<p>
One array of components for each type of joint, connected by <code>robotParams.parent</code>. <code>frame_a</code> is
the frame of the base, which has no mass of its own: connect a body with it if the base moves.
</p>
<p>
A joint that follows another one has a <code>gear</code> between the axes of both, and no start values of its own.
</p>
</html>"));
end MultiBodyRobot;
