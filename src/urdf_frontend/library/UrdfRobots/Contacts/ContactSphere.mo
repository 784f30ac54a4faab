within UrdfRobots.Contacts;
model ContactSphere "Contact of a sphere with the ground"
  extends UrdfRobots.Contacts.PartialContact(final nPoints=1);

  parameter Modelica.Units.SI.Radius radius=0.1 "Radius of the sphere"
    annotation (Dialog(group="Shape"));
equation
  r[1, :] = -radius*n;
  annotation (Documentation(info="<html>
<p>
The centre of the sphere is the origin of <code>frame_a</code>. The lowest point of the sphere touches the ground, so
the sphere rolls.
</p>
</html>"));
end ContactSphere;
