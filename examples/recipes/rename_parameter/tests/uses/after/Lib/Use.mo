within Lib;
model Use
  Gain g(factor=2);
  Real k = g.factor;
end Use;
