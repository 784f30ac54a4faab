"""Drawings of the kinematic tree: for a terminal and as SVG."""

from urdf_frontend.drawing.svg import tree_svg
from urdf_frontend.drawing.text import tree_lines

__all__ = ["tree_lines", "tree_svg"]
