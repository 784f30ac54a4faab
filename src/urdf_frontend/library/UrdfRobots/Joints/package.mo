within UrdfRobots;
package Joints "Joints of robots"
  extends Modelica.Icons.Package;
  annotation (Documentation(info="<html>
<p>
A joint stands between two links: <code>frame_a</code> is connected with <code>frame_a</code> of the parent link,
<code>frame_b</code> with <code>frame_a</code> of the child link. Each of the six models is one type of joint in URDF.
</p>
<p>
A joint that follows another one is connected to it by one of the <code>Mimic</code> models. Friction and end stops
are parts of the joints; they can be used by themselves, too.
</p>
</html>"));
end Joints;
