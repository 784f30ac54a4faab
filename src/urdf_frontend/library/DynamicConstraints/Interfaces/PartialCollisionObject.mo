within DynamicConstraints.Interfaces;
partial model PartialCollisionObject "Collision object without its way to the constrained objects"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
  extends DynamicConstraints.Icons.CollisionObject;

  parameter DynamicConstraints.Types.Mode mode=DynamicConstraints.Types.Mode.Control "When it binds"
    annotation (Evaluate=true);
  parameter DynamicConstraints.Types.Shape shape=DynamicConstraints.Types.Shape.Sphere "Shape"
    annotation (Evaluate=true, Dialog(group="Shape"));
  parameter Modelica.Units.SI.Length radius(min=0)=0.1 "Radius of a sphere"
    annotation (Dialog(group="Shape", enable=shape == DynamicConstraints.Types.Shape.Sphere));
  parameter Modelica.Units.SI.Length length(min=0)=0.1 "Half of a rectangle's extent along x of frame_a"
    annotation (Dialog(group="Shape", enable=shape == DynamicConstraints.Types.Shape.Rectangle));
  parameter Modelica.Units.SI.Length width(min=0)=0.1 "Half of a rectangle's extent along y of frame_a"
    annotation (Dialog(group="Shape", enable=shape == DynamicConstraints.Types.Shape.Rectangle));

  Modelica.Blocks.Interfaces.BooleanInput closed if mode == DynamicConstraints.Types.Mode.Control
    "= true, if it binds what is in reach"
    annotation (Placement(transformation(
        origin={0,-110},
        extent={{-20,-20},{20,20}},
        rotation=90), iconTransformation(
        origin={0,-80},
        extent={{-20,-20},{20,20}},
        rotation=90)));

  Modelica.Units.SI.Position r_0[3] "Position in the world frame";
  Modelica.Units.SI.Velocity v_0[3] "Velocity in the world frame";
  Modelica.Units.SI.Acceleration a_0[3] "Acceleration in the world frame";
  Modelica.Units.SI.AngularVelocity w_0[3] "Angular velocity in the world frame";
  Modelica.Units.SI.AngularAcceleration z_0[3] "Angular acceleration in the world frame";
  Modelica.Units.SI.Force f_0[3] "Force of all constrained objects that are bound to it, in the world frame";
  Modelica.Units.SI.Torque t_0[3] "Torque of all constrained objects that are bound to it, in the world frame";
protected
  Modelica.Blocks.Interfaces.BooleanInput isClosed "The input closed, or true if there is none";
equation
  connect(closed, isClosed);
  if mode == DynamicConstraints.Types.Mode.Passive then
    isClosed = true;
  end if;
  r_0 = frame_a.r_0;
  v_0 = der(r_0);
  a_0 = der(v_0);
  w_0 = Modelica.Mechanics.MultiBody.Frames.angularVelocity1(frame_a.R);
  z_0 = der(w_0);
  frame_a.f = -Modelica.Mechanics.MultiBody.Frames.resolve2(frame_a.R, f_0);
  frame_a.t = -Modelica.Mechanics.MultiBody.Frames.resolve2(frame_a.R, t_0);
  annotation (Documentation(info="<html>
<p>
A model that extends this one sends the kinematics to the constrained objects, and says which force
<code>f_0</code> and torque <code>t_0</code> come back.
</p>
<p>
Arrays of collision objects should have one mode for all elements: the input <code>closed</code> exists in the mode
Control only, and not every compiler takes an array in which it exists here and there.
</p>
</html>"));
end PartialCollisionObject;
