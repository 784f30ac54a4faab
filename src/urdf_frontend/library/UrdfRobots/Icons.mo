within UrdfRobots;
package Icons "Icons of this library"
  extends Modelica.Icons.IconsPackage;

  partial class Link "Icon of a link"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-90,-26},{70,26}},
          lineColor={64,64,64},
          radius=26,
          fillColor={0,140,130},
          fillPattern=FillPattern.HorizontalCylinder),
        Ellipse(
          extent={{36,-34},{100,34}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{54,-14},{82,14}},
          lineColor={64,64,64},
          fillColor={64,64,64},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-300,150},{300,50}},
          textColor={0,0,255},
          textString="%name")}));
  end Link;

  partial class Shape "Icon of a shape"
    annotation (Icon(graphics={
        Polygon(
          points={{-70,-60},{30,-60},{30,40},{-70,40},{-70,-60}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Polygon(
          points={{-70,40},{-40,70},{60,70},{30,40},{-70,40}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Polygon(
          points={{30,-60},{60,-30},{60,70},{30,40},{30,-60}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-150,120},{150,80}},
          textColor={0,0,255},
          textString="%name")}));
  end Shape;

  partial class Fixed "Icon of a fixed joint"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-100,-12},{-40,12}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{40,-12},{100,12}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{-40,-40},{40,40}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-40,-40},{40,40}},
          color={64,64,64}),
        Line(
          points={{-40,40},{40,-40}},
          color={64,64,64}),
        Text(
          extent={{-340,-110},{340,-210}},
          textColor={0,0,255},
          textString="%name")}));
  end Fixed;

  partial class Revolute "Icon of a revolute joint"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-100,-12},{-40,12}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{40,-12},{100,12}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-50,-50},{50,50}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-14,-14},{14,14}},
          lineColor={64,64,64},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-34,18},{-20,33},{0,39},{20,33},{34,18}},
          color={255,255,255},
          thickness=0.5,
          arrow={Arrow.Filled,Arrow.Filled}),
        Line(
          points={{-34,-24},{-46,-36}},
          color={64,64,64},
          thickness=1),
        Line(
          points={{34,-24},{46,-36}},
          color={64,64,64},
          thickness=1),
        Text(
          extent={{-340,-110},{340,-210}},
          textColor={0,0,255},
          textString="%name")}));
  end Revolute;

  partial class Continuous "Icon of a continuous joint"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-100,-12},{-40,12}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{40,-12},{100,12}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-50,-50},{50,50}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-14,-14},{14,14}},
          lineColor={64,64,64},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-34,-34},{34,34}},
          lineColor={255,255,255}),
        Polygon(
          points={{-8,40},{10,34},{-8,28},{-8,40}},
          lineColor={255,255,255},
          fillColor={255,255,255},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-340,-110},{340,-210}},
          textColor={0,0,255},
          textString="%name")}));
  end Continuous;

  partial class Prismatic "Icon of a prismatic joint"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-100,-40},{10,40}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{-60,-18},{100,18}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-30,0},{70,0}},
          color={64,64,64},
          thickness=0.5,
          arrow={Arrow.Filled,Arrow.Filled}),
        Text(
          extent={{-340,-110},{340,-210}},
          textColor={0,0,255},
          textString="%name")}));
  end Prismatic;

  partial class Planar "Icon of a planar joint"
    annotation (Icon(graphics={
        Polygon(
          points={{-90,-40},{40,-40},{90,40},{-40,40},{-90,-40}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{-16,-12},{16,12}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Line(
          points={{16,0},{64,0}},
          color={64,64,64},
          thickness=0.5,
          arrow={Arrow.None,Arrow.Filled}),
        Line(
          points={{4,12},{20,36}},
          color={64,64,64},
          thickness=0.5,
          arrow={Arrow.None,Arrow.Filled}),
        Text(
          extent={{-340,-110},{340,-210}},
          textColor={0,0,255},
          textString="%name")}));
  end Planar;

  partial class Floating "Icon of a floating joint"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-100,-16},{-50,16}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{50,-16},{100,16}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-40,0},{-20,16},{0,0},{20,-16},{40,0}},
          color={0,128,255},
          thickness=0.5),
        Line(
          points={{-40,24},{-20,40},{0,24},{20,8},{40,24}},
          color={0,128,255},
          thickness=0.5),
        Line(
          points={{-40,-24},{-20,-8},{0,-24},{20,-40},{40,-24}},
          color={0,128,255},
          thickness=0.5),
        Text(
          extent={{-340,-110},{340,-210}},
          textColor={0,0,255},
          textString="%name")}));
  end Floating;

  partial class Mimic "Icon of a joint that follows another one"
    annotation (Icon(graphics={
        Ellipse(
          extent={{-90,-50},{0,40}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{0,-30},{60,30}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-52,-12},{-38,2}},
          lineColor={64,64,64},
          fillColor={64,64,64},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{24,-6},{36,6}},
          lineColor={64,64,64},
          fillColor={64,64,64},
          fillPattern=FillPattern.Solid),
        Line(
          points={{60,0},{90,0}},
          color={64,64,64}),
        Line(
          points={{-100,0},{-90,0}},
          color={64,64,64}),
        Text(
          extent={{-260,200},{260,110}},
          textColor={0,0,255},
          textString="%name")}));
  end Mimic;

  partial class Friction "Icon of friction"
    annotation (Icon(graphics={
        Line(
          points={{-100,0},{-40,0}},
          color={64,64,64}),
        Line(
          points={{40,0},{100,0}},
          color={64,64,64}),
        Rectangle(
          extent={{-40,10},{40,40}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{-40,-40},{40,-10}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-36,0},{-24,6},{-12,-6},{0,6},{12,-6},{24,6},{36,0}},
          color={200,80,0},
          thickness=0.5),
        Text(
          extent={{-150,100},{150,60}},
          textColor={0,0,255},
          textString="%name")}));
  end Friction;

  partial class EndStop "Icon of end stops"
    annotation (Icon(graphics={
        Line(
          points={{-100,0},{100,0}},
          color={64,64,64}),
        Rectangle(
          extent={{-16,-14},{16,14}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-60,-40},{-60,40}},
          color={64,64,64},
          thickness=1),
        Line(
          points={{60,-40},{60,40}},
          color={64,64,64},
          thickness=1),
        Line(
          points={{-60,20},{-52,26},{-44,14},{-36,26},{-28,20}},
          color={64,64,64}),
        Line(
          points={{60,20},{52,26},{44,14},{36,26},{28,20}},
          color={64,64,64}),
        Text(
          extent={{-150,100},{150,60}},
          textColor={0,0,255},
          textString="%name")}));
  end EndStop;

  partial class Contact "Icon of a contact with the ground"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-100,-80},{100,-50}},
          lineColor={64,64,64},
          fillColor={150,120,90},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-45,-56},{45,34}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Line(
          points={{0,-56},{0,-4}},
          color={0,140,0},
          thickness=0.75,
          arrow={Arrow.None,Arrow.Filled}),
        Line(
          points={{0,-50},{-40,-50}},
          color={200,80,0},
          thickness=0.75,
          arrow={Arrow.None,Arrow.Filled}),
        Line(
          points={{-90,0},{-45,-11}},
          color={64,64,64}),
        Text(
          extent={{-150,100},{150,60}},
          textColor={0,0,255},
          textString="%name")}));
  end Contact;

  partial class StationaryRobot "Icon of a robot that is fixed to the ground"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-60,-90},{20,-64}},
          lineColor={64,64,64},
          fillColor={64,64,64},
          fillPattern=FillPattern.Solid),
        Polygon(
          points={{-40,-64},{0,-64},{-10,-30},{-30,-30},{-40,-64}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-20,-30},{10,36},{66,16}},
          color={0,140,130},
          thickness=4),
        Ellipse(
          extent={{-32,-42},{-8,-18}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-2,24},{22,48}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Line(
          points={{66,16},{84,28},{94,22}},
          color={64,64,64},
          thickness=1),
        Line(
          points={{66,16},{72,-4},{86,-6}},
          color={64,64,64},
          thickness=1),
        Ellipse(
          extent={{58,8},{74,24}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-150,150},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
  end StationaryRobot;

  partial class MobileRobot "Icon of a robot that moves about"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-70,-60},{70,-20}},
          lineColor={64,64,64},
          radius=10,
          fillColor={0,140,130},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-60,-90},{-20,-50}},
          lineColor={64,64,64},
          fillColor={64,64,64},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{20,-90},{60,-50}},
          lineColor={64,64,64},
          fillColor={64,64,64},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{-46,-76},{-34,-64}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{34,-76},{46,-64}},
          lineColor={64,64,64},
          fillColor={232,232,232},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-20,-20},{0,34},{50,20}},
          color={0,140,130},
          thickness=3),
        Ellipse(
          extent={{-10,24},{10,44}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{42,12},{58,28}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-96,-92},{96,-92}},
          color={64,64,64}),
        Text(
          extent={{-150,150},{150,110}},
          textColor={0,0,255},
          textString="%name")}));
  end MobileRobot;

  partial class Module "Icon of a module that robots are put together from"
    annotation (Icon(graphics={
        Rectangle(
          extent={{-70,-40},{70,40}},
          lineColor={64,64,64},
          radius=10,
          fillColor={0,140,130},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{-90,-50},{-70,50}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Rectangle(
          extent={{70,-50},{90,50}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Text(
          extent={{-150,-60},{150,-100}},
          textColor={0,0,255},
          textString="%name")}));
  end Module;

  annotation (Documentation(info="<html>
<p>
Drawings that the models of this library, and models made from them, extend.
</p>
</html>"));
end Icons;
