within UrdfRobots.Links;
model LinkVisualization2 "Link with shapes of DLR Visualization 2"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
  extends UrdfRobots.Icons.Link;

  parameter UrdfRobots.Records.Link linkParams "Values of the link"
    annotation (Dialog(group="URDF"));
  parameter Boolean showCollision=false "= true, if the collision element shall be shown"
    annotation (Dialog(tab="Animation"));

  Modelica.Mechanics.MultiBody.Parts.FixedRotation trafoInertial(
    r=linkParams.inertial.origin.xyz,
    rotationType=Modelica.Mechanics.MultiBody.Types.RotationTypes.PlanarRotationSequence,
    sequence={3,2,1},
    angles=Modelica.Units.Conversions.to_deg({
      linkParams.inertial.origin.rpy[3],
      linkParams.inertial.origin.rpy[2],
      linkParams.inertial.origin.rpy[1]}),
    animation=false) "Frame of the mass properties"
    annotation (Placement(transformation(extent={{-60,-10},{-40,10}})));
  Modelica.Mechanics.MultiBody.Parts.Body body(
    r_CM={0,0,0},
    m=linkParams.inertial.mass,
    I_11=linkParams.inertial.inertia.ixx,
    I_22=linkParams.inertial.inertia.iyy,
    I_33=linkParams.inertial.inertia.izz,
    I_21=linkParams.inertial.inertia.ixy,
    I_31=linkParams.inertial.inertia.ixz,
    I_32=linkParams.inertial.inertia.iyz,
    animation=false) "Mass and inertia"
    annotation (Placement(transformation(extent={{0,-10},{20,10}})));
  Modelica.Mechanics.MultiBody.Parts.FixedRotation trafoVisual(
    r=linkParams.visual.origin.xyz,
    rotationType=Modelica.Mechanics.MultiBody.Types.RotationTypes.PlanarRotationSequence,
    sequence={3,2,1},
    angles=Modelica.Units.Conversions.to_deg({
      linkParams.visual.origin.rpy[3],
      linkParams.visual.origin.rpy[2],
      linkParams.visual.origin.rpy[1]}),
    animation=false) "Frame of the visual element"
    annotation (Placement(transformation(extent={{-60,130},{-40,150}})));
  Visualization2.Shapes.Primitives.Cube visualBox(
    length=linkParams.visual.geometry.size[1],
    width=linkParams.visual.geometry.size[2],
    height=linkParams.visual.geometry.size[3],
    color=UrdfRobots.Functions.color(linkParams.visual.material.rgba),
    transparency=1 - linkParams.visual.material.rgba[4]) "Visual element that is a box"
    annotation (Placement(transformation(extent={{0,165},{20,185}})));
  Visualization2.Shapes.Primitives.Cylinder visualCylinder(
    length=linkParams.visual.geometry.length,
    radius=linkParams.visual.geometry.radius,
    n={0,1,0},
    angle=90,
    color=UrdfRobots.Functions.color(linkParams.visual.material.rgba),
    transparency=1 - linkParams.visual.material.rgba[4]) "Visual element that is a cylinder"
    annotation (Placement(transformation(extent={{0,130},{20,150}})));
  Visualization2.Shapes.Primitives.Sphere visualSphere(
    radius=linkParams.visual.geometry.radius,
    color=UrdfRobots.Functions.color(linkParams.visual.material.rgba),
    transparency=1 - linkParams.visual.material.rgba[4]) "Visual element that is a sphere"
    annotation (Placement(transformation(extent={{0,95},{20,115}})));
  Visualization2.Shapes.Primitives.Cylinder visualCapsule(
    length=linkParams.visual.geometry.length,
    radius=linkParams.visual.geometry.radius,
    n={0,1,0},
    angle=90,
    color=UrdfRobots.Functions.color(linkParams.visual.material.rgba),
    transparency=1 - linkParams.visual.material.rgba[4]) "Visual element that is a capsule: its middle"
    annotation (Placement(transformation(extent={{40,165},{60,185}})));
  UrdfRobots.Links.SphereVisualization2 visualCapsuleEnd1(
    radius=linkParams.visual.geometry.radius,
    r={0,0,-linkParams.visual.geometry.length/2},
    color=UrdfRobots.Functions.color(linkParams.visual.material.rgba),
    transparency=1 - linkParams.visual.material.rgba[4]) "Visual element that is a capsule: its lower end"
    annotation (Placement(transformation(extent={{40,130},{60,150}})));
  UrdfRobots.Links.SphereVisualization2 visualCapsuleEnd2(
    radius=linkParams.visual.geometry.radius,
    r={0,0,linkParams.visual.geometry.length/2},
    color=UrdfRobots.Functions.color(linkParams.visual.material.rgba),
    transparency=1 - linkParams.visual.material.rgba[4]) "Visual element that is a capsule: its upper end"
    annotation (Placement(transformation(extent={{40,95},{60,115}})));
  Visualization2.Shapes.Files.CADFile visualMesh(
    filename=Modelica.Utilities.Files.loadResource(linkParams.visual.geometry.filename),
    scale=linkParams.visual.geometry.scale,
    overwriteColor=true,
    color=UrdfRobots.Functions.color(linkParams.visual.material.rgba),
    transparency=1 - linkParams.visual.material.rgba[4]) "Visual element that is a mesh"
    annotation (Placement(transformation(extent={{0,60},{20,80}})));
  Modelica.Mechanics.MultiBody.Parts.FixedRotation trafoCollision(
    r=linkParams.collision.origin.xyz,
    rotationType=Modelica.Mechanics.MultiBody.Types.RotationTypes.PlanarRotationSequence,
    sequence={3,2,1},
    angles=Modelica.Units.Conversions.to_deg({
      linkParams.collision.origin.rpy[3],
      linkParams.collision.origin.rpy[2],
      linkParams.collision.origin.rpy[1]}),
    animation=false) "Frame of the collision element"
    annotation (Placement(transformation(extent={{-60,-115},{-40,-95}})));
  Visualization2.Shapes.Primitives.Cube collisionBox(
    length=linkParams.collision.geometry.size[1],
    width=linkParams.collision.geometry.size[2],
    height=linkParams.collision.geometry.size[3],
    color={255,0,255},
    transparency=if showCollision then 0.5 else 1) "Collision element that is a box"
    annotation (Placement(transformation(extent={{0,-80},{20,-60}})));
  Visualization2.Shapes.Primitives.Cylinder collisionCylinder(
    length=linkParams.collision.geometry.length,
    radius=linkParams.collision.geometry.radius,
    n={0,1,0},
    angle=90,
    color={255,0,255},
    transparency=if showCollision then 0.5 else 1) "Collision element that is a cylinder"
    annotation (Placement(transformation(extent={{0,-115},{20,-95}})));
  Visualization2.Shapes.Primitives.Sphere collisionSphere(
    radius=linkParams.collision.geometry.radius,
    color={255,0,255},
    transparency=if showCollision then 0.5 else 1) "Collision element that is a sphere"
    annotation (Placement(transformation(extent={{0,-150},{20,-130}})));
  Visualization2.Shapes.Primitives.Cylinder collisionCapsule(
    length=linkParams.collision.geometry.length,
    radius=linkParams.collision.geometry.radius,
    n={0,1,0},
    angle=90,
    color={255,0,255},
    transparency=if showCollision then 0.5 else 1) "Collision element that is a capsule: its middle"
    annotation (Placement(transformation(extent={{40,-80},{60,-60}})));
  UrdfRobots.Links.SphereVisualization2 collisionCapsuleEnd1(
    radius=linkParams.collision.geometry.radius,
    r={0,0,-linkParams.collision.geometry.length/2},
    color={255,0,255},
    transparency=if showCollision then 0.5 else 1) "Collision element that is a capsule: its lower end"
    annotation (Placement(transformation(extent={{40,-115},{60,-95}})));
  UrdfRobots.Links.SphereVisualization2 collisionCapsuleEnd2(
    radius=linkParams.collision.geometry.radius,
    r={0,0,linkParams.collision.geometry.length/2},
    color={255,0,255},
    transparency=if showCollision then 0.5 else 1) "Collision element that is a capsule: its upper end"
    annotation (Placement(transformation(extent={{40,-150},{60,-130}})));
  Visualization2.Shapes.Files.CADFile collisionMesh(
    filename=Modelica.Utilities.Files.loadResource(linkParams.collision.geometry.filename),
    scale=linkParams.collision.geometry.scale,
    overwriteColor=true,
    color={255,0,255},
    transparency=if showCollision then 0.5 else 1) "Collision element that is a mesh"
    annotation (Placement(transformation(extent={{0,-185},{20,-165}})));
equation
  connect(frame_a, trafoInertial.frame_a) annotation (Line(
      points={{-100,0},{-60,0}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoInertial.frame_b, body.frame_a) annotation (Line(
      points={{-40,0},{0,0}},
      color={95,95,95},
      thickness=0.5));
  connect(frame_a, trafoVisual.frame_a) annotation (Line(
      points={{-100,0},{-80,0},{-80,140},{-60,140}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoVisual.frame_b, visualBox.frame_a) annotation (Line(
      points={{-40,140},{-20,140},{-20,175},{0,175}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoVisual.frame_b, visualCylinder.frame_a) annotation (Line(
      points={{-40,140},{0,140}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoVisual.frame_b, visualSphere.frame_a) annotation (Line(
      points={{-40,140},{-20,140},{-20,105},{0,105}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoVisual.frame_b, visualCapsule.frame_a) annotation (Line(
      points={{-40,140},{-20,140},{-20,190},{30,190},{30,175},{40,175}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoVisual.frame_b, visualCapsuleEnd1.frame_a) annotation (Line(
      points={{-40,140},{-20,140},{-20,155},{30,155},{30,140},{40,140}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoVisual.frame_b, visualCapsuleEnd2.frame_a) annotation (Line(
      points={{-40,140},{-20,140},{-20,120},{30,120},{30,105},{40,105}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoVisual.frame_b, visualMesh.frame_a) annotation (Line(
      points={{-40,140},{-20,140},{-20,70},{0,70}},
      color={95,95,95},
      thickness=0.5));
  connect(frame_a, trafoCollision.frame_a) annotation (Line(
      points={{-100,0},{-80,0},{-80,-105},{-60,-105}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoCollision.frame_b, collisionBox.frame_a) annotation (Line(
      points={{-40,-105},{-20,-105},{-20,-70},{0,-70}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoCollision.frame_b, collisionCylinder.frame_a) annotation (Line(
      points={{-40,-105},{0,-105}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoCollision.frame_b, collisionSphere.frame_a) annotation (Line(
      points={{-40,-105},{-20,-105},{-20,-140},{0,-140}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoCollision.frame_b, collisionCapsule.frame_a) annotation (Line(
      points={{-40,-105},{-20,-105},{-20,-55},{30,-55},{30,-70},{40,-70}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoCollision.frame_b, collisionCapsuleEnd1.frame_a) annotation (Line(
      points={{-40,-105},{-20,-105},{-20,-90},{30,-90},{30,-105},{40,-105}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoCollision.frame_b, collisionCapsuleEnd2.frame_a) annotation (Line(
      points={{-40,-105},{-20,-105},{-20,-125},{30,-125},{30,-140},{40,-140}},
      color={95,95,95},
      thickness=0.5));
  connect(trafoCollision.frame_b, collisionMesh.frame_a) annotation (Line(
      points={{-40,-105},{-20,-105},{-20,-175},{0,-175}},
      color={95,95,95},
      thickness=0.5));
  annotation (
    Diagram(coordinateSystem(extent={{-100,-200},{100,200}})),
    Documentation(info="<html>
<p>
A rigid body with its mass, and its shapes as pictures. <code>frame_a</code> is the frame of the link in URDF: the
frame of the joint above it. The frames of the mass properties, of the visual and of the collision element hang on it
side by side. The body stands in the frame of the mass properties, with its centre of mass in the origin.
</p>
<p>
The pictures are those of the library DLR Visualization 2, which has to be loaded. Apart from the shapes, the model is
the same as <a href=\"modelica://UrdfRobots.Links.Link\">Link</a>.
</p>
<p>
There is a component for every kind of shape, and all of them are shown. Keep the one that the link has, and delete
the others with their connections.
</p>
</html>"));
end LinkVisualization2;
