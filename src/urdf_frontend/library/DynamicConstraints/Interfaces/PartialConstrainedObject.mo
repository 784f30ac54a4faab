within DynamicConstraints.Interfaces;
partial model PartialConstrainedObject "Constrained object without its way to the collision objects"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
  extends DynamicConstraints.Icons.ConstrainedObject;

  parameter Modelica.Units.SI.Length radius(min=0)=0.05 "Radius of the sphere about the origin of frame_a";
  parameter Boolean useOffset=false "= true, if bound where it touches; = false, if drawn to the partner's frame"
    annotation (Evaluate=true);
  parameter Boolean latch=true "= true, if it stays bound until the partner opens, or Control takes it from Passive"
    annotation (Evaluate=true);
  parameter Real eta(
    final unit="1/s",
    min=1e-9)=50 "Stabilization: errors fade like exp(-eta*t)"
    annotation (Dialog(group="Constraint"));
  parameter Boolean useTransition=false "= true, if the constraint sets in smoothly"
    annotation (Evaluate=true, Dialog(group="Constraint"));
  parameter Modelica.Units.SI.Time transitionTime(min=0)=0.5 "Duration of the transition"
    annotation (Dialog(group="Constraint", enable=useTransition));
  parameter Modelica.Units.SI.Mass m_ref(min=1e-9)=1 "Mass that is about that of the body, for the transition"
    annotation (Dialog(group="Constraint"));
  parameter Modelica.Units.SI.Inertia I_ref(min=1e-9)=0.01 "Inertia that is about that of the body, for the transition"
    annotation (Dialog(group="Constraint"));
  parameter Modelica.Units.SI.Time checkPeriod(min=1e-9)=0.02 "Where one is near, contact is looked for this often"
    annotation (Dialog(group="Contact"));
  parameter Integer n(min=1)=1 "Number of collision objects"
    annotation (Evaluate=true, Dialog(group="Network"));

  Integer partner(
    start=0,
    fixed=true) "ID of the collision object it is bound to; 0 if it is free";
  discrete Modelica.Units.SI.Time t_contact(
    start=0,
    fixed=true) "Time at which it was bound to its partner, or became free";
  Real s(unit="1") "How much of the constraint is in force, from 0 to 1";
  Modelica.Units.SI.Force f_0[3] "Force on frame_a, in the world frame";
  Modelica.Units.SI.Torque t_0[3] "Torque on frame_a, in the world frame";
  Modelica.Units.SI.Force f_r[3] "Reaction on the partner, in the world frame";
  Modelica.Units.SI.Torque t_r[3] "Torque of the reaction about the origin of the partner, in the world frame";
  Modelica.Units.SI.Position e_r[3] "How far frame_a is from where it is bound, in the world frame; only while bound";
  Real e_R[3](each final unit="1") "How far frame_a is turned from how it is bound, if small a rotation vector";
  Modelica.Units.SI.Length gap[n] "Distances from the collision objects; negative in contact";
  Boolean inReach[n] "= true, if in contact, bound or not";
  Modelica.Units.SI.Velocity v_0[3] "Velocity in the world frame";
  Modelica.Units.SI.Acceleration a_0[3] "Acceleration in the world frame";
  Modelica.Units.SI.AngularVelocity w_0[3] "Angular velocity in the world frame";
  Modelica.Units.SI.AngularAcceleration z_0[3] "Angular acceleration in the world frame";
  discrete Modelica.Units.SI.Position offset[3](
    each start=0,
    each fixed=true) "Where it is bound, in the frame of the partner";
  discrete Real T_offset[3,3](
    start=identity(3),
    each fixed=true) "How it is bound: v_frame = T_offset*v_partner";
protected
  Boolean watching "= true, if a contact that begins would change the partner";
  discrete Modelica.Units.SI.Time t_check(
    start=0,
    fixed=true) "Time of the next event that is made to look for contact";
  Modelica.Units.SI.Position r_c[n,3] "Positions of the collision objects";
  Modelica.Units.SI.Velocity v_c[n,3] "Their velocities";
  Modelica.Units.SI.Acceleration a_c[n,3] "Their accelerations";
  Real T_c[n,3,3] "Their orientations";
  Modelica.Units.SI.AngularVelocity w_c[n,3] "Their angular velocities";
  Modelica.Units.SI.AngularAcceleration z_c[n,3] "Their angular accelerations";
  DynamicConstraints.Types.Mode mode_c[n] "Their modes";
  DynamicConstraints.Types.Shape shape_c[n] "Their shapes";
  Modelica.Units.SI.Length radius_c[n] "Their radii";
  Modelica.Units.SI.Length length_c[n] "Half of their extents along x";
  Modelica.Units.SI.Length width_c[n] "Half of their extents along y";
  Boolean closed_c[n] "= true, if they can bind";
  Modelica.Units.SI.Position r_p[3] "Position of the partner; of the first one if there is none";
  Modelica.Units.SI.Velocity v_p[3] "Its velocity";
  Modelica.Units.SI.Acceleration a_p[3] "Its acceleration";
  Real T_p[3,3] "Its orientation";
  Modelica.Units.SI.AngularVelocity w_p[3] "Its angular velocity";
  Modelica.Units.SI.AngularAcceleration z_p[3] "Its angular acceleration";
  Modelica.Units.SI.Position lever[3] "From the partner to where it is bound, in the world frame";
  Modelica.Units.SI.Velocity e_v[3] "Derivative of e_r";
  Modelica.Units.SI.Acceleration e_a[3] "Derivative of e_v";
equation
  v_0 = der(frame_a.r_0);
  a_0 = der(v_0);
  w_0 = Modelica.Mechanics.MultiBody.Frames.angularVelocity1(frame_a.R);
  z_0 = der(w_0);

  // Who is in reach.
  for i in 1:n loop
    gap[i] = DynamicConstraints.Functions.gap(
      shape_c[i],
      radius_c[i],
      length_c[i],
      width_c[i],
      T_c[i, :, :]*(frame_a.r_0 - r_c[i, :]),
      radius);
    inReach[i] = gap[i] < 0;
  end for;

  // Who is the partner, since when and where. The index is written out: an alias of it is late at the event.
  partner = DynamicConstraints.Functions.choosePartner(
    pre(partner),
    inReach,
    closed_c,
    mode_c,
    latch);
  when {initial(),partner <> pre(partner)} then
    t_contact = time;
    offset = if useOffset then T_c[max(partner, 1), :, :]*(frame_a.r_0 - r_c[max(partner, 1), :]) else zeros(3);
    T_offset = if useOffset then frame_a.R.T*transpose(T_c[max(partner, 1), :, :]) else identity(3);
  end when;

  // Events that keep solvers from stepping over a short contact, where there could be one.
  watching = DynamicConstraints.Functions.isWatching(
    partner,
    closed_c,
    mode_c,
    latch);
  when {initial(),watching,time >= pre(t_check)} then
    t_check = if watching then time + DynamicConstraints.Functions.timeToLook(
      gap,
      r_c,
      v_c,
      a_c,
      w_c,
      frame_a.r_0,
      v_0,
      a_0,
      checkPeriod,
      10*checkPeriod) else Modelica.Constants.inf;
  end when;

  r_p = r_c[max(partner, 1), :];
  v_p = v_c[max(partner, 1), :];
  a_p = a_c[max(partner, 1), :];
  T_p = T_c[max(partner, 1), :, :];
  w_p = w_c[max(partner, 1), :];
  z_p = z_c[max(partner, 1), :];

  // The constraint. For s = 0 it says that force and torque are zero.
  s = if partner == 0 then 0 elseif useTransition and time < t_contact + transitionTime then
    DynamicConstraints.Functions.transition(time - t_contact, transitionTime) else 1;
  lever = transpose(T_p)*offset;
  e_r = r_p + lever - frame_a.r_0;
  e_v = v_p + cross(w_p, lever) - v_0;
  e_a = a_p + cross(z_p, lever) + cross(w_p, cross(w_p, lever)) - a_0;
  e_R = DynamicConstraints.Functions.orientationError(frame_a.R.T, T_offset*T_p);
  s*(e_a + 2*eta*e_v + eta^2*e_r) = (1 - s)/m_ref*f_0;
  s*(z_p - z_0 + 2*eta*(w_p - w_0) - eta^2*e_R) = (1 - s)/I_ref*t_0;

  frame_a.f = -Modelica.Mechanics.MultiBody.Frames.resolve2(frame_a.R, f_0);
  frame_a.t = -Modelica.Mechanics.MultiBody.Frames.resolve2(frame_a.R, t_0);
  f_r = -f_0;
  t_r = -t_0 - cross(frame_a.r_0 - r_p, f_0);
  annotation (Documentation(info="<html>
<p>
A model that extends this one says what the collision objects are like: <code>r_c</code> and the others that end in
<code>_c</code>.
</p>
<h4>Who is bound to whom</h4>
<p>
The object is a sphere. It is bound to at most one collision object, as
<a href=\"modelica://DynamicConstraints.Functions.choosePartner\">choosePartner</a> says, if the two touch as
<a href=\"modelica://DynamicConstraints.Functions.gap\">gap</a> says. With <code>latch=false</code> contact alone
decides: an object that is bound with <code>useOffset=true</code> comes to rest at the very edge of contact, where small
errors can set it free and bind it again and again.
</p>
<p>
Contact is found where <code>gap</code> changes its sign. A solver with large steps can miss a short one, so it has to
look once in <code>checkPeriod</code>: choose less than the time that the fastest object needs to pass the smallest one.
It looks where a contact would change something, as
<a href=\"modelica://DynamicConstraints.Functions.isWatching\">isWatching</a> says, and waits up to ten times as long
while all that could bind it are far away, as
<a href=\"modelica://DynamicConstraints.Functions.timeToLook\">timeToLook</a> says. Each look is an event, after which
solvers with variable steps start anew.
</p>
<h4>Constraint</h4>
<p>
The errors of position and orientation fade as <em>e'' + 2 eta e' + eta&sup2; e = 0</em>, and the tool finds the force
and the torque that do this. A large <code>eta</code> makes the model stiff and an impact hard: a body of mass
<em>m</em> that arrives with the speed <em>v</em> is caught with a force of 2 <em>eta m v</em> and goes too far by
<em>v/(e eta)</em>.
</p>
<p>
With <code>useOffset=false</code> the object is drawn to the origin and the axes of its partner, as a tool in a tool
changer. With <code>useOffset=true</code> it is bound as it was when it touched, and moves and turns with its partner
from then on.
</p>
<p>
With <code>useTransition=true</code> the constraint sets in over <code>transitionTime</code> with <em>s</em> from 0 to
1: <em>s</em> (<em>e'' + 2 eta e' + eta&sup2; e</em>) = (1 - <em>s</em>) <em>f/m_ref</em>. In between the object gives
way, the more the larger <code>m_ref</code> and <code>I_ref</code> are.
</p>
<h4>Reaction</h4>
<p>
The partner feels the opposite force, at the place of the object: the torque about its own origin has a part from the
lever between the two.
</p>
</html>"));
end PartialConstrainedObject;
