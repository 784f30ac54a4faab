within UrdfRobots;
package Functions "Functions of geometry and motion"
  extends Modelica.Icons.Package;

  function color "Colour of a URDF material as red, green and blue from 0 to 255"
    extends Modelica.Icons.Function;
    input Real rgba[4] "Red, green, blue and opacity, each from 0 to 1";
    output Integer rgb[3] "Red, green and blue, each from 0 to 255, rounded";
  algorithm
    for i in 1:3 loop
      rgb[i] := integer(floor(255*min(1, max(0, rgba[i])) + 0.5));
    end for;
    annotation (Documentation(info="<html>
<p>
Opacity is left out: the shapes of the Standard Library have none.
</p>
</html>"));
  end color;

  function inPlaneDirection "First direction of the plane with a given normal"
    extends Modelica.Icons.Function;
    input Real normal[3] "Normal of the plane, of any length but 0";
    output Real direction[3](each final unit="1") "Unit vector in the plane";
  protected
    Real e[3]={0,0,0} "Unit normal";
    Real start[3]={0,0,0} "Axis that is projected onto the plane";
    Real inPlane[3]={0,0,0} "Its projection";
  algorithm
    assert(normal*normal > 0, "The axis of a planar joint must not be {0,0,0}.");
    e := normal/sqrt(normal*normal);
    if abs(e[1]) > max(abs(e[2]), abs(e[3])) then
      start := {0,1,0};
    else
      start := {1,0,0};
    end if;
    inPlane := start - (start*e)*e;
    direction := inPlane/sqrt(inPlane*inPlane);
    annotation (Documentation(info="<html>
<p>
The x axis as the plane sees it, or the y axis if the normal is nearest to x. The result is never zero, whatever the
direction of the normal: the axis that is projected is at least 45 degrees away from it. Together with the normal it
makes a right-handed frame; for the normal {0,0,1} this is x, y, z.
</p>
</html>"));
  end inPlaneDirection;

  function rotationOfRpy "Rotation matrix of roll, pitch and yaw"
    extends Modelica.Icons.Function;
    input Modelica.Units.SI.Angle rpy[3] "Roll, pitch and yaw";
    output Real R[3,3](each final unit="1") "Matrix with v_parent = R*v_child";
  protected
    Real cr=cos(rpy[1]);
    Real sr=sin(rpy[1]);
    Real cp=cos(rpy[2]);
    Real sp=sin(rpy[2]);
    Real cy=cos(rpy[3]);
    Real sy=sin(rpy[3]);
  algorithm
    R := {{cy*cp,cy*sp*sr - sy*cr,cy*sp*cr + sy*sr},
          {sy*cp,sy*sp*sr + cy*cr,sy*sp*cr - cy*sr},
          {-sp,cp*sr,cp*cr}};
    annotation (Documentation(info="<html>
<p>
R<sub>z</sub>(yaw) R<sub>y</sub>(pitch) R<sub>x</sub>(roll), the convention of URDF.
</p>
</html>"));
  end rotationOfRpy;

  function rotationAbout "Rotation matrix of a turn about an axis"
    extends Modelica.Icons.Function;
    input Real e[3] "Unit vector of the axis";
    input Modelica.Units.SI.Angle phi "Angle";
    output Real R[3,3](each final unit="1") "Matrix with v_before = R*v_after";
  protected
    Real s=sin(phi);
    Real k=1 - cos(phi);
  algorithm
    R := {{1 - k*(e[2]^2 + e[3]^2),k*e[1]*e[2] - s*e[3],k*e[1]*e[3] + s*e[2]},
          {k*e[1]*e[2] + s*e[3],1 - k*(e[1]^2 + e[3]^2),k*e[2]*e[3] - s*e[1]},
          {k*e[1]*e[3] - s*e[2],k*e[2]*e[3] + s*e[1],1 - k*(e[1]^2 + e[2]^2)}};
  end rotationAbout;

  function groundForce "Force of the ground on one point of a body, along its normal"
    extends Modelica.Icons.Function;
    input Modelica.Units.SI.Position depth "How deep the point is in the ground; negative above it";
    input Modelica.Units.SI.Velocity v "Speed of the point away from the ground";
    input Modelica.Units.SI.TranslationalSpringConstant stiffness "Force for each metre of depth";
    input Modelica.Units.SI.TranslationalDampingConstant damping "Force for each m/s of sinking";
    input Modelica.Units.SI.Distance dampingDepth "Depth from which damping acts in full";
    output Modelica.Units.SI.Force f "Force on the body, upwards";
  algorithm
    if depth > 0 then
      f := max(0, stiffness*depth - damping*min(1, depth/dampingDepth)*v);
    else
      f := 0;
    end if;
    annotation (Documentation(info="<html>
<p>
A spring and a damper that only push. The damper sets in over <code>dampingDepth</code>, so the force is continuous
when the point touches down, and it never pulls.
</p>
</html>"));
  end groundForce;

  function find "Index of a name in a list"
    extends Modelica.Icons.Function;
    input String names[:] "Names to look through";
    input String name "Name to look for";
    output Integer index "Index of the first one that is equal; 0 if there is none";
  algorithm
    index := 0;
    for i in 1:size(names, 1) loop
      if index == 0 and names[i] == name then
        index := i;
      end if;
    end for;
  end find;

  annotation (Documentation(info="<html>
<p>
Functions that the models of this library share. The equations of motion of a whole robot are in
<a href=\"modelica://UrdfRobots.Generic.motion\">Generic.motion</a>.
</p>
</html>"));
end Functions;
