"""Conversion scripts: users' libraries brought to a new version of a library that they use.

`upgrade(libraries, "Modelica")` does what the new version's `conversion` annotation says, `convert` takes rules
from anywhere. Both report what was changed and what a person has to look at; `libraries.save()` writes the files.
"""

from modelica_ast.refactor.conversion.convert import convert, upgrade
from modelica_ast.refactor.conversion.rules import (
    ConvertClass,
    ConvertClassIf,
    ConvertElement,
    ConvertMessage,
    ConvertModifiers,
    OldModifier,
    Rule,
    Rules,
)
from modelica_ast.refactor.conversion.script import ScriptError, parse_script, read_script
from modelica_ast.refactor.conversion.versions import conversion_entry, element_entry, write_conversion
from modelica_ast.refactor.conversion.work import Change, Note, Report

__all__ = [
    "Change",
    "ConvertClass",
    "ConvertClassIf",
    "ConvertElement",
    "ConvertMessage",
    "ConvertModifiers",
    "Note",
    "OldModifier",
    "Report",
    "Rule",
    "Rules",
    "ScriptError",
    "conversion_entry",
    "convert",
    "element_entry",
    "parse_script",
    "read_script",
    "upgrade",
    "write_conversion",
]
