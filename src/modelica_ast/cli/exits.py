"""Exit codes, and the exception that ends a command with one of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from modelica_ast.cli.terminal import printable
from modelica_ast.foundation import EditError, FilesError, ModelicaError

if TYPE_CHECKING:
    from modelica_ast.foundation import Cause

EXIT_OK: Final = 0
EXIT_FOUND: Final = 1  # differences or problems, or nothing where something was looked for
EXIT_USAGE: Final = 2  # wrong use: an option, a name that is not there, an edit that is refused
EXIT_CONFLICTS: Final = 3
EXIT_UNREADABLE: Final = 4  # input that can't be read or parsed
EXIT_INTERRUPTED: Final = 130
EXIT_TERMINATED: Final = 143

_CODES: Final[dict[Cause, int]] = {
    "refused": EXIT_USAGE,
    "unreadable": EXIT_UNREADABLE,
    "failed": EXIT_FOUND,
    "undecided": EXIT_CONFLICTS,
}

EXPLAINED: Final = """\
exit codes:
  0  done, and nothing is wrong
  1  differences or problems were found (check, diff, --check), nothing was (get, grep, references), or a run failed
  2  wrong use: an unknown option, a name that is not there, an edit that would change a meaning
  3  conflicts
  4  input that can't be read or parsed, or a file that can't be written
"""


class CommandError(Exception):
    """Ends a command with one message on standard error and an exit code; nothing has been written.

    With `--json`, standard output gets the message and the code as a document, and `details` beside them.
    """

    def __init__(self, message: str, code: int = EXIT_USAGE, details: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.details = details or {}


def exit_code(error: CommandError | ModelicaError | OSError) -> int:
    """The exit code of what ends a command."""
    if isinstance(error, CommandError):
        return error.code
    return _CODES[error.cause] if isinstance(error, ModelicaError) else EXIT_UNREADABLE


@contextmanager
def reading(*refusals: type[ModelicaError], place: object = None) -> Iterator[None]:
    """What one of these refuses inside of it is a file that can't be read, and has that exit code.

    With `place`, a file that is read from there, so is what the system refuses.
    """
    try:
        yield
    except refusals as error:
        raise CommandError(str(error), EXIT_UNREADABLE) from None
    except OSError as error:
        if place is None:
            raise
        raise cannot_read(place, error) from None


@contextmanager
def writing() -> Iterator[None]:
    """What can't be written inside of it ends the command with one message; `prepared` words what files refuse."""
    try:
        yield
    except FilesError:
        raise
    except EditError as error:
        raise CommandError(str(error), EXIT_UNREADABLE) from None


def write_result(name: str | os.PathLike[str], data: bytes) -> None:
    """Write what a command has made where the user wants it; CommandError if it can't be, or would replace a model."""
    from modelica_ast.files import write_file  # noqa: PLC0415  (PERF: only where something is written)

    if os.fspath(name).endswith(".mo"):
        raise CommandError(f"{name} is the name of a Modelica file, and this is not one: give it another name")
    with writing():
        write_file(name, data)


def cannot_read(place: object, error: OSError) -> CommandError:
    """A file that can't be read or written, as a message."""
    return CommandError(printable(f"{place}: {error.strerror or error}"), EXIT_UNREADABLE)
