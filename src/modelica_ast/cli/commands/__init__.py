"""The commands of `modelica-patch`: modules, or classes of a module that has several. See `catalogue.Runnable`."""
