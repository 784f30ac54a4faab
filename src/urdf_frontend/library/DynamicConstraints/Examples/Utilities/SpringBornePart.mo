within DynamicConstraints.Examples.Utilities;
model SpringBornePart "A spring-borne object with what makes it a constrained one"
  parameter Modelica.Units.SI.Position z_start=2 "Height at the start";
  DynamicConstraints.ConstrainedObject ball(
    radius=0.05,
    useOffset=true,
    m_ref=2) "What can be caught"
    annotation (Placement(transformation(extent={{10,30},{30,50}})));
  DynamicConstraints.Examples.Utilities.HingedBodies bodies(z_start=z_start) "Two bodies on a hinge"
    annotation (Placement(transformation(extent={{10,-20},{30,0}})));
equation
  connect(bodies.frame_a, ball.frame_a) annotation (Line(
      points={{10,-10},{-20,-10},{-20,40},{10,40}},
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
end SpringBornePart;
