model Loop
  Modelica.Blocks.Math.Gain gain1(
    y(start=0),
    k=2 /* from the data sheet */) "first"
    annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
  Modelica.Blocks.Math.Gain gain2 if use_gain2; // the other one
  Modelica.Blocks.Math.Gain a(k=1), b(k=2);
  Modelica.Blocks.Math.Add add;
equation
  connect(gain1.y, gain2.u);
end Loop;
