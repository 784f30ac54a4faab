"""The command line: which command, which exit code, and the promise that no input ends in a traceback."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TextIO

from modelica_ast.cli.catalogue import (
    GROUPS,
    OWN_COMMANDS,
    Command,
    listing,
    load,
    nearest_command,
    parsed,
    parser_of,
    plugins,
)
from modelica_ast.cli.exits import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_TERMINATED,
    EXIT_USAGE,
    EXPLAINED,
    CommandError,
    exit_code,
)
from modelica_ast.cli.terminal import (
    complain,
    open_missing_streams,
    printable,
    printable_error,
    tell,
    write_all_characters,
    write_error,
)
from modelica_ast.foundation import VERSION, ModelicaError, ModelicaSyntaxError

_NAME: Final = "modelica-patch"
_INTRODUCTION: Final = """\
usage: modelica-patch COMMAND [ARGUMENTS]

Look at Modelica files, check them, and change only what you mean to change.
Commands show the diff, and write nothing until you say --in-place. Those that make
files of a robot or install something write them, and have --dry-run instead.

"""
_EXAMPLES: Final = """\
examples:
  modelica-patch show Arm.mo                                 what is in the file?
  modelica-patch set Arm.mo::Arm.body.m 2.5                  see what would change
  modelica-patch set Arm.mo::Arm.body.m 2.5 --in-place       change it
  modelica-patch add Arm.mo::Arm.damper Modelica.Mechanics.Rotational.Components.Damper d=0.1 \\
      --connect flange_a=motor.flange                        add a connected component
  modelica-patch rename MyLib/::MyLib.Arm Robot              rename a class in all files of a library

An address is FILE.mo::Package.Class.component.modifier, or FOLDER::Name for a library.

'modelica-patch COMMAND --help' explains a command, 'modelica-patch help TOPIC' a topic.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    if arguments is None and hasattr(signal, "SIGPIPE"):
        # `modelica-patch show … | head` ends quietly. A program that calls this function has pipes of its own.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    open_missing_streams()
    write_all_characters()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with _termination_as_exception():
            return _run(words)
    except _Terminated:
        sys.stderr.write("\nterminated: nothing more was written\n")
        return EXIT_TERMINATED
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted: nothing more was written\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Windows has no SIGPIPE. Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except (CommandError, ModelicaError, OSError) as error:
        complain(_message(error, words))
        return exit_code(error)


def _message(error: CommandError | ModelicaError | OSError, words: list[str]) -> str:
    if isinstance(error, ModelicaSyntaxError):
        return printable_error(error)
    if isinstance(error, OSError):
        return printable(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    return _on_one_line(str(error), words)


def _on_one_line(message: str, words: list[str]) -> str:
    """A message of several lines may have a name that was given to us, and that has line ends of its own."""
    from modelica_ast.cli.address import place_of  # noqa: PLC0415  (PERF: see plugins.py)

    names = {name for word in words if "\n" in word for name in (word, place_of(word) or word)}
    for name in sorted(names, key=len, reverse=True):
        if "\n" in name:
            message = message.replace(name, printable(name))
    return message


class _Terminated(KeyboardInterrupt):
    """SIGTERM has arrived. It ends everything that an interrupt ends."""


@contextmanager
def _termination_as_exception() -> Iterator[None]:
    """Let SIGTERM end what is under way as Ctrl-C does, so that temporary files and child processes go as well.

    It counts once: whoever ends a group of processes may send it twice, and what is being cleaned up must be finished.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield  # nobody but the main thread can listen, and whoever listens already has reasons
        return
    process = os.getpid()

    def terminate(*_: object) -> None:
        if os.getpid() != process:  # a worker, which has inherited this function and has nothing to clean up
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTERM)
            return
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise _Terminated

    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(words: list[str]) -> int:
    if not words:
        sys.stderr.write(f"{_NAME}: a command is missing; '{_NAME} --help' lists them\n")
        return EXIT_USAGE
    first, *rest = words
    if first in {"-h", "--help"}:
        sys.stdout.write(_help())
        return EXIT_OK
    if first in {"-V", "--version"}:
        sys.stdout.write(f"{_NAME} {VERSION}\n")
        return EXIT_OK
    command = OWN_COMMANDS.get(first)
    if command is None:
        brought = plugins()
        if first not in brought:
            known = [*OWN_COMMANDS, *brought]
            complain(f"there is no command '{printable(first)}'{nearest_command(first, known)}\nSee '{_NAME} --help'.")
            return EXIT_USAGE
        command = brought[first]
    return _run_command(command, f"{_NAME} {first}", rest)


def _run_command(command: Command, prog: str, words: list[str]) -> int:
    module = load(command)
    inner: Mapping[str, Command] | None = getattr(module, "COMMANDS", None)
    if inner is None:
        options = parsed(parser_of(module, prog), words)
        from modelica_ast.cli.places import prepared  # noqa: PLC0415  (PERF: help does without)

        with _errors_as_json(options), _recoveries_as_notes(), prepared(module, options):
            code: int = module.run(options)
        return code
    if words and words[0] in {"-h", "--help"}:
        sys.stdout.write(f"usage: {prog} COMMAND [ARGUMENTS]\n\n{command.summary}\n\n{listing(inner)}")
        return EXIT_OK
    if not words or words[0] not in inner:
        near = nearest_command(words[0], list(inner)) if words else ""
        problem = f"there is no '{printable(words[0])}'" if words else "a command is missing"
        sys.stderr.write(f"{prog}: {problem}{near or '; there is ' + ', '.join(inner)}\nSee '{prog} --help'.\n")
        return EXIT_USAGE
    return _run_command(inner[words[0]], f"{prog} {words[0]}", words[1:])


@contextmanager
def _errors_as_json(options: argparse.Namespace) -> Iterator[None]:
    """Let what ends a command be a document too, for a program that has asked for one; people read it as always."""
    try:
        yield
    except (CommandError, ModelicaError, OSError) as error:
        if getattr(options, "json", False) and not isinstance(error, BrokenPipeError):
            details = error.details if isinstance(error, CommandError) else {}
            write_error(_message(error, []), exit_code(error), details)
        raise


@contextmanager
def _recoveries_as_notes() -> Iterator[None]:
    """Say what the library warns of when it puts a save in order in the words of the command line, each time."""
    from modelica_ast.cli.places import shortened  # noqa: PLC0415  (PERF: see _run_command)
    from modelica_ast.foundation import RecoveryWarning  # noqa: PLC0415

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, RecoveryWarning):
            tell(f"note: {shortened(str(message))}", quiet=False)
        else:
            show_others(message, category, filename, lineno, file, line)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RecoveryWarning)
        show_others, warnings.showwarning = warnings.showwarning, show
        yield


def _help() -> str:
    parts = [_INTRODUCTION]
    for title, commands in GROUPS.items():
        parts.append(f"{title}:\n{listing(commands)}\n")
    brought = plugins()
    if brought:
        parts.append(f"more:\n{listing(brought)}\n")
    return "".join([*parts, _EXAMPLES, "\n", EXPLAINED])
