within DynamicConstraints.Connected;
connector Contact_b "Contact of a pair, on the side of the constrained object"
  input Modelica.Units.SI.Position r_0[3] "Position";
  input Modelica.Units.SI.Velocity v_0[3] "Velocity";
  input Modelica.Units.SI.Acceleration a_0[3] "Acceleration";
  input Real T[3,3] "Orientation: v_frame = T*v_world";
  input Modelica.Units.SI.AngularVelocity w_0[3] "Angular velocity";
  input Modelica.Units.SI.AngularAcceleration z_0[3] "Angular acceleration";
  input DynamicConstraints.Types.Mode mode "When it binds";
  input DynamicConstraints.Types.Shape shape "Shape";
  input Modelica.Units.SI.Length radius "Radius of a sphere";
  input Modelica.Units.SI.Length length "Half of a rectangle's extent along x";
  input Modelica.Units.SI.Length width "Half of a rectangle's extent along y";
  input Boolean closed "= true, if it can bind";
  output Modelica.Units.SI.Force f_0[3] "Force on the partner";
  output Modelica.Units.SI.Torque t_0[3] "Torque on the partner, about its origin";
  annotation (
    defaultComponentName="port",
    Icon(graphics={Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={200,0,0},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid)}),
    Diagram(graphics={Rectangle(
          extent={{-40,-40},{40,40}},
          lineColor={200,0,0},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),Text(
          extent={{-160,90},{160,50}},
          textColor={200,0,0},
          textString="%name")}),
    Documentation(info="<html>
<p>
What two objects that may touch tell one another. A <code>Contact_b</code> is connected with one
<code>Contact_a</code>.
</p>
</html>"));
end Contact_b;
