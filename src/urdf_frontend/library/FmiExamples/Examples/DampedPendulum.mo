within FmiExamples.Examples;
model DampedPendulum "A pendulum whose joint has damping"
  extends Modelica.Icons.Example;
  parameter Modelica.Units.SI.RotationalDampingConstant d=0.1 "Damping of the joint";
  FmiExamples.Plants.Arm pendulum(
    d=d,
    g=9.81,
    phi_start=1.5) "The pendulum"
    annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
  annotation (
    experiment(StopTime=10),
    Documentation(info="<html>
<p>
To compare with a pendulum whose <a href=\"modelica://FmiExamples.Examples.PendulumWithDamperOutside\">damper is
outside</a>.
</p>
</html>"));
end DampedPendulum;
