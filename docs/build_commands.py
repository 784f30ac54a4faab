"""The page of all commands, `commands.md`, made from what `--help` says: `make docs`.

`--check` only says whether the page is up to date.
"""

# ruff: noqa: INP001  (the folder of the documentation is no package)

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from modelica_ast.cli.commands import Command, load, parser_of
from modelica_ast.cli.help import topics
from modelica_ast.cli.plugins import plugins
from modelica_ast.cli.table import GROUPS

PAGE: Final = Path(__file__).with_name("commands.md")
_HEAD: Final = """\
# modelica-patch: all commands

What `modelica-patch COMMAND --help` and `modelica-patch help TOPIC` say. Made by `make docs`: do not edit. The outputs
of all worked examples below are compared with what really happens by a test.
"""


def build_page() -> str:
    """The text of the page."""
    os.environ["COLUMNS"] = "110"  # argparse wraps its lines to this
    parts = [_HEAD, "## Subjects\n"]
    for name, text in topics().items():
        title, _, body = text.partition("\n")
        parts.append(f"### {name}: {title}\n\n```text\n{body.strip()}\n```\n")
    for group, commands in {**GROUPS, "more": plugins()}.items():
        parts.append(f"## {group.capitalize()}\n")
        parts += _entries(commands, "modelica-patch")
    return "\n".join(parts)


def _entries(commands: Mapping[str, Command], prog: str) -> Iterator[str]:
    for name, command in commands.items():
        module = load(command)
        called = f"{prog} {name}"
        if hasattr(module, "COMMANDS"):
            yield from _entries(module.COMMANDS, called)
        else:
            text = "\n".join(line.rstrip() for line in parser_of(module, called).format_help().splitlines())
            yield f"### {called}\n\n{command.summary.capitalize()}.\n\n```text\n{text}\n```\n"


def main() -> int:
    """Write the page; `--check` only says whether it is up to date."""
    text = build_page()
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        sys.stdout.write(f"{PAGE.name} is up to date\n")
    elif "--check" in sys.argv[1:]:
        sys.stderr.write(f"{PAGE.name} does not fit the commands: run make docs\n")
        return 1
    else:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{PAGE.name} written, {len(text) // 1000} kB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
