within DynamicConstraints;
model CollisionObject "Sphere or rectangle that binds constrained objects"
  extends DynamicConstraints.Interfaces.PartialCollisionObject;

  parameter Integer id(min=1)=1 "ID: unique among the collision objects of the collector, from 1 to n"
    annotation (Evaluate=true, Dialog(group="Network"));
  parameter Integer m(min=1)=collector.m "Number of constrained objects, as in the collector"
    annotation (Evaluate=true, Dialog(group="Network"));
protected
  outer DynamicConstraints.CollisionCollector collector "Collector of the model";
  DynamicConstraints.Interfaces.CollisionOutput port "What the collector gets to know";
  Integer partner[m]=collector.partner "Partners of the constrained objects";
  Modelica.Units.SI.Force f_r[m,3]=collector.f_0 "Reactions of the constrained objects";
  Modelica.Units.SI.Torque t_r[m,3]=collector.t_0 "Torques of the reactions";
equation
  connect(port, collector.collision[id]);
  port.r_0 = r_0;
  port.v_0 = v_0;
  port.a_0 = a_0;
  port.T = frame_a.R.T;
  port.w_0 = w_0;
  port.z_0 = z_0;
  port.mode = mode;
  port.shape = shape;
  port.radius = radius;
  port.length = length;
  port.width = width;
  port.closed = isClosed;
  f_0 = {sum(if partner[j] == id then f_r[j, k] else 0 for j in 1:m) for k in 1:3};
  t_0 = {sum(if partner[j] == id then t_r[j, k] else 0 for j in 1:m) for k in 1:3};
  annotation (defaultComponentName="collisionObject", Documentation(info="<html>
<p>
Connect <code>frame_a</code> with the flange of a robot, a holder, a table. The object says to the
<a href=\"modelica://DynamicConstraints.CollisionCollector\">collector</a> where it is and how it moves, and its frame
feels the reactions of all constrained objects that are bound to it.
</p>
<p>
With the mode Control, which is the default, it binds only while the input <code>closed</code> is true. With the mode
Passive there is no such input, and it binds whatever comes into reach. Without constrained objects in contact it is
nothing but a point that is watched: it has no mass.
</p>
<p>
<code>id</code> has to be unique; programs can set it, and <code>m</code> with it. <code>m</code> is that of the
collector unless it is given; some compilers want a number here.
</p>
</html>"));
end CollisionObject;
