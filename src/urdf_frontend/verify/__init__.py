"""The generated Modelica against an independent engine: Pinocchio."""

from urdf_frontend.verify.errors import VerifyError
from urdf_frontend.verify.report import Difference, Kind, Verification
from urdf_frontend.verify.verifying import VerifyOptions, verify

__all__ = ["Difference", "Kind", "Verification", "VerifyError", "VerifyOptions", "verify"]
