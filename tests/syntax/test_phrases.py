"""A dotted name is read as one leaf; the tree must be the one that the table makes token by token."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import event, given, settings

from conftest import MODELICA_FIXTURES, examples
from modelica_ast import ModelicaSyntaxError, Source, parse
from modelica_ast.syntax.green import child_at, equal, render
from modelica_ast.syntax.lalr import Node, Refused, run
from modelica_ast.syntax.lexer import lex
from modelica_ast.syntax.reader import new_machine
from modelica_ast.testing.derivations import green_trees


def tree(text: str, *, phrases: bool) -> Node:
    found = run(new_machine("stored_definition", lex(text, lazy=False, phrases=phrases)))
    assert type(found) is tuple
    return found


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda p: p.stem)
def test_same_tree_on_fixtures(path: Path) -> None:
    text = Source.read(path).text
    assert equal(tree(text, phrases=True), tree(text, phrases=False))


@given(green_trees("stored_definition"))
@settings(max_examples=examples(150))
def test_same_tree_or_a_refusal(drawn: Node) -> None:
    """Where the fast way does not know (`a .b.c`, `end` outside of brackets), it must refuse and not guess."""
    try:
        found = tree(render(drawn), phrases=True)
    except Refused:
        event("refused")
        return
    assert equal(found, drawn)


@pytest.mark.parametrize(
    "body",
    [
        "Modelica.Units.SI.Mass m(displayUnit.x.y = 1);",
        "import A.B.C;",
        "import A.B.*;",
        "import A.B.{c, d};",
        "import D = A.B.C;",
        "import A.B .*;",
        "extends .A.B.C;",
        "A.B x = y.z[1].a.b.c[end].d;",
        "A.B x = y . z.a;",
        "A.B x = y.z [1];",
        "A.B x = y.z/* [ */[1];",
        "A.B x = f.g(a.b.c, h = function p.q(r = s.t));",
        "A.B x = a.'b.c'.d;",
        "A.B x = 'q.r'.s.t;",
        "A.B x // see C.D\n = E.F;",
        "equation connect(a.b.c, d.e); a.b = 1.e3 - x.y; initial equation a.b = if initial() then 1 else c.d;",
        "algorithm a.b.c := d.e(f.g); (a.b, c.d) := e.f(1);",
        "equation x = {end for i in 1:2}; y = z.a[end - 1].b.c;",
    ],
)
def test_every_place_of_a_dotted_name(body: str) -> None:
    text = f"within P.Q;\nmodel M\n  {body}\nend M;\n"
    found = parse(text, strict=True)
    assert render(found.green) == text
    assert isinstance(found.green, tuple)
    assert equal(child_at(found.green, 2), child_at(tree(text, phrases=False), 2))


@pytest.mark.parametrize("text", ["model M A.der.x y; end M;", "model M A.B.end x; end M;", "model A.B end A.B;"])
def test_a_dotted_name_that_is_none(text: str) -> None:
    with pytest.raises(ModelicaSyntaxError):
        parse(text)


def test_equal_names_are_one_node() -> None:
    """What a library takes of memory depends on it."""
    found = parse("model M\n  Modelica.Units.SI.Mass a;\n  Modelica.Units.SI.Mass b;\nend M;\n")
    first, second = (component.type for component in found.classes[0].components)
    assert first.green is second.green
