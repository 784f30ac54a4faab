"""A package follows its URDF file, and keeps what its user wrote. Start with `changes`."""
