within UrdfRobots.Contacts;
partial model PartialContact "Forces of the ground on some points of a body"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
  extends UrdfRobots.Icons.Contact;

  parameter Integer nPoints(min=1)=1 "Number of points"
    annotation (Evaluate=true, Dialog(enable=false));
  parameter Real normal[3](each final unit="1")={0,0,1}
    "Normal of the ground in the world frame, upwards, of any length"
    annotation (Dialog(group="Ground"));
  parameter Modelica.Units.SI.Position height=0 "Distance of the ground from the origin of the world, along the normal"
    annotation (Dialog(group="Ground"));
  parameter Modelica.Units.SI.TranslationalSpringConstant stiffness=1e4 "Stiffness of the ground at each point"
    annotation (Dialog(group="Ground"));
  parameter Modelica.Units.SI.TranslationalDampingConstant damping=1e2 "Damping of the ground at each point"
    annotation (Dialog(group="Ground"));
  parameter Modelica.Units.SI.Distance dampingDepth=1e-3 "Depth from which damping acts in full"
    annotation (Dialog(group="Ground"));
  parameter Modelica.Units.SI.CoefficientOfFriction friction=0.8 "Coefficient of friction"
    annotation (Dialog(group="Ground"));
  parameter Modelica.Units.SI.Velocity slipSpeed=1e-2 "Speed at which 70 % of the friction force act"
    annotation (Dialog(group="Ground"));

  Modelica.Units.SI.Position r[nPoints,3] "Points, as seen from frame_a, resolved in the world frame";
  Modelica.Units.SI.Velocity v_0[3] "Velocity of frame_a in the world frame";
  Modelica.Units.SI.AngularVelocity w_0[3] "Angular velocity of frame_a in the world frame";
  Modelica.Units.SI.Position depth[nPoints] "How deep each point is in the ground";
  Modelica.Units.SI.Velocity v[nPoints,3] "Velocities of the points, in the world frame";
  Modelica.Units.SI.Velocity v_n[nPoints] "Their speeds away from the ground";
  Modelica.Units.SI.Velocity v_t[nPoints,3] "Their velocities along the ground";
  Modelica.Units.SI.Force f_n[nPoints] "Forces on the points along the normal";
  Modelica.Units.SI.Force f[nPoints,3] "Forces on the points, in the world frame";
  Modelica.Units.SI.Torque t[nPoints,3] "Their torques about frame_a, in the world frame";
  Modelica.Units.SI.Force f_0[3] "Force on the body, in the world frame";
  Modelica.Units.SI.Torque t_0[3] "Torque on the body about frame_a, in the world frame";
protected
  final parameter Real n[3](each final unit="1")=normal/sqrt(normal*normal) "Unit normal";
equation
  v_0 = der(frame_a.r_0);
  w_0 = Modelica.Mechanics.MultiBody.Frames.angularVelocity1(frame_a.R);
  for i in 1:nPoints loop
    depth[i] = height - n*(frame_a.r_0 + r[i, :]);
    v[i, :] = v_0 + cross(w_0, r[i, :]);
    v_n[i] = n*v[i, :];
    v_t[i, :] = v[i, :] - v_n[i]*n;
    f_n[i] = UrdfRobots.Functions.groundForce(
      depth[i],
      v_n[i],
      stiffness,
      damping,
      dampingDepth);
    f[i, :] = f_n[i]*(n - friction/sqrt(v_t[i, :]*v_t[i, :] + slipSpeed^2)*v_t[i, :]);
    t[i, :] = cross(r[i, :], f[i, :]);
  end for;
  f_0 = {sum(f[:, 1]),sum(f[:, 2]),sum(f[:, 3])};
  t_0 = {sum(t[:, 1]),sum(t[:, 2]),sum(t[:, 3])};
  frame_a.f = -Modelica.Mechanics.MultiBody.Frames.resolve2(frame_a.R, f_0);
  frame_a.t = -Modelica.Mechanics.MultiBody.Frames.resolve2(frame_a.R, t_0);
  annotation (Documentation(info="<html>
<p>
A model that extends this one says where its points are: <code>r</code>. Each point is taken as a point of the body,
so its velocity has a part from the rotation; this is what makes a wheel roll.
</p>
<p>
Friction is opposite to the velocity along the ground; it grows smoothly with speed and tends to <code>friction</code>
times the normal force. There is no sticking: a body on a slope creeps with a fraction of <code>slipSpeed</code>.
</p>
<p>
The ground gives way: at rest a body of mass <em>m</em> that stands on <em>k</em> points sinks in by <em>m g / (k
stiffness)</em>. Choose <code>stiffness</code> for the depth that is acceptable, and <code>damping</code> near 2
sqrt(<em>m</em> <code>stiffness</code>/<em>k</em>) for a body that shall not bounce.
</p>
</html>"));
end PartialContact;
