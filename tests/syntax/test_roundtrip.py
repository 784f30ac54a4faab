"""render(parse(s)) == s, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import MODELICA_FIXTURES
from modelica_ast import (
    ModelicaSyntaxError,
    Source,
    parse,
    parse_annotation,
    parse_argument,
    parse_class,
    parse_element,
    parse_equation,
    parse_expression,
    parse_file,
    parse_modification,
    parse_name,
    parse_reference,
    parse_statement,
    render,
    render_bytes,
    walk,
)


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda p: p.name)
@pytest.mark.parametrize("strict", [False, True])
def test_files_come_back_byte_for_byte(path: Path, strict: bool) -> None:  # noqa: FBT001
    tree = parse_file(path, strict=strict)
    assert render_bytes(tree) == path.read_bytes()


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda p: p.name)
def test_children_texts_are_the_text(path: Path) -> None:
    for view in walk(parse_file(path), tokens=True):
        if view.children:
            assert "".join(render(child) for child in view.children) == render(view)


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda p: p.name)
def test_reading_annotations_changes_no_text(path: Path) -> None:
    tree = parse_file(path)
    for _ in walk(tree):
        pass
    assert render_bytes(tree) == path.read_bytes()


def test_encodings_are_told_apart() -> None:
    assert Source.from_bytes("é".encode()).encoding == "utf-8"
    assert Source.from_bytes("é".encode("latin-1")).encoding == "latin-1"
    latin = Source.from_bytes(bytes(range(256)))
    assert latin.encode(latin.text) == bytes(range(256))


def test_a_bom_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    path.write_bytes(b"\xef\xbb\xbfmodel M end M;")
    tree = parse_file(path)
    assert tree.classes[0].name == "M"
    assert render_bytes(tree) == path.read_bytes()


def test_utf16_is_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    path.write_bytes("model M end M;".encode("utf-16"))
    with pytest.raises(ModelicaSyntaxError, match=r"M\.mo:1:1: the file is UTF-16"):
        parse_file(path)


@pytest.mark.parametrize(
    ("parser", "text"),
    [
        (parse_class, " // c\n final model M Real x; end M ; // t\n"),
        (parse_element, '  parameter Real m = 1 "mass"; // kg'),
        (parse_element, "import A.B.*;"),
        (parse_equation, "connect(a, b) annotation(Line()); "),
        (parse_statement, "x := 1 ;\n"),
        (parse_modification, "(start = 1) = 2 "),
        (parse_argument, "redeclare model M = N "),
        (parse_expression, " a + /* b */ 2 // c"),
        (parse_expression, "x"),
        (parse_expression, "{}"),
        (parse_annotation, " annotation (Icon(graphics={})) "),
        (parse_name, ".Modelica.Units "),
        (parse_reference, " a.b[1].c "),
    ],
)  # fmt: skip
def test_fragments_come_back_with_their_tails(parser: object, text: str) -> None:
    assert callable(parser)
    view = parser(text)
    assert render(view.root) == text
    assert view.text in text


def test_a_lone_leaf_has_its_class() -> None:
    assert type(parse_expression("x")).__name__ == "ComponentReference"
    assert type(parse_expression("1")).__name__ == "NumberLiteral"
    assert type(parse_name("A")).__name__ == "Name"


def test_equal_texts_give_equal_trees() -> None:
    text = "model M Real x = 1; end M;"
    assert parse(text).green == parse(text).green
