within UrdfRobots.Examples;
package GenericArm "A robot of a record"
  extends Modelica.Icons.ExamplesPackage;

  record Params "Two joints that turn, one that slides, one that is fixed"
    extends UrdfRobots.Records.Robot(
      name="generic_arm",
      nRevolute=2,
      nPrismatic=1,
      nFixed=1,
      parent={0,4,1,1},
      order={1,4,2,3},
      xyz={{0,0,0.1},{0.2,0,0},{0.4,0,0},{0.05,0.02,0.2}},
      rpy={{0.3,0,0},{0,0,0.7},{0,0.5,0},{0.2,-0.4,0.6}},
      axis={{0,0,1},{0,0.6,0.8},{1,0,0},{1,0,0}},
      damping={0.3,0.05,2,0},
      mass={2,0.4,1.5,0.8},
      center={{0.1,0.02,0.1},{0.05,0,0.02},{0.2,0,0.03},{0.1,0.02,0}},
      inertia={{0.02,0.03,0.025,0.001,-0.002,0.0015},
               {0.001,0.0015,0.0012,0.0001,0,0},
               {0.004,0.03,0.031,0.0005,0.0002,-0.0003},
               {0.002,0.006,0.0065,0,0,0}});
    constant Integer turn=1 "Index of the joint at the base, and of the link below it";
    constant Integer wrist=2 "Index of the joint at the end";
    constant Integer slide=3 "Index of the joint that slides";
    constant Integer bracket=4 "Index of the fixed joint";
  end Params;

  model ByEquations "The robot by its equations of motion"
    extends Modelica.Icons.Example;
    UrdfRobots.Generic.Robot robot(redeclare parameter Params robotParams) "The robot"
      annotation (Placement(transformation(extent={{-20,-20},{20,20}})));
    annotation (experiment(StopTime=1, Tolerance=1e-8), Documentation(info="<html>
<p>
After 1 s the joints are near -0.8718 rad, 2.2423 rad and 1.9995 m.
</p>
</html>"));
  end ByEquations;

  model ByParts "The same robot of MultiBody parts"
    extends Modelica.Icons.Example;
    inner Modelica.Mechanics.MultiBody.World world(
      label2="z",
      n={0,0,-1},
      g=9.81,
      animateWorld=false,
      animateGravity=false) "World with gravity along -z"
      annotation (Placement(transformation(extent={{-80,-10},{-60,10}})));
    UrdfRobots.Generic.MultiBodyRobot robot(redeclare parameter Params robotParams) "The robot"
      annotation (Placement(transformation(extent={{-20,-20},{20,20}})));
  equation
    connect(world.frame_b, robot.frame_a) annotation (Line(
        points={{-60,0},{-20,0}},
        color={95,95,95},
        thickness=0.5));
    annotation (experiment(StopTime=1, Tolerance=1e-8), Documentation(info="<html>
<p>
The joints move as in <a href=\"modelica://UrdfRobots.Examples.GenericArm.ByEquations\">ByEquations</a>.
</p>
</html>"));
  end ByParts;

  annotation (Documentation(info="<html>
<p>
<code>Params</code> holds the whole robot. Its constants name the joints, so that a model can write
<code>robot.q[robot.robotParams.wrist]</code>.
</p>
</html>"));
end GenericArm;
