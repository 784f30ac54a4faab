within UrdfRobots.Generic;
function coupling "Matrix from the speeds of the joints that follow no other to those of all"
  extends Modelica.Icons.Function;
  input Integer nJoints "Number of joints";
  input Integer n "Number of joints that move";
  input Integer nFollowers "Number of those that follow another one";
  input Integer leader[nJoints] "Joint that each joint follows; 0 if there is none";
  input Real multiplier[nJoints] "Factor on the position of that joint";
  output Real G[n,n - nFollowers] "Speeds of all joints for each unit of speed of one that follows no other";
protected
  Integer place[n]=fill(1, n) "Of each joint among those that follow no other";
  Integer k=0 "Number of those until now";
algorithm
  G := zeros(n, n - nFollowers);
  for i in 1:n loop
    if leader[i] == 0 then
      k := k + 1;
      place[i] := k;
      G[i, k] := 1;
    end if;
  end for;
  for i in 1:n loop
    if leader[i] > 0 then
      G[i, place[max(1, leader[i])]] := multiplier[i];
    end if;
  end for;
  annotation (Documentation(info="<html>
<p>
Column <em>k</em> is the motion of the robot with the <em>k</em>-th of the joints that follow no other: 1 for this joint,
and its multiplier for each joint that follows it.
</p>
</html>"));
end coupling;
