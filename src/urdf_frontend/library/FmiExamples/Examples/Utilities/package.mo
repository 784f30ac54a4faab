within FmiExamples.Examples;
package Utilities "Parts of the examples"
  extends Modelica.Icons.UtilitiesPackage;

  annotation (Documentation(info="<html>
<p>
Not for FMUs: what every Modelica tool can run in their place.
</p>
</html>"));
end Utilities;
