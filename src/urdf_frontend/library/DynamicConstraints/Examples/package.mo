within DynamicConstraints;
package Examples "Systems whose structure changes"
  extends Modelica.Icons.ExamplesPackage;
  annotation (Documentation(info="<html>
<p>
Begin with <a href=\"modelica://DynamicConstraints.Examples.FallingObject\">FallingObject</a>.
<a href=\"modelica://DynamicConstraints.Examples.ToolChange\">ToolChange</a> and
<a href=\"modelica://DynamicConstraints.Examples.SpringBorne\">SpringBorne</a> are the two applications of the paper
behind this library; see <a href=\"modelica://DynamicConstraints.UsersGuide.References\">References</a>.
</p>
</html>"));
end Examples;
