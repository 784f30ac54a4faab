within DynamicConstraints.Interfaces;
connector CollisionOutput "What is known of a collision object, as outputs"
  output Modelica.Units.SI.Position r_0[3] "Position";
  output Modelica.Units.SI.Velocity v_0[3] "Velocity";
  output Modelica.Units.SI.Acceleration a_0[3] "Acceleration";
  output Real T[3,3] "Orientation: v_frame = T*v_world";
  output Modelica.Units.SI.AngularVelocity w_0[3] "Angular velocity";
  output Modelica.Units.SI.AngularAcceleration z_0[3] "Angular acceleration";
  output DynamicConstraints.Types.Mode mode "When it binds";
  output DynamicConstraints.Types.Shape shape "Shape";
  output Modelica.Units.SI.Length radius "Radius of a sphere";
  output Modelica.Units.SI.Length length "Half of a rectangle's extent along x";
  output Modelica.Units.SI.Length width "Half of a rectangle's extent along y";
  output Boolean closed "= true, if it can bind";
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
Kinematics, shape and state of a collision object, in the world frame, where they are sent.
</p>
</html>"));
end CollisionOutput;
