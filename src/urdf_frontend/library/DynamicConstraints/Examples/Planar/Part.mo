within DynamicConstraints.Examples.Planar;
model Part "A spring-borne object with what makes it a constrained one"
  parameter Modelica.Units.SI.Position z_start=2 "Height at the start";
  DynamicConstraints.Planar.ConstrainedObject ball(
    radius=0.05,
    useOffset=true,
    m_ref=2) "What can be caught"
    annotation (Placement(transformation(extent={{10,40},{30,60}})));
  DynamicConstraints.Planar.Parts.Body bodyA(
    m=1,
    I=0.01,
    frame_a(r(start={0,z_start}, each fixed=true), phi(start=0, fixed=true)),
    v(each start=0, each fixed=true),
    w(start=0, fixed=true)) "First body"
    annotation (Placement(transformation(extent={{10,-10},{30,10}})));
  DynamicConstraints.Planar.Parts.Arm arm(
    L=0.2,
    c=20,
    d=0.2,
    phi(start=0, fixed=true),
    w(start=0, fixed=true)) "Hinge between the bodies"
    annotation (Placement(transformation(extent={{-20,-60},{0,-40}})));
  DynamicConstraints.Planar.Parts.Body bodyB(
    m=1,
    I=0.01) "Second body"
    annotation (Placement(transformation(extent={{30,-60},{50,-40}})));
equation
  connect(bodyA.frame_a, ball.frame_a) annotation (Line(
      points={{10,0},{-40,0},{-40,50},{10,50}},
      color={95,95,95},
      thickness=0.5));
  connect(bodyA.frame_a, arm.frame_a) annotation (Line(
      points={{10,0},{-40,0},{-40,-50},{-20,-50}},
      color={95,95,95},
      thickness=0.5));
  connect(arm.frame_b, bodyB.frame_a) annotation (Line(
      points={{0,-50},{30,-50}},
      color={95,95,95},
      thickness=0.5));
  annotation (
    Icon(graphics={Ellipse(
          extent={{-90,30},{-30,-30}},
          lineColor={64,64,64},
          fillColor={0,140,130},
          fillPattern=FillPattern.Sphere),Line(
          points={{-30,0},{-10,0},{-4,14},{8,-14},{20,14},{30,0}},
          color={64,64,64}),Ellipse(
          extent={{30,30},{90,-30}},
          lineColor={64,64,64},
          fillColor={0,140,130},
          fillPattern=FillPattern.Sphere),Text(
          extent={{-150,90},{150,54}},
          textColor={0,0,255},
          textString="%name")}),
    Documentation(info="<html>
<p>
Two bodies on a hinge, and the constrained object at the first one. Its <code>id</code> is set from outside.
</p>
</html>"));
end Part;
