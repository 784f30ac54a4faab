"""Classes and components of whole libraries renamed, moved, copied and removed; users converted to a new version.

Start with `renames`. All places where the old or the new name is written are looked up before and after; the edit
counts only if each of them means the same. That one rule refuses shadowing, capture and clashes alike.

When a class moves (`moves`), what is bound to its place stays there. Names that lead out of it are noted with what
they stand for; names that lead to it are written in full; then it moves, each noted name is looked up where it is
now, and what means something else is written in the shortest form that means the same. In the end every name must
stand for what it stood for. Files, links and scripts follow (`structure`): a link by the file that it leads to, not
by its text.

`conversion/` runs the scripts that libraries bring, and writes them. Absent on purpose: an edit that nobody has
proved.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.refactor.conversion.convert import convert as convert, migrate as migrate, upgrade as upgrade
    from modelica_ast.refactor.conversion.library_version import (
        conversion_entry as conversion_entry,
        element_entry as element_entry,
        migration_to as migration_to,
        used_version as used_version,
        write_conversion as write_conversion,
    )
    from modelica_ast.refactor.conversion.rules import (
        ConvertClass as ConvertClass,
        ConvertClassIf as ConvertClassIf,
        ConvertElement as ConvertElement,
        ConvertMessage as ConvertMessage,
        ConvertModifiers as ConvertModifiers,
        OldModifier as OldModifier,
        Rule as Rule,
        Rules as Rules,
        Unread as Unread,
    )
    from modelica_ast.refactor.conversion.script import (
        ScriptError as ScriptError,
        parse_script as parse_script,
        read_script as read_script,
    )
    from modelica_ast.refactor.conversion.work import Change as Change, Note as Note, Report as Report
    from modelica_ast.refactor.moves import (
        add_class as add_class,
        copy_class as copy_class,
        insert_class as insert_class,
        move_class as move_class,
        remove_class as remove_class,
    )
    from modelica_ast.refactor.renames import rename as rename

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
    "Unread",
    "conversion_entry",
    "convert",
    "element_entry",
    "parse_script",
    "read_script",
    "upgrade",
    "write_conversion",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "modelica_ast.refactor.conversion.convert": "convert migrate upgrade",
            "modelica_ast.refactor.conversion.rules": (
                "ConvertClass ConvertClassIf ConvertElement ConvertMessage ConvertModifiers OldModifier Rule Rules "
                "Unread"
            ),
            "modelica_ast.refactor.conversion.script": "ScriptError parse_script read_script",
            "modelica_ast.refactor.conversion.library_version": (
                "conversion_entry element_entry migration_to used_version write_conversion"
            ),
            "modelica_ast.refactor.conversion.work": "Change Note Report",
            "moves": "add_class copy_class insert_class move_class remove_class",
            "renames": "rename",
        },
    )
