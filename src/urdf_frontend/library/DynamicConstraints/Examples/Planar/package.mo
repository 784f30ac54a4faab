within DynamicConstraints.Examples;
package Planar "Examples in a plane"
  extends Modelica.Icons.ExamplesPackage;
  annotation (Documentation(info="<html>
<p>
The same systems as in <a href=\"modelica://DynamicConstraints.Examples\">Examples</a>, made of the objects of
<a href=\"modelica://DynamicConstraints.Planar\">Planar</a>. They translate and run much faster.
</p>
</html>"));
end Planar;
