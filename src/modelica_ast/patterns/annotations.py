"""Annotations are one leaf until somebody reads them: those that a pattern may be about are read, and closed again."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any, Final

from modelica_ast.edit.occurrences import leaf_paths, opened_at
from modelica_ast.edit.surgery import Path, replaced
from modelica_ast.green import Node, child_at, render
from modelica_ast.lexer import kind_of
from modelica_ast.reading import read
from modelica_ast.source import Source
from modelica_ast.tables import KINDS, NUMBER

_LAZY: Final = NUMBER["LAZY_ANNOTATION"]


def opened(root: Node, words: frozenset[str], file: FilePath | None) -> Any:
    """The tree with those annotations read that contain all words; the same text. `file` is for messages."""
    found = [
        path
        for path, leaf in leaf_paths(root)
        if leaf.endswith(")") and kind_of(leaf) == _LAZY and all(word in leaf for word in words)
    ]
    new: Any = root
    for path in found:
        new = replaced(new, path, opened_at(root, path, file))
    return new


def closed(root: Any) -> Any:
    """The tree with its annotations as a parse has them: one leaf each, unless they nest too deep."""
    found: list[tuple[Path, Any]] = []
    stack: list[tuple[Path, Any]] = [((), root)]
    while stack:
        path, node = stack.pop()
        for index in range(1, len(node)):
            part = node[index]
            if type(part) is tuple:
                here = (*path, index)
                if KINDS[part[0]] == "annotation_clause":
                    found.append((here, part))
                else:
                    stack.append((here, part))
    for path, clause in found:
        root = replaced(root, path, child_at(read(Source(render(clause)), start="annotation_clause").green, 1))
    return root
