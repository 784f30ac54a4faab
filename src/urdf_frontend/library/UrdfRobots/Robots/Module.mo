within UrdfRobots.Robots;
model Module "Template of a module: no links yet"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
  extends UrdfRobots.Icons.Module;

  parameter Boolean startFixed=true
    "= true, if the joints start at their q_start; = false, if drives prescribe the motion"
    annotation (Evaluate=true, Dialog(group="Initialization"));
  parameter Boolean showCollision=false "= true, if collision elements shall be shown"
    annotation (Dialog(tab="Animation"));
equation

  annotation (
    Diagram(coordinateSystem(extent={{-100,-100},{100,100}})),
    Documentation(info="<html>
<p>
A module is a part of a robot with a connector at each end. <code>frame_a</code> is the input connector: the frame of the
first link, z into the module. To make a module of this template, add its links and joints, a
<code>Modelica.Mechanics.MultiBody.Interfaces.Frame_b</code> called <code>frame_b</code> as the output connector, z out of the
module, and a pair of flanges for each joint that moves. The output connector of one module is connected with
<code>frame_a</code> of the next.
</p>
</html>"));
end Module;
