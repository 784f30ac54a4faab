"""What links and joints are called in Modelica: one map, which is kept with the package that was built."""

from urdf_frontend.names.identifiers import NameStyle, is_plain_identifier, plain_identifier
from urdf_frontend.names.table import Named, NameTable, make_names

__all__ = ["NameStyle", "NameTable", "Named", "is_plain_identifier", "make_names", "plain_identifier"]
