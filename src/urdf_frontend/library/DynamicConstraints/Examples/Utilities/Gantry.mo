within DynamicConstraints.Examples.Utilities;
model Gantry "Robot with two linear axes, which follows a reference"
  parameter Modelica.Units.SI.Position x_start=0 "Position at the start along x";
  parameter Modelica.Units.SI.Position z_start=0 "Position at the start along z";
  parameter Modelica.Units.SI.AngularFrequency omega=8 "How fast it follows";
  Modelica.Blocks.Interfaces.RealInput x "Reference along x"
    annotation (Placement(transformation(extent={{-140,20},{-100,60}})));
  Modelica.Blocks.Interfaces.RealInput z "Reference along z"
    annotation (Placement(transformation(extent={{-140,-60},{-100,-20}})));
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b "Flange"
    annotation (Placement(transformation(extent={{84,-16},{116,16}})));
  Modelica.Mechanics.MultiBody.Parts.Fixed base(animation=false) "Base"
    annotation (Placement(transformation(extent={{-70,-10},{-50,10}})));
  Modelica.Mechanics.MultiBody.Joints.Prismatic axisX(
    n={1,0,0},
    useAxisFlange=true,
    s(start=x_start, fixed=true),
    v(start=0, fixed=true),
    animation=false) "Horizontal axis"
    annotation (Placement(transformation(extent={{-20,-10},{0,10}})));
  Modelica.Mechanics.MultiBody.Joints.Prismatic axisZ(
    n={0,0,1},
    useAxisFlange=true,
    s(start=z_start, fixed=true),
    v(start=0, fixed=true),
    animation=false) "Vertical axis"
    annotation (Placement(transformation(extent={{40,-10},{60,10}})));
  DynamicConstraints.Examples.Utilities.AxisDrive driveX(omega=omega) "Drive of the horizontal axis"
    annotation (Placement(transformation(extent={{-50,30},{-30,50}})));
  DynamicConstraints.Examples.Utilities.AxisDrive driveZ(omega=omega) "Drive of the vertical axis"
    annotation (Placement(transformation(extent={{10,-50},{30,-30}})));
equation
  connect(base.frame_b, axisX.frame_a) annotation (Line(
      points={{-50,0},{-20,0}},
      color={95,95,95},
      thickness=0.5));
  connect(axisX.frame_b, axisZ.frame_a) annotation (Line(
      points={{0,0},{40,0}},
      color={95,95,95},
      thickness=0.5));
  connect(axisZ.frame_b, frame_b) annotation (Line(
      points={{60,0},{100,0}},
      color={95,95,95},
      thickness=0.5));
  connect(driveX.flange, axisX.axis) annotation (Line(
      points={{-30,40},{-2,40},{-2,6}},
      color={0,127,0}));
  connect(driveZ.flange, axisZ.axis) annotation (Line(
      points={{30,-40},{74,-40},{74,14},{58,14},{58,6}},
      color={0,127,0}));
  connect(x, driveX.s_ref) annotation (Line(
      points={{-120,40},{-52,40}},
      color={0,0,127}));
  connect(z, driveZ.s_ref) annotation (Line(
      points={{-120,-40},{8,-40}},
      color={0,0,127}));
  annotation (
    Icon(graphics={Rectangle(
          extent={{-100,60},{60,-60}},
          lineColor={64,64,64},
          fillColor={255,204,0},
          fillPattern=FillPattern.Solid),Rectangle(
          extent={{60,20},{100,-20}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),Text(
          extent={{-150,110},{150,74}},
          textColor={0,0,255},
          textString="%name")}),
    Documentation(info="<html>
<p>
A robot whose drives are strong: its motion does not depend on its load. The load is the force in <code>frame_b</code>,
and the forces at the axes.
</p>
</html>"));
end Gantry;
