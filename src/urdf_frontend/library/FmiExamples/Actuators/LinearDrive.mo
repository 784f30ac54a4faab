within FmiExamples.Actuators;
model LinearDrive "Force on a slide through a spring and a damper, for prismatic joints"
  parameter Modelica.Units.SI.Mass m=0.2 "Mass of the slide";
  parameter Modelica.Units.SI.TranslationalSpringConstant c=1e4 "Stiffness between slide and joint";
  parameter Modelica.Units.SI.TranslationalDampingConstant d=10 "Damping between slide and joint";
  Modelica.Blocks.Interfaces.RealInput f(unit="N") "Force that is asked for"
    annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_b flange "What drives the joint"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  Modelica.Mechanics.Translational.Sources.Force source "The force"
    annotation (Placement(transformation(extent={{-70,-10},{-50,10}})));
  Modelica.Mechanics.Translational.Components.Mass slide(
    m=m,
    s(start=0, fixed=true),
    v(start=0, fixed=true)) "The slide"
    annotation (Placement(transformation(extent={{-20,-10},{0,10}})));
  Modelica.Mechanics.Translational.Components.SpringDamper coupling(c=c, d=d) "Between slide and joint"
    annotation (Placement(transformation(extent={{30,-10},{50,10}})));
equation
  connect(f, source.f)
    annotation (Line(points={{-120,0},{-72,0}}, color={0,0,127}));
  connect(source.flange, slide.flange_a)
    annotation (Line(points={{-50,0},{-20,0}}, color={0,127,0}));
  connect(slide.flange_b, coupling.flange_a)
    annotation (Line(points={{0,0},{30,0}}, color={0,127,0}));
  connect(coupling.flange_b, flange)
    annotation (Line(points={{50,0},{100,0}}, color={0,127,0}));
  annotation (
    Documentation(info="<html>
<p>
The <a href=\"modelica://FmiExamples.Actuators.CompliantActuator\">compliant actuator</a> of a joint that slides.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-80,-30},{0,30}},
          lineColor={0,127,0},
          fillColor={160,215,160},
          fillPattern=FillPattern.Solid),
        Line(points={{0,0},{10,30},{30,-30},{50,30},{60,0},{90,0}}, color={0,127,0}),
        Text(
          extent={{-150,100},{150,60}},
          textColor={0,0,255},
          textString="%name")}));
end LinearDrive;
