"""What links and joints are called in Modelica: one map, which is kept with the package that was built."""

from urdf_frontend.names.files import NamesFile, NamesFileError, load_names_file, read_names_file
from urdf_frontend.names.identifiers import NameStyle, is_plain_identifier, plain_identifier
from urdf_frontend.names.table import Named, NameTable, make_names

__all__ = [
    "NameStyle",
    "NameTable",
    "Named",
    "NamesFile",
    "NamesFileError",
    "is_plain_identifier",
    "load_names_file",
    "make_names",
    "plain_identifier",
    "read_names_file",
]
