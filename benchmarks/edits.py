"""Small edits in the largest class-rich file: each against parsing that file again."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

import attrs
from benchmarks.corpus import SourceFile

from modelica_ast import parse, walk
from modelica_ast.edit import Document
from modelica_ast.tree import ClassDefinition

_TIMES = 15
_MANY_CLASSES = 20


@attrs.frozen
class EditSpeed:
    """CPU seconds, medians; look-up and the proof that what was written reads back included."""

    file: str
    size: int
    parse: float
    set_value: float
    add_component: float
    connect: float


def measure(files: Sequence[SourceFile]) -> EditSpeed:
    """Edit a class in the middle of the file. To be called in a fresh process."""
    for file in sorted(files, key=lambda file: -file.size):
        text = file.text()
        document = Document(text)
        found = [
            view
            for view in walk(document.tree, annotations=False)
            if isinstance(view, ClassDefinition) and view.components
        ]
        if len(found) >= _MANY_CLASSES:
            break
    else:
        raise RuntimeError("no file of the library has many classes")
    middle = found[len(found) // 2]
    handle = document.find_class(middle.full_name)
    component = handle.find_component(middle.components[0].name)
    return EditSpeed(
        file.path.name,
        len(text),
        _median(lambda _: parse(text)),
        _median(lambda number: component.set("start", number + 0.5), document.undo),
        _median(lambda number: handle.add_component("Real", f"new{number}"), document.undo),
        _median(lambda number: handle.connect("new.a", f"new.b{number}"), document.undo),
    )


def _median(edit: Callable[[int], object], after: Callable[[], None] = lambda: None) -> float:
    times = []
    for number in range(_TIMES):
        start = time.process_time()
        edit(number)
        times.append(time.process_time() - start)
        after()
    return median(times)
