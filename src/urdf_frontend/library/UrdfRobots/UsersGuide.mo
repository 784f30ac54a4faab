within UrdfRobots;
package UsersGuide "User's Guide"
  extends Modelica.Icons.Information;

  class Conventions "Frames, units and signs"
    extends Modelica.Icons.Information;
    annotation (Documentation(info="<html>
<p>
All values are those of URDF: metres, radians, kilograms, newtons.
</p>
<ul>
<li>An origin is a shift by <code>xyz</code>, then a rotation R<sub>z</sub>(yaw) R<sub>y</sub>(pitch)
R<sub>x</sub>(roll). In MultiBody this is a <code>FixedRotation</code> with the sequence {3,2,1} and the angles {yaw,
pitch, roll}.</li>
<li>The frame of a joint is its origin in the frame of the parent link. Its axis is given there. The frame of the
child link is that frame after the motion of the joint.</li>
<li>Mass properties, visual and collision elements hang on the frame of the link, each with its own origin. The
inertia tensor is about the centre of mass, along the axes of its origin.</li>
<li>A cylinder and a capsule have their axis along z, with the origin in the middle.</li>
<li>Gravity acts along -z of the world.</li>
</ul>
</html>"));
  end Conventions;

  class ByHand "How to make a robot by hand"
    extends Modelica.Icons.Information;
    annotation (Documentation(info="<html>
<ol>
<li>Make a record for each link and each joint that extends
<a href=\"modelica://UrdfRobots.Records.Link\">Records.Link</a> or
<a href=\"modelica://UrdfRobots.Records.Joint\">Records.Joint</a>. Give nested records as constructor calls; see
<a href=\"modelica://UrdfRobots.Records\">Records</a>.</li>
<li>Make a model that extends <a href=\"modelica://UrdfRobots.Robots.BaseRobot\">Robots.BaseRobot</a>, with a
<a href=\"modelica://UrdfRobots.Links.Link\">Link</a> for each link and one of
<a href=\"modelica://UrdfRobots.Joints\">Joints</a> for each joint, and connect them: <code>frame_a</code> of a joint
with <code>frame_a</code> of its parent link, <code>frame_b</code> with <code>frame_a</code> of the child link.</li>
<li>Connect the flanges of each driven joint with a pair of flanges of the robot, and the links at the ends with
<code>frame_b</code>.</li>
<li>For a joint that follows another one, put the <code>Mimic</code> model that fits between the two
<code>flange_a</code>, and set <code>startFixed=false</code> in the follower.</li>
<li>Put the robot into a world, as in <a href=\"modelica://UrdfRobots.Robots.RunStationary\">RunStationary</a> or
<a href=\"modelica://UrdfRobots.Robots.RunMobile\">RunMobile</a>. Keep the world in the model that is simulated.</li>
</ol>
<p>
<a href=\"modelica://UrdfRobots.Examples.Arm\">Examples.Arm</a> is such a robot.
</p>
</html>"));
  end ByHand;

  class Physics "What is simulated, and what is not"
    extends Modelica.Icons.Information;
    annotation (Documentation(info="<html>
<ul>
<li><strong>Limits</strong> of position, velocity and effort are watched: the simulation warns and goes on. With
<code>useEndStops=true</code>, springs stop a joint at its limits. Limits of acceleration and jerk are kept in the
record only.</li>
<li><strong>Friction</strong> is damping times velocity, plus a dry part that is smoothed near standstill. A joint
with dry friction creeps under load; it does not stick.</li>
<li><strong>Mimic joints</strong> are ideal gears. Friction of the follower acts on the joint that it follows.</li>
<li><strong>Contacts</strong> are with a flat ground only, by the models of
<a href=\"modelica://UrdfRobots.Contacts\">Contacts</a>. Links do not collide with each other; their collision
elements are pictures.</li>
<li><strong>Calibration</strong> and <strong>safety controllers</strong> are kept in the record, for models that need
them.</li>
</ul>
</html>"));
  end Physics;

  class Templates "How programs use this library"
    extends Modelica.Icons.Information;
    annotation (Documentation(info="<html>
<p>
A program that makes a package from a URDF file copies models of this library and changes the copies. So each of them
is complete in itself, and all names in it are written in full.
</p>
<ul>
<li><a href=\"modelica://UrdfRobots.Links.Link\">Link</a> has a component for each shape. The copy keeps what the link
has, and repeats it for further visual and collision elements.</li>
<li>The models of <a href=\"modelica://UrdfRobots.Joints\">Joints</a> have an assertion for each limit. The copy keeps
those that are given.</li>
<li><a href=\"modelica://UrdfRobots.Robots.Robot\">Robot</a> is empty. The copy gets the links, the joints and their
connections.</li>
<li><a href=\"modelica://UrdfRobots.Robots.Module\">Module</a> is empty as well. The copy gets the links and joints of a
module, its connectors and its flanges.</li>
<li><a href=\"modelica://UrdfRobots.Robots.RunStationary\">RunStationary</a>,
<a href=\"modelica://UrdfRobots.Robots.RunMobile\">RunMobile</a> and
<a href=\"modelica://UrdfRobots.Robots.Test\">Test</a> get the robot in place of the empty one.</li>
</ul>
<p>
A library of your own with models of the same names can take the place of this one: with other icons, other friction,
more components.
</p>
</html>"));
  end Templates;

  class ReleaseNotes "Release notes"
    extends Modelica.Icons.ReleaseNotes;
    annotation (Documentation(info="<html>
<p>
<strong>1.0.0</strong>: first version. It uses what the Modelica Standard Library has in 4.0.0 and in 4.1.0 alike.
</p>
</html>"));
  end ReleaseNotes;

  annotation (
    DocumentationClass=true,
    Documentation(info="<html>
<p>
UrdfRobots has what a robot of a URDF file is made of: links, joints, contacts, and the records that hold their
values.
</p>
<ul>
<li><a href=\"modelica://UrdfRobots.UsersGuide.Conventions\">Conventions</a>: frames, units and signs.</li>
<li><a href=\"modelica://UrdfRobots.UsersGuide.ByHand\">ByHand</a>: how to make a robot.</li>
<li><a href=\"modelica://UrdfRobots.UsersGuide.Physics\">Physics</a>: what is simulated, and what is not.</li>
<li><a href=\"modelica://UrdfRobots.UsersGuide.Templates\">Templates</a>: how programs use this library.</li>
</ul>
</html>"));
end UsersGuide;
