"""What is wrong with a robot: all of it, and nothing is raised."""

from urdf_frontend.checks.validation import validate

__all__ = ["validate"]
