within FmiExamples.Actuators;
model ElectricalActuator "DC motor with a gear and a flexible coupling"
  parameter Modelica.Units.SI.Voltage v_max=48 "Highest voltage of the supply";
  parameter Modelica.Units.SI.Resistance R=1 "Resistance of the armature";
  parameter Modelica.Units.SI.ElectricalTorqueConstant k=0.1 "Torque for each ampere";
  parameter Modelica.Units.SI.Inertia J=1e-5 "Inertia of the rotor";
  parameter Real ratio=100 "Turns of the rotor for each turn of the gear";
  parameter Modelica.Units.SI.RotationalDampingConstant d=0.25 "Damping between gear and flange";
  Modelica.Blocks.Interfaces.RealInput v(unit="V") "Voltage that is asked for"
    annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b flange "What drives the joint"
    annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  Modelica.Blocks.Nonlinear.Limiter limiter(uMax=v_max) "The supply gives no more"
    annotation (Placement(transformation(extent={{-90,-10},{-70,10}})));
  Modelica.Electrical.Analog.Sources.SignalVoltage source "The supply"
    annotation (Placement(transformation(
        extent={{-10,10},{10,-10}},
        rotation=270,
        origin={-50,0})));
  Modelica.Electrical.Analog.Basic.Resistor resistor(R=R) "The armature"
    annotation (Placement(transformation(extent={{-40,20},{-20,40}})));
  Modelica.Electrical.Analog.Basic.RotationalEMF emf(k=k) "Current to torque, speed to voltage"
    annotation (Placement(transformation(extent={{-20,-10},{0,10}})));
  Modelica.Electrical.Analog.Basic.Ground ground "Where the voltage is zero"
    annotation (Placement(transformation(extent={{-60,-60},{-40,-40}})));
  Modelica.Mechanics.Rotational.Components.Inertia rotor(
    J=J,
    phi(start=0, fixed=true),
    w(start=0, fixed=true)) "The rotor"
    annotation (Placement(transformation(extent={{10,-10},{30,10}})));
  Modelica.Mechanics.Rotational.Components.IdealGear gear(ratio=ratio) "The gear"
    annotation (Placement(transformation(extent={{36,-10},{56,10}})));
  Modelica.Mechanics.Rotational.Components.Damper coupling(d=d) "Between gear and flange"
    annotation (Placement(transformation(extent={{64,-10},{84,10}})));
equation
  connect(v, limiter.u)
    annotation (Line(points={{-120,0},{-92,0}}, color={0,0,127}));
  connect(limiter.y, source.v)
    annotation (Line(points={{-69,0},{-62,0}}, color={0,0,127}));
  connect(source.p, resistor.p)
    annotation (Line(points={{-50,10},{-50,30},{-40,30}}, color={0,0,255}));
  connect(resistor.n, emf.p)
    annotation (Line(points={{-20,30},{-10,30},{-10,10}}, color={0,0,255}));
  connect(emf.n, source.n)
    annotation (Line(points={{-10,-10},{-10,-30},{-50,-30},{-50,-10}}, color={0,0,255}));
  connect(ground.p, source.n)
    annotation (Line(points={{-50,-40},{-50,-10}}, color={0,0,255}));
  connect(emf.flange, rotor.flange_a)
    annotation (Line(points={{0,0},{10,0}}));
  connect(rotor.flange_b, gear.flange_a)
    annotation (Line(points={{30,0},{36,0}}));
  connect(gear.flange_b, coupling.flange_a)
    annotation (Line(points={{56,0},{64,0}}));
  connect(coupling.flange_b, flange)
    annotation (Line(points={{84,0},{100,0}}));
  annotation (
    Documentation(info="<html>
<p>
A voltage, cut off at what the supply can give, drives a motor with a light rotor. Behind the gear a damper couples it to
the joint: in an FMU for Gazebo the joint is moved from outside, and the rotor has to be free to follow.
</p>
<p>
A controller that was tuned without an actuator does not work with it.
<a href=\"modelica://FmiExamples.Examples.ElectricalDrive\">ElectricalDrive</a> shows that, and gains that do.
The torque constant <code>k</code> is 0.1 N.m/A; with 0.001 N.m/A the motor is a hundred times weaker.
</p>
</html>"),
    Icon(graphics={
        Rectangle(
          extent={{-70,-50},{30,50}},
          lineColor={64,64,64},
          fillColor={0,140,130},
          fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(
          extent={{30,-36},{60,36}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(
          extent={{60,-10},{96,10}},
          lineColor={64,64,64},
          fillColor={192,192,192},
          fillPattern=FillPattern.HorizontalCylinder),
        Text(
          extent={{-150,100},{150,60}},
          textColor={0,0,255},
          textString="%name")}));
end ElectricalActuator;
