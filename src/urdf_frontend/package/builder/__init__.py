"""A robot as a Modelica package: classes cloned from templates, and what they need around them; see `assembly`."""
