within UrdfRobots.Examples;
package Arm "An arm with two joints and a gripper"
  extends Modelica.Icons.ExamplesPackage;

  package Links "Links of the arm"
    extends Modelica.Icons.Package;

    record BaseParams "Values of the base"
      extends UrdfRobots.Records.Link(
        name="base",
        inertial=UrdfRobots.Records.Inertial(
          origin=UrdfRobots.Records.Origin(xyz={0,0,0.05}),
          mass=8,
          inertia=UrdfRobots.Records.Inertia(
            ixx=0.05,
            iyy=0.05,
            izz=0.08)),
        visual=UrdfRobots.Records.Visual(
          origin=UrdfRobots.Records.Origin(xyz={0,0,0.05}),
          geometry=UrdfRobots.Records.Geometry(
            geometryType=UrdfRobots.Types.GeometryType.cylinder,
            radius=0.12,
            length=0.1),
          material=UrdfRobots.Records.Material(name="grey", rgba={0.6,0.6,0.6,1})));
    end BaseParams;

    model Base "Base"
      extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
      extends UrdfRobots.Icons.Link;

      parameter BaseParams linkParams "Values of the link"
        annotation (Dialog(group="URDF"));

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
      Modelica.Mechanics.MultiBody.Visualizers.FixedShape visualCylinder(
        shapeType="cylinder",
        r_shape={0,0,-linkParams.visual.geometry.length/2},
        lengthDirection={0,0,1},
        widthDirection={1,0,0},
        length=linkParams.visual.geometry.length,
        width=2*linkParams.visual.geometry.radius,
        height=2*linkParams.visual.geometry.radius,
        color=UrdfRobots.Functions.color(linkParams.visual.material.rgba)) "Visual element that is a cylinder"
        annotation (Placement(transformation(extent={{0,130},{20,150}})));
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
      connect(trafoVisual.frame_b, visualCylinder.frame_a) annotation (Line(
          points={{-40,140},{0,140}},
          color={95,95,95},
          thickness=0.5));
      annotation (
        Diagram(coordinateSystem(extent={{-100,-200},{100,200}})));
    end Base;

    record UpperArmParams "Values of the upper arm"
      extends UrdfRobots.Records.Link(
        name="upperArm",
        inertial=UrdfRobots.Records.Inertial(
          origin=UrdfRobots.Records.Origin(xyz={0.2,0,0}),
          mass=3,
          inertia=UrdfRobots.Records.Inertia(
            ixx=0.004,
            iyy=0.042,
            izz=0.042)),
        visual=UrdfRobots.Records.Visual(
          origin=UrdfRobots.Records.Origin(xyz={0.2,0,0}, rpy={0,1.5707963267948966,0}),
          geometry=UrdfRobots.Records.Geometry(
            geometryType=UrdfRobots.Types.GeometryType.capsule,
            radius=0.04,
            length=0.32),
          material=UrdfRobots.Records.Material(name="blue", rgba={0.1,0.3,0.8,1})));
    end UpperArmParams;

    model UpperArm "Upper arm"
      extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
      extends UrdfRobots.Icons.Link;

      parameter UpperArmParams linkParams "Values of the link"
        annotation (Dialog(group="URDF"));

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
      Modelica.Mechanics.MultiBody.Visualizers.FixedShape visualCapsule(
        shapeType="cylinder",
        r_shape={0,0,-linkParams.visual.geometry.length/2},
        lengthDirection={0,0,1},
        widthDirection={1,0,0},
        length=linkParams.visual.geometry.length,
        width=2*linkParams.visual.geometry.radius,
        height=2*linkParams.visual.geometry.radius,
        color=UrdfRobots.Functions.color(linkParams.visual.material.rgba))
          "Visual element that is a capsule: its middle"
        annotation (Placement(transformation(extent={{40,165},{60,185}})));
      Modelica.Mechanics.MultiBody.Visualizers.FixedShape visualCapsuleEnd1(
        shapeType="sphere",
        r_shape={-linkParams.visual.geometry.radius,0,-linkParams.visual.geometry.length/2},
        length=2*linkParams.visual.geometry.radius,
        width=2*linkParams.visual.geometry.radius,
        height=2*linkParams.visual.geometry.radius,
        color=UrdfRobots.Functions.color(linkParams.visual.material.rgba))
          "Visual element that is a capsule: its lower end"
        annotation (Placement(transformation(extent={{40,130},{60,150}})));
      Modelica.Mechanics.MultiBody.Visualizers.FixedShape visualCapsuleEnd2(
        shapeType="sphere",
        r_shape={-linkParams.visual.geometry.radius,0,linkParams.visual.geometry.length/2},
        length=2*linkParams.visual.geometry.radius,
        width=2*linkParams.visual.geometry.radius,
        height=2*linkParams.visual.geometry.radius,
        color=UrdfRobots.Functions.color(linkParams.visual.material.rgba))
          "Visual element that is a capsule: its upper end"
        annotation (Placement(transformation(extent={{40,95},{60,115}})));
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
      annotation (
        Diagram(coordinateSystem(extent={{-100,-200},{100,200}})));
    end UpperArm;

    record ForeArmParams "Values of the forearm"
      extends UrdfRobots.Records.Link(
        name="foreArm",
        inertial=UrdfRobots.Records.Inertial(
          origin=UrdfRobots.Records.Origin(xyz={0.15,0,0}),
          mass=2,
          inertia=UrdfRobots.Records.Inertia(
            ixx=0.002,
            iyy=0.016,
            izz=0.016)),
        visual=UrdfRobots.Records.Visual(
          origin=UrdfRobots.Records.Origin(xyz={0.15,0,0}),
          geometry=UrdfRobots.Records.Geometry(
            geometryType=UrdfRobots.Types.GeometryType.box,
            size={0.3,0.06,0.06}),
          material=UrdfRobots.Records.Material(name="orange", rgba={0.9,0.5,0.1,1})));
    end ForeArmParams;

    model ForeArm "Forearm"
      extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
      extends UrdfRobots.Icons.Link;

      parameter ForeArmParams linkParams "Values of the link"
        annotation (Dialog(group="URDF"));

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
      Modelica.Mechanics.MultiBody.Visualizers.FixedShape visualBox(
        shapeType="box",
        r_shape={-linkParams.visual.geometry.size[1]/2,0,0},
        length=linkParams.visual.geometry.size[1],
        width=linkParams.visual.geometry.size[2],
        height=linkParams.visual.geometry.size[3],
        color=UrdfRobots.Functions.color(linkParams.visual.material.rgba)) "Visual element that is a box"
        annotation (Placement(transformation(extent={{0,165},{20,185}})));
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
      annotation (
        Diagram(coordinateSystem(extent={{-100,-200},{100,200}})));
    end ForeArm;

    record LeftFingerParams "Values of the left finger"
      extends UrdfRobots.Records.Link(
        name="leftFinger",
        inertial=UrdfRobots.Records.Inertial(
          origin=UrdfRobots.Records.Origin(xyz={0.04,0,0}),
          mass=0.1,
          inertia=UrdfRobots.Records.Inertia(
            ixx=2e-5,
            iyy=6e-5,
            izz=6e-5)),
        visual=UrdfRobots.Records.Visual(
          origin=UrdfRobots.Records.Origin(xyz={0.04,0,0}),
          geometry=UrdfRobots.Records.Geometry(
            geometryType=UrdfRobots.Types.GeometryType.box,
            size={0.08,0.01,0.03}),
          material=UrdfRobots.Records.Material(name="grey", rgba={0.6,0.6,0.6,1})));
    end LeftFingerParams;

    model LeftFinger "Left finger"
      extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
      extends UrdfRobots.Icons.Link;

      parameter LeftFingerParams linkParams "Values of the link"
        annotation (Dialog(group="URDF"));

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
      Modelica.Mechanics.MultiBody.Visualizers.FixedShape visualBox(
        shapeType="box",
        r_shape={-linkParams.visual.geometry.size[1]/2,0,0},
        length=linkParams.visual.geometry.size[1],
        width=linkParams.visual.geometry.size[2],
        height=linkParams.visual.geometry.size[3],
        color=UrdfRobots.Functions.color(linkParams.visual.material.rgba)) "Visual element that is a box"
        annotation (Placement(transformation(extent={{0,165},{20,185}})));
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
      annotation (
        Diagram(coordinateSystem(extent={{-100,-200},{100,200}})));
    end LeftFinger;

    record RightFingerParams "Values of the right finger"
      extends UrdfRobots.Records.Link(
        name="rightFinger",
        inertial=UrdfRobots.Records.Inertial(
          origin=UrdfRobots.Records.Origin(xyz={0.04,0,0}),
          mass=0.1,
          inertia=UrdfRobots.Records.Inertia(
            ixx=2e-5,
            iyy=6e-5,
            izz=6e-5)),
        visual=UrdfRobots.Records.Visual(
          origin=UrdfRobots.Records.Origin(xyz={0.04,0,0}),
          geometry=UrdfRobots.Records.Geometry(
            geometryType=UrdfRobots.Types.GeometryType.box,
            size={0.08,0.01,0.03}),
          material=UrdfRobots.Records.Material(name="grey", rgba={0.6,0.6,0.6,1})));
    end RightFingerParams;

    model RightFinger "Right finger"
      extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
      extends UrdfRobots.Icons.Link;

      parameter RightFingerParams linkParams "Values of the link"
        annotation (Dialog(group="URDF"));

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
      Modelica.Mechanics.MultiBody.Visualizers.FixedShape visualBox(
        shapeType="box",
        r_shape={-linkParams.visual.geometry.size[1]/2,0,0},
        length=linkParams.visual.geometry.size[1],
        width=linkParams.visual.geometry.size[2],
        height=linkParams.visual.geometry.size[3],
        color=UrdfRobots.Functions.color(linkParams.visual.material.rgba)) "Visual element that is a box"
        annotation (Placement(transformation(extent={{0,165},{20,185}})));
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
      annotation (
        Diagram(coordinateSystem(extent={{-100,-200},{100,200}})));
    end RightFinger;

  end Links;

  package Joints "Joints of the arm"
    extends Modelica.Icons.Package;

    record ShoulderParams "Values of the shoulder"
      extends UrdfRobots.Records.Joint(
        name="shoulder",
        jointType=UrdfRobots.Types.JointType.revolute,
        parent="base",
        child="upperArm",
        origin=UrdfRobots.Records.Origin(xyz={0,0,0.1}),
        axis={0,1,0},
        dynamics=UrdfRobots.Records.Dynamics(damping=0.5, friction=0.2),
        limit=UrdfRobots.Records.Limit(
          lower=-2,
          upper=2,
          effort=80,
          velocity=3));
    end ShoulderParams;

    record ElbowParams "Values of the elbow"
      extends UrdfRobots.Records.Joint(
        name="elbow",
        jointType=UrdfRobots.Types.JointType.continuous,
        parent="upperArm",
        child="foreArm",
        origin=UrdfRobots.Records.Origin(xyz={0.4,0,0}),
        axis={0,1,0},
        dynamics=UrdfRobots.Records.Dynamics(damping=0.2, friction=0.1));
    end ElbowParams;

    record LeftSlideParams "Values of the joint of the left finger"
      extends UrdfRobots.Records.Joint(
        name="leftSlide",
        jointType=UrdfRobots.Types.JointType.prismatic,
        parent="foreArm",
        child="leftFinger",
        origin=UrdfRobots.Records.Origin(xyz={0.3,0.01,0}),
        axis={0,1,0},
        dynamics=UrdfRobots.Records.Dynamics(damping=2, friction=0),
        limit=UrdfRobots.Records.Limit(
          lower=0,
          upper=0.05,
          effort=20,
          velocity=0.2));
    end LeftSlideParams;

    record RightSlideParams "Values of the joint of the right finger"
      extends UrdfRobots.Records.Joint(
        name="rightSlide",
        jointType=UrdfRobots.Types.JointType.prismatic,
        parent="foreArm",
        child="rightFinger",
        origin=UrdfRobots.Records.Origin(xyz={0.3,-0.01,0}),
        axis={0,-1,0},
        dynamics=UrdfRobots.Records.Dynamics(damping=2, friction=0),
        limit=UrdfRobots.Records.Limit(
          lower=0,
          upper=0.05,
          effort=20,
          velocity=0.2),
        mimic=UrdfRobots.Records.Mimic(joint="leftSlide"));
    end RightSlideParams;

  end Joints;

  model Arm "An arm with two joints and a gripper"
    extends UrdfRobots.Robots.BaseRobot(
      numLinks=5,
      numLeafLinks=2,
      numRotationalJoints=2,
      numTranslationalJoints=1,
      numMimicJoints=1,
      numOtherJoints=0);
    extends UrdfRobots.Icons.StationaryRobot;

    Links.Base base "Base"
      annotation (Placement(transformation(extent={{-80,-50},{-60,-30}})));
    UrdfRobots.Joints.Revolute shoulder(jointParams=Joints.ShoulderParams(), startFixed=startFixed) "Shoulder"
      annotation (Placement(transformation(extent={{-60,-10},{-40,10}})));
    Links.UpperArm upperArm "Upper arm"
      annotation (Placement(transformation(extent={{-30,-50},{-10,-30}})));
    UrdfRobots.Joints.Continuous elbow(jointParams=Joints.ElbowParams(), startFixed=startFixed) "Elbow"
      annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
    Links.ForeArm foreArm "Forearm"
      annotation (Placement(transformation(extent={{20,-50},{40,-30}})));
    UrdfRobots.Joints.Prismatic leftSlide(jointParams=Joints.LeftSlideParams(), startFixed=startFixed)
      "Joint of the left finger"
      annotation (Placement(transformation(extent={{40,10},{60,30}})));
    Links.LeftFinger leftFinger "Left finger"
      annotation (Placement(transformation(extent={{70,30},{90,50}})));
    UrdfRobots.Joints.Prismatic rightSlide(jointParams=Joints.RightSlideParams(), startFixed=false)
      "Joint of the right finger, which follows the left one"
      annotation (Placement(transformation(extent={{40,-30},{60,-10}})));
    Links.RightFinger rightFinger "Right finger"
      annotation (Placement(transformation(extent={{70,-50},{90,-30}})));
    UrdfRobots.Joints.MimicTranslationalTranslational rightMimic(
      multiplier=rightSlide.jointParams.mimic.multiplier,
      offset=rightSlide.jointParams.mimic.offset) "The right finger does what the left one does"
      annotation (Placement(transformation(extent={{10,50},{30,70}})));
  equation
    connect(frame_a, base.frame_a) annotation (Line(
        points={{-100,0},{-90,0},{-90,-40},{-80,-40}},
        color={95,95,95},
        thickness=0.5));
    connect(base.frame_a, shoulder.frame_a) annotation (Line(
        points={{-80,-40},{-90,-40},{-90,0},{-60,0}},
        color={95,95,95},
        thickness=0.5));
    connect(shoulder.frame_b, upperArm.frame_a) annotation (Line(
        points={{-40,0},{-34,0},{-34,-40},{-30,-40}},
        color={95,95,95},
        thickness=0.5));
    connect(upperArm.frame_a, elbow.frame_a) annotation (Line(
        points={{-30,-40},{-34,-40},{-34,0},{-10,0}},
        color={95,95,95},
        thickness=0.5));
    connect(elbow.frame_b, foreArm.frame_a) annotation (Line(
        points={{10,0},{16,0},{16,-40},{20,-40}},
        color={95,95,95},
        thickness=0.5));
    connect(foreArm.frame_a, leftSlide.frame_a) annotation (Line(
        points={{20,-40},{16,-40},{16,0},{30,0},{30,20},{40,20}},
        color={95,95,95},
        thickness=0.5));
    connect(foreArm.frame_a, rightSlide.frame_a) annotation (Line(
        points={{20,-40},{16,-40},{16,0},{30,0},{30,-20},{40,-20}},
        color={95,95,95},
        thickness=0.5));
    connect(leftSlide.frame_b, leftFinger.frame_a) annotation (Line(
        points={{60,20},{66,20},{66,40},{70,40}},
        color={95,95,95},
        thickness=0.5));
    connect(rightSlide.frame_b, rightFinger.frame_a) annotation (Line(
        points={{60,-20},{66,-20},{66,-40},{70,-40}},
        color={95,95,95},
        thickness=0.5));
    connect(leftFinger.frame_a, frame_b[1]) annotation (Line(
        points={{70,40},{66,40},{66,0},{100,0}},
        color={95,95,95},
        thickness=0.5));
    connect(rightFinger.frame_a, frame_b[2]) annotation (Line(
        points={{70,-40},{66,-40},{66,0},{100,0}},
        color={95,95,95},
        thickness=0.5));
    connect(shoulder.flange_a, rotational_flange_a[1])
      annotation (Line(points={{-50,10},{-50,80},{-40,80},{-40,100}}, color={0,0,0}));
    connect(shoulder.flange_b, rotational_flange_b[1])
      annotation (Line(points={{-56,10},{-56,80},{-90,80},{-90,100}}, color={0,0,0}));
    connect(elbow.flange_a, rotational_flange_a[2])
      annotation (Line(points={{0,10},{0,80},{-40,80},{-40,100}}, color={0,0,0}));
    connect(elbow.flange_b, rotational_flange_b[2])
      annotation (Line(points={{-6,10},{-6,74},{-90,74},{-90,100}}, color={0,0,0}));
    connect(leftSlide.flange_a, translational_flange_a[1])
      annotation (Line(points={{50,30},{50,80},{90,80},{90,100}}, color={0,127,0}));
    connect(leftSlide.flange_b, translational_flange_b[1])
      annotation (Line(points={{44,30},{44,86},{40,86},{40,100}}, color={0,127,0}));
    connect(leftSlide.flange_a, rightMimic.master)
      annotation (Line(points={{50,30},{50,76},{6,76},{6,60},{10,60}}, color={0,127,0}));
    connect(rightMimic.mimic, rightSlide.flange_a)
      annotation (Line(points={{30,60},{36,60},{36,0},{50,0},{50,-10}}, color={0,127,0}));
    annotation (Documentation(info="<html>
<p>
Each joint that is driven is connected with a pair of flanges of the robot. The right finger is not: it follows the
left one by <code>rightMimic</code>, and its start values are guesses.
</p>
</html>"));
  end Arm;

  model ArmRun "The arm, with nothing to drive it"
    extends Modelica.Icons.Example;

    inner Modelica.Mechanics.MultiBody.World world(
      label2="z",
      n={0,0,-1},
      g=9.81,
      animateWorld=false,
      animateGravity=false) "World with gravity along -z, as in URDF"
      annotation (Placement(transformation(extent={{-80,-50},{-60,-30}})));
    Arm robot "The robot"
      annotation (Placement(transformation(extent={{-20,-60},{20,-20}})));
  equation
    connect(world.frame_b, robot.frame_a) annotation (Line(
        points={{-60,-40},{-20,-40}},
        color={95,95,95},
        thickness=0.5));
    annotation (experiment(StopTime=2, Tolerance=1e-6), Documentation(info="<html>
<p>
The arm starts stretched out and falls, far below the limit of its shoulder: the simulation warns.
</p>
</html>"));
  end ArmRun;

  model ArmTest "The arm, with all joints moving to and fro"
    extends ArmRun(robot(startFixed=false));

    Modelica.Blocks.Sources.Sine rotationalReference[2](
      each amplitude=0.25,
      each offset=0.25,
      each phase=-Modelica.Constants.pi/2,
      each f=0.2) "Angles of the joints that turn"
      annotation (Placement(transformation(extent={{-100,50},{-80,70}})));
    Modelica.Mechanics.Rotational.Sources.Position rotationalDrive[2](
      each useSupport=true,
      each w(fixed=true)) "Drives of the joints that turn"
      annotation (Placement(transformation(extent={{-60,50},{-40,70}})));
    Modelica.Blocks.Sources.Sine translationalReference[1](
      each amplitude=0.02,
      each offset=0.02,
      each phase=-Modelica.Constants.pi/2,
      each f=0.2) "Positions of the joints that slide"
      annotation (Placement(transformation(extent={{100,50},{80,70}})));
    Modelica.Mechanics.Translational.Sources.Position translationalDrive[1](
      each useSupport=true,
      each v(fixed=true)) "Drives of the joints that slide"
      annotation (Placement(transformation(extent={{60,50},{40,70}})));
  equation
    connect(rotationalReference.y, rotationalDrive.phi_ref)
      annotation (Line(points={{-79,60},{-62,60}}, color={0,0,127}));
    connect(rotationalDrive.flange, robot.rotational_flange_a)
      annotation (Line(points={{-40,60},{-8,60},{-8,-20}}, color={0,0,0}));
    connect(rotationalDrive.support, robot.rotational_flange_b)
      annotation (Line(points={{-50,50},{-50,30},{-18,30},{-18,-20}}, color={0,0,0}));
    connect(translationalReference.y, translationalDrive.s_ref)
      annotation (Line(points={{79,60},{62,60}}, color={0,0,127}));
    connect(translationalDrive.flange, robot.translational_flange_a)
      annotation (Line(points={{40,60},{30,60},{30,10},{18,10},{18,-20}}, color={0,127,0}));
    connect(translationalDrive.support, robot.translational_flange_b)
      annotation (Line(points={{50,50},{50,40},{8,40},{8,-20}}, color={0,127,0}));
    annotation (experiment(StopTime=5, Tolerance=1e-6), Documentation(info="<html>
<p>
The joints that turn go from 0 to 0.5 rad and back in 5 s, the fingers open by 0.04 m each and close.
</p>
</html>"));
  end ArmTest;

  annotation (Documentation(info="<html>
<p>
A robot in the form in which a program writes it from a URDF file: records with the values of the links and joints,
the robot, a run model and a test model. Each link is a model made from
<a href=\"modelica://UrdfRobots.Links.Link\">Links.Link</a> with the one shape that it has; the joints are those
of the library.
</p>
</html>"));
end Arm;
