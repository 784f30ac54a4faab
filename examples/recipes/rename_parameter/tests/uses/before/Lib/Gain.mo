within Lib;
model Gain
  parameter Real k = 1 "Factor";
  Real u, y;
equation
  y = k*u; // k times u
end Gain;
