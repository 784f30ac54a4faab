within Robots;
model Arm "One link"
  import SI = Modelica.SIunits;
  import Modelica.SIunits.Length;
  import Modelica.SIunits.Conversions.*;
  parameter Modelica.SIunits.Mass m(min=0)=1 "Mass"; // of the link
  parameter SI.Angle phi = Modelica.SIunits.Conversions.from_deg(45);
  Modelica.SIunits.Conversions.NonSIunits.Angle_deg shown;
  parameter Modelica.SIunits.Position r[3]={0, 0, 1}
    "Frame" annotation (Dialog(group="Modelica.SIunits.Position"));
end Arm;
