"""Deep, long and broken input: an answer or one clear error, no RecursionError, no time that explodes.

Nothing here asserts on time; an input that took more than linear time would hang the run.
"""

from __future__ import annotations

import random

import pytest

from modelica_ast import ModelicaSyntaxError, dump, evaluate, find_all, parse, parse_expression, render, walk
from modelica_ast.syntax.green import equal
from modelica_ast.tree import NumberLiteral, Parenthesized, StoredDefinition

DEEP = 20_000
LONG = 300_000


def deep_parentheses() -> str:
    return "(" * DEEP + "1" + ")" * DEEP


HOSTILE = {
    "nested parentheses": f"model A Real x = {deep_parentheses()}; end A;",
    "nested braces": "model A Real x = " + "{" * DEEP + "1" + "}" * DEEP + "; end A;",
    "open parentheses": "model A Real x = " + "(" * LONG,
    "a long sum": "model A Real x = " + "1+" * LONG + "1; end A;",
    "minus signs": "model A Real x = " + "-" * LONG + "1; end A;",
    "nested ifs": "model A equation " + "if a then " * DEEP + "x=1; " + "end if; " * DEEP + "end A;",
    "nested classes": "".join(f"package p{i}\n" for i in range(DEEP))
    + "".join(f"end p{i};\n" for i in reversed(range(DEEP))),
    "classes never closed": "".join(f"package p{i}\n" for i in range(DEEP)),
    "ends that fit nothing": "".join(f"model a{i} " for i in range(DEEP)) + "end zz; " * DEEP,
    "many broken classes": "\n".join(f"model m{i} Real x = ; end m{i};" for i in range(DEEP // 10)),
    "broken elements": "package P\n" + "".join(f"Real = ; model m{i} end m{i};" for i in range(DEEP // 10)) + "end P;",
    "quotes": '"' * (LONG + 1),
    "escaped quotes": 'model A String s="' + '\\"' * LONG,
    "single quotes": "model A " + "'\\" * LONG,
    "single quotes on lines": "model A " + "'a\n" * LONG,
    "comments that open comments": "/*" * LONG,
    "stars in an open comment": "/*" + "*" * LONG,
    "slashes": "/ " * LONG,
    "open annotations": "model A " + "annotation(" * LONG,
    "open annotations with strings": "model A " + 'annotation("' * LONG,
    "annotations too deep to stay unread": "model A " + "Real x annotation" + "(a" * DEEP + ")" * DEEP + "; end A;",
    "closing braces": "}" * LONG,
    "the word initial": "initial " * LONG,
    "NUL": "\0" * LONG,
    "illegal characters": "model A end A; #\n" * (DEEP // 10),
    "random bytes": random.Random(7).randbytes(LONG).decode("latin-1"),  # noqa: S311  (no secret)
    "random code points": "".join(map(chr, random.Random(7).choices(range(0x11000), k=LONG))),  # noqa: S311
}


def parsed_or_refused(text: str) -> StoredDefinition | ModelicaSyntaxError:
    try:
        return parse(text)
    except ModelicaSyntaxError as error:
        return error


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_parsed_or_refused(name: str) -> None:
    text = HOSTILE[name]
    answer = parsed_or_refused(text)
    if isinstance(answer, ModelicaSyntaxError):
        assert len(str(answer)) < 1000
    else:
        assert render(answer) == text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_survives_recovery(name: str) -> None:
    assert render(parse(HOSTILE[name], recover=True)) == HOSTILE[name]


def test_deep_trees_can_be_walked_compared_dumped_and_evaluated() -> None:
    tree = parse_expression(deep_parentheses())
    assert sum(1 for _ in find_all(tree, Parenthesized)) == DEEP
    assert evaluate(tree) == 1
    assert equal(tree.green, parse_expression(deep_parentheses()).green)
    assert not equal(tree.green, parse_expression(deep_parentheses().replace("1", "2")).green)
    assert dump(tree).count("Parenthesized") == DEEP
    *_, last = (view for view in walk(tree) if isinstance(view, NumberLiteral))
    assert last.position.column == DEEP + 1
    assert len(last.path) > DEEP


@pytest.mark.slow
def test_a_50_megabyte_file() -> None:
    one = 'model M%05d "a model"\n  parameter Real k(unit="1") = 1 annotation (Dialog(group="%s"));\nend M%05d;\n'
    text = "".join(one % (i, "x" * 1000, i) for i in range(45_000))
    assert len(text) > 49_000_000
    tree = parse(text)
    assert len(tree.stored_classes) == 45_000
    assert render(tree) == text
