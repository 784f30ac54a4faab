within FmiExamples.Templates;
model TranslationalActuator "An actuator of a prismatic joint for gazebo-fmi"
  Modelica.Blocks.Interfaces.RealInput actuatorInput "What the controller asks for"
    annotation (Placement(transformation(extent={{-140,40},{-100,80}})));
  Modelica.Blocks.Interfaces.RealInput jointPosition(unit="m") "Position of the joint"
    annotation (Placement(transformation(extent={{-140,0},{-100,40}})));
  Modelica.Blocks.Interfaces.RealInput jointVelocity(unit="m/s") "Velocity of the joint"
    annotation (Placement(transformation(extent={{-140,-40},{-100,0}})));
  Modelica.Blocks.Interfaces.RealInput jointAcceleration(unit="m/s2") "Acceleration of the joint"
    annotation (Placement(transformation(extent={{-140,-80},{-100,-40}})));
  Modelica.Blocks.Interfaces.RealOutput jointTorque(unit="N") "Force that drives the joint"
    annotation (Placement(transformation(extent={{100,-70},{120,-50}})));
  Modelica.Mechanics.Translational.Components.GeneralPositionToForceAdaptor adaptor(use_pder=true, use_pder2=true)
    "Moves the flange as the joint moves, and measures what that takes"
    annotation (Placement(transformation(extent={{-20,-40},{20,0}})));
  Modelica.Blocks.Math.Gain reaction(k=-1) "What the flange does to the joint is opposite to what moves it"
    annotation (Placement(transformation(extent={{60,-70},{80,-50}})));
equation
  connect(jointPosition, adaptor.p)
    annotation (Line(points={{-120,20},{-40,20},{-40,-4},{-6,-4}}, color={0,0,127}));
  connect(jointVelocity, adaptor.pder)
    annotation (Line(points={{-120,-20},{-60,-20},{-60,-10},{-6,-10}}, color={0,0,127}));
  connect(jointAcceleration, adaptor.pder2)
    annotation (Line(points={{-120,-60},{-50,-60},{-50,-16},{-6,-16}}, color={0,0,127}));
  connect(adaptor.f, reaction.u)
    annotation (Line(points={{-6,-36},{-20,-36},{-20,-60},{58,-60}}, color={0,0,127}));
  connect(reaction.y, jointTorque)
    annotation (Line(points={{81,-60},{110,-60}}, color={0,0,127}));
  annotation (
    Documentation(info="<html>
<p>
The simulator computes how the joint moves and gives position, velocity and acceleration. The adaptor moves the
flange of the actuator so, and measures the force that this takes. What the actuator does to the joint is the opposite
force. gazebo-fmi calls it a torque for every joint.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={64,64,64},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{-50,-30},{50,30}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-46,20},{46,-20}},
          textColor={64,64,64},
          textString="FMU"),
        Text(
          extent={{-150,140},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end TranslationalActuator;
