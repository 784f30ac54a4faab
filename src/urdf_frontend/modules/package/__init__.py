"""Robots made of modules as Modelica packages: a model for each module, and the robot with its modules."""
