"""Packages that the script of DLR's URDFModelica has made: they are taken over as they are, and updated."""
