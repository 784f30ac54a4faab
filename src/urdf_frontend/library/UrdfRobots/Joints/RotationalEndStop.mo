within UrdfRobots.Joints;
model RotationalEndStop "Springs that keep the axis between two limits"
  extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliant;
  extends UrdfRobots.Icons.EndStop;

  parameter Modelica.Units.SI.Angle lower=-Modelica.Constants.inf "Lower limit";
  parameter Modelica.Units.SI.Angle upper=Modelica.Constants.inf "Upper limit";
  parameter Modelica.Units.SI.RotationalSpringConstant stiffness=1e3 "Stiffness of the springs";
  parameter Modelica.Units.SI.RotationalDampingConstant damping=10 "Damping beyond a limit";
  parameter Modelica.Units.SI.Angle dampingDepth=1e-3 "How far beyond a limit the damping acts in full";

  Modelica.Units.SI.AngularVelocity w_rel "Relative velocity";
equation
  w_rel = der(phi_rel);
  tau = noEvent(
    if phi_rel > upper then
      max(0, stiffness*(phi_rel - upper) + damping*min(1, (phi_rel - upper)/dampingDepth)*w_rel)
    elseif phi_rel < lower then
      min(0, stiffness*(phi_rel - lower) + damping*min(1, (lower - phi_rel)/dampingDepth)*w_rel)
    else 0);
  annotation (Documentation(info="<html>
<p>
Beyond a limit a spring and a damper push back; between the limits there is no torque. The damper sets in over
<code>dampingDepth</code> and never pulls, so the torque is continuous.
</p>
</html>"));
end RotationalEndStop;
