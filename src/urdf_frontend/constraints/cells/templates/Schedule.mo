block Schedule "Boolean signal that changes at given times"
  parameter Modelica.Units.SI.Time times[:] "When it changes, one after the other, all after the start";
  parameter Boolean startValue=false "What it is at first";
  Modelica.Blocks.Interfaces.BooleanOutput y "Signal"
    annotation (Placement(transformation(extent={{100,-10},{120,10}})));
protected
  Integer passed(
    start=0,
    fixed=true) "How many of the times have passed";
  discrete Modelica.Units.SI.Time next(
    start=times[1],
    fixed=true) "The next of them";
equation
  when time >= pre(next) then
    passed = pre(passed) + 1;
    next = if pre(passed) + 1 < size(times, 1) then times[min(pre(passed) + 2, size(times, 1))] else
      Modelica.Constants.inf;
  end when;
  y = (mod(passed, 2) == 1) <> startValue;
  annotation (Icon(graphics={Rectangle(
          extent={{-100,100},{100,-100}},
          lineColor={255,0,255},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),Line(
          points={{-80,-60},{-30,-60},{-30,60},{30,60},{30,-60},{80,-60}},
          color={255,0,255}),Text(
          extent={{-150,150},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end Schedule;
