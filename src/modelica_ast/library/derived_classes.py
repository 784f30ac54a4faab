"""The classes that inherit from a class, in every file of the libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from modelica_ast.library.class_files import LibraryFiles, classes_of
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.progress import Tally
from modelica_ast.library.references import files_with
from modelica_ast.semantics.definitions import Definition
from modelica_ast.semantics.environments import Environment


def derived_classes(libraries: Libraries, definition: Definition) -> list[Environment]:
    """All classes that inherit from one, directly or not, as they are written.

    Who extends a class writes its name, or that of an import that does; so only files with such names are read.
    """
    classes = classes_of(libraries)
    files = classes.files
    assert isinstance(files, LibraryFiles)
    found: dict[Definition, Environment] = {}
    asked: set[str] = set()
    todo = [definition.name]
    while todo:
        name = todo.pop()
        if name in asked:
            continue
        asked.add(name)
        for entry in files_with(libraries, frozenset({name}), Tally(None)):
            for other in with_inner(files.tops(entry)):
                todo += _aliases(other, name)
                if other in found or other is definition:
                    continue
                environment = classes.as_written(other)
                if any(part.written is definition for part in environment.ancestry()):
                    found[other] = environment
                    todo.append(other.name)
    return list(found.values())


def _aliases(definition: Definition, name: str) -> Iterator[str]:
    imports = definition.imports
    if imports is not None:
        yield from (local for local, parts in imports.named.items() if parts[-1] == name and local != name)


def with_inner(tops: Iterable[Definition]) -> Iterator[Definition]:
    """Some classes and all those inside them."""
    todo = list(tops)[::-1]
    while todo:
        definition = todo.pop()
        yield definition
        todo += list(definition.inner_classes)[::-1]
