within UrdfRobots;
package Contacts "Contacts with the ground"
  extends Modelica.Icons.Package;
  annotation (Documentation(info="<html>
<p>
A contact has one frame, which is connected with a link, and pushes it out of the ground: a plane with the normal
<code>normal</code>, <code>height</code> metres above the origin of the world along that normal. The force is computed
from the position and the velocity of a few points. A contact has no states, no events, and closes no kinematic loop,
so a robot can have many of them.
</p>
<p>
Frames are those of URDF shapes: the origin in the middle, a cylinder along z.
</p>
</html>"));
end Contacts;
