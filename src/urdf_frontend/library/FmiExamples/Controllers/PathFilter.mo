within FmiExamples.Controllers;
block PathFilter "A robot on casters turns only as fast as its casters can"
  parameter Modelica.Units.SI.Length x_C=-0.3 "Where the caster is mounted, before the driven axle";
  parameter Modelica.Units.SI.AngularVelocity w_max=5 "Velocity of the caster's wheel from which on nothing is held back";
  Modelica.Blocks.Interfaces.RealInput velDes_linear_x(unit="m/s") "Velocity that is asked for"
    annotation (Placement(transformation(extent={{-140,60},{-100,100}})));
  Modelica.Blocks.Interfaces.RealInput velDes_angular_z(unit="rad/s") "Turn that is asked for"
    annotation (Placement(transformation(extent={{-140,10},{-100,50}})));
  Modelica.Blocks.Interfaces.RealInput casterAngle(unit="rad") "Direction of the caster"
    annotation (Placement(transformation(extent={{-140,-50},{-100,-10}})));
  Modelica.Blocks.Interfaces.RealInput casterSpeed(unit="rad/s") "Velocity of the caster's wheel"
    annotation (Placement(transformation(extent={{-140,-100},{-100,-60}})));
  Modelica.Blocks.Interfaces.RealOutput velDesFil_linear_x(unit="m/s") "Velocity that is possible"
    annotation (Placement(transformation(extent={{100,30},{120,50}})));
  Modelica.Blocks.Interfaces.RealOutput velDesFil_angular_z(unit="rad/s") "Turn that is possible"
    annotation (Placement(transformation(extent={{100,-50},{120,-30}})));
  Modelica.Units.SI.Velocity v_C "Velocity of the caster's mount that is asked for";
  Modelica.Units.SI.Angle phi_des "Its direction";
  Modelica.Units.SI.Angle dphi "From the direction of the caster to that one, the short way";
  Modelica.Units.SI.Angle phi_fil "Direction that is possible";
  Real k "How much of the turn is let through";
equation
  v_C = sqrt(velDes_linear_x^2 + (x_C*velDes_angular_z)^2);
  phi_des = atan2(x_C*velDes_angular_z, velDes_linear_x);
  dphi = atan2(sin(phi_des - casterAngle), cos(phi_des - casterAngle));
  k = min(1, abs(casterSpeed/w_max));
  phi_fil = casterAngle + k*dphi;
  velDesFil_linear_x = v_C*cos(phi_fil);
  velDesFil_angular_z = v_C*sin(phi_fil)/x_C;
  annotation (
    Documentation(info="<html>
<p>
A loaded robot that starts with its casters across needs much current to turn them on the spot. This filter leads it
along the direction of the caster first: the direction of the caster's mount goes from that of the caster,
<code>casterAngle</code>, to the one that is asked for, by the part
<code>k = min(1, |casterSpeed/w_max|)</code> of the way. When the robot stands, it begins where the caster points; when
the caster rolls fast enough, nothing is held back. How fast the mount moves stays as it was asked for.
</p>
<p>
As a node of ROS 2 it stands between <code>/velDes</code> and <code>/velDesFil</code>.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={0,0,127},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Line(points={{-70,-60},{-20,-60},{20,-40},{40,0},{50,60}}, color={0,0,127}, smooth=Smooth.Bezier),
        Line(points={{-70,-60},{50,60}}, color={192,192,192}, pattern=LinePattern.Dash),
        Text(
          extent={{-150,140},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end PathFilter;
