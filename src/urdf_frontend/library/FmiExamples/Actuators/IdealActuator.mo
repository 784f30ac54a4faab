within FmiExamples.Actuators;
model IdealActuator "The joint gets the torque that is asked for"
  Modelica.Blocks.Interfaces.RealInput tau(unit="N.m") "Torque that is asked for"
    annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b flange "What drives the joint"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  Modelica.Mechanics.Rotational.Sources.Torque source "The torque"
    annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
equation
  connect(tau, source.tau)
    annotation (Line(points={{-120,0},{-12,0}}, color={0,0,127}));
  connect(source.flange, flange)
    annotation (Line(points={{10,0},{100,0}}));
  annotation (
    Documentation(info="<html>
<p>
As if there were no actuator, to see that all signs are right: the joint moves as it does without an FMU.
</p>
</html>"),
    Icon(graphics={
        Line(points={{-80,0},{90,0}}, color={64,64,64}, arrow={Arrow.None,Arrow.Filled}),
        Text(
          extent={{-150,100},{150,60}},
          textColor={0,0,255},
          textString="%name")}));
end IdealActuator;
