within FmiExamples;
package Fluids "Forces of fluids on bodies"
  extends Modelica.Icons.Package;

  annotation (Documentation(info="<html>
<p>
A velocity on one side, a force and perhaps a moment on the other, all in the axes of the body.
</p>
</html>"));
end Fluids;
