within DynamicConstraints.Connected;
model ConstrainedObject "Sphere that is bound to the one that it touches of the collision objects it is connected with"
  extends DynamicConstraints.Interfaces.PartialConstrainedObject;

  DynamicConstraints.Connected.Contact_b port[n] "Contacts with the collision objects, by their IDs"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
equation
  for i in 1:n loop
    r_c[i, :] = port[i].r_0;
    v_c[i, :] = port[i].v_0;
    a_c[i, :] = port[i].a_0;
    T_c[i, :, :] = port[i].T;
    w_c[i, :] = port[i].w_0;
    z_c[i, :] = port[i].z_0;
    mode_c[i] = port[i].mode;
    shape_c[i] = port[i].shape;
    radius_c[i] = port[i].radius;
    length_c[i] = port[i].length;
    width_c[i] = port[i].width;
    closed_c[i] = port[i].closed;
    port[i].f_0 = if partner == i then f_r else zeros(3);
    port[i].t_0 = if partner == i then t_r else zeros(3);
  end for;
  annotation (defaultComponentName="constrainedObject", Documentation(info="<html>
<p>
As <a href=\"modelica://DynamicConstraints.ConstrainedObject\">ConstrainedObject</a>, without a collector. Set
<code>n</code> and connect <code>port[i]</code> with the collision object number <em>i</em>, at the index of this
object. <code>partner</code> is the index <em>i</em>.
</p>
</html>"));
end ConstrainedObject;
