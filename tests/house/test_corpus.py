"""Every file of the Standard Library, lazily, strictly and with recovery. `make test-corpus`."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any
from zlib import crc32

import pytest

from modelica_ast import evaluate, parse, parse_class, parse_file, render, render_bytes, tree as views, walk
from modelica_ast.edit import Document
from modelica_ast.edit.patch import run
from modelica_ast.foundation import EditError
from modelica_ast.syntax.green import render as render_green
from modelica_ast.testing.laws import difference
from modelica_ast.testing.touched import differs_elsewhere, own_lines, with_section
from modelica_ast.tree.literals import LiteralError

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def files(msl: Path) -> list[Path]:
    """The Standard Library, and what is installed with it: ModelicaServices, ModelicaTest, Complex."""
    return sorted(path for path in msl.parent.rglob("*.mo") if path.is_file())


def say(text: str) -> None:
    sys.stdout.write(f"\n{text}\n")


@pytest.mark.parametrize("strict", [False, True])
def test_every_file_comes_back_byte_for_byte(files: list[Path], strict: bool) -> None:  # noqa: FBT001
    total = 0
    for path in files:
        data = path.read_bytes()
        assert render_bytes(parse_file(path, strict=strict)) == data, path
        total += len(data)
    assert len(files) > 2000
    say(f"{'strict' if strict else 'lazy'}: {len(files)} files, {total:,} bytes, all identical")


def test_recovery_finds_nothing_to_do(files: list[Path]) -> None:
    for path in files:
        tree = parse_file(path, recover=True)
        assert tree.errors == (), path
        assert tree.green == parse_file(path, strict=True).green, path
    say(f"recovery: {len(files)} files, nothing to do")


def test_every_view_of_every_file(files: list[Path]) -> None:
    kinds: dict[str, int] = {}
    for path in files:
        tree = parse_file(path)
        for view in walk(tree, tokens=True):
            kinds[type(view).__name__] = kinds.get(type(view).__name__, 0) + 1
        assert render_bytes(tree) == path.read_bytes(), path
    say(f"{sum(kinds.values()):,} views of {len(kinds)} classes")
    assert kinds["ClassDefinition"] > 7_000


def test_literals_come_back(files: list[Path]) -> None:
    count = 0
    for path in files[::10]:
        for view in walk(parse_file(path)):
            if isinstance(view, views.NumberLiteral | views.StringLiteral | views.Array):
                try:
                    evaluate(view)
                except LiteralError:
                    continue
                count += 1
    say(f"{count:,} literals evaluated")
    assert count > 10_000


def test_a_class_cut_short_costs_that_class_only(files: list[Path]) -> None:
    """Break one component in each of some large packages; everything else must still be there."""
    broken = 0
    for path in sorted(files, key=lambda p: p.stat().st_size)[-40:]:
        tree = parse_file(path)
        good = [c for c in walk(tree, annotations=False) if isinstance(c, views.ClassDefinition)]
        victims = [c for c in good if c.components and not c.classes]
        if not victims:
            continue
        component = victims[len(victims) // 2].components[0]
        offset = component.position.offset
        text = tree.source.text
        recovered = parse(text[:offset] + "= " + text[offset:], recover=True)
        assert render(recovered) == text[:offset] + "= " + text[offset:]
        left = [c for c in walk(recovered, annotations=False) if isinstance(c, views.ClassDefinition)]
        assert len(left) == len(good) - 1, path
        assert len(recovered.errors) == 1, path
        broken += 1
    say(f"{broken} files broken in one class, all other classes kept")
    assert broken > 10


# ---------------------------------------------------------------- a component of every class is edited


QUOTED = re.compile(r"(?<!\w)'.*?'(?!\w)", re.DOTALL)


class Tally:
    """How many edits there were, and why others were refused."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def tried(self, what: str, document: Document, op: str, owner: str, **keys: Any) -> bool:
        """Carry out an edit; False if it is refused."""
        try:
            document.edit(run, {"op": op, "class": owner, **keys})
        except EditError as error:
            reason = QUOTED.sub("'…'", str(error))
            self.refused[f"{what}: {reason[:70]}"] += 1
            return False
        self.done[what] += 1
        return True

    def __str__(self) -> str:
        lines = [", ".join(f"{count:,} {what}" for what, count in self.done.items())]
        lines += [f"  {count:,} refused, {why}" for why, count in self.refused.most_common()]
        return "\n".join(lines)


def test_a_component_of_every_class_is_edited(files: list[Path]) -> None:
    """Set a modifier, rename, remove, add back: each result parses, and differs in the edit's own lines alone."""
    started = perf_counter()
    tally = Tally()
    classes = 0
    for path in files:
        document = Document.open(path)
        start = document.tree
        for definition in walk(start, annotations=False):
            if not isinstance(definition, views.ClassDefinition):
                continue
            names = [component.name for component in definition.components]
            if names:
                classes += 1
                # At random, but the same component in every run.
                component = names[crc32(definition.full_name.encode()) % len(names)]
                edit_one(document, tally, definition.full_name, component)
                assert document.tree.green is start.green, (path, definition.full_name)
    say(f"{classes:,} classes with components: {tally}\n{perf_counter() - started:.0f} s")
    assert tally.done["modifiers set"] > 3_000
    assert tally.done["components removed"] > 3_000
    assert tally.done["components added back"] > 3_000


def edit_one(document: Document, tally: Tally, owner: str, name: str) -> None:
    """One edit after the other, each on the result of the last; then all are undone."""
    steps = 0
    if tally.tried("modifiers set", document, "set_modifier", owner, component=name, path="zz.start", value=12.5):
        steps += check_edit(document, owner, name, whole_lines=False)
    rename_one(tally, f"{render_green(document.find_class(owner).view.green)};", name)
    others = [component.name for component in document.find_class(owner).components if component.name != name]
    try:
        type_ = document.find_class(owner).find_component(name).type
    except EditError:  # it is declared twice
        type_ = "Real"
    if tally.tried("components removed", document, "remove_component", owner, component=name):
        steps += check_edit(document, owner, name, whole_lines=True)
        # Beside another, if there is one that is declared once.
        after = next((other for other in others if others.count(other) == 1), None)
        keys = {"type": type_, "name": name, "after": after}
        added = tally.tried("components added back", document, "add_component", owner, **keys)
        assert added, (owner, name)
        steps += check_addition(document, owner, name)
    for _ in range(steps):
        document.undo()


def before_and_after(document: Document, owner: str) -> tuple[str, str]:
    """The text of a class before the last step and after it; everything around it must be the very same nodes."""
    path = document.find_class(owner).view.path
    new: Any = document.state
    document.undo()
    old: Any = document.state
    document.redo()
    for index in path:
        assert len(old) == len(new)
        assert all(one is other for i, (one, other) in enumerate(zip(old, new, strict=True)) if i not in (0, index))
        old, new = old[index], new[index]
    return render_green(old) + ";", render_green(new) + ";"


def check_edit(document: Document, owner: str, name: str, *, whole_lines: bool) -> int:
    """The class parses, and differs inside the element of a component, or in its lines."""
    before, after = before_and_after(document, owner)
    parse_class(after)
    component = parse_class(before).get_component(name)
    assert component is not None
    assert component.element is not None
    span = component.element.span
    own = own_lines(before, with_section(component.element)) if whole_lines else (span.start.offset, span.end.offset)
    assert not differs_elsewhere(before, after, [own]), (owner, name, difference(before, after))
    return 1


def check_addition(document: Document, owner: str, name: str) -> int:
    """The class parses, and has nothing but one piece of text more."""
    before, after = before_and_after(document, owner)
    assert parse_class(after).get_component(name) is not None
    start = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    assert after.endswith(before[start:]), (owner, name, difference(before, after))
    return 1


def rename_one(tally: Tally, text: str, name: str) -> None:
    """Rename a component in its class as a file on its own: the whole file is searched for its uses."""
    document = Document(text)
    owner = document.tree.classes[0].name
    if tally.tried("components renamed", document, "rename_component", owner, component=name, name="renamed_zz"):
        assert parse_class(document.text).get_component("renamed_zz") is not None
        assert document.text.replace("renamed_zz", name) == text, (owner, name, difference(text, document.text))
