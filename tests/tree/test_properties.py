"""Laws that hold for every text, on texts that Hypothesis makes up."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st

from conftest import MODELICA_FIXTURES, examples
from modelica_ast import ModelicaSyntaxError, Source, parse, render, walk
from modelica_ast._grammar.build_table import STARTS
from modelica_ast.syntax.green import equal, render as render_green
from modelica_ast.syntax.lalr import Green, Node, run
from modelica_ast.syntax.lexer import lex
from modelica_ast.syntax.reader import new_machine
from modelica_ast.syntax.tables import KINDS, LITERALS
from modelica_ast.testing import trivia
from modelica_ast.testing.derivations import green_trees
from modelica_ast.tree import StoredDefinition


def parsed(text: str, start: str) -> Green:
    """The tree of a text, without the checks: a random derivation has prefixes in random order."""
    return run(new_machine(start, lex(text, lazy=False)))


@pytest.mark.parametrize("start", STARTS)
@given(data=st.data())
@settings(max_examples=examples(60))
def test_a_random_tree_is_found_again_in_its_text(start: str, data: st.DataObject) -> None:
    tree = data.draw(green_trees(start))
    tail = data.draw(trivia())
    assert equal(parsed(render_green(tree) + tail, start), tree)


@given(green_trees("stored_definition"), trivia())
@settings(max_examples=examples(150))
def test_render_of_parse_is_the_identity(tree: Node, tail: str) -> None:
    text = render_green(tree) + tail
    for strict in (False, True):
        found = parse_or_none(text, strict=strict)
        assert found is None or render(found) == text
    recovered = parse(text, recover=True)
    assert render(recovered) == text
    # Without a check that refuses it, recovery has nothing to do.
    assert all(KINDS[node[0]] != "unparsed" for node in nodes(recovered.green))


@given(green_trees("stored_definition"))
@settings(max_examples=examples(100))
def test_a_lazy_tree_opened_is_the_strict_tree(tree: Node) -> None:
    text = render_green(tree)
    lazy, strict = parse_or_none(text), parse_or_none(text, strict=True)
    if lazy is not None and strict is not None:
        opened = [(type(view), view.text) for view in walk(lazy, tokens=True)]
        assert opened == [(type(view), view.text) for view in walk(strict, tokens=True)]


def parse_or_none(text: str, *, strict: bool = False) -> StoredDefinition | None:
    try:
        return parse(text, strict=strict)
    except ModelicaSyntaxError:
        return None


def nodes(root: object) -> list[Node]:
    found: list[Node] = []
    todo = [root]
    while todo:
        green = todo.pop()
        if isinstance(green, tuple):
            found.append(green)
            todo += green[1:]
    return found


def check_any_text(text: str) -> None:
    """Parse returns or raises the one exception; recovery returns; both lose nothing."""
    for strict in (False, True):
        try:
            tree = parse(text, strict=strict)
        except ModelicaSyntaxError as error:
            assert 0 <= error.offset <= len(text)  # noqa: PT017  (that it was raised is not what is tested)
            assert str(error).startswith("<text>:")  # noqa: PT017
        else:
            assert render(tree) == text
    recovered = parse(text, recover=True)
    assert render(recovered) == text
    for view in walk(recovered, tokens=True):
        assert isinstance(view.text, str)


@given(st.text())
@settings(max_examples=examples(300))
@example("model A end A;\x00")
@example('"\\"')
@example("\ufeff\ufeff")
def test_any_text(text: str) -> None:
    check_any_text(text)


soup = st.lists(
    st.sampled_from(
        [*LITERALS, "end", "x", "A", "'q'", "1", "1.5", '"s"', "annotation(", "end A;", "model A", ";", "\n"]
    )
    | trivia()
    | st.characters(),
    max_size=60,
).map(" ".join)


@given(soup)
@settings(max_examples=examples(400))
def test_token_soup(text: str) -> None:
    check_any_text(text)


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda p: p.name)
@given(data=st.data())
@settings(max_examples=examples(25))
def test_mutilated_files(path: Path, data: st.DataObject) -> None:
    text = Source.read(path).text
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        stop = min(len(text), start + data.draw(st.integers(0, 30)))
        text = text[:start] + data.draw(soup | st.just("")) + text[stop:]
    check_any_text(text)
