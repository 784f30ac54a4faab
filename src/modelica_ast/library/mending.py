"""References inside a class that moves or is copied: each keeps its meaning, written anew where it must be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.surgery import at, node_at, replaced
from modelica_ast.green import tokens
from modelica_ast.identifiers import split_name
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.progress import Tally
from modelica_ast.library.relinking import Looker, Name, foreign_names, opened_fully, with_first_parts
from modelica_ast.tables import KINDS


def names_leading_out(libraries: Libraries, name: str, tally: Tally) -> dict[str, list[Name]]:
    """For the class and each class inside it with a file of its own: the names in it that lead out of it."""
    library, entry, rest = libraries.entry_of(name)
    del library
    files = list(entry.walk()) if not rest else [entry]
    found: dict[str, list[Name]] = {}
    tally.expect(len(files))
    for file in files:
        document = libraries.document(file)
        inner = ".".join([file.name, *(rest if file is entry else [])])
        definition = document.work.find_class(inner).path
        opened = opened_fully(document, definition)
        looker = Looker(libraries, {file.path: opened.root})
        full = ".".join([*split_name(file.full_name), *(rest if file is entry else [])])
        found[full] = [
            item
            for item in foreign_names(looker, file.path, opened.root, definition)
            if not f"{item.stands_for}.".startswith(f"{name}.") or item.stands_for == name
        ]
        tally.done(file.path)
    return found


def mend_names(
    libraries: Libraries, foreign: dict[str, list[Name]], renamed: Callable[[str], str], tally: Tally
) -> None:
    """Look up each of the names where it stands now; write those anew that mean something else."""
    tally.expect(2 * len(foreign))
    for clauses_first in (True, False):
        for old_full, names in foreign.items():
            tally.done(_mend_class(libraries, renamed(old_full), names, renamed, extends_only=clauses_first))


def _mend_class(
    libraries: Libraries, full: str, names: list[Name], renamed: Callable[[str], str], *, extends_only: bool
) -> Path:
    """The file that was looked through."""
    _, entry, rest = libraries.entry_of(full)
    document = libraries.document(entry)
    definition = document.work.find_class(".".join([entry.name, *rest])).path
    opened = opened_fully(document, definition)
    root: Any = opened.root
    looker = Looker(libraries, {entry.path: root})
    for name in names:
        path = (*definition, *name.path)
        in_extends = any(
            KINDS[node_at(root, path[:depth])[0]] == "extends_clause" for depth in range(len(definition), len(path))
        )
        if in_extends is not extends_only:  # written anew in its own round, and once
            continue
        node = at(root, path)
        first = next(text for text in tokens(node) if text != ".")
        wanted = renamed(name.stands_for)
        is_global = tokens(node)[0] == "."
        if not looker.resolves(entry.path, path, [first], wanted, is_global=is_global):
            root = replaced(root, path, with_first_parts(node, name.kind, 1, looker.shortest(entry.path, path, wanted)))
    if root is not opened.root:
        document.edit(ExactEditor.take, opened.closed(root))
    return entry.path
