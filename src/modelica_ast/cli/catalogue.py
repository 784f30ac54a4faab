"""The commands by name. Their modules are imported only when one is asked for."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn, Protocol

from modelica_ast.cli.exits import EXIT_USAGE
from modelica_ast.cli.terminal import printable, write_error
from modelica_ast.foundation import did_you_mean

# A negative number, and what is not one in Modelica but may be meant as one; a constant of a library with its sign.
_NEGATIVE: Final = re.compile(r"-(?:\.?\d.*|(?i:inf|infinity|nan)|[A-Z]\w*(?:\.\w+)+)", re.DOTALL)

_WIDEST: Final = 100  # characters of a line of prose


class Command(NamedTuple):
    """Where a command is, and what it is for.

    `module` is the command, or has it as a class beside others: `package.module:Class`. It is a `Runnable`, or, for a
    group of commands, has `COMMANDS`, a table like the one here.
    """

    module: str
    summary: str


class Runnable(Protocol):
    """What a command has.

    One that writes Modelica files without `--in-place` says when by `writes(options)`: only then are its places locked
    before it runs.
    """

    DESCRIPTION: str
    EXAMPLES: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add what it takes."""

    def run(self, options: argparse.Namespace) -> int:
        """Carry it out; the exit code."""


class HelpText(argparse.RawDescriptionHelpFormatter):
    """Paragraphs are as wide as the terminal, up to what is easy to read; what is indented stays as it is written."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        from textwrap import TextWrapper  # noqa: PLC0415  (PERF: only for help)

        prose = TextWrapper(min(width, _WIDEST), indent, indent, break_long_words=False, break_on_hyphens=False)
        return "\n\n".join(each if "\n " in f"\n{each}" else prose.fill(each) for each in text.split("\n\n"))


class Parser(argparse.ArgumentParser):
    """Wrong use is one line and a pointer to the help."""

    is_for_program = False  # does the call ask for JSON?

    def error(self, message: str) -> NoReturn:
        """End with exit code 2."""
        if self.is_for_program:
            write_error(message, EXIT_USAGE, {})
        self.exit(EXIT_USAGE, f"{self.prog}: {printable(message)}\nSee '{self.prog} --help'.\n")


def nearest_command(name: str, known: Sequence[str]) -> str:
    """`; did you mean …?` if there is a name like it."""
    meant = did_you_mean(name, known)
    return meant and f"; {meant}"


def load(command: Command) -> Any:
    """A command as its module, or as the class of it that it is."""
    module, colon, name = command.module.partition(":")
    found = importlib.import_module(module)
    return getattr(found, name) if colon else found


def parser_of(command: Runnable, prog: str) -> Parser:
    """The parser of one command."""
    parser = Parser(
        prog=prog,
        description=command.DESCRIPTION.strip(),
        epilog="examples:\n" + command.EXAMPLES.strip("\n"),
        formatter_class=HelpText,
        allow_abbrev=False,
        usage=getattr(command, "USAGE", None),
    )
    command.add_arguments(parser)
    return parser


def parsed(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """The words of a call as options and arguments.

    `-::Arm.m` is an address on standard input, and `-1e3` a value. A blank before them keeps them from being taken for
    options.
    """
    parser.is_for_program = "--json" in words and "--json" in parser.format_usage()
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


# ---------------------------------------------------------------- table
# All commands of modelica-patch itself, in the order in which the help lists them.

_HERE: Final = "modelica_ast.cli.commands"
GROUPS: Final[dict[str, dict[str, Command]]] = {
    "look": {
        "show": Command(f"{_HERE}.show:Show", "what is in a file, a class or a library"),
        "get": Command(f"{_HERE}.show:Get", "the value of a parameter, a modifier, an annotation"),
        "references": Command(f"{_HERE}.refactor:References", "where a class or a component is used"),
        "grep": Command(f"{_HERE}.patterns:Grep", "find code by a pattern: connect($A.flange_a, $B)"),
        "check": Command(f"{_HERE}.check", "syntax and static rules of files and libraries"),
        "draw": Command(f"{_HERE}.draw", "the icon or the diagram of a class as SVG"),
        "simulate": Command(f"{_HERE}.simulate", "run a model, keep and plot what it computes"),
        "diff": Command(f"{_HERE}.compare:Diff", "what changed between two files or libraries, by meaning"),
    },
    "change": {
        "set": Command(f"{_HERE}.values:Set", "set parameters, modifiers and other properties"),
        "add": Command(f"{_HERE}.elements:Add", "add a component, a class, an equation, an extends, an import"),
        "remove": Command(f"{_HERE}.elements:Remove", "remove what an address names"),
        "rename": Command(f"{_HERE}.refactor:Rename", "rename a class or a component with all its uses"),
        "move": Command(f"{_HERE}.refactor:Move", "move a class to another package, or anything in its order"),
        "copy": Command(f"{_HERE}.refactor:Copy", "copy a class to a package"),
        "connect": Command(f"{_HERE}.elements:Connect", "add connect equations"),
        "disconnect": Command(f"{_HERE}.elements:Disconnect", "remove connect equations"),
        "annotate": Command(f"{_HERE}.values:Annotate", "set and remove annotations"),
        "edit": Command(f"{_HERE}.steps:Edit", "several of these commands as one step"),
        "patch": Command(f"{_HERE}.steps:Patch", "carry out a patch: edits as JSON"),
    },
    "change by pattern or recipe": {
        "rewrite": Command(f"{_HERE}.patterns:Rewrite", "replace code by a pattern"),
        "apply": Command(f"{_HERE}.recipes:Apply", "carry out recipes"),
        "recipe": Command(f"{_HERE}.recipes", "test recipes"),
        "convert": Command(f"{_HERE}.refactor:Convert", "run a library's conversion scripts on your files"),
        "format": Command(f"{_HERE}.format", "lay out files, comments untouched"),
    },
    "merge": {
        "merge": Command(f"{_HERE}.compare:Merge", "merge two changed versions of a file"),
        "git-setup": Command(f"{_HERE}.compare:GitSetup", "let git use this merge and this diff"),
    },
    "install": {
        "library": Command(f"{_HERE}.library", "the libraries that come along, where OMEdit and Dymola find them"),
    },
    "put in order": {
        "recover": Command(f"{_HERE}.recover", "finish or take back what a killed command has left"),
    },
    "about": {
        "help": Command(f"{_HERE}.about:Help", "explain a topic: addresses, values, patterns, recipes, …"),
        "completion": Command(f"{_HERE}.about:Completion", "completion for bash, zsh and fish"),
    },
}

OWN_COMMANDS: Final = {name: command for commands in GROUPS.values() for name, command in commands.items()}

# ---------------------------------------------------------------- plugins
# Commands that other packages bring, by entry points of the group `modelica_patch.commands`.
#
# PERF: `importlib.metadata` takes 35 ms to import, more than all else that `--help` does. Entry points are lines of a
# file in each installed package's `dist-info` folder, so they are read from there.

_GROUP: Final = "[modelica_patch.commands]"


def plugins() -> dict[str, Command]:
    """The commands of all installed packages. An entry point names a `Command`."""
    found: dict[str, Command] = {}
    for text in _entry_point_files():
        for name, module, attribute in _entries(text):
            if name not in found:  # as with imports, the first on the path counts
                found[name] = getattr(importlib.import_module(module), attribute)
    return found


def _entry_point_files() -> Iterator[str]:
    for folder in sys.path:
        try:
            names = sorted(name for name in os.listdir(folder or ".") if name.endswith(".dist-info"))  # noqa: PTH208  (PERF)
        except OSError:  # a zip file, or nothing at all: both are common on the path
            continue
        for name in names:
            path = os.path.join(folder, name, "entry_points.txt")  # noqa: PTH118  (PERF: hundreds of them)
            if os.path.isfile(path):  # noqa: PTH113  (PERF)
                with open(path, encoding="utf-8") as file:  # noqa: PTH123  (PERF)
                    yield file.read()


def _entries(text: str) -> Iterator[tuple[str, str, str]]:
    """(name, module, attribute) of each entry of our group."""
    if _GROUP not in text:
        return
    for line in text.partition(_GROUP)[2].splitlines():
        if line.startswith("["):
            return
        name, equals, value = line.partition("=")
        module, colon, attribute = value.strip().partition(":")
        if equals and colon:
            yield name.strip(), module, attribute
