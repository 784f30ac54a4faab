within DynamicConstraints.Interfaces;
connector ReactionInput "What is known of a constrained object, as inputs"
  input Modelica.Units.SI.Force f_0[3] "Force on the partner";
  input Modelica.Units.SI.Torque t_0[3] "Torque on the partner, about its origin";
  input Integer partner "ID of the partner; 0 if there is none";
  annotation (
    defaultComponentName="port",
    Icon(graphics={Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={0,128,255},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid)}),
    Diagram(graphics={Rectangle(
          extent={{-40,-40},{40,40}},
          lineColor={0,128,255},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),Text(
          extent={{-160,90},{160,50}},
          textColor={0,128,255},
          textString="%name")}),
    Documentation(info="<html>
<p>
Reaction of a constrained object on its partner, in the world frame, where it is received.
</p>
</html>"));
end ReactionInput;
