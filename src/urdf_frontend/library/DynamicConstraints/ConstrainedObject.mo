within DynamicConstraints;
model ConstrainedObject "Sphere that is bound to the collision object that it touches"
  extends DynamicConstraints.Interfaces.PartialConstrainedObject(
    n=collector.n,
    r_c=collector.r_0,
    v_c=collector.v_0,
    a_c=collector.a_0,
    T_c=collector.T,
    w_c=collector.w_0,
    z_c=collector.z_0,
    mode_c=collector.mode,
    shape_c=collector.shape,
    radius_c=collector.radius,
    length_c=collector.length,
    width_c=collector.width,
    closed_c=collector.closed);

  parameter Integer id(min=1)=1 "ID: unique among the constrained objects of the collector, from 1 to m"
    annotation (Evaluate=true, Dialog(group="Network"));
protected
  outer DynamicConstraints.CollisionCollector collector "Collector of the model";
  DynamicConstraints.Interfaces.ReactionOutput port "What the collector gets to know";
equation
  connect(port, collector.reaction[id]);
  port.f_0 = f_r;
  port.t_0 = t_r;
  port.partner = partner;
  annotation (defaultComponentName="constrainedObject", Documentation(info="<html>
<p>
Connect <code>frame_a</code> with a body: a tool, a part. The object looks at all collision objects of the
<a href=\"modelica://DynamicConstraints.CollisionCollector\">collector</a>, is bound to at most one of them at a time,
and says to the collector to which one, and with which reaction.
</p>
<p>
<code>id</code> has to be unique; programs can set it, and <code>n</code> with it. <code>n</code> is that of the
collector unless it is given; some compilers want a number here.
</p>
<p>
Rules, equations and parameters are explained at
<a href=\"modelica://DynamicConstraints.Interfaces.PartialConstrainedObject\">PartialConstrainedObject</a>.
</p>
</html>"));
end ConstrainedObject;
