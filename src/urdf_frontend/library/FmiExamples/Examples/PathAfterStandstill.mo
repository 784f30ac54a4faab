within FmiExamples.Examples;
model PathAfterStandstill "A robot that stands with its caster across begins to drive"
  extends Modelica.Icons.Example;
  parameter Modelica.Units.SI.Angle start=1.2 "Direction of the caster at the beginning";
  parameter Modelica.Units.SI.Length r=0.05 "Radius of the caster's wheel";
  parameter Modelica.Units.SI.Length trail=0.04 "From the mount of the caster to its wheel";
  FmiExamples.Controllers.PathFilter filter "The filter"
    annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
  Modelica.Units.SI.Velocity v(start=0, fixed=true) "How fast the mount of the caster moves";
  Modelica.Units.SI.Angle caster(start=start, fixed=true) "Direction of the caster";
equation
  filter.velDes_linear_x = 0.5;
  filter.velDes_angular_z = 0;
  filter.casterAngle = caster;
  filter.casterSpeed = v*cos(filter.phi_fil - caster)/r;
  0.2*der(v) = filter.v_C - v;
  trail*der(caster) = v*sin(filter.phi_fil - caster);
  annotation (
    experiment(StopTime=5),
    Documentation(info="<html>
<p>
The robot is asked to drive straight on. It leaves along the direction of the caster, which is drawn behind and turns
while it rolls, and ends straight on.
</p>
</html>"));
end PathAfterStandstill;
