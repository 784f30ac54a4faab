within FmiExamples.Templates;
model Signals "A model with inputs and outputs that somebody else has named"
  annotation (
    Documentation(info="<html>
<p>
Nothing but the icon: the variables come from a profile.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={64,64,64},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{-50,-30},{50,30}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-46,20},{46,-20}},
          textColor={64,64,64},
          textString="FMU"),
        Text(
          extent={{-150,140},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
end Signals;
