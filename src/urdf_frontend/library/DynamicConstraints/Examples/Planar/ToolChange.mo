within DynamicConstraints.Examples.Planar;
model ToolChange "Two robots, four holders and two tools"
  extends Modelica.Icons.Example;

  inner DynamicConstraints.Planar.CollisionCollector collector(
    n=6,
    m=2) "Who is where, and bound to whom"
    annotation (Placement(transformation(extent={{-90,95},{-70,115}})));
  Modelica.Blocks.Sources.RealExpression x1(
    y=if time < 5.5 then -0.6
      elseif time < 12 then -0.2
      else -0.6) "Where robot 1 shall be"
    annotation (Placement(transformation(extent={{-130,64},{-110,84}})));
  Modelica.Blocks.Sources.RealExpression z1(
    y=if time < 1 then 0.8
      elseif time < 4 then 0.3
      elseif time < 7 then 0.8
      elseif time < 10 then 0.3
      else 0.8) "How high robot 1 shall be"
    annotation (Placement(transformation(extent={{-130,36},{-110,56}})));
  DynamicConstraints.Planar.Parts.Carriage robot1(r_start={-0.6,0.8}) "Robot 1"
    annotation (Placement(transformation(extent={{-80,50},{-60,70}})));
  Modelica.Blocks.Sources.BooleanExpression grip1(y=time >= 3 and time < 9) "When flange 1 is closed"
    annotation (Placement(transformation(extent={{-80,20},{-60,40}})));
  DynamicConstraints.Planar.CollisionObject flange1(
    id=1,
    m=2,
    radius=0.06) "Flange of robot 1"
    annotation (Placement(transformation(extent={{-30,50},{-10,70}})));
  Modelica.Blocks.Sources.RealExpression x2(
    y=if time < 5.5 then 0.6
      elseif time < 13 then 0.2
      else -0.2) "Where robot 2 shall be"
    annotation (Placement(transformation(extent={{-130,-16},{-110,4}})));
  Modelica.Blocks.Sources.RealExpression z2(
    y=if time < 1 then 0.8
      elseif time < 4 then 0.3
      elseif time < 7 then 0.8
      elseif time < 10 then 0.3
      elseif time < 15.5 then 0.8
      elseif time < 20 then 0.3
      else 0.8) "How high robot 2 shall be"
    annotation (Placement(transformation(extent={{-130,-44},{-110,-24}})));
  DynamicConstraints.Planar.Parts.Carriage robot2(r_start={0.6,0.8}) "Robot 2"
    annotation (Placement(transformation(extent={{-80,-30},{-60,-10}})));
  Modelica.Blocks.Sources.BooleanExpression grip2(y=time >= 3 and time < 9 or time >= 18) "When flange 2 is closed"
    annotation (Placement(transformation(extent={{-80,-60},{-60,-40}})));
  DynamicConstraints.Planar.CollisionObject flange2(
    id=2,
    m=2,
    radius=0.06) "Flange of robot 2"
    annotation (Placement(transformation(extent={{-30,-30},{-10,-10}})));
  DynamicConstraints.Planar.Parts.Fixed greenPlace(r={-0.6,0.3}) "Place of holder green"
    annotation (Placement(transformation(extent={{25,80},{45,100}})));
  DynamicConstraints.Planar.CollisionObject green(
    id=3,
    m=2,
    mode=DynamicConstraints.Types.Mode.Passive,
    radius=0.06) "Holder green"
    annotation (Placement(transformation(extent={{65,80},{85,100}})));
  DynamicConstraints.Planar.Parts.Fixed redPlace(r={-0.2,0.3}) "Place of holder red"
    annotation (Placement(transformation(extent={{25,50},{45,70}})));
  DynamicConstraints.Planar.CollisionObject red(
    id=4,
    m=2,
    mode=DynamicConstraints.Types.Mode.Passive,
    radius=0.06) "Holder red"
    annotation (Placement(transformation(extent={{65,50},{85,70}})));
  DynamicConstraints.Planar.Parts.Fixed yellowPlace(r={0.6,0.3}) "Place of holder yellow"
    annotation (Placement(transformation(extent={{25,20},{45,40}})));
  DynamicConstraints.Planar.CollisionObject yellow(
    id=5,
    m=2,
    mode=DynamicConstraints.Types.Mode.Passive,
    radius=0.06) "Holder yellow"
    annotation (Placement(transformation(extent={{65,20},{85,40}})));
  DynamicConstraints.Planar.Parts.Fixed pinkPlace(r={0.2,0.3}) "Place of holder pink"
    annotation (Placement(transformation(extent={{25,-10},{45,10}})));
  DynamicConstraints.Planar.CollisionObject pink(
    id=6,
    m=2,
    mode=DynamicConstraints.Types.Mode.Passive,
    radius=0.06) "Holder pink"
    annotation (Placement(transformation(extent={{65,-10},{85,10}})));
  DynamicConstraints.Planar.ConstrainedObject tool1(
    id=1,
    n=6,
    radius=0.03) "Where tool 1 can be taken"
    annotation (Placement(transformation(extent={{65,-55},{85,-35}})));
  DynamicConstraints.Planar.Parts.Body body1(
    m=2,
    I=0.01,
    frame_a(r(start={-0.6,0.3}, each fixed=true), phi(start=0, fixed=true)),
    v(each start=0, each fixed=true),
    w(start=0, fixed=true)) "Body of tool 1"
    annotation (Placement(transformation(extent={{65,-77},{85,-57}})));
  DynamicConstraints.Planar.ConstrainedObject tool2(
    id=2,
    n=6,
    radius=0.03) "Where tool 2 can be taken"
    annotation (Placement(transformation(extent={{65,-100},{85,-80}})));
  DynamicConstraints.Planar.Parts.Body body2(
    m=2,
    I=0.01,
    frame_a(r(start={0.6,0.3}, each fixed=true), phi(start=0, fixed=true)),
    v(each start=0, each fixed=true),
    w(start=0, fixed=true)) "Body of tool 2"
    annotation (Placement(transformation(extent={{65,-122},{85,-102}})));
equation
  connect(x1.y, robot1.x) annotation (Line(
      points={{-109,74},{-96,74},{-96,64},{-82,64}},
      color={0,0,127}));
  connect(z1.y, robot1.z) annotation (Line(
      points={{-109,46},{-96,46},{-96,56},{-82,56}},
      color={0,0,127}));
  connect(robot1.frame_b, flange1.frame_a) annotation (Line(
      points={{-60,60},{-30,60}},
      color={95,95,95},
      thickness=0.5));
  connect(grip1.y, flange1.closed) annotation (Line(
      points={{-59,30},{-20,30},{-20,52}},
      color={255,0,255}));
  connect(x2.y, robot2.x) annotation (Line(
      points={{-109,-6},{-96,-6},{-96,-16},{-82,-16}},
      color={0,0,127}));
  connect(z2.y, robot2.z) annotation (Line(
      points={{-109,-34},{-96,-34},{-96,-24},{-82,-24}},
      color={0,0,127}));
  connect(robot2.frame_b, flange2.frame_a) annotation (Line(
      points={{-60,-20},{-30,-20}},
      color={95,95,95},
      thickness=0.5));
  connect(grip2.y, flange2.closed) annotation (Line(
      points={{-59,-50},{-20,-50},{-20,-28}},
      color={255,0,255}));
  connect(greenPlace.frame_b, green.frame_a) annotation (Line(
      points={{45,90},{65,90}},
      color={95,95,95},
      thickness=0.5));
  connect(redPlace.frame_b, red.frame_a) annotation (Line(
      points={{45,60},{65,60}},
      color={95,95,95},
      thickness=0.5));
  connect(yellowPlace.frame_b, yellow.frame_a) annotation (Line(
      points={{45,30},{65,30}},
      color={95,95,95},
      thickness=0.5));
  connect(pinkPlace.frame_b, pink.frame_a) annotation (Line(
      points={{45,0},{65,0}},
      color={95,95,95},
      thickness=0.5));
  connect(body1.frame_a, tool1.frame_a) annotation (Line(
      points={{65,-67},{50,-67},{50,-45},{65,-45}},
      color={95,95,95},
      thickness=0.5));
  connect(body2.frame_a, tool2.frame_a) annotation (Line(
      points={{65,-112},{50,-112},{50,-90},{65,-90}},
      color={95,95,95},
      thickness=0.5));
  annotation (
    experiment(StopTime=25, Tolerance=1e-8),
    Diagram(coordinateSystem(extent={{-140,-120},{140,120}})),
    Documentation(info="<html>
<p>
Two robots, four holders and two tools of 2 kg: 12 pairs. Robot 1 takes tool 1 from the green holder at 3 s and drops it
at the red one at 9 s. At the same times robot 2 takes tool 2 from the yellow holder and drops it at the pink one. At
18 s robot 2 takes tool 1 from the red holder and lifts it.
</p>
<p>
The robots are collision objects of mode Control, the holders of mode Passive. The partners of tool 1 are 3, 1, 4 and 2,
those of tool 2 are 5, 2 and 6. A tool at rest is held with 19.62 N, and who holds it feels the same force downwards.
</p>
</html>"));
end ToolChange;
