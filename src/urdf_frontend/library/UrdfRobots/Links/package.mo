within UrdfRobots;
package Links "Links of robots"
  extends Modelica.Icons.Package;
  annotation (Documentation(info="<html>
<p>
A link is a rigid body of a robot. Its joints are connected with its <code>frame_a</code>, the joint above it with
<code>frame_b</code> of the joint, those below it with their <code>frame_a</code>.
</p>
</html>"));
end Links;
