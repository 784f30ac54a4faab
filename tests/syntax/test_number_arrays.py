"""An array of numbers is read as one leaf; trees, messages and places must be those of reading it token by token."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import event, given, settings, strategies as st

from conftest import MODELICA_FIXTURES, examples
from modelica_ast import ModelicaSyntaxError, Source, parse
from modelica_ast.syntax import _table, lexer, lexer as phrases, reader
from modelica_ast.syntax.green import child_at, equal, render
from modelica_ast.syntax.lalr import Green, Refused, run
from modelica_ast.syntax.lexer import lex
from modelica_ast.syntax.tables import NUMBER_ARRAY, PATTERNS

# Where an expression can be; in an annotation it is read when somebody looks, and in strict mode at once.
PLACES = {
    "value": "model M\n  Real x[:] = @;\n  Real y;\nend M;\n",
    "modifier": "model M\n  A a(x = @, y = 1);\nend M;\n",
    "annotation": "model M\n  A a annotation(Placement(transformation(extent=@, rotation=0)));\nend M;\n",
    "argument": "model M\n  Real x = f(@, y=@);\nend M;\n",
    "equation": "model M\nequation\n  @ = x;\n  y = -@ + 2*@;\nend M;\n",
    "statement": "function f\nalgorithm\n  x := @;\n  for i in @ loop\n  end for;\nend f;\n",
    "element": "model M\n  Real x = {a, @, @};\nend M;\n",
    "after an annotation": "model M\nequation\n  x = 1;\n  annotation(Icon());\n  @ = y;\nend M;\n",
    "no place for it": "model M\n  import A.@;\n  @ x;\nend M;\n",
}

PLAIN = [
    "{1}",
    "{-1}",
    "{1,2}",
    "{-1, -2}",
    "{0.5,-0.5}",
    "{1.,2.}",
    "{1e5}",
    "{ 1e-5,-1.5E+3}",
    "{5e-3, 5e-3}",
    "{{1}}",
    "{{-10,-10},{10,10}}",
    "{{1,2},{1,2}}",
    "{{1, 2}, {3,\n   -4},\r\n\t{5}}",
    "{\u00a01}",
]
OTHERS = [
    "{}",
    "{{}}",
    "{{},{}}",
    "{{},{1}}",
    "{1,}",
    "{,1}",
    "{1,,2}",
    "{1 2}",
    "{1;2}",
    "{1",
    "{{1,2},{3}",
    "{{1,2},{3}}}",
    "{{1,2}{3}}",
    "{{1,2},}",
    "{{1,2},3}",
    "{1,{2}}",
    "{-1, +2}",
    "{- 1}",
    "{--1}",
    "{-}",
    "{1 , 2}",
    "{1,2 }",
    "{{1} , {2}}",
    "{{1,2},{3} }",
    "{1,2} // c\n",
    "{1, // c\n 2}",
    "{/* c */ 1}",
    "// {c}\n {1,2}",
    "/* { */ {{1,2}}",
    "{.5}",
    "{1..5}",
    "{1.5.5}",
    "{1e}",
    "{1e+}",
    "{1.e3}",
    "{1x}",
    "{1_0}",
    "{0x10}",
    "{1:2}",
    "{1,2:3}",
    "{-1:2}",
    "{1+2}",
    "{2*3,-4^2}",
    "{1 for i in 1:2}",
    "{{{1,2},{3,4}},{{5,6},{7,8}}}",
    "{{{{{{1}}}}}}",
    "{1,2}[1]",
    "{1,2}.x",
    "{1,2}(1)",
    "{1,2}{3}",
    "{1,2} {3}",
    "{1,2}'",
    "{1,2}^2",
    "{1,2}.*{3,4}",
    "-{1,2}",
    "not {1}",
    "if a then {1} else {2}",
    "({1,2})",
    "({1,2})[1]",
    "[{1,2};{3,4}]",
    "{1,2}:{3}",
    "{true,1}",
    '{"a",1}',
    "{a.b,1}",
    "{end}",
    "{1,2} end",
    "{1\u2003}",
    "{\u0661}",
]


def outcome(text: str, *, start: str = "stored_definition", recover: bool = False) -> tuple[Green, list[str]]:
    """The tree and the messages with their places."""
    try:
        found = reader.read(Source(text), start=start, lazy=False, recover=recover)
    except ModelicaSyntaxError as error:
        return "", [f"{error.offset} {error}"]
    return found.green, [f"{error.offset} {error}" for error in found.errors]


def _refuse(*_: object, **__: object) -> None:
    raise Refused(0)


def check(text: str, *, start: str = "stored_definition") -> None:
    """The fast way and the slow way come to the same."""
    for recover in (False, True) if start == "stored_definition" else (False,):
        fast_tree, fast_messages = outcome(text, start=start, recover=recover)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reader, "_run_phrases", _refuse)
            slow_tree, slow_messages = outcome(text, start=start, recover=recover)
        assert fast_messages == slow_messages
        assert equal(fast_tree, slow_tree)
        assert not fast_tree or render(fast_tree) == text


def in_place(place: str, array: str) -> str:
    return PLACES[place].replace("@", array)


def quick(text: str) -> Green:
    """The tree of an expression by the fast way alone."""
    return run(reader.new_machine("expression", lex(text, lazy=False, phrases=True)))


@pytest.mark.parametrize("place", PLACES)
def test_same_tree_and_messages_in_every_place(place: str) -> None:
    for array in PLAIN + OTHERS:
        check(in_place(place, array))


@pytest.mark.parametrize("array", PLAIN + OTHERS)
def test_same_tree_and_messages_alone(array: str) -> None:
    check(array, start="expression")
    check(f"annotation(a={array})", start="annotation_clause")


@pytest.mark.parametrize("array", PLAIN)
def test_plain_arrays_are_read_as_one_leaf(array: str) -> None:
    tokens = lex(f"\n  {array}", lazy=False, phrases=True)
    assert [kind for _, kind in tokens][:-1] == [NUMBER_ARRAY]
    assert equal(quick(array), run(reader.new_machine("expression", lex(array, lazy=False))))


@pytest.mark.parametrize("place", [place for place in PLACES if place != "no place for it"])
def test_the_fast_way_takes_plain_arrays(place: str) -> None:
    for array in PLAIN:
        tokens = lex(in_place(place, array), lazy=False, phrases=True)
        assert NUMBER_ARRAY in [kind for _, kind in tokens]
        run(reader.new_machine("stored_definition", tokens))


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda p: p.stem)
def test_same_tree_on_fixtures(path: Path) -> None:
    check(Source.read(path).text)


def numbers() -> st.SearchStrategy[str]:
    digits = st.from_regex(r"-?[0-9]{1,3}(\.[0-9]{0,3})?([eE][+-]?[0-9]{1,2})?", fullmatch=True)
    return st.sampled_from(["1", "-10", "0.5", "2."]) | digits | st.sampled_from([".5", "+1", "- 1", "1e", "a", "--1"])


def arrays() -> st.SearchStrategy[str]:
    """Arrays of numbers, and what looks like them."""
    blanks = st.sampled_from(["", "", "", " ", "\n  ", "/* , */", "// }\n"])
    items = st.recursive(
        numbers(),
        lambda inner: st.builds(
            lambda parts, last: "{" + ",".join(before + part for before, part in parts) + last + "}",
            st.lists(st.tuples(blanks, inner), max_size=4),
            st.sampled_from(["", "", "", "", " ", ","]),
        ),
        max_leaves=12,
    )
    return st.lists(items, min_size=1, max_size=3).map(lambda parts: "{" + ",".join(parts) + "}")


@st.composite
def damaged_arrays(draw: st.DrawFn) -> str:
    """An array in which one character is missing, or one too many."""
    text = draw(arrays())
    at = draw(st.integers(0, len(text) - 1))
    extra = draw(st.sampled_from(["", "{", "}", ",", "-", ".", " ", "1", "#"]))
    return text[:at] + extra + text[at + draw(st.booleans()) :]


@given(arrays() | damaged_arrays(), st.sampled_from(sorted(PLACES)))
@settings(max_examples=examples(300))
def test_same_tree_and_messages_at_random(array: str, place: str) -> None:
    tokens = lex(array, lazy=False, phrases=True)
    event("one leaf" if any(kind == NUMBER_ARRAY for _, kind in tokens) else "no phrase")
    check(in_place(place, array))
    check(array, start="expression")


@given(st.text("0123456789.eE+-_x", min_size=1))
def test_numbers_are_the_grammar_s(text: str) -> None:
    ours, grammar_s = re.match(lexer._NUMBER, text), re.match(PATTERNS["UNSIGNED_NUMBER"], text)
    if ours is not None or text[0] != ".":
        assert (ours and ours[0]) == (grammar_s and grammar_s[0])


def test_no_quantifier_backtracks() -> None:
    """So the time is linear: no character is looked at more often than arrays are deep, and the loop's leaf once."""
    operators = re.sub(r"\\.|\[(?:\\.|[^\]])*\]|\(\?:", " ", lexer._ARRAY)
    quantifiers = re.findall(r"[*+?]+", operators)
    assert quantifiers
    assert set(quantifiers) <= {"*+", "++", "?+"}


@pytest.mark.parametrize("end", ["", "}", "}}", ",}", ",x}", "}}}", "},x}"])
@pytest.mark.parametrize("start", ["{1", "{{1", "{{{1", "{{-1},{1"])
@pytest.mark.parametrize("more", [",1", ",\n -1.5e3", "},{1", "}, {1, 2", ",{1", ",{1}"])
def test_long_arrays(start: str, more: str, end: str) -> None:
    check(start + more * 2_000 + end, start="expression")


def test_deep_arrays() -> None:
    for text in ("{" * 20_000 + "1" + "}" * 20_000, "{1," * 20_000 + "2" + "}" * 20_000, "{" * 20_000 + "1"):
        check(text, start="expression")


def test_what_is_made_without_the_loop_is_not_checked_by_it() -> None:
    reductions = [line.split() for line in _table.REDUCTIONS.splitlines()]
    modes = {mode for _, _, mode, production, _ in reductions if int(production) in phrases._productions()}
    assert modes
    assert "CHECKED_NODE" not in modes


def test_equal_rows_are_one_node() -> None:
    """What a library takes of memory depends on it."""
    one, other = quick("{{1,-2},{3,4}}"), quick("{ {5,6},{3,4},{1,-2}}")
    assert isinstance(one, tuple)
    assert isinstance(other, tuple)
    assert child_at(one, 2) is child_at(other, 6)
    assert child_at(one, 4) is child_at(other, 4)


def test_few_rows_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases, "_REMEMBERED_ROWS", 10)
    for number in range(100):
        quick(f"{{{{{number}.25,{number}}},{{{number}.75}}}}")
        assert len(phrases._ROWS) <= 11
    long = "{" + "1," * 100 + "2}"
    quick(f"{{{long},{long}}}")
    assert long not in phrases._ROWS


def test_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memos are shared by all threads, and emptied while others read them."""
    monkeypatch.setattr(phrases, "_REMEMBERED_ROWS", 20)
    texts = [
        in_place("annotation", "{" + ",".join(f"{{{(n * k) % 50},-{k}}}" for k in range(1, 8)) + "}")
        for n in range(200)
    ]

    def trees(_: int) -> list[Green]:
        return [parse(text, strict=True).green for text in texts]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(trees, range(8)):
            assert [render(tree) for tree in found] == texts
    for text in texts[::20]:
        check(text)
