within DynamicConstraints.Examples.Utilities;
model HingedBodies "Two bodies on a hinge with a spring and a damper"
  parameter Modelica.Units.SI.Position z_start=2 "Height at the start";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "At the first body, and at the hinge"
    annotation (Placement(transformation(extent={{-116,-16},{-84,16}})));
  Modelica.Mechanics.MultiBody.Parts.Body bodyA(
    m=1,
    r_CM={0,0,0},
    I_11=0.01,
    I_22=0.01,
    I_33=0.01,
    r_0(start={0,0,z_start}, each fixed=true),
    v_0(each fixed=true),
    angles_fixed=true,
    w_0_fixed=true,
    enforceStates=true,
    useQuaternions=false,
    animation=false) "First body"
    annotation (Placement(transformation(extent={{-10,70},{10,90}})));
  Modelica.Mechanics.MultiBody.Joints.Revolute revolute(
    n={0,1,0},
    useAxisFlange=true,
    phi(fixed=true),
    w(fixed=true),
    animation=false) "Hinge"
    annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
  Modelica.Mechanics.Rotational.Components.SpringDamper springDamper(
    c=20,
    d=0.2) "Spring and damper of the hinge"
    annotation (Placement(transformation(extent={{-10,34},{10,54}})));
  Modelica.Mechanics.MultiBody.Parts.Body bodyB(
    m=1,
    r_CM={0.2,0,0},
    I_11=0.01,
    I_22=0.01,
    I_33=0.01,
    animation=false) "Second body"
    annotation (Placement(transformation(extent={{50,-10},{70,10}})));
equation
  connect(frame_a, bodyA.frame_a) annotation (Line(
      points={{-100,0},{-50,0},{-50,80},{-10,80}},
      color={95,95,95},
      thickness=0.5));
  connect(frame_a, revolute.frame_a) annotation (Line(
      points={{-100,0},{-10,0}},
      color={95,95,95},
      thickness=0.5));
  connect(springDamper.flange_a, revolute.support) annotation (Line(
      points={{-10,44},{-16,44},{-16,20},{-6,20},{-6,10}},
      color={0,0,0}));
  connect(springDamper.flange_b, revolute.axis) annotation (Line(
      points={{10,44},{16,44},{16,20},{0,20},{0,10}},
      color={0,0,0}));
  connect(revolute.frame_b, bodyB.frame_a) annotation (Line(
      points={{10,0},{50,0}},
      color={95,95,95},
      thickness=0.5));
  annotation (
    Icon(graphics={Ellipse(
          extent={{-90,30},{-30,-30}},
          lineColor={64,64,64},
          fillColor={0,140,130},
          fillPattern=FillPattern.Sphere),Line(
          points={{-30,0},{-10,0},{-4,14},{8,-14},{20,14},{30,0}},
          color={64,64,64}),Ellipse(
          extent={{30,30},{90,-30}},
          lineColor={64,64,64},
          fillColor={0,140,130},
          fillPattern=FillPattern.Sphere),Text(
          extent={{-150,90},{150,54}},
          textColor={0,0,255},
          textString="%name")}),
    Documentation(info="<html>
<p>
The first body is free; the second one is 0.2 m away from the hinge. At the start nothing moves, and the spring is
relaxed.
</p>
</html>"));
end HingedBodies;
