within DynamicConstraints.Planar;
model CollisionObject "Circle or line that binds planar constrained objects"
  extends DynamicConstraints.Icons.CollisionObject;

  parameter DynamicConstraints.Types.Mode mode=DynamicConstraints.Types.Mode.Control "When it binds"
    annotation (Evaluate=true);
  parameter DynamicConstraints.Types.Shape shape=DynamicConstraints.Types.Shape.Sphere "Shape"
    annotation (Evaluate=true, Dialog(group="Shape"));
  parameter Modelica.Units.SI.Length radius(min=0)=0.1 "Radius of a sphere"
    annotation (Dialog(group="Shape", enable=shape == DynamicConstraints.Types.Shape.Sphere));
  parameter Modelica.Units.SI.Length length(min=0)=0.1 "Half of a rectangle's extent along x of frame_a"
    annotation (Dialog(group="Shape", enable=shape == DynamicConstraints.Types.Shape.Rectangle));
  parameter Integer id(min=1)=1 "ID: unique among the collision objects of the collector, from 1 to n"
    annotation (Evaluate=true, Dialog(group="Network"));
  parameter Integer m(min=1)=collector.m "Number of constrained objects, as in the collector"
    annotation (Evaluate=true, Dialog(group="Network"));

  DynamicConstraints.Planar.Interfaces.Frame frame_a "Centre of the shape"
    annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
  Modelica.Blocks.Interfaces.BooleanInput closed if mode == DynamicConstraints.Types.Mode.Control
    "= true, if it binds what is in reach"
    annotation (Placement(transformation(
        origin={0,-110},
        extent={{-20,-20},{20,20}},
        rotation=90), iconTransformation(
        origin={0,-80},
        extent={{-20,-20},{20,20}},
        rotation=90)));

  Modelica.Units.SI.Velocity v[2] "Velocity";
  Modelica.Units.SI.AngularVelocity w "Angular velocity";
  Modelica.Units.SI.Force f[2] "Force of all constrained objects that are bound to it";
  Modelica.Units.SI.Torque t "Torque of all constrained objects that are bound to it";
protected
  Modelica.Blocks.Interfaces.BooleanInput isClosed "The input closed, or true if there is none";
  outer DynamicConstraints.Planar.CollisionCollector collector "Collector of the model";
  DynamicConstraints.Planar.Interfaces.CollisionOutput port "What the collector gets to know";
  Integer partner[m]=collector.partner "Partners of the constrained objects";
  Modelica.Units.SI.Force f_r[m,2]=collector.f "Reactions of the constrained objects";
  Modelica.Units.SI.Torque t_r[m]=collector.t "Torques of the reactions";
equation
  connect(closed, isClosed);
  if mode == DynamicConstraints.Types.Mode.Passive then
    isClosed = true;
  end if;
  connect(port, collector.collision[id]);
  v = der(frame_a.r);
  w = der(frame_a.phi);
  port.r = frame_a.r;
  port.v = v;
  port.a = der(v);
  port.phi = frame_a.phi;
  port.w = w;
  port.z = der(w);
  port.mode = mode;
  port.shape = shape;
  port.radius = radius;
  port.length = length;
  port.closed = isClosed;
  f = {sum(if partner[j] == id then f_r[j, k] else 0 for j in 1:m) for k in 1:2};
  t = sum(if partner[j] == id then t_r[j] else 0 for j in 1:m);
  frame_a.f = -f;
  frame_a.t = -t;
  annotation (defaultComponentName="collisionObject", Documentation(info="<html>
<p>
As <a href=\"modelica://DynamicConstraints.CollisionObject\">CollisionObject</a>, in a plane: a rectangle is a line
along the x axis of <code>frame_a</code> here.
</p>
</html>"));
end CollisionObject;
