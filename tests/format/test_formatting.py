"""Formatting: pairs of files in fixtures/formatting, and what holds for every text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from conftest import FIXTURES, MODELICA_FIXTURES, examples
from modelica_ast import ModelicaError, ModelicaSyntaxError
from modelica_ast.edit import Document
from modelica_ast.format import format_class, format_document, format_text
from modelica_ast.format.slots import gap_of
from modelica_ast.foundation import NotFoundError
from modelica_ast.foundation.source import Source
from modelica_ast.syntax.green import render
from modelica_ast.syntax.lalr import Green
from modelica_ast.syntax.lexer import lex, split_leaf
from modelica_ast.syntax.reader import read
from modelica_ast.syntax.tables import KINDS
from modelica_ast.testing import documents, trivia
from modelica_ast.testing.derivations import green_trees

CASES = sorted(path.name for path in (FIXTURES / "formatting").iterdir())
WIDTHS = st.sampled_from([100, 40, 10, 1])


def read_case(name: str, file: str) -> str:
    return (FIXTURES / "formatting" / name / file).read_bytes().decode("utf-8")


def tokens_and_comments(text: str) -> tuple[list[str], list[str]]:
    """All tokens, and all comments with each of their lines stripped of its indentation."""
    leaves = [split_leaf(leaf) for leaf, _ in lex(text, lazy=False)]
    comments = [comment.text for prefix, _ in leaves for comment in gap_of(prefix).comments]
    stripped = ["\n".join(line.lstrip(" \t") for line in comment.split("\n")) for comment in comments]
    return [token for _, token in leaves], stripped


def shape(text: str) -> list[str]:
    """The tree without blanks and comments: node kinds and tokens, in source order."""
    found = []
    stack: list[Green] = [read(Source(text), lazy=False).green]
    while stack:
        green = stack.pop()
        if isinstance(green, str):
            found.append(split_leaf(green)[1])
        else:
            found.append(f"{KINDS[green[0]]}/{len(green)}")
            stack += reversed(green[1:])
    return found


def check_laws(text: str, width: int = 100) -> str:
    """What holds for every text; the formatted one."""
    formatted = format_text(text, width=width)
    assert tokens_and_comments(formatted) == tokens_and_comments(text)
    assert shape(formatted) == shape(text)
    assert format_text(formatted, width=width) == formatted
    return formatted


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    after = read_case(name, "after.mo")
    assert check_laws(read_case(name, "before.mo")) == after


def test_there_are_many_cases_and_they_say_something() -> None:
    assert len(CASES) > 60
    unchanged = {name for name in CASES if read_case(name, "before.mo") == read_case(name, "after.mo")}
    # These show what is left alone.
    assert unchanged == {"annotations_keep_their_lines", "classes_at_the_left_margin", "empty_file"}


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda path: path.stem)
def test_every_syntax_of_the_grammar(path: Path) -> None:
    check_laws(Source.read(path).text)


# A tree at random has lists in lists and comments in all places, which people never write.
@settings(max_examples=examples(150))
@given(green_trees("stored_definition", 80, valid=True, between=trivia()), WIDTHS)
def test_any_file_with_any_blanks_and_comments(tree: Green, width: int) -> None:
    check_laws(render(tree), width)


@settings(max_examples=examples(60))
@given(documents(), WIDTHS)
def test_files_like_those_of_people(text: str, width: int) -> None:
    check_laws(text, width)


@given(documents())
def test_lines_end_alike_and_the_last_one_once(text: str) -> None:
    formatted = format_text(text)
    assert formatted.endswith("\n")
    assert not formatted.endswith(("\n\n", "\n\r\n"))
    # Line ends inside strings are part of tokens; those of `documents` are like all others of their file.
    assert ("\r\n" in text) == ("\r\n" in formatted)
    assert not ("\r\n" in formatted and "\n" in formatted.replace("\r\n", ""))


def test_width() -> None:
    text = "model A\n  Real x(a=1, b=2, c=3, d=4);\nend A;\n"
    assert format_text(text, width=28) == text.replace("c=3, ", "c=3,\n    ")
    assert format_text(text, width=29) == text


def test_no_line_is_too_long_that_has_a_place_to_break() -> None:
    arguments = ", ".join(f"argument{n}={n}" for n in range(200))
    formatted = format_text(f"model A\n  B b({arguments});\nend A;\n", width=60)
    assert max(map(len, formatted.splitlines())) <= 60


def test_indent() -> None:
    text = "model A\n  Real x(\n    start=1);\nequation\n  if a then\n    x = 1;\n  end if;\nend A;\n"
    formatted = format_text(text, indent=4)
    assert formatted == text.replace("  ", "    ")
    assert format_text(formatted, indent=4) == formatted


@pytest.mark.parametrize("option", ["width", "indent"])
def test_options_that_make_no_sense(option: str) -> None:
    with pytest.raises(ModelicaError, match=f"{option} is 0; it must be at least 1"):
        format_text("", **{option: 0})


def test_what_is_no_modelica_is_refused() -> None:
    with pytest.raises(ModelicaSyntaxError, match="expected ';'"):
        format_text("model A\n  Real x\nend A;\n")
    with pytest.raises(ModelicaSyntaxError, match="found ';'"):
        format_text("model A\n  annotation (Icon(;));\nend A;\n")


@pytest.mark.slow
def test_depth_and_length_do_not_matter() -> None:
    deep = 20_000
    parentheses = format_text(f"model A\n  Real x={'(' * deep}1{')' * deep};\nend A;\n")
    assert parentheses.count("(") == deep
    broken = format_text("model A\n  Real x=" + "(\n" * deep + "1" + ")" * deep + ";\nend A;\n")
    assert len(broken) < 200 * deep  # indentation ends somewhere
    branches = "if a then\n" * 3_000 + "end if;\n" * 3_000
    assert format_text(f"model A\nequation\n{branches}end A;\n").count("if a then") == 3_000


# ---------------------------------------------------------------- documents

MESSY = "package P\n    model   A\n  Real x ;\nend A;\n\n// about B\nmodel   B Real y; end   B; // behind\nend   P;\n"


def test_a_document_is_formatted_in_one_step() -> None:
    document = Document(MESSY)
    format_document(document)
    assert document.text == format_text(MESSY)
    document.undo()
    assert document.text == MESSY
    document.redo()
    format_document(document)  # nothing to do: no step
    document.undo()
    assert document.text == MESSY


def test_a_formatted_document_can_be_edited() -> None:
    document = Document(MESSY)
    format_document(document)
    document.find_class("P.A").find_component("x").set("start", 2)
    assert "    Real x(start=2);\n" in document.text
    format_document(document)
    assert "    Real x(start=2);\n" in document.text


def test_one_class_is_formatted() -> None:
    document = Document(MESSY)
    format_class(document, "P.B")
    assert document.text == (
        "package P\n    model   A\n  Real x ;\nend A;\n\n"
        "  // about B\n  model B\n    Real y;\n  end B; // behind\nend   P;\n"
    )
    once = document.text
    format_class(document, "P.B")
    assert document.text == once
    document.undo()
    assert document.text == MESSY


def test_a_class_that_is_not_there() -> None:
    with pytest.raises(NotFoundError, match="no class 'C' in 'P'"):
        format_class(Document(MESSY), "P.C")


def test_all_classes_one_by_one_are_the_whole_file() -> None:
    document = Document(MESSY)
    for name in ("P.A", "P.B", "P"):
        format_class(document, name)
    assert document.text == format_text(MESSY)


def test_an_error_in_an_annotation_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "A.mo"
    path.write_text("model A\n  annotation (Icon(a b));\nend A;\n")
    document = Document.open(path)
    with pytest.raises(ModelicaSyntaxError, match=r"A\.mo:2:22: "):
        format_document(document)
    assert not document.is_changed


# ---------------------------------------------------------------- the Standard Library


def library_files(msl: Path) -> list[Path]:
    return sorted(path for path in msl.parent.rglob("*.mo") if path.is_file())


def test_some_files_of_the_standard_library(msl: Path) -> None:
    small = [path for path in library_files(msl) if path.stat().st_size < 20_000]
    for path in small[:: len(small) // 12]:
        check_laws(Source.read(path).text)


@pytest.mark.corpus
def test_all_files_of_the_standard_library(msl: Path) -> None:
    lines = kept = 0
    for path in library_files(msl):
        text = Source.read(path).text
        formatted = check_laws(text)
        old, new = Counter(text.splitlines()), Counter(formatted.splitlines())
        lines += old.total()
        kept += (old & new).total()
    assert lines > 300_000
    # Its style is the style: few lines change.
    assert kept > 0.85 * lines
