package DynamicConstraints "Objects that are bound to one another and let go while a simulation runs"
  extends Modelica.Icons.Package;

  annotation (
    version="1.0.0",
    versionDate="2026-11-16",
    uses(Modelica(version="4.1.0")),
    preferredView="info",
    Documentation(info="<html>
<p>
A tool that goes from a holder to a robot and from there to another holder, a stage that leaves its rocket, a part that
falls onto a table: systems whose structure changes in a limited way. In this library nobody says in advance who is
bound to whom. <a href=\"modelica://DynamicConstraints.ConstrainedObject\">Constrained objects</a> find the
<a href=\"modelica://DynamicConstraints.CollisionObject\">collision object</a> that they touch, are bound to it by a
force and a torque, and are free again when it opens.
</p>
<p>
Start with the <a href=\"modelica://DynamicConstraints.UsersGuide\">User's Guide</a>, or with
<a href=\"modelica://DynamicConstraints.Examples.FallingObject\">Examples.FallingObject</a>.
</p>
</html>"),
    Icon(graphics={
        Ellipse(
          extent={{-76,-40},{-16,20}},
          lineColor={64,64,64},
          fillColor={0,128,255},
          fillPattern=FillPattern.Solid),
        Ellipse(
          extent={{16,-40},{76,20}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.Solid),
        Line(
          points={{-16,-10},{16,-10}},
          color={200,0,0},
          pattern=LinePattern.Dash,
          thickness=1)}));
end DynamicConstraints;
