within DynamicConstraints.Planar;
model ConstrainedObject "Circle that is bound to the planar collision object that it touches"
  extends DynamicConstraints.Icons.ConstrainedObject;

  parameter Modelica.Units.SI.Length radius(min=0)=0.05 "Radius of the circle about the origin of frame_a";
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
  parameter Integer id(min=1)=1 "ID: unique among the constrained objects of the collector, from 1 to m"
    annotation (Evaluate=true, Dialog(group="Network"));
  parameter Integer n(min=1)=collector.n "Number of collision objects, as in the collector"
    annotation (Evaluate=true, Dialog(group="Network"));

  DynamicConstraints.Planar.Interfaces.Frame frame_a "Centre of the circle"
    annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));

  Integer partner(
    start=0,
    fixed=true) "ID of the collision object it is bound to; 0 if it is free";
  discrete Modelica.Units.SI.Time t_contact(
    start=0,
    fixed=true) "Time at which it was bound to its partner, or became free";
  Real s(unit="1") "How much of the constraint is in force, from 0 to 1";
  Modelica.Units.SI.Force f[2] "Force on frame_a";
  Modelica.Units.SI.Torque t "Torque on frame_a";
  Modelica.Units.SI.Force f_r[2] "Reaction on the partner";
  Modelica.Units.SI.Torque t_r "Torque of the reaction about the origin of the partner";
  Modelica.Units.SI.Position e_r[2] "How far frame_a is from where it is bound; only while bound";
  Modelica.Units.SI.Angle e_phi "How far frame_a is turned from how it is bound; only while bound";
  Modelica.Units.SI.Length gap[n] "Distances from the collision objects; negative in contact";
  Boolean inReach[n] "= true, if in contact, bound or not";
  Modelica.Units.SI.Velocity v[2] "Velocity";
  Modelica.Units.SI.Acceleration a[2] "Acceleration";
  Modelica.Units.SI.AngularVelocity w "Angular velocity";
  Modelica.Units.SI.AngularAcceleration z "Angular acceleration";
  discrete Modelica.Units.SI.Position offset[2](
    each start=0,
    each fixed=true) "Where it is bound, in the frame of the partner";
  discrete Modelica.Units.SI.Angle phi_offset(
    start=0,
    fixed=true) "At which angle it is bound, in the frame of the partner";
protected
  outer DynamicConstraints.Planar.CollisionCollector collector "Collector of the model";
  DynamicConstraints.Planar.Interfaces.ReactionOutput port "What the collector gets to know";
  Boolean watching "= true, if a contact that begins would change the partner";
  discrete Modelica.Units.SI.Time t_check(
    start=0,
    fixed=true) "Time of the next event that is made to look for contact";
  Modelica.Units.SI.Position r_c[n,2]=collector.r "Positions of the collision objects";
  Modelica.Units.SI.Velocity v_c[n,2]=collector.v "Their velocities";
  Modelica.Units.SI.Acceleration a_c[n,2]=collector.a "Their accelerations";
  Modelica.Units.SI.Angle phi_c[n]=collector.phi "Their angles";
  Modelica.Units.SI.AngularVelocity w_c[n]=collector.w "Their angular velocities";
  Modelica.Units.SI.AngularAcceleration z_c[n]=collector.z "Their angular accelerations";
  DynamicConstraints.Types.Mode mode_c[n]=collector.mode "Their modes";
  DynamicConstraints.Types.Shape shape_c[n]=collector.shape "Their shapes";
  Modelica.Units.SI.Length radius_c[n]=collector.radius "Their radii";
  Modelica.Units.SI.Length length_c[n]=collector.length "Half of their extents";
  Boolean closed_c[n]=collector.closed "= true, if they can bind";
  Modelica.Units.SI.Position r_p[2] "Position of the partner; of the first one if there is none";
  Modelica.Units.SI.Velocity v_p[2] "Its velocity";
  Modelica.Units.SI.Acceleration a_p[2] "Its acceleration";
  Modelica.Units.SI.Angle phi_p "Its angle";
  Modelica.Units.SI.AngularVelocity w_p "Its angular velocity";
  Modelica.Units.SI.AngularAcceleration z_p "Its angular acceleration";
  Modelica.Units.SI.Position lever[2] "From the partner to where it is bound";
  Modelica.Units.SI.Velocity e_v[2] "Derivative of e_r";
  Modelica.Units.SI.Acceleration e_a[2] "Derivative of e_v";
equation
  v = der(frame_a.r);
  a = der(v);
  w = der(frame_a.phi);
  z = der(w);

  // Who is in reach.
  for i in 1:n loop
    gap[i] = DynamicConstraints.Functions.gap(
      shape_c[i],
      radius_c[i],
      length_c[i],
      1,
      {cos(phi_c[i])*(frame_a.r[1] - r_c[i, 1]) + sin(phi_c[i])*(frame_a.r[2] - r_c[i, 2]),0,
        cos(phi_c[i])*(frame_a.r[2] - r_c[i, 2]) - sin(phi_c[i])*(frame_a.r[1] - r_c[i, 1])},
      radius);
    inReach[i] = gap[i] < 0;
  end for;

  // Who is the partner, since when and where. The index is written out: an alias of it is late at the event.
  connect(port, collector.reaction[id]);
  port.f = f_r;
  port.t = t_r;
  port.partner = partner;
  partner = DynamicConstraints.Functions.choosePartner(
    pre(partner),
    inReach,
    closed_c,
    mode_c,
    latch);
  when {initial(),partner <> pre(partner)} then
    t_contact = time;
    offset = if useOffset then DynamicConstraints.Functions.turned(frame_a.r - r_c[max(partner, 1), :],
      -phi_c[max(partner, 1)]) else zeros(2);
    phi_offset = if useOffset then frame_a.phi - phi_c[max(partner, 1)] else 0;
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
      [w_c],
      frame_a.r,
      v,
      a,
      checkPeriod,
      10*checkPeriod) else Modelica.Constants.inf;
  end when;

  r_p = r_c[max(partner, 1), :];
  v_p = v_c[max(partner, 1), :];
  a_p = a_c[max(partner, 1), :];
  phi_p = phi_c[max(partner, 1)];
  w_p = w_c[max(partner, 1)];
  z_p = z_c[max(partner, 1)];

  // The constraint. For s = 0 it says that force and torque are zero.
  s = if partner == 0 then 0 elseif useTransition and time < t_contact + transitionTime then
    DynamicConstraints.Functions.transition(time - t_contact, transitionTime) else 1;
  lever = DynamicConstraints.Functions.turned(offset, phi_p);
  e_r = r_p + lever - frame_a.r;
  e_v = v_p + w_p*{-lever[2],lever[1]} - v;
  e_a = a_p + z_p*{-lever[2],lever[1]} - w_p^2*lever - a;
  e_phi = phi_p + phi_offset - frame_a.phi;
  s*(e_a + 2*eta*e_v + eta^2*e_r) = (1 - s)/m_ref*f;
  s*(z_p - z + 2*eta*(w_p - w) + eta^2*e_phi) = (1 - s)/I_ref*t;

  frame_a.f = -f;
  frame_a.t = -t;
  f_r = -f;
  t_r = -t - ((frame_a.r[1] - r_p[1])*f[2] - (frame_a.r[2] - r_p[2])*f[1]);
  annotation (defaultComponentName="constrainedObject", Documentation(info="<html>
<p>
As <a href=\"modelica://DynamicConstraints.ConstrainedObject\">ConstrainedObject</a>, in a plane. Rules, equations and
parameters are the same.
</p>
</html>"));
end ConstrainedObject;
