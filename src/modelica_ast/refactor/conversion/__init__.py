"""Conversion scripts: users' libraries brought to a new version of a library that they use.

`upgrade(libraries, "Modelica")` does what the new version's `conversion` annotation says, `convert` takes rules
from anywhere. Both report what was changed and what a person has to look at; `libraries.save()` writes the files.
"""
