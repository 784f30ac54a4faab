within DynamicConstraints.Planar;
package Interfaces "Connectors of planar objects"
  extends Modelica.Icons.InterfacesPackage;

  connector Frame "Place and direction in the plane, with a force and a torque"
    Modelica.Units.SI.Position r[2] "Position {x, z}";
    Modelica.Units.SI.Angle phi "Angle, from x towards z";
    flow Modelica.Units.SI.Force f[2] "Force into the component";
    flow Modelica.Units.SI.Torque t "Torque into the component";
    annotation (
      defaultComponentName="frame_a",
      Icon(graphics={Rectangle(
            extent={{-60,-100},{60,100}},
            lineColor={95,95,95},
            fillColor={192,192,192},
            fillPattern=FillPattern.Solid)}),
      Diagram(graphics={Rectangle(
            extent={{-24,-40},{24,40}},
            lineColor={95,95,95},
            fillColor={192,192,192},
            fillPattern=FillPattern.Solid),Text(
            extent={{-160,90},{160,50}},
            textColor={95,95,95},
            textString="%name")}));
  end Frame;

  connector CollisionInput "What is known of a collision object, as inputs"
    input Modelica.Units.SI.Position r[2] "Position {x, z}";
    input Modelica.Units.SI.Velocity v[2] "Velocity";
    input Modelica.Units.SI.Acceleration a[2] "Acceleration";
    input Modelica.Units.SI.Angle phi "Angle, from x towards z";
    input Modelica.Units.SI.AngularVelocity w "Angular velocity";
    input Modelica.Units.SI.AngularAcceleration z "Angular acceleration";
    input DynamicConstraints.Types.Mode mode "When it binds";
    input DynamicConstraints.Types.Shape shape "Shape";
    input Modelica.Units.SI.Length radius "Radius of a sphere";
    input Modelica.Units.SI.Length length "Half of a rectangle's extent";
    input Boolean closed "= true, if it can bind";
    annotation (defaultComponentName="port", Icon(graphics={Rectangle(
            extent={{-100,-100},{100,100}},
            lineColor={200,0,0},
            fillColor={200,0,0},
            fillPattern=FillPattern.Solid)}));
  end CollisionInput;

  connector CollisionOutput "What is known of a collision object, as outputs"
    output Modelica.Units.SI.Position r[2] "Position {x, z}";
    output Modelica.Units.SI.Velocity v[2] "Velocity";
    output Modelica.Units.SI.Acceleration a[2] "Acceleration";
    output Modelica.Units.SI.Angle phi "Angle, from x towards z";
    output Modelica.Units.SI.AngularVelocity w "Angular velocity";
    output Modelica.Units.SI.AngularAcceleration z "Angular acceleration";
    output DynamicConstraints.Types.Mode mode "When it binds";
    output DynamicConstraints.Types.Shape shape "Shape";
    output Modelica.Units.SI.Length radius "Radius of a sphere";
    output Modelica.Units.SI.Length length "Half of a rectangle's extent";
    output Boolean closed "= true, if it can bind";
    annotation (defaultComponentName="port", Icon(graphics={Rectangle(
            extent={{-100,-100},{100,100}},
            lineColor={200,0,0},
            fillColor={255,255,255},
            fillPattern=FillPattern.Solid)}));
  end CollisionOutput;

  connector ReactionInput "What is known of a constrained object, as inputs"
    input Modelica.Units.SI.Force f[2] "Force on the partner";
    input Modelica.Units.SI.Torque t "Torque on the partner, about its origin";
    input Integer partner "ID of the partner; 0 if there is none";
    annotation (defaultComponentName="port", Icon(graphics={Rectangle(
            extent={{-100,-100},{100,100}},
            lineColor={0,128,255},
            fillColor={0,128,255},
            fillPattern=FillPattern.Solid)}));
  end ReactionInput;

  connector ReactionOutput "What is known of a constrained object, as outputs"
    output Modelica.Units.SI.Force f[2] "Force on the partner";
    output Modelica.Units.SI.Torque t "Torque on the partner, about its origin";
    output Integer partner "ID of the partner; 0 if there is none";
    annotation (defaultComponentName="port", Icon(graphics={Rectangle(
            extent={{-100,-100},{100,100}},
            lineColor={0,128,255},
            fillColor={255,255,255},
            fillPattern=FillPattern.Solid)}));
  end ReactionOutput;

  annotation (Documentation(info="<html>
<p>
The frame of planar parts, and the signals between objects and collector.
</p>
</html>"));
end Interfaces;
