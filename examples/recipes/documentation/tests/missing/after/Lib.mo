package Lib "A library"
  model A
    Real x;
  equation
    x = 1; // one
    annotation (Documentation(info="<html><p>To be written.</p></html>"));
  end A;

  model B
    annotation (Documentation(info="<html>B</html>"), Icon());
  end B;
  annotation (Documentation(info="all of it"));
end Lib;
