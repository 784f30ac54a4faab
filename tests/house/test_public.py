"""What users hold on to: public names, commands with their options, keys of JSON. What vanishes is in CHANGELOG.

`fixtures/public.json` has what there is. After something has come,
`pytest --update-expected tests/house/test_public.py` writes it again; what goes has to be named in CHANGELOG first.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from conftest import ROOT, Expected
from modelica_ast.cli.catalogue import OWN_COMMANDS, Command, load, parser_of, plugins

SNAPSHOT = ROOT / "fixtures" / "public.json"
CHANGELOG = ROOT / "CHANGELOG.md"
# Modules whose `__all__` is, or was, a promise: those that have moved are still found by these names.
MODULES = """
modelica_ast modelica_ast.views modelica_ast.edit modelica_ast.files modelica_ast.graphics modelica_ast.library
modelica_ast.library.conversion modelica_ast.rules modelica_ast.patterns modelica_ast.recipes modelica_ast.compare
modelica_ast.merge modelica_ast.generate modelica_ast.formatting modelica_ast.drawing modelica_ast.simulation
modelica_ast.testing urdf_frontend urdf_frontend.model urdf_frontend.update urdf_frontend.record urdf_frontend.verify
urdf_frontend.animation urdf_frontend.plots urdf_frontend.report urdf_frontend.typed urdf_frontend.typed_modules
urdf_frontend.modules urdf_frontend.modular urdf_frontend.constraints urdf_frontend.constraints.cells urdf_frontend.fmi
""".split()
_KEY = re.compile(r'"(\w+)": ')


def public_names() -> dict[str, list[str]]:
    found = {}
    for name in MODULES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            module = importlib.import_module(name)
        found[name] = sorted(each for each in module.__all__ if hasattr(module, each))
    return found


def options_of_commands() -> dict[str, list[str]]:
    return dict(parsers_of({**OWN_COMMANDS, **plugins()}, ""))


def parsers_of(commands: Mapping[str, Command], before: str) -> Iterator[tuple[str, list[str]]]:
    for name, command in commands.items():
        module = load(command)
        if hasattr(module, "COMMANDS"):
            yield from parsers_of(module.COMMANDS, f"{name} ")
        else:
            yield f"{before}{name}", sorted(options(parser_of(module, name)))


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if action.help != argparse.SUPPRESS:
            yield from action.option_strings or [action.dest]


def keys_of_sessions() -> dict[str, list[str]]:
    """The keys that commands have printed in golden sessions."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "fixtures" / "cli").glob("*/session.txt")):
        command = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("$ "):
                command = command_in(line)
            elif command:
                found.setdefault(command, set()).update(_KEY.findall(line))
    return {command: sorted(keys) for command, keys in sorted(found.items()) if keys}


def command_in(line: str) -> str:
    """`urdf update`, if the line calls it to have JSON."""
    called = re.search(r"modelica-patch ((?:urdf|fmi|constraints|recipe) )?([\w-]+)[^|]*--json", line)
    return "" if called is None else f"{called[1] or ''}{called[2]}"


def there_is() -> dict[str, Mapping[str, list[str]]]:
    return {"names": public_names(), "options": options_of_commands(), "JSON keys": keys_of_sessions()}


def vanished(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for what, groups in before.items():
        for group, words in groups.items():
            yield from ((what, group, word) for word in words if word not in now[what].get(group, ()))


def test_what_vanishes_is_in_the_changelog(expected: Expected) -> None:
    now = there_is()
    told = CHANGELOG.read_text(encoding="utf-8")
    before = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    assert [gone for gone in vanished(before, now) if f"`{gone[2]}`" not in told] == []
    expected.file(SNAPSHOT, json.dumps(now, indent=1) + "\n")
