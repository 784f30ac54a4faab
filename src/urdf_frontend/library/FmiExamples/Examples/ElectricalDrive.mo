within FmiExamples.Examples;
model ElectricalDrive "The same controller with an actuator between it and the joint"
  extends Modelica.Icons.Example;
  parameter Real P=10 "Gain of the error";
  parameter Real D=3 "Gain of the velocity";
  parameter Modelica.Units.SI.ElectricalTorqueConstant k=0.1 "Torque of the motor for each ampere";
  Modelica.Blocks.Sources.Constant target(k=1) "Where the arm is to go"
    annotation (Placement(transformation(extent={{-90,20},{-70,40}})));
  FmiExamples.Controllers.PositionController controller(P=P, D=D) "The controller"
    annotation (Placement(transformation(extent={{-50,-10},{-30,10}})));
  FmiExamples.Actuators.ElectricalActuator actuator(k=k) "The motor with its gear"
    annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
  Modelica.Mechanics.Rotational.Sensors.AngleSensor angle "Where the arm is"
    annotation (Placement(transformation(
        extent={{10,-10},{-10,10}},
        origin={0,-40})));
  Modelica.Mechanics.Rotational.Sensors.SpeedSensor speed "How fast it turns"
    annotation (Placement(transformation(
        extent={{10,-10},{-10,10}},
        origin={0,-70})));
  FmiExamples.Plants.Arm arm "The arm"
    annotation (Placement(transformation(extent={{40,-10},{60,10}})));
equation
  connect(target.y, controller.target)
    annotation (Line(points={{-69,30},{-60,30},{-60,6},{-52,6}}, color={0,0,127}));
  connect(controller.y, actuator.v)
    annotation (Line(points={{-29,0},{-12,0}}, color={0,0,127}));
  connect(actuator.flange, arm.flange)
    annotation (Line(points={{10,0},{40,0}}));
  connect(arm.flange, angle.flange)
    annotation (Line(points={{40,0},{26,0},{26,-40},{10,-40}}));
  connect(arm.flange, speed.flange)
    annotation (Line(points={{40,0},{26,0},{26,-70},{10,-70}}));
  connect(angle.phi, controller.position)
    annotation (Line(points={{-11,-40},{-60,-40},{-60,0},{-52,0}}, color={0,0,127}));
  connect(speed.w, controller.velocity)
    annotation (Line(points={{-11,-70},{-64,-70},{-64,-6},{-52,-6}}, color={0,0,127}));
  annotation (
    experiment(StopTime=10),
    Documentation(info="<html>
<p>
With the gains of <a href=\"modelica://FmiExamples.Examples.DirectDrive\">DirectDrive</a> the arm swings about its target
and does not come to rest within ten seconds. Higher gains help:
</p>
<table border=\"1\" cellspacing=\"0\" cellpadding=\"4\">
<tr><th>k</th><th>P</th><th>D</th><th>highest angle</th><th>within 5&nbsp;% from</th></tr>
<tr><td>no actuator</td><td>10</td><td>3</td><td>1.171 rad</td><td>1.67 s</td></tr>
<tr><td>0.1</td><td>10</td><td>3</td><td>1.229 rad</td><td>not in 10 s</td></tr>
<tr><td>0.1</td><td>109</td><td>60</td><td>1.113 rad</td><td>3.40 s</td></tr>
<tr><td>0.001</td><td>10</td><td>3</td><td>1.861 rad</td><td>not in 10 s</td></tr>
<tr><td>0.001</td><td>109</td><td>60</td><td>1.263 rad</td><td>5.02 s</td></tr>
</table>
</html>"));
end ElectricalDrive;
