package FmiExamples "Models that become FMUs for robots in Gazebo and ROS 2"
  extends Modelica.Icons.Package;

  annotation (
    version="1.0.0",
    versionDate="2026-11-16",
    uses(Modelica(version="4.1.0")),
    preferredView="info",
    Documentation(info="<html>
<p>
An FMU that drives a joint in Gazebo, or runs as a node of ROS 2, is known by its inputs and outputs. In this library
models are written without regard to them, with flanges and signals:
<a href=\"modelica://FmiExamples.Actuators\">actuators</a>, <a href=\"modelica://FmiExamples.Fluids\">forces of
fluids</a>, <a href=\"modelica://FmiExamples.Controllers\">controllers and filters</a>. What is around them in an FMU are
the <a href=\"modelica://FmiExamples.Templates\">templates</a>, which <code>modelica-patch fmi shell</code> fills.
</p>
<p>
<a href=\"modelica://FmiExamples.Examples\">Examples</a> are closed loops of these that any Modelica tool runs, so that
what an FMU does in another simulator can be compared with.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-60,-40},{40,40}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Line(points={{-90,20},{-60,20}}, color={0,0,127}),
        Line(points={{-90,-20},{-60,-20}}, color={0,0,127}),
        Line(points={{40,0},{80,0}}, color={0,0,127}),
        Text(
          extent={{-56,30},{36,-30}},
          textColor={64,64,64},
          textString="FMU")}));
end FmiExamples;
