within FmiExamples;
package Actuators "What drives a joint: a signal on one side, a flange on the other"
  extends Modelica.Icons.Package;

  annotation (Documentation(info="<html>
<p>
None of these knows that it will be an FMU. <code>modelica-patch fmi shell</code> puts each into a
<a href=\"modelica://FmiExamples.Templates\">template</a>.
</p>
</html>"));
end Actuators;
