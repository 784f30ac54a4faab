within DynamicConstraints.Planar;
model CollisionCollector "Meeting point of all planar collision objects and constrained objects of a model"
  extends DynamicConstraints.Icons.Collector;

  parameter Integer n(min=1)=1 "Number of collision objects" annotation (Evaluate=true);
  parameter Integer m(min=1)=1 "Number of constrained objects" annotation (Evaluate=true);

  DynamicConstraints.Planar.Interfaces.CollisionInput collision[n] "What the collision objects say, by their IDs";
  DynamicConstraints.Planar.Interfaces.ReactionInput reaction[m] "What the constrained objects say, by their IDs";

  Modelica.Units.SI.Position r[n,2] "Positions of the collision objects";
  Modelica.Units.SI.Velocity v[n,2] "Their velocities";
  Modelica.Units.SI.Acceleration a[n,2] "Their accelerations";
  Modelica.Units.SI.Angle phi[n] "Their angles";
  Modelica.Units.SI.AngularVelocity w[n] "Their angular velocities";
  Modelica.Units.SI.AngularAcceleration z[n] "Their angular accelerations";
  DynamicConstraints.Types.Mode mode[n] "Their modes";
  DynamicConstraints.Types.Shape shape[n] "Their shapes";
  Modelica.Units.SI.Length radius[n] "Their radii";
  Modelica.Units.SI.Length length[n] "Half of their extents";
  Boolean closed[n] "= true, if they can bind";
  Modelica.Units.SI.Force f[m,2] "Reaction of each constrained object on its partner";
  Modelica.Units.SI.Torque t[m] "Torque of the reaction, about the origin of the partner";
  Integer partner[m] "ID of the partner of each constrained object; 0 if it is free";
equation
  for i in 1:n loop
    r[i, :] = collision[i].r;
    v[i, :] = collision[i].v;
    a[i, :] = collision[i].a;
    phi[i] = collision[i].phi;
    w[i] = collision[i].w;
    z[i] = collision[i].z;
    mode[i] = collision[i].mode;
    shape[i] = collision[i].shape;
    radius[i] = collision[i].radius;
    length[i] = collision[i].length;
    closed[i] = collision[i].closed;
  end for;
  for j in 1:m loop
    f[j, :] = reaction[j].f;
    t[j] = reaction[j].t;
    partner[j] = reaction[j].partner;
  end for;
  annotation (
    defaultComponentName="collector",
    defaultComponentPrefixes="inner",
    missingInnerMessage="The model needs an inner DynamicConstraints.Planar.CollisionCollector collector.",
    Documentation(info="<html>
<p>
As <a href=\"modelica://DynamicConstraints.CollisionCollector\">CollisionCollector</a>, for planar objects.
</p>
</html>"));
end CollisionCollector;
