within DynamicConstraints.Examples;
package Utilities "Parts of the examples"
  extends Modelica.Icons.UtilitiesPackage;
  annotation (Documentation(info="<html>
<p>
Bodies and robots that the examples share.
</p>
</html>"));
end Utilities;
