within DynamicConstraints;
package Functions "Rules of contact and of binding"
  extends Modelica.Icons.FunctionsPackage;

  function gap "Distance between a sphere and a collision object; negative in contact"
    extends Modelica.Icons.Function;
    input DynamicConstraints.Types.Shape shape "Shape of the collision object";
    input Modelica.Units.SI.Length radius "Its radius, if it is a sphere";
    input Modelica.Units.SI.Length length "Half of its extent along x, if it is a rectangle";
    input Modelica.Units.SI.Length width "Half of its extent along y, if it is a rectangle";
    input Modelica.Units.SI.Position d[3] "Centre of the sphere in the frame of the collision object";
    input Modelica.Units.SI.Length sphereRadius "Radius of the sphere";
    output Modelica.Units.SI.Length gap "Continuous in d, below zero where the two touch";
  algorithm
    if shape == DynamicConstraints.Types.Shape.Rectangle then
      gap := max(max(abs(d[1]) - length, abs(d[2]) - width), abs(d[3]) - sphereRadius);
    else
      gap := sqrt(d*d) - radius - sphereRadius;
    end if;
    annotation (Documentation(info="<html>
<p>
Two spheres touch if their centres are nearer than the sum of their radii. A sphere touches a rectangle if its centre
is above or below the rectangle, nearer to its plane than the sphere's radius. Both sides count, and
<code>length</code> and <code>width</code> are measured from the centre, in both directions.
</p>
</html>"));
  end gap;

  function choosePartner "Collision object that a constrained object is bound to"
    extends Modelica.Icons.Function;
    input Integer before "The one it was bound to until now; 0 if none";
    input Boolean inReach[:] "Which collision objects it touches";
    input Boolean closed[:] "Which of them are closed";
    input DynamicConstraints.Types.Mode mode[:] "Their modes";
    input Boolean latch "= true, if it stays with the one it is bound to";
    output Integer partner "The one it is bound to from now on; 0 if none";
  protected
    Integer control=0 "Lowest one in reach that is closed and of mode Control";
    Integer passive=0 "Lowest one in reach of mode Passive";
    Integer held=max(before, 1) "An index that is valid in all branches";
    Boolean stays=false "= true, if nothing changes";
  algorithm
    for i in 1:size(inReach, 1) loop
      if inReach[i] and mode[i] == DynamicConstraints.Types.Mode.Passive and passive == 0 then
        passive := i;
      end if;
      if inReach[i] and mode[i] == DynamicConstraints.Types.Mode.Control and closed[i] and control == 0 then
        control := i;
      end if;
    end for;
    if latch and before > 0 then
      if mode[held] == DynamicConstraints.Types.Mode.Control then
        stays := closed[held];
      else
        stays := control == 0;
      end if;
    end if;
    partner := if stays then before elseif control > 0 then control else passive;
    annotation (Documentation(info="<html>
<ol>
<li>With <code>latch</code>, it stays with a partner of mode Control until that one opens, and with one of mode Passive
until one of mode Control takes it.</li>
<li>Otherwise a closed one of mode Control in reach goes before those of mode Passive.</li>
<li>Among several of the same mode the one with the lowest ID is taken.</li>
</ol>
</html>"));
  end choosePartner;

  function isWatching "= true, if a contact that begins would change the partner"
    extends Modelica.Icons.Function;
    input Integer partner "The collision object it is bound to; 0 if none";
    input Boolean closed[:] "Which collision objects are closed";
    input DynamicConstraints.Types.Mode mode[:] "Their modes";
    input Boolean latch "= true, if it stays with the one it is bound to";
    output Boolean watching "= true, if contact has to be looked for";
  protected
    Boolean control=false "= true, if one of mode Control is closed";
    Boolean passive=false "= true, if there is one of mode Passive";
    Integer held=max(partner, 1) "An index that is valid in all branches";
  algorithm
    for i in 1:size(closed, 1) loop
      if mode[i] == DynamicConstraints.Types.Mode.Passive then
        passive := true;
      elseif closed[i] then
        control := true;
      end if;
    end for;
    watching := if not latch then true elseif partner == 0 then control or passive else mode[held] ==
      DynamicConstraints.Types.Mode.Passive and control;
    annotation (Documentation(info="<html>
<p>
This follows from the rules of
<a href=\"modelica://DynamicConstraints.Functions.choosePartner\">choosePartner</a>. What is held by a latched partner of
mode Control can't be taken away, one of mode Passive keeps what it has while none of mode Control is closed, and what is
free needs somebody who can bind it. That a collision object closes or opens is an event anyway.
</p>
</html>"));
  end isWatching;

  function timeToLook "How long no contact can begin, as far as one can see"
    extends Modelica.Icons.Function;
    input Modelica.Units.SI.Length gap[:] "Distances from the collision objects";
    input Real r[:,:] "Positions of the collision objects";
    input Real v[:,:] "Their velocities";
    input Real a[:,:] "Their accelerations";
    input Real w[:,:] "Their angular velocities";
    input Real r_0[:] "Position of the constrained object";
    input Real v_0[:] "Its velocity";
    input Real a_0[:] "Its acceleration";
    input Modelica.Units.SI.Time shortest "The shortest time to wait";
    input Modelica.Units.SI.Time longest "The longest time to wait";
    output Modelica.Units.SI.Time wait "Half of the time in which the nearest could be reached, within these bounds";
  protected
    Real speed=0 "How fast one comes nearer at most until the longest time is over";
    Real turn=0 "How fast one turns";
  algorithm
    wait := longest;
    for i in 1:size(gap, 1) loop
      turn := 0;
      for k in 1:size(w, 2) loop
        turn := turn + abs(w[i, k]);
      end for;
      speed := 0;
      for k in 1:size(r_0, 1) loop
        speed := speed + abs(v[i, k] - v_0[k]) + longest*abs(a[i, k] - a_0[k]) + turn*abs(r[i, k] - r_0[k]);
      end for;
      if abs(gap[i]) < 2*speed*wait then
        wait := abs(gap[i])/(2*speed);
      end if;
    end for;
    wait := max(wait, shortest);
    annotation (Documentation(info="<html>
<p>
The collision object that could come first decides: with its speed against the constrained object, with what its
acceleration adds to that, and with its turning, by which a rectangle can hit as well.
</p>
</html>"));
  end timeToLook;

  function transition "How much of the constraint is in force, from 0 to 1"
    extends Modelica.Icons.Function;
    input Modelica.Units.SI.Time elapsed "Time since the contact began";
    input Modelica.Units.SI.Time duration "Duration of the transition";
    output Real s(unit="1") "0 at the beginning, 1 at the end, with slope 0 at both";
  algorithm
    s := sin(Modelica.Constants.pi/2*max(0, min(1, elapsed/duration)))^2;
  end transition;

  function orientationError "Vector that turns one orientation into another"
    extends Modelica.Icons.Function;
    input Real T[3,3] "Orientation of a frame: v_frame = T*v_world";
    input Real T_wanted[3,3] "Orientation that it shall have";
    output Real e[3](each final unit="1") "2*sin(angle/2) times the axis from wanted to actual, in the world frame";
  protected
    Real E[3,3]=T*transpose(T_wanted) "Rotation from the wanted to the actual orientation";
  algorithm
    e := transpose(T_wanted)*{E[2, 3] - E[3, 2],E[3, 1] - E[1, 3],E[1, 2] - E[2, 1]};
    e := e/sqrt(max(1 + E[1, 1] + E[2, 2] + E[3, 3], 1e-6));
    annotation (Documentation(info="<html>
<p>
For small angles this is the rotation vector. It grows up to an angle of 180 degrees, where the axis is not defined any
more and the result fades to zero.
</p>
</html>"));
  end orientationError;

  function turned "Vector of a plane, turned by an angle"
    extends Modelica.Icons.Function;
    input Real v[2] "Vector {x, z}";
    input Modelica.Units.SI.Angle phi "Angle, from x towards z";
    output Real u[2] "The vector after the turn";
  algorithm
    u := {cos(phi)*v[1] - sin(phi)*v[2],sin(phi)*v[1] + cos(phi)*v[2]};
  end turned;

  annotation (Documentation(info="<html>
<p>
The rules that all variants of the objects share.
</p>
</html>"));
end Functions;
