within UrdfRobots.Joints;
model TranslationalFriction "Viscous and dry friction between support and axis"
  extends Modelica.Mechanics.Translational.Interfaces.PartialCompliant;
  extends UrdfRobots.Icons.Friction;

  parameter Modelica.Units.SI.TranslationalDampingConstant damping=0 "Viscous friction";
  parameter Modelica.Units.SI.Force friction=0 "Dry friction";
  parameter Modelica.Units.SI.Velocity slipSpeed=0.02 "Speed at which 76 % of the dry friction act";

  Modelica.Units.SI.Velocity v_rel "Relative velocity";
equation
  v_rel = der(s_rel);
  f = damping*v_rel + friction*tanh(v_rel/slipSpeed);
  annotation (Documentation(info="<html>
<p>
The sum of a force in proportion to the velocity and one of constant size against it. The dry part is smoothed by
<code>tanh</code>: it needs no events and can't chatter, and it does not hold a joint at rest. With a small
<code>slipSpeed</code> the joint creeps the less, and the equations are the stiffer.
</p>
</html>"));
end TranslationalFriction;
