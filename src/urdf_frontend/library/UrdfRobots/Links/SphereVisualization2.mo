within UrdfRobots.Links;
model SphereVisualization2 "Sphere of DLR Visualization 2 at a place of its frame"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
  extends UrdfRobots.Icons.Shape;

  parameter Modelica.Units.SI.Position r[3]={0,0,0} "Centre of the sphere in frame_a";
  parameter Modelica.Units.SI.Radius radius=0 "Radius of the sphere";
  parameter Integer color[3]={128,128,128} "Red, green and blue, each from 0 to 255";
  parameter Real transparency=0 "0 for opaque, 1 for invisible";

  Modelica.Mechanics.MultiBody.Parts.FixedTranslation translation(r=r, animation=false) "Place of the sphere"
    annotation (Placement(transformation(extent={{-60,-10},{-40,10}})));
  Visualization2.Shapes.Primitives.Sphere sphere(
    radius=radius,
    color=color,
    transparency=transparency) "The sphere"
    annotation (Placement(transformation(extent={{0,-10},{20,10}})));
equation
  connect(frame_a, translation.frame_a) annotation (Line(
      points={{-100,0},{-60,0}},
      color={95,95,95},
      thickness=0.5));
  connect(translation.frame_b, sphere.frame_a) annotation (Line(
      points={{-40,0},{0,0}},
      color={95,95,95},
      thickness=0.5));
  annotation (Documentation(info="<html>
<p>
The ends of a capsule in <a href=\"modelica://UrdfRobots.Links.LinkVisualization2\">LinkVisualization2</a>.
</p>
</html>"));
end SphereVisualization2;
