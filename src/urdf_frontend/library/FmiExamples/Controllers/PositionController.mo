within FmiExamples.Controllers;
block PositionController "P and D of a joint"
  parameter Real P=10 "What is asked for each radian of the error";
  parameter Real D=3 "What is taken off for each radian per second";
  Modelica.Blocks.Interfaces.RealInput target(unit="rad") "Where the joint is to be"
    annotation (Placement(transformation(extent={{-140,40},{-100,80}})));
  Modelica.Blocks.Interfaces.RealInput position(unit="rad") "Where the joint is"
    annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
  Modelica.Blocks.Interfaces.RealInput velocity(unit="rad/s") "Velocity of the joint"
    annotation (Placement(transformation(extent={{-140,-80},{-100,-40}})));
  Modelica.Blocks.Interfaces.RealOutput y "What the actuator is asked for"
    annotation (Placement(transformation(extent={{100,-10},{120,10}})));
equation
  y = P*(target - position) - D*velocity;
  annotation (
    Documentation(info="<html>
<p>
The target stands still, so the derivative of the error is the negative velocity.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={0,0,127},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-60,40},{60,-40}},
          textColor={0,0,127},
          textString="PD"),
        Text(
          extent={{-150,140},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end PositionController;
