"""Every option and every command that a message, a help text or a page names is there.

What is looked for are words such as `--in-place` and `modelica-patch urdf build`. In the module of a command, and after
a command in the same line, an option must be one of that command; elsewhere, one of any command.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from conftest import ROOT
from modelica_ast.cli.catalogue import OWN_COMMANDS, Command, load, parser_of, plugins

SOURCE: Final = ROOT / "src"
PAGES: Final = [
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((SOURCE / "modelica_ast" / "cli" / "commands" / "topics").glob("*.txt")),
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
]
_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][\w-]*")
_CALL: Final = re.compile(r"(?<![\w./-])modelica-patch((?: [a-z][a-z-]*)+)")
_CONTINUED: Final = re.compile(r"\s*\\\n\s*")
_END_OF_CALL: Final = re.compile(r"modelica-patch|[`|;&')]| {3}")  # then comes a remark, or another command

# Words that look like options of ours and are not, by the files that have them.
OTHERS: Final[Mapping[str, frozenset[str]]] = {
    # git's: `git diff --no-ext-diff` shows lines where our diff is set up, the rest is how git is asked.
    "src/modelica_ast/cli/commands/compare.py": frozenset({"--no-ext-diff"}),
    "src/modelica_ast/compare/three_way/git.py": frozenset(
        {"--get", "--get-regexp", "--remove-section", "--show-toplevel"}
    ),
    "docs/diff-and-merge.md": frozenset({"--local", "--no-ext-diff"}),
    # pip's.
    "CHANGELOG.md": frozenset({"--editable"}),
    # Of `urdf update` and `urdf animate`, which come here with an assembly and with a cell; of `convert`.
    "src/urdf_frontend/cli/assemble.py": frozenset({"--arg", "--rename"}),
    "src/urdf_frontend/constraints/cli/cells.py": frozenset({"--package"}),
    "src/urdf_frontend/fmi/cli/shell.py": frozenset({"--uses", "--version"}),
    # omc's, in scripts for it.
    "src/modelica_ast/simulation/omc.py": frozenset({"--fmiFlags"}),
    # The names of colours in a style sheet.
    "src/urdf_frontend/motion/report_page.py": frozenset(
        {"--error", "--good", "--line", "--mark", "--natural", "--page", "--soft", "--text", "--warning"}
    ),
}
# The name of the program as a word of a sentence.
NO_COMMANDS: Final = frozenset({"modelica-patch itself"})


def commands(path: tuple[str, ...], table: Mapping[str, Command]) -> Iterator[tuple[tuple[str, ...], Command]]:
    """All commands by their words, those of commands among them."""
    for name, command in table.items():
        yield (*path, name), command
        yield from commands((*path, name), getattr(load(command), "COMMANDS", {}))


COMMANDS: Final = dict(commands((), {**OWN_COMMANDS, **plugins()}))
GROUPS: Final = {path for path, command in COMMANDS.items() if hasattr(load(command), "COMMANDS")}
OPTIONS: Final = {
    path: frozenset(option for action in parser_of(load(command), "")._actions for option in action.option_strings)
    for path, command in COMMANDS.items()
    if path not in GROUPS
}
ALL_OPTIONS: Final = frozenset({"--help", "--version"}).union(*OPTIONS.values())


def options_by_file() -> dict[Path, frozenset[str]]:
    """The options of the commands that a file has."""
    found: dict[Path, frozenset[str]] = {}
    for path, options in OPTIONS.items():
        file = Path(str(sys.modules[COMMANDS[path].module.partition(":")[0]].__file__))
        found[file] = found.get(file, frozenset()) | options
    return found


OWN_OPTIONS: Final = options_by_file()


def texts_of(module: Path) -> Iterator[str]:
    """The texts in a Python file, docstrings among them."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def wrong_words(text: str, known: frozenset[str] = ALL_OPTIONS) -> set[str]:
    """The options and commands in a text that are not there."""
    wrong = set(_OPTION.findall(text)) - known
    for line in _CONTINUED.sub(" ", text).splitlines():
        for call in _CALL.finditer(line):
            words = tuple(call[1].split())
            path = words[:2] if words[:1] in GROUPS else words[:1]
            if path not in COMMANDS:
                wrong |= {call[0]} - NO_COMMANDS
            elif path in OPTIONS:
                arguments = _END_OF_CALL.split(line[call.end() :])[0]
                wrong |= {f"{' '.join(path)} {option}" for option in set(_OPTION.findall(arguments)) - OPTIONS[path]}
    return wrong


def others(path: Path) -> frozenset[str]:
    return OTHERS.get(path.relative_to(ROOT).as_posix(), frozenset())


@pytest.mark.parametrize("package", ["modelica_ast", "urdf_frontend"])
def test_messages_name_what_is_there(package: str) -> None:
    found = {}
    for module in sorted((SOURCE / package).rglob("*.py")):
        known = OWN_OPTIONS.get(module, ALL_OPTIONS) | others(module)
        wrong = set[str]().union(*(wrong_words(text, known) for text in texts_of(module)))
        if wrong:
            found[module.relative_to(ROOT).as_posix()] = sorted(wrong)
    assert found == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_what_is_there(page: Path) -> None:
    assert wrong_words(page.read_text(encoding="utf-8"), ALL_OPTIONS | others(page)) == set()


def test_every_exception_is_used() -> None:
    for name, words in OTHERS.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        assert [word for word in words if word not in text] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("write it with --in-place", set()),
        ("write it with --in-palce", {"--in-palce"}),
        ("say modelica-patch set A.mo::A.k 1 --in-place", set()),
        ("say modelica-patch get A.mo::A.k --in-place", {"get --in-place"}),
        ("'modelica-patch get A.mo::A.k', and --in-place", set()),
        ("modelica-patch sett A.mo::A.k 1", {"modelica-patch sett"}),
        ("modelica-patch urdf biuld", {"modelica-patch urdf biuld"}),
        ("modelica-patch urdf build a.urdf \\\n  --depth", {"urdf build --depth"}),
    ],
)
def test_wrong_words_are_found(text: str, wrong: set[str]) -> None:
    assert wrong_words(text) == wrong
