"""The commands of `modelica-patch`, a module each. It has `DESCRIPTION`, `EXAMPLES`, `add_arguments` and `run`."""
