within FmiExamples.Examples;
model PendulumWithDamperOutside "A pendulum without damping, braked through the variables of an FMU"
  extends Modelica.Icons.Example;
  parameter Modelica.Units.SI.RotationalDampingConstant d=0.1 "Damping of the joint";
  FmiExamples.Plants.Arm pendulum(
    d=0,
    g=9.81,
    phi_start=1.5) "The pendulum"
    annotation (Placement(transformation(extent={{40,-10},{60,10}})));
  Modelica.Mechanics.Rotational.Sources.Torque torque "What the FMU does to the joint"
    annotation (Placement(transformation(extent={{0,-10},{20,10}})));
  FmiExamples.Examples.Utilities.DamperAsFMU damper(d=d) "The damper with the variables of an FMU"
    annotation (Placement(transformation(extent={{-40,-10},{-20,10}})));
equation
  damper.actuatorInput = 0;
  damper.jointPosition = pendulum.phi;
  damper.jointVelocity = pendulum.w;
  damper.jointAcceleration = pendulum.a;
  connect(damper.jointTorque, torque.tau)
    annotation (Line(points={{-19,-6},{-10,-6},{-10,0},{-2,0}}, color={0,0,127}));
  connect(torque.flange, pendulum.flange)
    annotation (Line(points={{20,0},{40,0}}));
  annotation (
    experiment(StopTime=10),
    Documentation(info="<html>
<p>
It moves like <a href=\"modelica://FmiExamples.Examples.DampedPendulum\">DampedPendulum</a>, which shows that the signs
of position and torque are right.
</p>
</html>"));
end PendulumWithDamperOutside;
