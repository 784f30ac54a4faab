within UrdfRobots.Generic;
function motion "Mass matrix and forces of a robot with a fixed base"
  extends Modelica.Icons.Function;
  input Integer nRevolute "Number of joints that turn";
  input Integer nPrismatic "Number of joints that slide";
  input Integer nFixed "Number of joints that do not move";
  input Integer parent[nRevolute + nPrismatic + nFixed] "Parent link of each joint; 0 is the base";
  input Integer order[nRevolute + nPrismatic + nFixed] "All joints, each after the joint above it";
  input Modelica.Units.SI.Position xyz[nRevolute + nPrismatic + nFixed,3] "Origins of the joints";
  input Modelica.Units.SI.Angle rpy[nRevolute + nPrismatic + nFixed,3] "Roll, pitch and yaw of the joints";
  input Real axis[nRevolute + nPrismatic + nFixed,3] "Axes of the joints";
  input Modelica.Units.SI.Mass mass[nRevolute + nPrismatic + nFixed] "Masses of the links";
  input Modelica.Units.SI.Position center[nRevolute + nPrismatic + nFixed,3] "Centres of mass";
  input Real inertia[nRevolute + nPrismatic + nFixed,6] "ixx, iyy, izz, ixy, ixz, iyz of the links";
  input Modelica.Units.SI.Acceleration g[3] "Gravity in the frame of the base";
  input Real q[nRevolute + nPrismatic] "Positions of the joints";
  input Real qd[nRevolute + nPrismatic] "Velocities of the joints";
  output Real A[nRevolute + nPrismatic,nRevolute + nPrismatic + 1] "[M, h] of M*qdd + h = tau";
protected
  Integer nJoints=nRevolute + nPrismatic + nFixed;
  Integer n=nRevolute + nPrismatic;
  Integer j "Joint, and the link below it";
  Integer p "Link above it; 1 for the base, to stay in range";
  Real position[nRevolute + nPrismatic + nFixed]=zeros(nRevolute + nPrismatic + nFixed) "q, and 0 for fixed joints";
  Real speed[nRevolute + nPrismatic + nFixed]=zeros(nRevolute + nPrismatic + nFixed) "qd, and 0 for fixed joints";
  Real R[nRevolute + nPrismatic + nFixed,3,3]=zeros(nRevolute + nPrismatic + nFixed, 3, 3) "Orientations of the links";
  Real w[nRevolute + nPrismatic + nFixed,3]=zeros(nRevolute + nPrismatic + nFixed, 3) "Angular velocities";
  Real z[nRevolute + nPrismatic + nFixed,3]=zeros(nRevolute + nPrismatic + nFixed, 3)
    "Angular accelerations for qdd = 0";
  Real a[nRevolute + nPrismatic + nFixed,3]=zeros(nRevolute + nPrismatic + nFixed, 3)
    "Accelerations less gravity for qdd = 0";
  Real Jw[nRevolute + nPrismatic + nFixed,3,nRevolute + nPrismatic + nFixed]=
    zeros(nRevolute + nPrismatic + nFixed, 3, nRevolute + nPrismatic + nFixed)
    "Angular velocities for each unit of qd";
  Real Jv[nRevolute + nPrismatic + nFixed,3,nRevolute + nPrismatic + nFixed]=
    zeros(nRevolute + nPrismatic + nFixed, 3, nRevolute + nPrismatic + nFixed)
    "Velocities of the link frames for each unit of qd";
  Real Rp[3,3]=identity(3) "R of the link above";
  Real wp[3]=zeros(3) "w of the link above";
  Real zp[3]=zeros(3) "z of the link above";
  Real ap[3]=zeros(3) "a of the link above";
  Real Jwp[3,nRevolute + nPrismatic + nFixed]=zeros(3, nRevolute + nPrismatic + nFixed) "Jw of the link above";
  Real Jvp[3,nRevolute + nPrismatic + nFixed]=zeros(3, nRevolute + nPrismatic + nFixed) "Jv of the link above";
  Real Ro[3,3]=identity(3) "Orientation of the joint";
  Real length=0 "Length of the axis";
  Real e[3]={1,0,0} "Unit vector of the axis in the frame of the joint";
  Real e0[3]={1,0,0} "The same in the frame of the base";
  Real dr[3]=zeros(3) "From the link above to this one";
  Real Rj[3,3]=identity(3) "R of this link";
  Real rc[3]=zeros(3) "From the frame of the link to its centre of mass";
  Real Jc[3,nRevolute + nPrismatic + nFixed]=zeros(3, nRevolute + nPrismatic + nFixed)
    "Velocity of the centre of mass for each unit of qd";
  Real I0[3,3]=zeros(3, 3) "Inertia tensor in the frame of the base";
  Real ac[3]=zeros(3) "Acceleration of the centre of mass less gravity for qdd = 0";
  Real moment[3]=zeros(3) "Change of angular momentum for qdd = 0";
algorithm
  A := zeros(n, n + 1);
  for i in 1:n loop
    position[i] := q[i];
    speed[i] := qd[i];
  end for;
  for step in 1:nJoints loop
    j := order[step];
    p := max(1, parent[j]);
    if parent[j] == 0 then
      Rp := identity(3);
      wp := zeros(3);
      zp := zeros(3);
      ap := -g;
      Jwp := zeros(3, nJoints);
      Jvp := zeros(3, nJoints);
    else
      Rp := R[p, :, :];
      wp := w[p, :];
      zp := z[p, :];
      ap := a[p, :];
      Jwp := Jw[p, :, :];
      Jvp := Jv[p, :, :];
    end if;
    // The frame of the joint, and the step from the link above to this link.
    Ro := Rp*UrdfRobots.Functions.rotationOfRpy(rpy[j, :]);
    length := sqrt(axis[j, 1]^2 + axis[j, 2]^2 + axis[j, 3]^2);
    if length > 0 then
      e := axis[j, :]/length;
    else
      e := {1.0,0.0,0.0};
    end if;
    e0 := Ro*e;
    dr := Rp*xyz[j, :];
    if j > nRevolute and j <= n then
      dr := dr + e0*position[j];
    end if;
    // Motion of the frame of the link.
    a[j, :] := ap + cross(zp, dr) + cross(wp, cross(wp, dr));
    w[j, :] := wp;
    z[j, :] := zp;
    for i in 1:n loop
      Jw[j, :, i] := Jwp[:, i];
      Jv[j, :, i] := Jvp[:, i] + cross(Jwp[:, i], dr);
    end for;
    if j <= nRevolute then
      R[j, :, :] := Ro*UrdfRobots.Functions.rotationAbout(e, position[j]);
      w[j, :] := wp + e0*speed[j];
      z[j, :] := zp + cross(wp, e0*speed[j]);
      Jw[j, :, j] := e0;
    elseif j <= n then
      R[j, :, :] := Ro;
      a[j, :] := a[j, :] + 2*cross(wp, e0*speed[j]);
      Jv[j, :, j] := e0;
    else
      R[j, :, :] := Ro;
    end if;
    // What the link adds to the mass matrix and to the forces.
    Rj := R[j, :, :];
    rc := Rj*center[j, :];
    for i in 1:n loop
      Jc[:, i] := Jv[j, :, i] + cross(Jw[j, :, i], rc);
    end for;
    I0 := Rj*{{inertia[j, 1],inertia[j, 4],inertia[j, 5]},
              {inertia[j, 4],inertia[j, 2],inertia[j, 6]},
              {inertia[j, 5],inertia[j, 6],inertia[j, 3]}}*transpose(Rj);
    ac := a[j, :] + cross(z[j, :], rc) + cross(w[j, :], cross(w[j, :], rc));
    moment := I0*z[j, :] + cross(w[j, :], I0*w[j, :]);
    for i in 1:n loop
      for k in 1:n loop
        A[i, k] := A[i, k] + mass[j]*(Jc[:, i]*Jc[:, k]) + Jw[j, :, i]*(I0*Jw[j, :, k]);
      end for;
      A[i, n + 1] := A[i, n + 1] + mass[j]*(Jc[:, i]*ac) + Jw[j, :, i]*moment;
    end for;
  end for;
  annotation (Documentation(info="<html>
<p>
Goes once through the tree, parents first, and sums up what each link adds, by the velocities of its centre of mass
for each unit of joint velocity (Kane's method). The fields of
<a href=\"modelica://UrdfRobots.Records.Robot\">Records.Robot</a> come one by one, because not every compiler takes a
record with arrays of variable size as an argument.
</p>
</html>"));
end motion;
