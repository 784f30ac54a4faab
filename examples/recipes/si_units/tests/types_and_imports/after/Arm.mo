within Robots;
model Arm "One link"
  import SI = Modelica.Units.SI;
  import Modelica.Units.SI.Length;
  import Modelica.Units.Conversions.*;
  parameter Modelica.Units.SI.Mass m(min=0)=1 "Mass"; // of the link
  parameter SI.Angle phi = Modelica.Units.Conversions.from_deg(45);
  Modelica.Units.NonSI.Angle_deg shown;
  parameter Modelica.Units.SI.Position r[3]={0, 0, 1}
    "Frame" annotation (Dialog(group="Modelica.SIunits.Position"));
end Arm;
