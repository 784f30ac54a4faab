within UrdfRobots.Contacts;
model ContactCylinder "Contact of a cylinder with the ground"
  extends UrdfRobots.Contacts.PartialContact(final nPoints=8);

  parameter Modelica.Units.SI.Radius radius=0.1 "Radius of the cylinder"
    annotation (Dialog(group="Shape"));
  parameter Modelica.Units.SI.Length length=0.1 "Length of the cylinder along z"
    annotation (Dialog(group="Shape"));

  Real axis[3](each unit="1") "Axis of the cylinder, in the world frame";
  Real down[3](each unit="1") "Direction across the axis, downwards, in the world frame";
  Real across[3](each unit="1") "Direction across the axis and down";
protected
  constant Real tilt=1e-3 "Angle between axis and normal below which `down` turns with the body";
  Real u[3](each unit="1") "`down`, not yet of unit length";
equation
  axis = Modelica.Mechanics.MultiBody.Frames.resolve1(frame_a.R, {0,0,1});
  u = (n*axis)*axis - n + tilt*Modelica.Mechanics.MultiBody.Frames.resolve1(frame_a.R, {1,0,0});
  down = u/sqrt(u*u + 1e-12);
  across = cross(axis, down);
  r[1, :] = 0.5*length*axis + radius*down;
  r[2, :] = 0.5*length*axis + radius*across;
  r[3, :] = 0.5*length*axis - radius*down;
  r[4, :] = 0.5*length*axis - radius*across;
  r[5, :] = -0.5*length*axis + radius*down;
  r[6, :] = -0.5*length*axis + radius*across;
  r[7, :] = -0.5*length*axis - radius*down;
  r[8, :] = -0.5*length*axis - radius*across;
  annotation (Documentation(info="<html>
<p>
The middle of the cylinder is the origin of <code>frame_a</code>, its axis is z. Four points on each rim can touch the
ground: the lowest one, the highest one, and the two between them. They do not turn with the body, so a wheel rolls
smoothly, on the lowest point of each rim. A cylinder that stands on its face stands on four points.
</p>
<p>
Where the axis is upright there is no lowest point of a rim; there the points turn with the body.
</p>
</html>"));
end ContactCylinder;
