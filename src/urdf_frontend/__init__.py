"""Robots described in URDF, as Modelica packages. It uses only the public names of `modelica_ast`.

Nothing is here yet but the name: the lossless tree comes first, because everything here is made from it.
"""
