"""Arguments, exit codes, and the promise that no input ends in a traceback."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from modelica_ast.cli import check, show
from modelica_ast.cli.terminal import EXIT_INTERRUPTED, EXIT_OK, version

_DESCRIPTION = """\
Look at Modelica files and check them, without a compiler and without changing a byte.
"""
_EPILOG = """\
examples:
  modelica-patch check Arm.mo              is it Modelica? all errors, with their places
  modelica-patch check MyLibrary/          every .mo file below a folder
  modelica-patch show Arm.mo               an outline: classes, components, connections
  modelica-patch show Arm.mo::Robot.Link1  one class of the file
  modelica-patch show --json Arm.mo        the same for programs

exit codes:
  0  all is well     1  problems were found     2  wrong usage, or a file can't be read
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `modelica-patch show … | head` ends quietly
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Windows has no SIGPIPE. Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="modelica-patch",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"modelica-patch {version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    check.add_command(commands)
    show.add_command(commands)
    return parser
