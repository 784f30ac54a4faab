within DynamicConstraints.Connected;
model CollisionObject "Sphere or rectangle that binds the constrained objects it is connected with"
  extends DynamicConstraints.Interfaces.PartialCollisionObject;

  parameter Integer m(min=1)=1 "Number of constrained objects"
    annotation (Evaluate=true, Dialog(group="Network"));
  DynamicConstraints.Connected.Contact_a port[m] "Contacts with the constrained objects, by their IDs"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
equation
  for j in 1:m loop
    port[j].r_0 = r_0;
    port[j].v_0 = v_0;
    port[j].a_0 = a_0;
    port[j].T = frame_a.R.T;
    port[j].w_0 = w_0;
    port[j].z_0 = z_0;
    port[j].mode = mode;
    port[j].shape = shape;
    port[j].radius = radius;
    port[j].length = length;
    port[j].width = width;
    port[j].closed = isClosed;
  end for;
  f_0 = {sum(port[j].f_0[k] for j in 1:m) for k in 1:3};
  t_0 = {sum(port[j].t_0[k] for j in 1:m) for k in 1:3};
  annotation (defaultComponentName="collisionObject", Documentation(info="<html>
<p>
As <a href=\"modelica://DynamicConstraints.CollisionObject\">CollisionObject</a>, without a collector. Set
<code>m</code> and connect <code>port[j]</code> with the constrained object number <em>j</em>, at the index of this
object.
</p>
</html>"));
end CollisionObject;
