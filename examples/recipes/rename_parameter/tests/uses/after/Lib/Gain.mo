within Lib;
model Gain
  parameter Real factor = 1 "Factor";
  Real u, y;
equation
  y = factor*u; // k times u
end Gain;
