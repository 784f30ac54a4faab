within DynamicConstraints.Examples;
package Connected "Examples without a collector"
  extends Modelica.Icons.ExamplesPackage;
  annotation (Documentation(info="<html>
<p>
The same systems as in <a href=\"modelica://DynamicConstraints.Examples\">Examples</a>, wired pair by pair with
<a href=\"modelica://DynamicConstraints.Connected\">Connected</a>.
</p>
</html>"));
end Connected;
