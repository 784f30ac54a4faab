within UrdfRobots.Robots;
model Test "Template of a test: all joints move to and fro"
  extends UrdfRobots.Robots.RunStationary(robot(startFixed=false));

  parameter Integer numRotationalJoints(min=0)=0 "Number of joints that turn: robot.numRotationalJoints"
    annotation (Evaluate=true, Dialog(tab="Structure"));
  parameter Integer numTranslationalJoints(min=0)=0 "Number of joints that slide: robot.numTranslationalJoints"
    annotation (Evaluate=true, Dialog(tab="Structure"));
  parameter Modelica.Units.SI.Angle rotationalStroke=0.5 "How far joints turn"
    annotation (Dialog(group="Motion"));
  parameter Modelica.Units.SI.Length translationalStroke=0.05 "How far joints slide"
    annotation (Dialog(group="Motion"));
  parameter Modelica.Units.SI.Time period=5 "Time for a stroke and back"
    annotation (Dialog(group="Motion"));

  Modelica.Blocks.Sources.Sine rotationalReference[numRotationalJoints](
    each amplitude=rotationalStroke/2,
    each offset=rotationalStroke/2,
    each phase=-Modelica.Constants.pi/2,
    each f=1/period) "Angles of the joints that turn: from 0 to the stroke and back"
    annotation (Placement(transformation(extent={{-100,50},{-80,70}})));
  Modelica.Mechanics.Rotational.Sources.Position rotationalDrive[numRotationalJoints](
    each useSupport=true,
    each w(fixed=true)) "Drives of the joints that turn"
    annotation (Placement(transformation(extent={{-60,50},{-40,70}})));
  Modelica.Blocks.Sources.Sine translationalReference[numTranslationalJoints](
    each amplitude=translationalStroke/2,
    each offset=translationalStroke/2,
    each phase=-Modelica.Constants.pi/2,
    each f=1/period) "Positions of the joints that slide: from 0 to the stroke and back"
    annotation (Placement(transformation(extent={{100,50},{80,70}})));
  Modelica.Mechanics.Translational.Sources.Position translationalDrive[numTranslationalJoints](
    each useSupport=true,
    each v(fixed=true)) "Drives of the joints that slide"
    annotation (Placement(transformation(extent={{60,50},{40,70}})));
equation
  connect(rotationalReference.y, rotationalDrive.phi_ref)
    annotation (Line(points={{-79,60},{-62,60}}, color={0,0,127}));
  connect(rotationalDrive.flange, robot.rotational_flange_a)
    annotation (Line(points={{-40,60},{-8,60},{-8,-20}}, color={0,0,0}));
  connect(rotationalDrive.support, robot.rotational_flange_b)
    annotation (Line(points={{-50,50},{-50,30},{-18,30},{-18,-20}}, color={0,0,0}));
  connect(translationalReference.y, translationalDrive.s_ref)
    annotation (Line(points={{79,60},{62,60}}, color={0,0,127}));
  connect(translationalDrive.flange, robot.translational_flange_a)
    annotation (Line(points={{40,60},{30,60},{30,10},{18,10},{18,-20}}, color={0,127,0}));
  connect(translationalDrive.support, robot.translational_flange_b)
    annotation (Line(points={{50,50},{50,40},{8,40},{8,-20}}, color={0,127,0}));
  annotation (experiment(StopTime=10, Tolerance=1e-6, Interval=0.02), Documentation(info="<html>
<p>
Each joint moves from 0 to a stroke and back, smoothly: the reference is a cosine. The drives follow their references
whatever force that takes; the flanges show how much it is. For torques instead of motion, replace the drives by
<code>Modelica.Mechanics.Rotational.Sources.Torque</code> and set <code>robot(startFixed=true)</code>.
</p>
<p>
The two numbers repeat those of the robot, because not every compiler takes the size of an array from a component.
</p>
</html>"));
end Test;
