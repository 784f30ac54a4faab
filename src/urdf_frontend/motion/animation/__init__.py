"""A robot that moves, as a page for the browser."""

from urdf_frontend.motion.animation.motions import AnimationError, Motion, sweep
from urdf_frontend.motion.animation.page import animation_page
from urdf_frontend.motion.animation.recorded import (
    Recording,
    RecordingError,
    RobotRecording,
    RunOptions,
    find_robot,
    recorded_motion,
    simulate_robot,
    usual_names,
)

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
