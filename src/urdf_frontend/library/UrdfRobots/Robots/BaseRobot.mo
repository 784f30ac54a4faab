within UrdfRobots.Robots;
partial model BaseRobot "Base of all robots: frames and flanges"
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

  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b[numLeafLinks] "Frames of the links without a joint below them"
    annotation (Placement(transformation(extent={{84,-16},{116,16}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_a rotational_flange_a[numRotationalJoints] "Axes of joints that turn"
    annotation (Placement(transformation(extent={{-50,90},{-30,110}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b rotational_flange_b[numRotationalJoints]
    "Supports of joints that turn"
    annotation (Placement(transformation(extent={{-100,90},{-80,110}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_a translational_flange_a[numTranslationalJoints]
    "Axes of joints that slide"
    annotation (Placement(transformation(extent={{80,90},{100,110}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_b translational_flange_b[numTranslationalJoints]
    "Supports of joints that slide"
    annotation (Placement(transformation(extent={{30,90},{50,110}})));
  annotation (Documentation(info="<html>
<p>
<code>frame_a</code> is the frame of the root link. <code>frame_b</code> are the frames of the links at the ends of
the tree: tools, wheels, feet.
</p>
<p>
Each joint that turns or slides and follows no other has a pair of flanges. A drive acts between the axis
(<code>rotational_flange_a</code> or <code>translational_flange_a</code>) and its support
(<code>rotational_flange_b</code> or <code>translational_flange_b</code>). Pairs that are left alone are free.
</p>
<p>
The counters say how many there are of each. A robot that extends this model sets them.
</p>
</html>"));
end BaseRobot;
