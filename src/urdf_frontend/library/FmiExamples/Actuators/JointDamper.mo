within FmiExamples.Actuators;
model JointDamper "A joint that turns in oil"
  parameter Modelica.Units.SI.RotationalDampingConstant d=0.1 "Damping of the joint";
  Modelica.Mechanics.Rotational.Interfaces.Flange_b flange "What brakes the joint"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  Modelica.Mechanics.Rotational.Components.Damper damper(d=d) "The oil"
    annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
  Modelica.Mechanics.Rotational.Components.Fixed fixed "What does not move"
    annotation (Placement(transformation(extent={{-60,-10},{-40,10}})));
equation
  connect(fixed.flange, damper.flange_a)
    annotation (Line(points={{-50,0},{-10,0}}));
  connect(damper.flange_b, flange)
    annotation (Line(points={{10,0},{100,0}}));
  annotation (
    Documentation(info="<html>
<p>
What a simulator calls the damping of a joint, as an actuator without an input. A joint with damping 0 and this FMU moves
like a joint with damping <code>d</code>.
</p>
</html>"),
    Icon(graphics={
        Line(points={{60,-30},{-60,-30},{-60,30},{60,30}}, color={64,64,64}),
        Rectangle(
          extent={{-60,-30},{20,30}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Line(points={{-90,0},{-60,0}}, color={64,64,64}),
        Line(points={{20,0},{90,0}}, color={64,64,64}),
        Text(
          extent={{-150,100},{150,60}},
          textColor={0,0,255},
          textString="%name")}));
end JointDamper;
