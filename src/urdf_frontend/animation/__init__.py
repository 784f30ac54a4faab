"""A robot that moves, as a page for the browser."""

from urdf_frontend.animation.motions import AnimationError, Motion
from urdf_frontend.animation.page import animation_page
from urdf_frontend.animation.recorded import recorded_motion
from urdf_frontend.animation.recording import Recording, RecordingError, RobotRecording, find_robot, usual_names
from urdf_frontend.animation.simulating import RunOptions, simulate_robot
from urdf_frontend.animation.sweeping import sweep

__all__ = [
    "AnimationError",
    "Motion",
    "Recording",
    "RecordingError",
    "RobotRecording",
    "RunOptions",
    "animation_page",
    "find_robot",
    "recorded_motion",
    "simulate_robot",
    "sweep",
    "usual_names",
]
