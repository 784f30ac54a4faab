within FmiExamples;
package Examples "Closed loops that any Modelica tool runs"
  extends Modelica.Icons.ExamplesPackage;

  annotation (Documentation(info="<html>
<p>
What happens in Gazebo with an FMU, as one model: controller, actuator and robot together.
</p>
</html>"));
end Examples;
