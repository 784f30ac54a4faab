within DynamicConstraints;
package Icons "Icons of this library"
  extends Modelica.Icons.IconsPackage;

  partial class Collector "Icon of a collector"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-100,-100},{100,100}},
          lineColor={64,64,64},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid,
          radius=20),
        Line(
          points={{-60,50},{0,0},{60,50}},
          color={200,0,0},
          pattern=LinePattern.Dash),
        Line(
          points={{-60,-50},{0,0},{60,-50}},
          color={200,0,0},
          pattern=LinePattern.Dash),
        Ellipse(
          extent={{-80,30},{-40,70}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{40,30},{80,70}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-80,-70},{-40,-30}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{40,-70},{80,-30}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{-16,-16},{16,16}},
          lineColor={64,64,64},
          fillColor={255,204,0},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-150,140},{150,104}},
          textColor={0,0,255},
          textString="%name")}));
  end Collector;

  partial class CollisionObject "Icon of a collision object"
    annotation (Icon(graphics={
        Line(
          points={{-100,0},{-60,0}},
          color={95,95,95},
          thickness=0.5),
        Ellipse(
          extent={{-60,-60},{60,60}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Sphere),
        Line(
          points={{66,44},{84,24},{90,0},{84,-24},{66,-44}},
          color={200,0,0},
          pattern=LinePattern.Dash),
        Text(
          extent={{-150,110},{150,74}},
          textColor={0,0,255},
          textString="%name")}));
  end CollisionObject;

  partial class ConstrainedObject "Icon of a constrained object"
    annotation (Icon(graphics={
        Line(
          points={{-100,0},{-50,0}},
          color={95,95,95},
          thickness=0.5),
        Ellipse(
          extent={{-50,-50},{50,50}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Sphere),
        Line(
          points={{50,0},{92,0}},
          color={200,0,0},
          pattern=LinePattern.Dash,
          arrow={Arrow.Filled,Arrow.Filled}),
        Text(
          extent={{-150,110},{150,74}},
          textColor={0,0,255},
          textString="%name")}));
  end ConstrainedObject;

  annotation (Documentation(info="<html>
<p>
Icons that the variants of an object share.
</p>
</html>"));
end Icons;
