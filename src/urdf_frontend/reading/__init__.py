"""From the bytes of a URDF file to a robot."""
