within UrdfRobots.Examples;
model RollingWheel "A wheel that slides at first, and then rolls"
  extends Modelica.Icons.Example;

  inner Modelica.Mechanics.MultiBody.World world(
    label2="z",
    n={0,0,-1},
    g=9.81,
    animateWorld=false,
    animateGravity=false) "World with gravity along -z"
    annotation (Placement(transformation(extent={{-80,-10},{-60,10}})));
  UrdfRobots.Joints.Floating floating(
    jointParams=UrdfRobots.Records.Joint(name="floating", jointType=UrdfRobots.Types.JointType.floating),
    r_start={0,0,0.2 - 2*9.81/(2*1e4)},
    rpy_start={-Modelica.Constants.pi/2,0,0},
    v_start={1,0,0}) "Motion of the wheel: it starts to slide along x, with its axis along y"
    annotation (Placement(transformation(extent={{-40,-10},{-20,10}})));
  UrdfRobots.Links.Link wheel(linkParams=UrdfRobots.Records.Link(
      name="wheel",
      inertial=UrdfRobots.Records.Inertial(
        mass=2,
        inertia=UrdfRobots.Records.Inertia(
          ixx=0.02,
          iyy=0.02,
          izz=0.04)),
      visual=UrdfRobots.Records.Visual(geometry=UrdfRobots.Records.Geometry(
          geometryType=UrdfRobots.Types.GeometryType.cylinder,
          radius=0.2,
          length=0.1)))) "A cylinder with its axis along z"
    annotation (Placement(transformation(extent={{10,-10},{30,10}})));
  UrdfRobots.Contacts.ContactCylinder contact(
    radius=0.2,
    length=0.1,
    friction=0.5) "Contact of the wheel with the ground"
    annotation (Placement(transformation(extent={{10,-50},{30,-30}})));
equation
  connect(world.frame_b, floating.frame_a) annotation (Line(
      points={{-60,0},{-40,0}},
      color={95,95,95},
      thickness=0.5));
  connect(floating.frame_b, wheel.frame_a) annotation (Line(
      points={{-20,0},{10,0}},
      color={95,95,95},
      thickness=0.5));
  connect(floating.frame_b, contact.frame_a) annotation (Line(
      points={{-20,0},{-4,0},{-4,-40},{10,-40}},
      color={95,95,95},
      thickness=0.5));
  annotation (experiment(StopTime=0.5, Tolerance=1e-8), Documentation(info="<html>
<p>
Friction slows the wheel down and turns it, until it rolls. A solid cylinder keeps 2/3 of its speed, however large the
friction: here it ends near 2/3 m/s.
</p>
</html>"));
end RollingWheel;
