"""Cells of robots, holders and tools: a model that is made from a description, and follows it."""

from urdf_frontend.constraints.cells.cell_model import RenameError
from urdf_frontend.constraints.cells.cell_update import CellUpdate, update_cell
from urdf_frontend.constraints.cells.description import Cell, CellError, read_cell

__all__ = ["Cell", "CellError", "CellUpdate", "RenameError", "read_cell", "update_cell"]
