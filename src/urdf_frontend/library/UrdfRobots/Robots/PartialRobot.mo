within UrdfRobots.Robots;
partial model PartialRobot "Base of all robots: the frame of the root link, and counters"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;

  parameter Integer numLinks(min=0)=0 "Number of links"
    annotation (Evaluate=true, Dialog(tab="Structure"));
  parameter Integer numLeafLinks(min=0)=0 "Number of links without a joint below them"
    annotation (Evaluate=true, Dialog(tab="Structure"));
  parameter Integer numRotationalJoints(min=0)=0 "Number of joints with rotational flanges"
    annotation (Evaluate=true, Dialog(tab="Structure"));
  parameter Integer numTranslationalJoints(min=0)=0 "Number of joints with translational flanges"
    annotation (Evaluate=true, Dialog(tab="Structure"));
  parameter Integer numMimicJoints(min=0)=0 "Number of joints that follow another one"
    annotation (Evaluate=true, Dialog(tab="Structure"));
  parameter Integer numOtherJoints(min=0)=0 "Number of joints without flanges: fixed, planar and floating ones"
    annotation (Evaluate=true, Dialog(tab="Structure"));
  final parameter Integer numJoints=numRotationalJoints + numTranslationalJoints + numMimicJoints + numOtherJoints
    "Number of all joints";
  parameter Boolean startFixed=true
    "= true, if the joints start at their q_start; = false, if drives prescribe the motion"
    annotation (Evaluate=true, Dialog(group="Initialization"));
  parameter Boolean showCollision=false "= true, if collision elements shall be shown"
    annotation (Dialog(tab="Animation"));
  annotation (Documentation(info="<html>
<p>
<code>frame_a</code> is the frame of the root link. The counters say how many there are of each kind of part. A robot
that extends this model sets them, and declares its other connectors, as
<a href=\"modelica://UrdfRobots.Robots.RobotWithConnectors\">RobotWithConnectors</a> does, or extends
<a href=\"modelica://UrdfRobots.Robots.BaseRobot\">BaseRobot</a>, which has them.
</p>
</html>"));
end PartialRobot;
