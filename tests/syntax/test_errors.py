"""Every message is in fixtures/errors: a file that is not Modelica, and what its author is told."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast import ModelicaSyntaxError, parse, parse_annotation, parse_expression, parse_file, render, walk

CASES = sorted((FIXTURES / "errors").glob("*.mo"))


def test_there_are_cases() -> None:
    assert len(CASES) > 60


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_message(path: Path) -> None:
    text = path.read_bytes().decode()
    with pytest.raises(ModelicaSyntaxError) as caught:
        parse(text, path=path.name, strict=True)
    assert str(caught.value) + "\n" == path.with_suffix(".txt").read_bytes().decode()


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_recovery_round_trips_and_finds_an_error(path: Path) -> None:
    text = path.read_bytes().decode()
    tree = parse(text, recover=True)
    assert render(tree) == text
    assert tree.errors


def test_an_error_knows_its_parts(tmp_path: Path) -> None:
    path = tmp_path / "Arm.mo"
    path.write_text("model Arm\n  Body body1\nequation\nend Arm;\n")
    with pytest.raises(ModelicaSyntaxError) as caught:
        parse_file(path)
    error = caught.value
    assert (error.path, error.line, error.column, error.offset) == (path, 2, 13, 22)
    assert error.message == "expected ';' after component 'body1', found 'equation'"
    assert error.headline == f"{path}:2:13: {error.message}"
    assert "';'" in error.expected


def test_a_broken_annotation_is_an_error_when_it_is_read_with_its_place_in_the_file() -> None:
    broken = "model M\n  Real x\n    annotation (a(b(=1)));\nend M;\n"
    tree = parse(broken)
    with pytest.raises(ModelicaSyntaxError, match=r"<text>:3:21: expected a modifier or '\)', found '='"):
        list(walk(tree))
    with pytest.raises(ModelicaSyntaxError, match="3:21"):
        parse(broken, strict=True)


def test_hints_inside_an_annotation_name_places_of_the_file() -> None:
    tree = parse("model M\n  Real x annotation (a(redeclare class E Real y(start=1; end E));\nend M;\n", recover=True)
    assert "line 2, column 48" in tree.errors[0].hint
    lazy = parse('model M\n  Real x annotation (a(b="(", c=if x));\nend M;\n')
    with pytest.raises(ModelicaSyntaxError) as caught:
        list(walk(lazy))
    assert (caught.value.line, caught.value.column) == (2, 37)


def test_fragments_report_their_own_places() -> None:
    with pytest.raises(ModelicaSyntaxError, match="<text>:1:4: expected an expression, found the end of the text"):
        parse_expression("1 +")
    with pytest.raises(ModelicaSyntaxError, match="<text>:1:18: expected a modifier or"):
        parse_annotation("annotation (Icon(=")


def test_an_empty_array_is_fine_where_an_annotation_could_be() -> None:
    assert parse_expression("{}").text == "{}"
    assert parse("model M annotation (Icon(graphics={})); end M;", strict=True)


def test_the_first_problem_of_a_file_is_reported() -> None:
    text = "model A\n  final final Real x;\nend B;\nmodel C\n  Real = ;\nend C;\n"
    with pytest.raises(ModelicaSyntaxError, match="2:9: 'final' is written twice"):
        parse(text)


def test_errors_can_be_pickled() -> None:
    with pytest.raises(ModelicaSyntaxError) as caught:
        parse("model M\n  Real x\nend M;", path="M.mo")
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  (our own bytes)
    assert str(copy) == str(caught.value)
    assert (copy.line, copy.column, copy.offset) == (caught.value.line, caught.value.column, caught.value.offset)
