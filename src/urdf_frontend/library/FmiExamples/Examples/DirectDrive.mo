within FmiExamples.Examples;
model DirectDrive "A controller that sets the torque of a joint itself"
  extends Modelica.Icons.Example;
  parameter Real P=10 "Gain of the error";
  parameter Real D=3 "Gain of the velocity";
  Modelica.Blocks.Sources.Constant target(k=1) "Where the arm is to go"
    annotation (Placement(transformation(extent={{-90,20},{-70,40}})));
  FmiExamples.Controllers.PositionController controller(P=P, D=D) "The controller"
    annotation (Placement(transformation(extent={{-50,-10},{-30,10}})));
  FmiExamples.Actuators.IdealActuator actuator "What is asked for is what the joint gets"
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
  connect(controller.y, actuator.tau)
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
The gains 10 and 3 bring the arm to 1 rad within two seconds. With an
<a href=\"modelica://FmiExamples.Examples.ElectricalDrive\">actuator</a> they do not.
</p>
</html>"));
end DirectDrive;
