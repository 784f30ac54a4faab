within FmiExamples;
package Templates "What is around a model that becomes an FMU"
  extends Modelica.Icons.BasesPackage;

  annotation (Documentation(info="<html>
<p>
The variables that a simulator asks of an FMU, with the adaptors behind them. <code>modelica-patch fmi shell</code>
copies one of these classes and puts the user's model into the middle. By itself each is an FMU that does nothing: an
actuator without a torque, a fluid without a force. Names are written in full, so that a copy means the same wherever it
stands, and the second end of every connection is the one that is driven.
</p>
</html>"));
end Templates;
