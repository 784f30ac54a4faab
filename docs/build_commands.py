"""A page for each command and each topic of `modelica-patch help`, made from what they print: `make docs`."""

# ruff: noqa: INP001  (the folder of the documentation is not a package)

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Final
from unittest import mock

from modelica_ast.cli.catalogue import GROUPS, Command, load, parser_of, plugins
from modelica_ast.cli.commands.about import topics

_HEAD: Final = """\
# Commands

What `modelica-patch COMMAND --help` and `modelica-patch help TOPIC` print. A test compares all outputs of the worked
examples with what really happens.
"""
_WIDE: Final = "---\nhide: [toc]\n---\n\n"  # there is one heading, and lines of help are long


def pages() -> dict[str, str]:
    """The texts of the pages, by their names in the folder of commands."""
    found: dict[str, str] = {}
    contents = [_HEAD, "## Topics\n"]
    for name, text in topics().items():
        title, _, body = text.partition("\n")
        contents.append(f"- [{name}](help-{name}.md): {title}")
        found[f"help-{name}.md"] = f"{_WIDE}# {name}: {title}\n\n```text\n{body.strip()}\n```\n"
    for group, commands in {**GROUPS, "more": plugins()}.items():
        contents.append(f"\n## {group.capitalize()}\n")
        for called, command in _commands(commands, ""):
            page = f"{called.replace(' ', '-')}.md"
            contents.append(f"- [{called}]({page}): {command.summary}")
            found[page] = _page(called, command)
    return {"index.md": "\n".join(contents) + "\n", **found}


def _commands(commands: Mapping[str, Command], words: str) -> Iterator[tuple[str, Command]]:
    """All commands by their words, those of groups among them."""
    for name, command in commands.items():
        module = load(command)
        if hasattr(module, "COMMANDS"):
            yield from _commands(module.COMMANDS, f"{words}{name} ")
        else:
            yield words + name, command


def _page(called: str, command: Command) -> str:
    module = load(command)
    if not module.EXAMPLES.strip():
        raise ValueError(f"modelica-patch {called} has no example")
    with mock.patch.dict(os.environ, COLUMNS="110"):  # argparse wraps its lines to this
        text = parser_of(module, f"modelica-patch {called}").format_help()
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return f"{_WIDE}# modelica-patch {called}\n\n{command.summary.capitalize()}.\n\n```text\n{lines}\n```\n"
