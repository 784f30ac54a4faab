package RobotProbe "A robot in an empty world, with small drives that push its joints one after the other"
  model RotationalPulse "Torque on the axis of a joint, at one instant"
    parameter Modelica.Units.SI.Torque torque=0 "Torque at that instant";
    parameter Real turn=0 "Number of the instant";
    parameter Modelica.Units.SI.Time step=1e-9 "Time between two instants";
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a "Axis";
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b "Support";
  equation
    flange_a.tau = -torque*noEvent(max(0, 1 - abs(time/step - turn)));
    flange_b.tau = -flange_a.tau;
  end RotationalPulse;

  model TranslationalPulse "Force on the axis of a joint, at one instant"
    parameter Modelica.Units.SI.Force force=0 "Force at that instant";
    parameter Real turn=0 "Number of the instant";
    parameter Modelica.Units.SI.Time step=1e-9 "Time between two instants";
    Modelica.Mechanics.Translational.Interfaces.Flange_a flange_a "Axis";
    Modelica.Mechanics.Translational.Interfaces.Flange_b flange_b "Support";
  equation
    flange_a.f = -force*noEvent(max(0, 1 - abs(time/step - turn)));
    flange_b.f = -flange_a.f;
  end TranslationalPulse;

  model FramePulses "Forces and torques between two frames, along the axes of the second, at six instants"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
    parameter Modelica.Units.SI.Force force=0 "Force along x, y and z at the first three instants";
    parameter Modelica.Units.SI.Torque torque=0 "Torque about x, y and z at the next three";
    parameter Real turn=0 "Number of the first instant";
    parameter Modelica.Units.SI.Time step=1e-9 "Time between two instants";
    Modelica.Units.SI.Force f_a[3] "Force on the second frame, in the first";
    Modelica.Units.SI.Position r_a[3] "From the first frame to the second, in the first";
  equation
    for i in 1:3 loop
      frame_b.f[i] = -force*noEvent(max(0, 1 - abs(time/step - turn - i + 1)));
      frame_b.t[i] = -torque*noEvent(max(0, 1 - abs(time/step - turn - i - 2)));
    end for;
    f_a = -Modelica.Mechanics.MultiBody.Frames.resolve2(
      frame_a.R, Modelica.Mechanics.MultiBody.Frames.resolve1(frame_b.R, frame_b.f));
    r_a = Modelica.Mechanics.MultiBody.Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);
    frame_a.f = f_a;
    frame_a.t = cross(r_a, f_a) - Modelica.Mechanics.MultiBody.Frames.resolve2(
      frame_a.R, Modelica.Mechanics.MultiBody.Frames.resolve1(frame_b.R, frame_b.t));
  end FramePulses;

  model DrivenRobot "The robot and its drives, which are added"
    import Modelica.Constants;
    import UrdfRobots.Types;
  equation

  end DrivenRobot;

  model Probe "The robot in its world; a base that moves freely is added"
    inner Modelica.Mechanics.MultiBody.World world(
      n={0,0,-1},
      g=9.81,
      enableAnimation=false,
      animateWorld=false,
      animateGravity=false);
    DrivenRobot robot;
  equation

  end Probe;
end RobotProbe;
