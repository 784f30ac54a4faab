within FmiExamples.Examples.Utilities;
model DamperAsFMU "A damper with the variables that an FMU for Gazebo has"
  parameter Modelica.Units.SI.RotationalDampingConstant d=0.1 "Damping of the joint";
  Modelica.Blocks.Interfaces.RealInput actuatorInput "What the controller asks for, and a damper does not mind"
    annotation (Placement(transformation(extent={{-140,40},{-100,80}})));
  Modelica.Blocks.Interfaces.RealInput jointPosition(unit="rad") "Position of the joint"
    annotation (Placement(transformation(extent={{-140,0},{-100,40}})));
  Modelica.Blocks.Interfaces.RealInput jointVelocity(unit="rad/s") "Velocity of the joint, which follows from its position"
    annotation (Placement(transformation(extent={{-140,-40},{-100,0}})));
  Modelica.Blocks.Interfaces.RealInput jointAcceleration(unit="rad/s2") "Acceleration of the joint, which follows too"
    annotation (Placement(transformation(extent={{-140,-80},{-100,-40}})));
  Modelica.Blocks.Interfaces.RealOutput jointTorque(unit="N.m") "Torque that drives the joint"
    annotation (Placement(transformation(extent={{100,-70},{120,-50}})));
  FmiExamples.Actuators.JointDamper joint(d=d) "The damper"
    annotation (Placement(transformation(extent={{-20,40},{20,80}})));
  FmiExamples.Examples.Utilities.FlangeMotion adaptor "Moves the flange as the joint moves"
    annotation (Placement(transformation(extent={{-20,-40},{20,0}})));
  Modelica.Blocks.Math.Gain reaction(k=-1) "What the flange does to the joint is opposite to what moves it"
    annotation (Placement(transformation(extent={{60,-70},{80,-50}})));
equation
  connect(jointPosition, adaptor.phi)
    annotation (Line(points={{-120,20},{-60,20},{-60,-8},{-24,-8}}, color={0,0,127}));
  connect(joint.flange, adaptor.flange)
    annotation (Line(points={{20,60},{40,60},{40,-20},{20,-20}}));
  connect(adaptor.tau, reaction.u)
    annotation (Line(points={{-22,-32},{-40,-32},{-40,-60},{58,-60}}, color={0,0,127}));
  connect(reaction.y, jointTorque)
    annotation (Line(points={{81,-60},{110,-60}}, color={0,0,127}));
  annotation (
    Documentation(info="<html>
<p>
<a href=\"modelica://FmiExamples.Templates.RotationalActuator\">Templates.RotationalActuator</a> with a damper in it and
with <a href=\"modelica://FmiExamples.Examples.Utilities.FlangeMotion\">FlangeMotion</a> as its adaptor.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={64,64,64},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-46,20},{46,-20}},
          textColor={64,64,64},
          textString="FMU"),
        Text(
          extent={{-150,140},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end DamperAsFMU;
