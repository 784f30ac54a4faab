within UrdfRobots.Joints;
model TranslationalEndStop "Springs that keep the axis between two limits"
  extends Modelica.Mechanics.Translational.Interfaces.PartialCompliant;
  extends UrdfRobots.Icons.EndStop;

  parameter Modelica.Units.SI.Position lower=-Modelica.Constants.inf "Lower limit";
  parameter Modelica.Units.SI.Position upper=Modelica.Constants.inf "Upper limit";
  parameter Modelica.Units.SI.TranslationalSpringConstant stiffness=1e4 "Stiffness of the springs";
  parameter Modelica.Units.SI.TranslationalDampingConstant damping=100 "Damping beyond a limit";
  parameter Modelica.Units.SI.Position dampingDepth=1e-4 "How far beyond a limit the damping acts in full";

  Modelica.Units.SI.Velocity v_rel "Relative velocity";
equation
  v_rel = der(s_rel);
  f = noEvent(
    if s_rel > upper then
      max(0, stiffness*(s_rel - upper) + damping*min(1, (s_rel - upper)/dampingDepth)*v_rel)
    elseif s_rel < lower then
      min(0, stiffness*(s_rel - lower) + damping*min(1, (lower - s_rel)/dampingDepth)*v_rel)
    else 0);
  annotation (Documentation(info="<html>
<p>
Beyond a limit a spring and a damper push back; between the limits there is no force. The damper sets in over
<code>dampingDepth</code> and never pulls, so the force is continuous.
</p>
</html>"));
end TranslationalEndStop;
