within DynamicConstraints.Examples;
model TenObjects "Ten spring-borne objects"
  extends Modelica.Icons.Example;

  inner Modelica.Mechanics.MultiBody.World world(
    label2="z",
    n={0,0,-1},
    g=9.81,
    animateWorld=false,
    animateGravity=false) "World with gravity along -z"
    annotation (Placement(transformation(extent={{-80,75},{-60,95}})));
  inner DynamicConstraints.CollisionCollector collector(
    n=3,
    m=10) "Who is where, and bound to whom"
    annotation (Placement(transformation(extent={{-35,75},{-15,95}})));
  Modelica.Mechanics.MultiBody.Parts.Fixed greenPlace(
    r={0,0,2},
    animation=false) "Place of green"
    annotation (Placement(transformation(extent={{-80,38},{-60,58}})));
  DynamicConstraints.CollisionObject green(
    id=1,
    m=10,
    radius=0.1) "Sphere that holds it at first"
    annotation (Placement(transformation(extent={{-35,38},{-15,58}})));
  Modelica.Blocks.Sources.BooleanExpression greenGrip(y=time < 1) "When green is closed"
    annotation (Placement(transformation(extent={{-80,10},{-60,30}})));
  Modelica.Mechanics.MultiBody.Parts.Fixed pinkPlace(
    r={0,0,0.85},
    animation=false) "Place of pink"
    annotation (Placement(transformation(extent={{-80,-12},{-60,8}})));
  DynamicConstraints.CollisionObject pink(
    id=2,
    m=10,
    radius=0.1) "Sphere that catches it"
    annotation (Placement(transformation(extent={{-35,-12},{-15,8}})));
  Modelica.Blocks.Sources.BooleanExpression pinkGrip(y=time < 2) "When pink is closed"
    annotation (Placement(transformation(extent={{-80,-40},{-60,-20}})));
  Modelica.Mechanics.MultiBody.Parts.Fixed yellowPlace(
    r={0,0,0.3},
    animation=false) "Place of yellow"
    annotation (Placement(transformation(extent={{-80,-62},{-60,-42}})));
  DynamicConstraints.CollisionObject yellow(
    id=3,
    m=10,
    shape=DynamicConstraints.Types.Shape.Rectangle,
    length=0.5,
    width=0.5) "Rectangle that catches it"
    annotation (Placement(transformation(extent={{-35,-62},{-15,-42}})));
  Modelica.Blocks.Sources.BooleanExpression yellowGrip(y=time < 2.5) "When yellow is closed"
    annotation (Placement(transformation(extent={{-80,-90},{-60,-70}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part1(
    z_start=2.00,
    ball(id=1, n=3)) "Object 1"
    annotation (Placement(transformation(extent={{40,50},{60,70}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part2(
    z_start=2.01,
    ball(id=2, n=3)) "Object 2"
    annotation (Placement(transformation(extent={{40,20},{60,40}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part3(
    z_start=2.02,
    ball(id=3, n=3)) "Object 3"
    annotation (Placement(transformation(extent={{40,-10},{60,10}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part4(
    z_start=2.03,
    ball(id=4, n=3)) "Object 4"
    annotation (Placement(transformation(extent={{40,-40},{60,-20}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part5(
    z_start=2.04,
    ball(id=5, n=3)) "Object 5"
    annotation (Placement(transformation(extent={{40,-70},{60,-50}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part6(
    z_start=2.05,
    ball(id=6, n=3)) "Object 6"
    annotation (Placement(transformation(extent={{85,50},{105,70}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part7(
    z_start=2.06,
    ball(id=7, n=3)) "Object 7"
    annotation (Placement(transformation(extent={{85,20},{105,40}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part8(
    z_start=2.07,
    ball(id=8, n=3)) "Object 8"
    annotation (Placement(transformation(extent={{85,-10},{105,10}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part9(
    z_start=2.08,
    ball(id=9, n=3)) "Object 9"
    annotation (Placement(transformation(extent={{85,-40},{105,-20}})));
  DynamicConstraints.Examples.Utilities.SpringBornePart part10(
    z_start=2.09,
    ball(id=10, n=3)) "Object 10"
    annotation (Placement(transformation(extent={{85,-70},{105,-50}})));
equation
  connect(greenPlace.frame_b, green.frame_a) annotation (Line(
      points={{-60,48},{-35,48}},
      color={95,95,95},
      thickness=0.5));
  connect(greenGrip.y, green.closed) annotation (Line(
      points={{-59,20},{-25,20},{-25,40}},
      color={255,0,255}));
  connect(pinkPlace.frame_b, pink.frame_a) annotation (Line(
      points={{-60,-2},{-35,-2}},
      color={95,95,95},
      thickness=0.5));
  connect(pinkGrip.y, pink.closed) annotation (Line(
      points={{-59,-30},{-25,-30},{-25,-10}},
      color={255,0,255}));
  connect(yellowPlace.frame_b, yellow.frame_a) annotation (Line(
      points={{-60,-52},{-35,-52}},
      color={95,95,95},
      thickness=0.5));
  connect(yellowGrip.y, yellow.closed) annotation (Line(
      points={{-59,-80},{-25,-80},{-25,-60}},
      color={255,0,255}));
  annotation (
    experiment(StopTime=3, Tolerance=1e-8),
    Diagram(coordinateSystem(extent={{-100,-100},{200,100}})),
    Documentation(info="<html>
<p>
10 spring-borne objects and three partners, 30 pairs. Each object starts 1 cm above the one before it.
</p>
</html>"));
end TenObjects;
