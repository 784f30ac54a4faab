model Model "Robots, holders, and tools that change hands"
  extends Modelica.Icons.Example;

  inner Modelica.Mechanics.MultiBody.World world(
    label2="z",
    n={0,0,-1},
    g=9.81,
    animateWorld=false,
    animateGravity=false) "World with gravity along -z, as in URDF"
    annotation (Placement(transformation(extent={{-190,120},{-170,140}})));
  inner DynamicConstraints.CollisionCollector collector "Who is where, and bound to whom"
    annotation (Placement(transformation(extent={{-150,120},{-130,140}})));
equation

  annotation (experiment(StopTime=10, Tolerance=1e-6), Diagram(coordinateSystem(extent={{-200,-200},{200,160}})));
end Model;
