within FmiExamples.Examples.Utilities;
model FlangeMotion "A flange that is moved, and the torque that this takes, in two equations"
  Modelica.Blocks.Interfaces.RealInput phi(unit="rad") "Angle of the flange"
    annotation (Placement(transformation(extent={{-140,40},{-100,80}})));
  Modelica.Blocks.Interfaces.RealOutput tau(unit="N.m") "Torque that moves the flange"
    annotation (Placement(transformation(
        extent={{10,-10},{-10,10}},
        origin={-110,-60})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b flange "What is moved"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
equation
  flange.phi = phi;
  tau = -flange.tau;
  annotation (
    Documentation(info="<html>
<p>
In place of <a href=\"modelica://Modelica.Mechanics.Rotational.Components.AngleToTorqueAdaptor\">AngleToTorqueAdaptor</a>,
with the same sign: that one takes the velocity and the acceleration from outside too, which not every compiler can do.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={64,64,64},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-150,140},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end FlangeMotion;
