within DynamicConstraints.Examples.Utilities;
model AxisDrive "Drive that moves an axis towards a reference, critically damped"
  parameter Modelica.Units.SI.AngularFrequency omega=8 "How fast it follows";
  Modelica.Blocks.Interfaces.RealInput s_ref "Reference"
    annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
  Modelica.Mechanics.Translational.Interfaces.Flange_b flange "Axis"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  Modelica.Units.SI.Velocity v "Velocity of the axis";
equation
  v = der(flange.s);
  der(v) = omega^2*(s_ref - flange.s) - 2*omega*v;
  annotation (Icon(graphics={Rectangle(
          extent={{-100,40},{100,-40}},
          lineColor={0,127,0},
          fillColor={160,215,160},
          fillPattern=FillPattern.Solid),Text(
          extent={{-150,90},{150,54}},
          textColor={0,0,255},
          textString="%name")}), Documentation(info="<html>
<p>
The acceleration is given, whatever the load.
</p>
</html>"));
end AxisDrive;
