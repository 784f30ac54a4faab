model Loop
  Blocks.Amplifier gain1(
    y(start=0),
    factor=2 /* from the data sheet */) "first"
    annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
  Blocks.Amplifier gain2 if use_gain2; // the other one
  Blocks.Amplifier a(factor=1);
  Blocks.Amplifier b(factor=2);
  Modelica.Blocks.Math.Add add;
equation
  connect(gain1.y, gain2.u);
end Loop;
