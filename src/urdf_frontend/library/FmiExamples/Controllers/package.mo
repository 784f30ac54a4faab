within FmiExamples;
package Controllers "Blocks that run as nodes of ROS 2, or inside of a simulator"
  extends Modelica.Icons.Package;

  annotation (Documentation(info="<html>
<p>
All inputs and outputs are of type Real, which is what fmi_adapter takes.
</p>
</html>"));
end Controllers;
