within FmiExamples.Actuators;
model CompliantActuator "Torque that reaches the joint through a spring"
  parameter Modelica.Units.SI.Inertia J=0.01 "Inertia before the spring";
  parameter Modelica.Units.SI.RotationalSpringConstant c=100 "Stiffness of the spring";
  Modelica.Blocks.Interfaces.RealInput tau(unit="N.m") "Torque that is asked for"
    annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b flange "What drives the joint"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  Modelica.Mechanics.Rotational.Sources.Torque source "The torque"
    annotation (Placement(transformation(extent={{-70,-10},{-50,10}})));
  Modelica.Mechanics.Rotational.Components.Inertia rotor(
    J=J,
    phi(start=0, fixed=true),
    w(start=0, fixed=true)) "What moves before the spring"
    annotation (Placement(transformation(extent={{-20,-10},{0,10}})));
  Modelica.Mechanics.Rotational.Components.Spring spring(c=c) "The spring"
    annotation (Placement(transformation(extent={{30,-10},{50,10}})));
equation
  connect(tau, source.tau)
    annotation (Line(points={{-120,0},{-72,0}}, color={0,0,127}));
  connect(source.flange, rotor.flange_a)
    annotation (Line(points={{-50,0},{-20,0}}));
  connect(rotor.flange_b, spring.flange_a)
    annotation (Line(points={{0,0},{30,0}}));
  connect(spring.flange_b, flange)
    annotation (Line(points={{50,0},{100,0}}));
  annotation (
    Documentation(info="<html>
<p>
A series elastic actuator. With a small <code>c</code> it is soft; the higher <code>c</code> is, the more it is like an
<a href=\"modelica://FmiExamples.Actuators.IdealActuator\">ideal</a> one with the inertia <code>J</code>.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-80,-40},{-20,40}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.HorizontalCylinder),
        Line(points={{-20,0},{-10,30},{10,-30},{30,30},{50,-30},{60,0},{90,0}}, color={64,64,64}),
        Text(
          extent={{-150,100},{150,60}},
          textColor={0,0,255},
          textString="%name")}));
end CompliantActuator;
