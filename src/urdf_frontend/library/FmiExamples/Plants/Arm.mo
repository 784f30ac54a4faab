within FmiExamples.Plants;
model Arm "A mass at the end of an arm that turns about one axis"
  parameter Modelica.Units.SI.Mass m=1 "Mass at the end";
  parameter Modelica.Units.SI.Length l=1 "Length of the arm";
  parameter Modelica.Units.SI.Inertia I=0.001 "Inertia of the mass about its own centre";
  parameter Modelica.Units.SI.RotationalDampingConstant d=0.1 "Damping of the joint";
  parameter Modelica.Units.SI.Acceleration g=0 "Gravity across the axis; 0 for an axis that is vertical";
  parameter Modelica.Units.SI.Angle phi_start=0 "Angle at the beginning; at 0 the arm hangs down";
  Modelica.Mechanics.Rotational.Interfaces.Flange_a flange "The joint"
    annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
  Modelica.Units.SI.Angle phi(start=phi_start, fixed=true) "Angle of the joint";
  Modelica.Units.SI.AngularVelocity w(start=0, fixed=true) "Velocity of the joint";
  Modelica.Units.SI.AngularAcceleration a "Acceleration of the joint";
equation
  phi = flange.phi;
  w = der(phi);
  a = der(w);
  (m*l^2 + I)*a = flange.tau - d*w - m*g*l*sin(phi);
  annotation (
    Documentation(info="<html>
<p>
With an axis that is vertical an arm, with one that is horizontal (<code>g = 9.81</code>) a pendulum.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-90,-10},{60,10}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.HorizontalCylinder),
        Ellipse(
          extent={{40,-30},{100,30}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-150,100},{150,60}},
          textColor={0,0,255},
          textString="%name")}));
end Arm;
