"""Plugins that run FMUs at the joints and links of a robot in Gazebo."""
