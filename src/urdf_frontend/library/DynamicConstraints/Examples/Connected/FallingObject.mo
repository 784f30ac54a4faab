within DynamicConstraints.Examples.Connected;
model FallingObject "A body that is caught, held and let go"
  extends Modelica.Icons.Example;

  inner Modelica.Mechanics.MultiBody.World world(
    label2="z",
    n={0,0,-1},
    g=9.81,
    animateWorld=false,
    animateGravity=false) "World with gravity along -z"
    annotation (Placement(transformation(extent={{-80,60},{-60,80}})));
  Modelica.Mechanics.MultiBody.Parts.Fixed place(
    r={0,0,0},
    animation=false) "Place of the hook"
    annotation (Placement(transformation(extent={{-80,10},{-60,30}})));
  DynamicConstraints.Connected.CollisionObject hook(
    m=1,
    radius=0.2) "Hook that is closed at first"
    annotation (Placement(transformation(extent={{-30,10},{-10,30}})));
  Modelica.Blocks.Sources.BooleanExpression grip(y=time < 1) "When the hook is closed"
    annotation (Placement(transformation(extent={{-80,-30},{-60,-10}})));
  DynamicConstraints.Connected.ConstrainedObject ball(
    n=1,
    radius=0.1,
    useOffset=true) "What the hook can catch"
    annotation (Placement(transformation(extent={{40,-30},{60,-10}})));
  Modelica.Mechanics.MultiBody.Parts.Body body(
    m=2,
    r_CM={0,0,0},
    I_11=0.01,
    I_22=0.01,
    I_33=0.01,
    r_0(start={0,0,1}, each fixed=true),
    v_0(each fixed=true),
    angles_fixed=true,
    w_0_fixed=true,
    enforceStates=true,
    useQuaternions=false,
    animation=false) "Body that falls"
    annotation (Placement(transformation(extent={{40,-70},{60,-50}})));
equation
  connect(place.frame_b, hook.frame_a) annotation (Line(
      points={{-60,20},{-30,20}},
      color={95,95,95},
      thickness=0.5));
  connect(grip.y, hook.closed) annotation (Line(
      points={{-59,-20},{-20,-20},{-20,12}},
      color={255,0,255}));
  connect(body.frame_a, ball.frame_a) annotation (Line(
      points={{40,-60},{20,-60},{20,-20},{40,-20}},
      color={95,95,95},
      thickness=0.5));
  connect(hook.port[1], ball.port[1]) annotation (Line(
      points={{-10,20},{80,20},{80,-20},{60,-20}},
      color={200,0,0}));
  annotation (
    experiment(StopTime=1.5, Tolerance=1e-8),
    Documentation(info="<html>
<p>
A body of 2 kg falls from a height of 1 m. At 0.3 m it touches the sphere of the hook, 0.378 s after the start, and is
held there with 19.62 N, until the hook opens at 1 s. Then it falls on.
</p>
<p>
As <a href=\"modelica://DynamicConstraints.Examples.FallingObject\">Examples.FallingObject</a>, with a connection in
place of a collector.
</p>
</html>"));
end FallingObject;
