"""A robot on one page: what was read, what is wrong with it, its tree, its Modelica, its values."""

from urdf_frontend.motion.report.contents import PackageView, ReportContents, Value, gather, view_built, view_package
from urdf_frontend.motion.report.page import page

__all__ = [
    "PackageView",
    "ReportContents",
    "Value",
    "gather",
    "page",
    "view_built",
    "view_package",
]
