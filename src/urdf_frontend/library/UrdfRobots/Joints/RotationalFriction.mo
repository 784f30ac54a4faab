within UrdfRobots.Joints;
model RotationalFriction "Viscous and dry friction between support and axis"
  extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliant;
  extends UrdfRobots.Icons.Friction;

  parameter Modelica.Units.SI.RotationalDampingConstant damping=0 "Viscous friction";
  parameter Modelica.Units.SI.Torque friction=0 "Dry friction";
  parameter Modelica.Units.SI.AngularVelocity slipSpeed=0.02 "Speed at which 76 % of the dry friction act";

  Modelica.Units.SI.AngularVelocity w_rel "Relative velocity";
equation
  w_rel = der(phi_rel);
  tau = damping*w_rel + friction*tanh(w_rel/slipSpeed);
  annotation (Documentation(info="<html>
<p>
The sum of a torque in proportion to the velocity and one of constant size against it. The dry part is smoothed by
<code>tanh</code>: it needs no events and can't chatter, and it does not hold a joint at rest. With a small
<code>slipSpeed</code> the joint creeps the less, and the equations are the stiffer.
</p>
</html>"));
end RotationalFriction;
