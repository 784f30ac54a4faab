"""The generated Modelica against an independent engine: Pinocchio."""

from urdf_frontend.verify.errors import VerifyError
from urdf_frontend.verify.options import LINKS_AT_ONCE, VerifyOptions
from urdf_frontend.verify.report import Difference, Kind, Verification
from urdf_frontend.verify.verifying import verify

__all__ = ["LINKS_AT_ONCE", "Difference", "Kind", "Verification", "VerifyError", "VerifyOptions", "verify"]
