within UrdfRobots.Generic;
function coupled "Values of all joints from those of the joints that follow no other"
  extends Modelica.Icons.Function;
  input Integer nJoints "Number of joints";
  input Integer n "Number of joints that move";
  input Integer leader[nJoints] "Joint that each joint follows; 0 if there is none";
  input Real multiplier[nJoints] "Factor on the value of that joint";
  input Real offset[nJoints] "Value of the follower where that joint is at 0";
  input Real q[n] "Values of the joints that move; those of joints that follow are of no account";
  output Real r[n] "Values of all of them";
algorithm
  r := q;
  for i in 1:n loop
    if leader[i] > 0 then
      r[i] := multiplier[i]*q[max(1, leader[i])] + offset[i];
    end if;
  end for;
  annotation (Documentation(info="<html>
<p>
Positions, or with no <code>offset</code> velocities. It gives the joints that follow others start values that fit.
</p>
</html>"));
end coupled;
