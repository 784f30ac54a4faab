"""`modelica-patch`: the command line.

`catalogue` names a module of `commands/` for each command, or a class of one that has several; only what was asked for
is imported, because every call pays. `session` opens what addresses name, `output` shows the diff or writes all files
at once. `places` is where commands take locks and put in order what was interrupted, before they read. Errors are one
message and an exit code (`exits`); `program` turns what the library raises into these, and SIGTERM into an exception,
so that temporary files and child processes go. Other packages bring commands by entry points. A stranger's name goes
through `terminal.printable`, since it could act on a terminal or look like a line of ours. Absent on purpose: logic.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.cli.address import refuse_old_spelling as refuse_old_spelling
    from modelica_ast.cli.catalogue import Command as Command, load as load
    from modelica_ast.cli.commands.refactor import convert_places as convert_places
    from modelica_ast.cli.exits import (
        EXIT_CONFLICTS as EXIT_CONFLICTS,
        EXIT_FOUND as EXIT_FOUND,
        EXIT_OK as EXIT_OK,
        EXIT_UNREADABLE as EXIT_UNREADABLE,
        EXIT_USAGE as EXIT_USAGE,
        CommandError as CommandError,
        cannot_read as cannot_read,
        exit_code as exit_code,
        reading as reading,
        write_result as write_result,
        writing as writing,
    )
    from modelica_ast.cli.findings import (
        Finding as Finding,
        add_format_option as add_format_option,
        finding_json as finding_json,
        write_findings as write_findings,
    )
    from modelica_ast.cli.output import (
        add_write_options as add_write_options,
        finish as finish,
        write_diff as write_diff,
    )
    from modelica_ast.cli.places import (
        Change as Change,
        add_library_option as add_library_option,
        changes_of as changes_of,
        prepare as prepare,
    )
    from modelica_ast.cli.program import main as main
    from modelica_ast.cli.session import Session as Session
    from modelica_ast.cli.terminal import (
        EARLIER as EARLIER,
        Elapsed as Elapsed,
        Progress as Progress,
        complain as complain,
        count as count,
        printable as printable,
        styled_diff as styled_diff,
        tell as tell,
        write_json as write_json,
        write_line as write_line,
    )
    from modelica_ast.cli.words import modifiers_of as modifiers_of

__all__ = ["main"]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "address": "refuse_old_spelling",
            "catalogue": "Command load",
            "modelica_ast.cli.commands.refactor": "convert_places",
            "exits": (
                "CommandError EXIT_CONFLICTS EXIT_FOUND EXIT_OK EXIT_UNREADABLE EXIT_USAGE cannot_read "
                "exit_code reading write_result writing"
            ),
            "findings": "Finding add_format_option finding_json write_findings",
            "output": "add_write_options finish write_diff",
            "places": "Change add_library_option changes_of prepare",
            "program": "main",
            "session": "Session",
            "terminal": "EARLIER Elapsed Progress complain count printable styled_diff tell write_json write_line",
            "words": "modifiers_of",
        },
    )
