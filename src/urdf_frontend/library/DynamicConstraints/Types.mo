within DynamicConstraints;
package Types "Kinds of collision objects"
  extends Modelica.Icons.TypesPackage;

  type Mode = enumeration(
      Control "Binds only while its input closed is true; goes before Passive",
      Passive "Binds whatever is in reach") "When a collision object binds";

  type Shape = enumeration(
      Sphere "Sphere about the origin of the frame",
      Rectangle "Rectangle in the plane z = 0 of the frame") "Shape of a collision object";

  annotation (Documentation(info="<html>
<p>
The mode decides when a collision object binds a constrained object, the shape where.
</p>
</html>"));
end Types;
