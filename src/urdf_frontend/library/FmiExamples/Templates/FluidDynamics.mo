within FmiExamples.Templates;
model FluidDynamics "Forces of a fluid on a body for gazebo-fmi"
  Modelica.Blocks.Interfaces.RealInput relativeVelocity_x(unit="m/s") "Velocity of the body in the fluid, x"
    annotation (Placement(transformation(extent={{-140,20},{-100,60}})));
  Modelica.Blocks.Interfaces.RealInput relativeVelocity_y(unit="m/s") "Velocity of the body in the fluid, y"
    annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
  Modelica.Blocks.Interfaces.RealInput relativeVelocity_z(unit="m/s") "Velocity of the body in the fluid, z"
    annotation (Placement(transformation(extent={{-140,-60},{-100,-20}})));
  Modelica.Blocks.Interfaces.RealOutput fluidDynamicForce_x(unit="N") "Force on the body, x"
    annotation (Placement(transformation(extent={{100,65},{120,85}})));
  Modelica.Blocks.Interfaces.RealOutput fluidDynamicForce_y(unit="N") "Force on the body, y"
    annotation (Placement(transformation(extent={{100,35},{120,55}})));
  Modelica.Blocks.Interfaces.RealOutput fluidDynamicForce_z(unit="N") "Force on the body, z"
    annotation (Placement(transformation(extent={{100,5},{120,25}})));
  Modelica.Blocks.Interfaces.RealOutput fluidDynamicMoment_x(unit="N.m") "Moment on the body, x"
    annotation (Placement(transformation(extent={{100,-25},{120,-5}})));
  Modelica.Blocks.Interfaces.RealOutput fluidDynamicMoment_y(unit="N.m") "Moment on the body, y"
    annotation (Placement(transformation(extent={{100,-55},{120,-35}})));
  Modelica.Blocks.Interfaces.RealOutput fluidDynamicMoment_z(unit="N.m") "Moment on the body, z"
    annotation (Placement(transformation(extent={{100,-85},{120,-65}})));
  annotation (
    Documentation(info="<html>
<p>
The simulator gives the velocity of a body against the fluid around it, and applies the force and the moment. All are in
the axes of the body. What has no value here gets one by the model in the middle.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={64,64,64},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{-50,-30},{50,30}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-46,20},{46,-20}},
          textColor={64,64,64},
          textString="FMU"),
        Text(
          extent={{-150,140},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end FluidDynamics;
