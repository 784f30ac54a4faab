within DynamicConstraints;
model CollisionCollector "Meeting point of all collision objects and constrained objects of a model"
  extends DynamicConstraints.Icons.Collector;

  parameter Integer n(min=1)=1 "Number of collision objects" annotation (Evaluate=true);
  parameter Integer m(min=1)=1 "Number of constrained objects" annotation (Evaluate=true);

  DynamicConstraints.Interfaces.CollisionInput collision[n] "What the collision objects say, by their IDs";
  DynamicConstraints.Interfaces.ReactionInput reaction[m] "What the constrained objects say, by their IDs";

  Modelica.Units.SI.Position r_0[n,3] "Positions of the collision objects";
  Modelica.Units.SI.Velocity v_0[n,3] "Their velocities";
  Modelica.Units.SI.Acceleration a_0[n,3] "Their accelerations";
  Real T[n,3,3] "Their orientations: v_frame = T*v_world";
  Modelica.Units.SI.AngularVelocity w_0[n,3] "Their angular velocities";
  Modelica.Units.SI.AngularAcceleration z_0[n,3] "Their angular accelerations";
  DynamicConstraints.Types.Mode mode[n] "Their modes";
  DynamicConstraints.Types.Shape shape[n] "Their shapes";
  Modelica.Units.SI.Length radius[n] "Their radii";
  Modelica.Units.SI.Length length[n] "Half of their extents along x";
  Modelica.Units.SI.Length width[n] "Half of their extents along y";
  Boolean closed[n] "= true, if they can bind";
  Modelica.Units.SI.Force f_0[m,3] "Reaction of each constrained object on its partner";
  Modelica.Units.SI.Torque t_0[m,3] "Torque of the reaction, about the origin of the partner";
  Integer partner[m] "ID of the partner of each constrained object; 0 if it is free";
equation
  for i in 1:n loop
    r_0[i, :] = collision[i].r_0;
    v_0[i, :] = collision[i].v_0;
    a_0[i, :] = collision[i].a_0;
    T[i, :, :] = collision[i].T;
    w_0[i, :] = collision[i].w_0;
    z_0[i, :] = collision[i].z_0;
    mode[i] = collision[i].mode;
    shape[i] = collision[i].shape;
    radius[i] = collision[i].radius;
    length[i] = collision[i].length;
    width[i] = collision[i].width;
    closed[i] = collision[i].closed;
  end for;
  for j in 1:m loop
    f_0[j, :] = reaction[j].f_0;
    t_0[j, :] = reaction[j].t_0;
    partner[j] = reaction[j].partner;
  end for;
  annotation (
    defaultComponentName="collector",
    defaultComponentPrefixes="inner",
    missingInnerMessage="The model needs an inner DynamicConstraints.CollisionCollector collector.",
    Documentation(info="<html>
<p>
Put one collector into the model, as <code>inner collector</code>. Give it the number <code>n</code> of
<a href=\"modelica://DynamicConstraints.CollisionObject\">collision objects</a> and the number <code>m</code> of
<a href=\"modelica://DynamicConstraints.ConstrainedObject\">constrained objects</a>. The objects connect themselves to
it, each at the index that is its <code>id</code>.
</p>
<p>
An ID that is left out leaves an input without a source, and one that is used twice gives an input two sources: both
are errors of translation, and never a silent mistake. A second collector in a component makes a second network: its
objects do not see the others.
</p>
<p>
All vectors are resolved in the world frame.
</p>
</html>"));
end CollisionCollector;
