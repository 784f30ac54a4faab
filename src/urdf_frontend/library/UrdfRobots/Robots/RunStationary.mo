within UrdfRobots.Robots;
model RunStationary "Template of a run: a robot that is fixed to the ground"
  extends Modelica.Icons.Example;

  inner Modelica.Mechanics.MultiBody.World world(
    label2="z",
    n={0,0,-1},
    g=9.81,
    animateWorld=false,
    animateGravity=false) "World with gravity along -z, as in URDF"
    annotation (Placement(transformation(extent={{-80,-50},{-60,-30}})));
  UrdfRobots.Robots.Robot robot "The robot"
    annotation (Placement(transformation(extent={{-20,-60},{20,-20}})));
equation
  connect(world.frame_b, robot.frame_a) annotation (Line(
      points={{-60,-40},{-20,-40}},
      color={95,95,95},
      thickness=0.5));
  annotation (experiment(StopTime=10, Tolerance=1e-6, Interval=0.02), Documentation(info="<html>
<p>
The root link stands at the origin of the world. Nothing drives the joints: the robot falls into itself, as far as
friction and end stops let it. <a href=\"modelica://UrdfRobots.Robots.Test\">Test</a> moves the joints.
</p>
</html>"));
end RunStationary;
