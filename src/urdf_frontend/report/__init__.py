"""A robot on one page: what was read, what is wrong with it, its tree, its Modelica, its values."""

from urdf_frontend.report.contents import ReportContents, gather
from urdf_frontend.report.package_values import Value
from urdf_frontend.report.packages import PackageView, view_built, view_package
from urdf_frontend.report.page import page

__all__ = [
    "PackageView",
    "ReportContents",
    "Value",
    "gather",
    "page",
    "view_built",
    "view_package",
]
