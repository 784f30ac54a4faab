"""The commands by name. A command is a module that is imported only when it is asked for."""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Final, NamedTuple, NoReturn

from modelica_ast.cli.exits import EXIT_USAGE
from modelica_ast.cli.terminal import printable

# A negative number, and what is none in Modelica but may be meant as one; a constant of a library with its sign.
_NEGATIVE: Final = re.compile(r"-(?:\.?\d.*|(?i:inf|infinity|nan)|[A-Z]\w*(?:\.\w+)+)", re.DOTALL)


class Command(NamedTuple):
    """Where a command is, and what it is for.

    Its module has `DESCRIPTION`, `EXAMPLES`, `add_arguments(parser)` and `run(options) -> exit code`; or, for a group
    of commands, `COMMANDS`, a table like the one here. One that writes Modelica files without `--in-place` says when
    by `writes(options)`: only then are its places locked before it runs.
    """

    module: str
    summary: str


class Parser(argparse.ArgumentParser):
    """Wrong use is one line and a pointer to the help."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2."""
        self.exit(EXIT_USAGE, f"{self.prog}: {printable(message)}\nSee '{self.prog} --help'.\n")


def nearest_command(name: str, known: Sequence[str]) -> str:
    """`; did you mean …?` if there is a name like it."""
    import difflib  # noqa: PLC0415  (PERF: only for what is wrong)

    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def load(command: Command) -> Any:
    """The module of a command."""
    return importlib.import_module(command.module)


def parser_of(module: ModuleType, prog: str) -> Parser:
    """The parser of one command."""
    parser = Parser(
        prog=prog,
        description=module.DESCRIPTION.strip(),
        epilog="examples:\n" + module.EXAMPLES.strip("\n"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        usage=getattr(module, "USAGE", None),
    )
    module.add_arguments(parser)
    return parser


def parsed(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """The words of a call as options and arguments.

    `-::Arm.m` is an address on standard input, and `-1e3` a value. A blank before them keeps them from being taken for
    options.
    """
    marked = [f" {word}" if word.startswith("-::") or _NEGATIVE.fullmatch(word) else word for word in words]
    options = parser.parse_intermixed_args(marked)
    for name, value in vars(options).items():
        if isinstance(value, list):
            setattr(options, name, [_unmarked(item) for item in value])
        else:
            setattr(options, name, _unmarked(value))
    return options


def _unmarked(value: Any) -> Any:
    return value[1:] if isinstance(value, str) and _NEGATIVE.fullmatch(value[1:]) and value.startswith(" ") else value


def listing(commands: Mapping[str, Command]) -> str:
    """The commands with their summaries, a line each."""
    width = max(map(len, commands))
    return "".join(f"  {name:<{width}}  {command.summary}\n" for name, command in commands.items())
