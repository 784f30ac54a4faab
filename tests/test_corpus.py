"""Every file of the Standard Library, lazily, strictly and with recovery. `make test-corpus`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from modelica_ast import evaluate, parse, parse_file, render, render_bytes, views, walk
from modelica_ast.edit import Document, EditError
from modelica_ast.literals import LiteralError

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


def test_edits_in_every_class(files: list[Path]) -> None:
    """In every class with components: set a modifier, add a component and remove it again, remove one."""
    counts = {"set": 0, "refused": 0, "added and removed": 0, "removed": 0}
    for path in files:
        document = Document.open(path)
        text = document.text
        for definition in [d for d in walk(document.tree, annotations=False) if isinstance(d, views.ClassDefinition)]:
            names = [component.name for component in definition.components]
            if not names or len(set(names)) < len(names):
                continue
            owner = document.find_class(definition.full_name)
            component = owner.find_component(names[len(names) // 2])
            try:
                component.set("zz.start", 12.5)
            except EditError:
                counts["refused"] += 1  # a value that can't be reached into
            else:
                counts["set"] += 1
                document.undo()
            owner.add_component("A.B", "brand_new_1", {"k": 1}, after=component.name).remove()
            assert document.text == text, (path, owner, component)
            document.undo()
            document.undo()
            counts["added and removed"] += 1
            component.remove()
            assert owner.get_component(component.name) is None
            counts["removed"] += 1
            document.undo()
        assert document.text == text
        document.find_class(document.tree.classes[0].name)
    say(", ".join(f"{count:,} {what}" for what, count in counts.items()))
    assert counts["removed"] > 3_000
