within UrdfRobots.Generic;
model LinkBody "Rigid body of a link"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
  extends UrdfRobots.Icons.Link;

  parameter Modelica.Units.SI.Mass mass=0 "Mass";
  parameter Modelica.Units.SI.Position center[3]={0,0,0} "Centre of mass";
  parameter Real inertia[6](each final unit="kg.m2")={0,0,0,0,0,0}
    "ixx, iyy, izz, ixy, ixz, iyz about the centre of mass";

  Modelica.Mechanics.MultiBody.Parts.Body body(
    m=mass,
    r_CM=center,
    I_11=inertia[1],
    I_22=inertia[2],
    I_33=inertia[3],
    I_21=inertia[4],
    I_31=inertia[5],
    I_32=inertia[6],
    animation=false) "Mass and inertia"
    annotation (Placement(transformation(extent={{0,-10},{20,10}})));
equation
  connect(frame_a, body.frame_a) annotation (Line(
      points={{-100,0},{0,0}},
      color={95,95,95},
      thickness=0.5));
  annotation (Documentation(info="<html>
<p>
Part of <a href=\"modelica://UrdfRobots.Generic.MultiBodyRobot\">MultiBodyRobot</a>.
</p>
</html>"));
end LinkBody;
