within UrdfRobots.Contacts;
model ContactPoint "Contact of a point with the ground"
  extends UrdfRobots.Contacts.PartialContact(final nPoints=1);
equation
  r = zeros(1, 3);
  annotation (Documentation(info="<html>
<p>
The point is the origin of <code>frame_a</code>.
</p>
</html>"));
end ContactPoint;
