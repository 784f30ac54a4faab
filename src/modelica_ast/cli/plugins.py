"""Commands that other packages bring, by entry points of the group `modelica_patch.commands`.

PERF: `importlib.metadata` takes 35 ms to import, more than all else that `--help` does. Entry points are lines of a
file in each installed package's `dist-info` folder, so they are read from there.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from typing import Final

from modelica_ast.cli.commands import Command

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
