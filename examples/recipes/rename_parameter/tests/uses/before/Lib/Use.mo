within Lib;
model Use
  Gain g(k=2);
  Real k = g.k;
end Use;
