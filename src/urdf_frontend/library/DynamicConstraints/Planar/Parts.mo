within DynamicConstraints.Planar;
package Parts "Bodies and joints for planar examples"
  extends Modelica.Icons.Package;

  model Body "Rigid body, free to move in the plane"
    parameter Modelica.Units.SI.Mass m(min=0)=1 "Mass";
    parameter Modelica.Units.SI.Inertia I(min=0)=0.01 "Inertia about the centre of mass";
    parameter Modelica.Units.SI.Acceleration g=9.81 "Gravity, along -z";
    DynamicConstraints.Planar.Interfaces.Frame frame_a "Centre of mass"
      annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    Modelica.Units.SI.Velocity v[2] "Velocity";
    Modelica.Units.SI.AngularVelocity w "Angular velocity";
  equation
    v = der(frame_a.r);
    w = der(frame_a.phi);
    m*der(v) = frame_a.f - {0,m*g};
    I*der(w) = frame_a.t;
    annotation (Icon(graphics={
          Rectangle(
            extent={{-100,30},{0,-30}},
            lineColor={64,64,64},
            fillColor={0,140,130},
            fillPattern=FillPattern.Solid),
          Ellipse(
            extent={{-40,60},{80,-60}},
            lineColor={64,64,64},
            fillColor={0,140,130},
            fillPattern=FillPattern.Solid),
          Text(
            extent={{-150,110},{150,74}},
            textColor={0,0,255},
            textString="%name")}), Documentation(info="<html>
<p>
Start values are those of <code>frame_a.r</code>, <code>frame_a.phi</code>, <code>v</code> and <code>w</code>.
</p>
</html>"));
  end Body;

  model Fixed "Place that does not move"
    parameter Modelica.Units.SI.Position r[2]={0,0} "Position {x, z}";
    parameter Modelica.Units.SI.Angle phi=0 "Angle, from x towards z";
    DynamicConstraints.Planar.Interfaces.Frame frame_b "The place"
      annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  equation
    frame_b.r = r;
    frame_b.phi = phi;
    annotation (Icon(graphics={
          Line(points={{0,80},{0,-80}}, color={64,64,64}),
          Line(points={{0,40},{-60,0}}, color={64,64,64}),
          Line(points={{0,80},{-60,40}}, color={64,64,64}),
          Line(points={{0,0},{-60,-40}}, color={64,64,64}),
          Line(points={{0,-40},{-60,-80}}, color={64,64,64}),
          Line(points={{0,0},{100,0}}, color={64,64,64}),
          Text(
            extent={{-150,130},{150,94}},
            textColor={0,0,255},
            textString="%name")}), Documentation(info="<html>
<p>
A frame that stays where it is.
</p>
</html>"));
  end Fixed;

  model Arm "Hinge with a spring and a damper, and a rod behind it"
    parameter Modelica.Units.SI.Length L=0.2 "Length of the rod, along x of frame_b";
    parameter Modelica.Units.SI.RotationalSpringConstant c=20 "Stiffness of the hinge";
    parameter Modelica.Units.SI.RotationalDampingConstant d=0.2 "Damping of the hinge";
    DynamicConstraints.Planar.Interfaces.Frame frame_a "At the hinge"
      annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    DynamicConstraints.Planar.Interfaces.Frame frame_b "At the end of the rod"
      annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    Modelica.Units.SI.Angle phi "Angle of the hinge";
    Modelica.Units.SI.AngularVelocity w "Its angular velocity";
    Modelica.Units.SI.Position rod[2] "From frame_a to frame_b";
  equation
    phi = frame_b.phi - frame_a.phi;
    w = der(phi);
    rod = L*{cos(frame_b.phi),sin(frame_b.phi)};
    frame_b.r = frame_a.r + rod;
    frame_a.f + frame_b.f = zeros(2);
    frame_a.t = -(c*phi + d*w);
    frame_b.t + rod[1]*frame_b.f[2] - rod[2]*frame_b.f[1] = c*phi + d*w;
    annotation (Icon(graphics={
          Rectangle(
            extent={{-80,12},{100,-12}},
            lineColor={64,64,64},
            fillColor={192,192,192},
            fillPattern=FillPattern.Solid),
          Ellipse(
            extent={{-100,30},{-40,-30}},
            lineColor={64,64,64},
            fillColor={255,255,255},
            fillPattern=FillPattern.Solid),
          Text(
            extent={{-150,110},{150,74}},
            textColor={0,0,255},
            textString="%name")}), Documentation(info="<html>
<p>
The spring is relaxed where both frames have the same angle.
</p>
</html>"));
  end Arm;

  model Carriage "Flange that follows a reference, critically damped"
    parameter Modelica.Units.SI.Position r_start[2]={0,0} "Position at the start {x, z}";
    parameter Modelica.Units.SI.AngularFrequency omega=8 "How fast it follows";
    DynamicConstraints.Planar.Interfaces.Frame frame_b "Flange"
      annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    Modelica.Blocks.Interfaces.RealInput x "Reference along x"
      annotation (Placement(transformation(extent={{-140,20},{-100,60}})));
    Modelica.Blocks.Interfaces.RealInput z "Reference along z"
      annotation (Placement(transformation(extent={{-140,-60},{-100,-20}})));
    Modelica.Units.SI.Position r[2](start=r_start, each fixed=true) "Position {x, z}";
    Modelica.Units.SI.Velocity v[2](each start=0, each fixed=true) "Velocity";
  equation
    v = der(r);
    der(v) = omega^2*({x,z} - r) - 2*omega*v;
    frame_b.r = r;
    frame_b.phi = 0;
    annotation (Icon(graphics={
          Rectangle(
            extent={{-100,60},{60,-60}},
            lineColor={64,64,64},
            fillColor={255,204,0},
            fillPattern=FillPattern.Solid),
          Rectangle(
            extent={{60,20},{100,-20}},
            lineColor={64,64,64},
            fillColor={192,192,192},
            fillPattern=FillPattern.Solid),
          Text(
            extent={{-150,110},{150,74}},
            textColor={0,0,255},
            textString="%name")}), Documentation(info="<html>
<p>
A robot whose drives are strong: its motion does not depend on its load. The load is the force in <code>frame_b</code>.
</p>
</html>"));
  end Carriage;

  annotation (Documentation(info="<html>
<p>
Just enough to put planar objects to use.
</p>
</html>"));
end Parts;
