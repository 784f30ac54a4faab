"""Classes of real libraries."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from hypothesis import note
from hypothesis import strategies as st

from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.parse import parse_file
from modelica_ast.traverse import walk
from modelica_ast.views.classes import ClassDefinition


def library_classes(root: str | os.PathLike[str], *, max_length: int = 20_000) -> st.SearchStrategy[str]:
    """The text of classes from the `.mo` files below a folder, each a file by itself, with its comments as they are.

    Classes longer than `max_length` characters are left out: what is wrong with them is wrong with shorter ones too.
    A failing example says which class of which file it is. Files are read when they are drawn, not before; one that
    does not parse has no classes to draw.
    """
    files = [path for path in sorted(Path(root).rglob("*.mo")) if path.is_file()]
    if not files:
        raise FileNotFoundError(f"there is no .mo file below {root}")
    return _library_classes(files, max_length)


@st.composite
def _library_classes(draw: st.DrawFn, files: list[Path], max_length: int) -> str:
    file = draw(st.sampled_from(files).filter(lambda path: bool(_classes_of(path, max_length))))
    name, text = draw(st.sampled_from(_classes_of(file, max_length)))
    note(f"{name} of {file}")
    return text


@cache
def _classes_of(file: Path, max_length: int) -> list[tuple[str, str]]:
    """(full name, text) of every class of a file, the shortest first: there Hypothesis shrinks to."""
    try:
        tree = parse_file(file)
    except ModelicaSyntaxError:
        return []
    views = [view for view in walk(tree, annotations=False) if isinstance(view, ClassDefinition)]
    found = [(view.full_name, f"{view.text};\n") for view in views]
    return sorted((each for each in found if len(each[1]) <= max_length), key=lambda each: len(each[1]))
