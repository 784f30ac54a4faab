within FmiExamples.Fluids;
block LinearFriction "A force that grows with the velocity and is opposite to it"
  parameter Modelica.Units.SI.TranslationalDampingConstant d=10 "Force for each metre per second";
  Modelica.Blocks.Interfaces.RealInput v[3](each unit="m/s") "Velocity of the body in the fluid"
    annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
  Modelica.Blocks.Interfaces.RealOutput F[3](each unit="N") "Force on the body"
    annotation (Placement(transformation(extent={{100,-10},{120,10}})));
equation
  F = -d*v;
  annotation (
    Documentation(info="<html>
<p>
The drag of a slow body, the same in all directions. There is no moment.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={0,0,127},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Line(points={{-70,40},{-30,60},{30,20},{70,40}}, color={0,128,255}),
        Line(points={{-70,0},{-30,20},{30,-20},{70,0}}, color={0,128,255}),
        Line(points={{-70,-40},{-30,-20},{30,-60},{70,-40}}, color={0,128,255}),
        Text(
          extent={{-150,140},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end LinearFriction;
