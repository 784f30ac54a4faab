within DynamicConstraints.Examples;
model SpringBorne "A spring-borne object that goes from one partner to the next"
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
    m=1) "Who is where, and bound to whom"
    annotation (Placement(transformation(extent={{-35,75},{-15,95}})));
  Modelica.Mechanics.MultiBody.Parts.Fixed greenPlace(
    r={0,0,2},
    animation=false) "Place of green"
    annotation (Placement(transformation(extent={{-80,38},{-60,58}})));
  DynamicConstraints.CollisionObject green(
    id=1,
    m=1,
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
    m=1,
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
    m=1,
    shape=DynamicConstraints.Types.Shape.Rectangle,
    length=0.5,
    width=0.5) "Rectangle that catches it"
    annotation (Placement(transformation(extent={{-35,-62},{-15,-42}})));
  Modelica.Blocks.Sources.BooleanExpression yellowGrip(y=time < 2.5) "When yellow is closed"
    annotation (Placement(transformation(extent={{-80,-90},{-60,-70}})));
  DynamicConstraints.ConstrainedObject ball(
    id=1,
    n=3,
    radius=0.05,
    useOffset=true,
    m_ref=2) "What can be caught"
    annotation (Placement(transformation(extent={{50,30},{70,50}})));
  DynamicConstraints.Examples.Utilities.HingedBodies bodies(z_start=2) "Two bodies on a hinge"
    annotation (Placement(transformation(extent={{50,-10},{70,10}})));
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
  connect(bodies.frame_a, ball.frame_a) annotation (Line(
      points={{50,0},{30,0},{30,40},{50,40}},
      color={95,95,95},
      thickness=0.5));
  annotation (
    experiment(StopTime=3, Tolerance=1e-8),
    Documentation(info="<html>
<p>
Two bodies of 1 kg on a hinge with a spring and a damper. The first one is a constrained object, which is bound where it
touches. The green sphere holds it until 1 s; it falls and is caught by the pink sphere at 1.45 s, falls on at 2 s, is
caught by the yellow rectangle at 2.37 s and let go at 2.5 s.
</p>
<p>
The force of an impact grows with <code>eta</code>: it is at most 551 N with <code>eta=50</code> and 281 N with
<code>eta=25</code>.
</p>
</html>"));
end SpringBorne;
