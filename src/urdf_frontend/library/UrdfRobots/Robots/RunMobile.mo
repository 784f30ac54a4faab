within UrdfRobots.Robots;
model RunMobile "Template of a run: a robot that moves about on the ground"
  extends Modelica.Icons.Example;

  parameter Modelica.Units.SI.Position r_start[3]={0,0,0} "Start values of the position of the root link"
    annotation (Dialog(group="Initialization"));
  parameter Modelica.Units.SI.Angle rpy_start[3]={0,0,0} "Start values of roll, pitch and yaw of the root link"
    annotation (Dialog(group="Initialization"));

  inner Modelica.Mechanics.MultiBody.World world(
    label2="z",
    n={0,0,-1},
    g=9.81,
    animateWorld=false,
    animateGravity=false) "World with gravity along -z, as in URDF"
    annotation (Placement(transformation(extent={{-100,-50},{-80,-30}})));
  Modelica.Mechanics.MultiBody.Joints.FreeMotion freeMotion(
    r_rel_a(start=r_start, each fixed=true),
    v_rel_a(start={0,0,0}, each fixed=true),
    angles_fixed=true,
    angles_start={rpy_start[3],rpy_start[2],rpy_start[1]},
    sequence_start={3,2,1},
    w_rel_a_fixed=true,
    w_rel_a_start={0,0,0},
    enforceStates=true,
    animation=false) "Motion of the root link in the world"
    annotation (Placement(transformation(extent={{-60,-50},{-40,-30}})));
  UrdfRobots.Robots.Robot robot "The robot"
    annotation (Placement(transformation(extent={{-20,-60},{20,-20}})));
  Modelica.Mechanics.MultiBody.Visualizers.FixedShape ground(
    shapeType="box",
    lengthDirection={1,0,0},
    widthDirection={0,1,0},
    r_shape={-5,0,-0.005},
    length=10,
    width=10,
    height=0.01,
    color={200,200,200}) "Picture of the ground"
    annotation (Placement(transformation(extent={{-60,-90},{-40,-70}})));
equation
  connect(world.frame_b, freeMotion.frame_a) annotation (Line(
      points={{-80,-40},{-60,-40}},
      color={95,95,95},
      thickness=0.5));
  connect(freeMotion.frame_b, robot.frame_a) annotation (Line(
      points={{-40,-40},{-20,-40}},
      color={95,95,95},
      thickness=0.5));
  connect(world.frame_b, ground.frame_a) annotation (Line(
      points={{-80,-40},{-70,-40},{-70,-80},{-60,-80}},
      color={95,95,95},
      thickness=0.5));
  annotation (experiment(StopTime=10, Tolerance=1e-6, Interval=0.02), Documentation(info="<html>
<p>
The root link moves freely and starts at <code>r_start</code>. What touches the ground needs a contact of
<a href=\"modelica://UrdfRobots.Contacts\">Contacts</a>: add one for each link that does, and connect it with
<code>robot.frame_b</code>. Without a contact the robot falls.
</p>
<p>
The root link, or what is fixed to it, needs a mass and an inertia tensor. Without them nothing decides how it moves.
</p>
</html>"));
end RunMobile;
