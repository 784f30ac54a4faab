block Waypoints "Real signal that goes from one value to the next, and rests where there is none"
  parameter Modelica.Units.SI.Time times[:] "When it is at its values, one after the other";
  parameter Real values[size(times, 1)] "Where it is at these times";
  Modelica.Blocks.Interfaces.RealOutput y "Signal"
    annotation (Placement(transformation(extent={{100,-10},{120,10}})));
protected
  Real s[size(times, 1)] "How much of the way to each value has been gone, from 0 to 1";
equation
  s[1] = 1;
  for i in 2:size(times, 1) loop
    s[i] = noEvent(
      if time < times[i - 1] then 0
      elseif time < times[i] then (time - times[i - 1])/(times[i] - times[i - 1])
      else 1);
  end for;
  y = values[1] + sum((values[i] - values[i - 1])*s[i]^2*(3 - 2*s[i]) for i in 2:size(times, 1));
  annotation (Icon(graphics={Rectangle(
          extent={{-100,100},{100,-100}},
          lineColor={0,0,127},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),Line(
          points={{-80,-60},{-40,-60},{-20,-40},{0,20},{20,40},{80,40}},
          color={0,0,127}),Text(
          extent={{-150,150},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end Waypoints;
