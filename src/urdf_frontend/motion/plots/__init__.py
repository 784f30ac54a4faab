"""Plots of a robot's joints over time, with the limits of its URDF file."""

from urdf_frontend.motion.plots.figures import MissingPlotsError, check_plots, draw_plots
from urdf_frontend.motion.plots.series import Curve, JointSeries, Quantity, Violation, find_violations, joint_series

__all__ = [
    "Curve",
    "JointSeries",
    "MissingPlotsError",
    "Quantity",
    "Violation",
    "check_plots",
    "draw_plots",
    "find_violations",
    "joint_series",
]
