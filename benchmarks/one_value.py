"""What tools do to a file of the Standard Library when one value is set: does that value change, and only that?

    python benchmarks/one_value.py [--files 300]

In each file of a sample, the first component that has a number as a modifier gets another number there. The truth is
the file with the bytes of that number replaced, at the place where the parser has it. Compared with it are

- `modelica_ast`: `document.find_class(…).find_component(…).set(…)`;
- a regular expression: COMPONENT, a parenthesis, PARAMETER, `=`, and what follows up to a comma or a parenthesis;
- `modelica-builder`: `Model.update_component_modification`, from a file that is read with the encoding of the system.

*changes more* is a file in which other bytes differ, too; *changes nothing* one that is as before, without a word.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

# Started as a script; its parts are `benchmarks.…` for type checkers.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.corpus import SourceFile, find_library

from modelica_ast import parse
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.tree import NumberLiteral

NEW = 9.75


@attrs.frozen
class Task:
    """One value to set, and the file as it is to be then."""

    text: str
    within: str | None
    cls: str
    type: str
    component: str
    parameter: str
    wanted: str


def all_classes(classes: list[ClassHandle]) -> Iterator[ClassHandle]:
    """These classes and those inside, the outer ones first."""
    for each in classes:
        yield each
        yield from all_classes(each.classes)


def task_of(text: str) -> Task | None:
    """The first component of a file with a number as a modifier of one level."""
    document = Document(text)
    for cls in all_classes(document.classes):
        for component in cls.components:
            for argument in component.view.arguments.items if component.view.arguments is not None else []:
                name = str(getattr(argument, "name", ""))
                value = component.get(name) if name.isidentifier() else None
                if isinstance(value, NumberLiteral):
                    start, end = value.span.start.offset, value.span.end.offset
                    wanted = f"{text[:start]}{NEW}{text[end:]}"
                    return Task(text, document.within, cls.name, component.type, component.name, name, wanted)
    return None


def ours(task: Task) -> str:
    """By name."""
    document = Document(task.text)
    document.find_class(task.cls).find_component(task.component).set(task.parameter, NEW)
    return document.text


def expression(task: Task) -> str:
    """By a regular expression."""
    place = rf"(\b{task.component}\s*\([^()]*?\b{task.parameter}\s*=\s*)[^,()]+"
    return re.sub(place, rf"\g<1>{NEW}", task.text)


def builder(task: Task) -> str:
    """By modelica-builder."""
    from modelica_builder.model import Model  # noqa: PLC0415  (it need not be installed)

    with tempfile.NamedTemporaryFile("w", suffix=".mo", encoding="utf-8", newline="") as file:
        file.write(task.text)
        file.flush()
        model = Model(file.name)
        model.update_component_modification(task.type, task.component, task.parameter, str(NEW))
        return str(model.execute())


def verdict(tool: Callable[[Task], str], task: Task) -> str:
    """What came of it, in two words."""
    try:
        result = tool(task)
    except Exception:  # noqa: BLE001  (whatever the tool says)
        return "raises"
    if result == task.wanted:
        return "right"
    return "changes nothing" if result == task.text else "changes more"


def main() -> int:
    """Print one row for each tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=300)
    options = parser.parse_args()
    _, files = find_library()
    tasks = list(filter(None, (task_of(file.text()) for file in every(files, options.files))))
    assert all(parse(task.wanted) for task in tasks)
    print(f"{len(tasks)} files, {sum(len(task.text) for task in tasks) / 1e6:.2f} MB")
    for name, tool in (("modelica_ast", ours), ("regular expression", expression), ("modelica-builder", builder)):
        start = time.process_time()
        found = Counter(verdict(tool, task) for task in tasks)
        print(f"{name:20}{time.process_time() - start:8.1f} s  {dict(found.most_common())}", flush=True)
    return 0


def every(files: list[SourceFile], number: int) -> list[SourceFile]:
    """So many files, at even distances in the order of paths."""
    return files[:: max(1, len(files) // number)]


if __name__ == "__main__":
    sys.exit(main())
