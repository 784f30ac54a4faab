"""The generated Modelica against an independent engine: Pinocchio."""

from urdf_frontend.motion.verification.differences import Difference, Kind, Verification
from urdf_frontend.motion.verification.freedoms import LINKS_AT_ONCE, VerifyError, VerifyOptions
from urdf_frontend.motion.verification.packages import verify

__all__ = ["LINKS_AT_ONCE", "Difference", "Kind", "Verification", "VerifyError", "VerifyOptions", "verify"]
