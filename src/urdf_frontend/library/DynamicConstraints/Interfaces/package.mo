within DynamicConstraints;
package Interfaces "Connectors and what the variants of an object share"
  extends Modelica.Icons.InterfacesPackage;
  annotation (Documentation(info="<html>
<p>
The connectors are signals: kinematics go from collision objects to constrained objects, reactions go back. All
vectors in them are resolved in the world frame.
</p>
</html>"));
end Interfaces;
