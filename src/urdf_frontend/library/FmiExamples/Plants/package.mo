within FmiExamples;
package Plants "What is driven: in Gazebo the robot itself"
  extends Modelica.Icons.Package;

  annotation (Documentation(info="<html>
<p>
Bodies on one joint, to close the loop around an actuator without another simulator.
</p>
</html>"));
end Plants;
