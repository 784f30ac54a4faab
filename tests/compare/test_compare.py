"""What changed between two versions: cases as files, and the laws of a semantic diff."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, event, given, reject, settings, strategies as st

from conftest import FIXTURES, MODELICA_FIXTURES, examples
from modelica_ast import ModelicaSyntaxError, parse
from modelica_ast.compare import compare, compare_paths, html_page, lines_of, text_of
from modelica_ast.compare.model import file_thing, root_beside
from modelica_ast.compare.things import Thing, comments_of, normal_number
from modelica_ast.edit import Document
from modelica_ast.foundation import EditError
from modelica_ast.foundation.source import Span
from modelica_ast.syntax import Offsets, equal
from modelica_ast.syntax.lexer import lex, split_leaf
from modelica_ast.testing import documents, edits, library_classes
from modelica_ast.testing.touched import offsets, touched
from modelica_ast.tree import StoredDefinition

CASES = sorted((FIXTURES / "compare").iterdir())
quick = settings(
    max_examples=examples(20),
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path) -> None:
    found = compare(read(case / "old.mo"), read(case / "new.mo"))
    noise = "noise:\n" + text_of(found.noise) if found.noise else ""
    assert text_of(found) + noise == read(case / "changes.txt")


def test_a_change_knows_its_places() -> None:
    old, new = (read(FIXTURES / "compare" / "values" / f"{name}.mo") for name in ("old", "new"))
    change = next(change for change in compare(old, new) if change.path == ("Arm", "upper", "m"))
    assert change.old_span is not None
    assert change.new_span is not None
    assert old[change.old_span.start.offset : change.old_span.end.offset] == change.old == "2.0"
    assert new[change.new_span.start.offset : change.new_span.end.offset] == change.new == "2.5"
    assert change.as_json() == {
        "kind": "changed",
        "what": "modifier",
        "class": "Arm",
        "path": ["Arm", "upper", "m"],
        "old": "2.0",
        "new": "2.5",
        "lines": [],
        "old_span": {
            "start": {"line": 6, "column": 18, "offset": 135},
            "end": {"line": 6, "column": 21, "offset": 138},
        },
        "new_span": {
            "start": {"line": 6, "column": 18, "offset": 147},
            "end": {"line": 6, "column": 21, "offset": 150},
        },
    }
    assert json.loads(json.dumps(compare(old, new).as_json()))["version"] == 1


def test_a_long_text_changes_in_lines() -> None:
    old, new = (read(FIXTURES / "compare" / "long_text" / f"{name}.mo") for name in ("old", "new"))
    changes = compare(old, new)
    change = next(change for change in changes if change.path[-1] == "info")
    lines = change.as_json()["lines"]
    assert [(line["kind"], line["line"]) for line in lines] == [
        ("removed", 5),
        ("added", 5),
        ("removed", 8),
        ("removed", 11),
        ("added", 10),
    ]
    for line in lines:
        assert line["text"] == (old if line["kind"] == "removed" else new).split("\n")[line["line"] - 1]
    page = html_page(changes)
    assert "&lt;p&gt;It must not run dry.&lt;/p&gt;\n⋯\n&lt;p&gt;It runs at 5 Hz" in page
    assert "Its curve is" not in page


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("1.50", "1.5", True),
        ("1", "1.0", True),
        ("15e-1", "1.5", True),
        ("0.0", "0", True),
        (".5", "0.5", True),
        ("1e3", "1000", True),
        ("1e99999999999999999999999", "1e99999999999999999999998", False),
        ("0.1", "0.10000000000000001", False),
        ("12", "21", False),
    ],
)
def test_numbers(one: str, other: str, is_same: bool) -> None:  # noqa: FBT001  (data of a table)
    assert (normal_number(one) == normal_number(other)) is is_same


def test_styles_are_data() -> None:
    (heading, line) = lines_of(compare("model M end M;", "model M Real x; end M;"))
    assert [(piece.text, piece.style) for piece in heading] == [("M", "heading")]
    assert [(piece.text, piece.style) for piece in line][1] == ("+", "added")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_escapes_and_needs_no_network() -> None:
    evil = 'model M "</pre><script>alert(1)</script>\\"&" end M;'
    page = html_page(compare("model M end M;", evil), title="<b>old</b> & new")
    parsed = _Page()
    parsed.feed(page)
    assert "script" not in parsed.tags
    assert "b" not in parsed.tags
    assert "</pre><script>alert(1)</script>" in parsed.text
    assert all(link.startswith("#") for link in parsed.links)
    assert "http" not in page


def test_folders(tmp_path: Path) -> None:
    files = {
        "old": {
            "package.mo": "package P end P;",
            "A.mo": "within P; model A end A;",
            "package.order": "A\nB\n",
            "x.txt": "1",
        },
        "new": {
            "package.mo": "package P end P;",
            "A/package.mo": "within P; model A Real x; end A;",
            "package.order": "B\nA\nC\n",
            "x.txt": "2",
            "C.mo": "within P; model C end C;",
        },
    }
    for folder, inside in files.items():
        for name, text in inside.items():
            (tmp_path / folder / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / name).write_text(text)
    found = compare_paths(tmp_path / "old", tmp_path / "new")
    assert {name: text_of(changes) for name, changes in found.files.items()} == {
        "A/package.mo": "A\n  + component: Real x;\n",
        "package.order": "(file)\n  + order package.order.C: C\n  % order: B A\n",
    }
    assert (found.added, found.removed, found.others) == (("C.mo",), (), ("x.txt",))
    assert not compare_paths(tmp_path / "old", tmp_path / "old")
    with pytest.raises(ValueError, match=r"is a folder and .* is a file"):
        compare_paths(tmp_path / "old", tmp_path / "new" / "C.mo")


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda path: path.name)
def test_things_have_all_of_the_text(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    todo: list[Thing] = [file_thing(parse(text).green)]  # type: ignore[arg-type]  # a file is a node
    while todo:
        thing = todo.pop()
        assert text[thing.start : thing.start + len(thing.text)] == thing.text
        if thing.is_composed:
            assert "".join(child.text for child in thing.children) == thing.core
        todo += thing.children


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda path: path.name)
def test_nothing_changed_and_nothing_but_layout(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    assert compare(text, text).as_json() == {"version": 1, "changes": [], "noise": []}
    assert list(compare(text, relaid(text))) == []


def relaid(text: str) -> str:
    """The text with a blank more wherever blanks stand alone."""
    leaves = [split_leaf(leaf) for leaf, _ in lex(text, lazy=False)]
    return "".join((trivia + " " if trivia and not comments_of(trivia) else trivia) + token for trivia, token in leaves)


def check_edit(text: str, data: st.DataObject) -> None:
    document = Document(text)
    operation = data.draw(edits(text))
    try:
        document.apply([operation])
    except EditError:
        reject()
    found = compare(text, document.text)
    back = compare(document.text, text)
    assert bool(found) == bool(back), "what changed one way changes the other way"
    if document.text == text:
        assert not found
        assert not found.noise
    else:
        assert found or found.noise, "what changed is a change or noise"
    check_places(operation, text, [change.old_span for change in found])
    if operation["op"] != "remove_class":
        check_places(operation, document.text, [change.new_span for change in found])


def check_places(operation: dict[str, Any], text: str, spans: Iterable[Span | None]) -> None:
    """Changes lie where the operation may change something."""
    allowed = offsets(text, touched(operation)(text))
    for span in spans:
        if span is not None:
            assert any(start <= span.start.offset and span.end.offset <= stop for start, stop in allowed), span


@given(documents(), st.data())
@quick
def test_edits_of_documents(text: str, data: st.DataObject) -> None:
    check_edit(text, data)


@given(st.data())
@settings(quick, max_examples=examples(5))
def test_edits_of_library_classes(msl: Path, data: st.DataObject) -> None:
    check_edit(data.draw(library_classes(msl / "Blocks", max_length=4_000)), data)


@pytest.mark.corpus
def test_every_file_of_the_library_is_itself(msl: Path) -> None:
    for path in sorted(msl.rglob("*.mo")):
        text = path.read_bytes().decode("utf-8")
        assert list(compare(text, relaid(text))) == [], path


# ---------------------------------------------------------------- reading


@given(documents(), st.data())
@settings(max_examples=examples(100))
def test_a_tree_made_from_another_is_that_of_its_text(text: str, data: st.DataObject) -> None:
    """Whatever is put anywhere: quotes and comment signs change the tokens behind them."""
    root = parse(text).green
    assert isinstance(root, tuple)
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(at + 20, len(text))))
    signs = [
        *"\"'/*;(){}=,\\\n 1.eE",
        "//",
        "/*",
        "*/",
        "end",
        "Real x;",
        "annotation (",
        "protected",
        " x = 1",
        "\ufeff",
    ]
    added = "".join(data.draw(st.lists(st.sampled_from(signs), max_size=3)))
    new = text[:at] + added + text[end:]
    made = root_beside(new, text, root, Offsets())
    if made is not None:
        assert equal(made, parse(new).green)
        event("made")
    if made is not None and root_beside(new, text, root, Offsets(), strict=True) is not None and is_strict(text):
        parse(new, strict=True)


def is_strict(text: str) -> bool:
    try:
        parse(text, strict=True)
    except ModelicaSyntaxError:
        return False
    return True


def test_a_value_that_changes_costs_no_parse_of_the_rest() -> None:
    text = "package P\n  model A\n    Real x = 1;\n  end A;\n\n  model B\n    Real y = 2;\n  end B;\nend P;\n"
    root = parse(text).green
    assert isinstance(root, tuple)
    made = root_beside(text.replace("= 2", "= 25"), text, root, Offsets())
    assert made is not None
    one, other = (StoredDefinition.over(each).classes[0].composition for each in (root, made))
    assert one is not None
    assert other is not None
    assert one.elements[0].green is other.elements[0].green
