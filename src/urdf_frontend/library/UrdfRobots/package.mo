package UrdfRobots "Parts of robots that are described by URDF files"
  extends Modelica.Icons.Package;

  annotation (
    version="1.0.0",
    versionDate="2026-11-16",
    uses(Modelica(version="4.0.0")),
    preferredView="info",
    Documentation(info="<html>
<p>
The links, joints and contacts of this library follow the Unified Robot Description Format (URDF): each part takes one
record with the values of one URDF element, in the units and frames of URDF, and builds on
<code>Modelica.Mechanics.MultiBody</code>.
</p>
<p>
A robot made of these parts is an ordinary Modelica model. It can be drawn by hand, as in
<a href=\"modelica://UrdfRobots.Examples.Arm\">Examples.Arm</a>, or written from a URDF file by a program, which takes
the models of <a href=\"modelica://UrdfRobots.Links\">Links</a>, <a href=\"modelica://UrdfRobots.Joints\">Joints</a>
and <a href=\"modelica://UrdfRobots.Robots\">Robots</a> as its templates.
</p>
<p>
Start with the <a href=\"modelica://UrdfRobots.UsersGuide\">User's Guide</a>.
</p>
</html>"),
    Icon(graphics={
        Ellipse(
          extent={{-72,-74},{-28,-30}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-50,-52},{-14,34},{52,10}},
          color={64,64,64},
          thickness=2),
        Ellipse(
          extent={{-28,20},{0,48}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Line(
          points={{52,10},{70,24},{86,18}},
          color={64,64,64},
          thickness=1),
        Line(
          points={{52,10},{60,-10},{78,-14}},
          color={64,64,64},
          thickness=1),
        Ellipse(
          extent={{42,0},{62,20}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid)}));
end UrdfRobots;
