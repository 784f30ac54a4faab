within UrdfRobots.Contacts;
model ContactBox "Contact of a box with the ground"
  extends UrdfRobots.Contacts.PartialContact(final nPoints=8);

  parameter Modelica.Units.SI.Length size[3]={0.1,0.1,0.1} "Edges of the box along x, y and z"
    annotation (Dialog(group="Shape"));
protected
  constant Integer corner[8,3]={{-1,-1,-1},{-1,-1,1},{-1,1,-1},{-1,1,1},{1,-1,-1},{1,-1,1},{1,1,-1},{1,1,1}}
    "Directions of the corners";
equation
  for i in 1:8 loop
    r[i, :] = Modelica.Mechanics.MultiBody.Frames.resolve1(
      frame_a.R, {corner[i, 1]*size[1]/2,corner[i, 2]*size[2]/2,corner[i, 3]*size[3]/2});
  end for;
  annotation (Documentation(info="<html>
<p>
The middle of the box is the origin of <code>frame_a</code>. Its eight corners touch the ground.
</p>
</html>"));
end ContactBox;
