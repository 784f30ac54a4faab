"""Patterns: what they find, what a rewrite changes, and that it changes nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from conftest import FIXTURES, examples
from modelica_ast import parse, walk
from modelica_ast.edit import Document
from modelica_ast.foundation import EditError
from modelica_ast.library import Libraries
from modelica_ast.patterns import Match, Pattern, PatternError, parse_where, rewrite, where as regular_expressions
from modelica_ast.patterns.where import RegularExpression
from modelica_ast.testing import documents, fragments
from modelica_ast.tree.base import Argument, Equation, Statement, View
from modelica_ast.tree.classes import ClassDefinition
from modelica_ast.tree.components import Element

CASES = sorted(path for path in (FIXTURES / "patterns").iterdir() if path.is_dir())

# Patterns of every kind, for the laws.
PATTERNS = (
    "connect($A.$f, $B)",
    "connect($A, $B)",
    "$T $x($$MODS)",
    "$T $x",
    "parameter Real $p = $V",
    "final $T $x",
    "$T $x if $c",
    "$T $x annotation($$m)",
    "$T $a, $$b",
    "der($x) = $rhs",
    "$x = $y",
    "$x := $v",
    "$e;",
    "$x",
    "if $c then $a else $b",
    "if $c then $$a; end if",
    "when $c then $$body; end when;",
    "for $i in $r loop $$b; end for",
    "$f($$args)",
    "$A + $B",
    "$A.$b",
    "$x[$$s]",
    "{$$a}",
    "extends $B($$M);",
    "import $A = $B;",
    "import $X",
    "annotation($$p)",
    "model $N $$body end $N;",
    "package $N $$a end $N",
    "type $N = $B($$M)",
    "$a($$m) = $v",
)


def described(match: Match) -> dict[str, Any]:
    return {
        "line": match.span.start.line,
        "column": match.span.start.column,
        "kind": match.kind,
        "path": match.path,
        "text": match.text,
        "captures": {name: capture.text for name, capture in match.captures.items()},
    }


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path) -> None:
    wanted = json.loads((case / "case.json").read_text(encoding="utf-8"))
    document = Document((case / "before.mo").read_bytes().decode())
    before = document.text
    options = {key: wanted[key] for key in ("where", "annotations") if key in wanted}

    def run() -> int:
        pattern = Pattern.compile(wanted["pattern"], wanted.get("kind"))
        if "replacement" not in wanted:
            assert [described(match) for match in pattern.find(document, **options)] == wanted["matches"]
            return 0
        return rewrite(document, pattern, wanted["replacement"], **options)

    if "error" in wanted:
        with pytest.raises(EditError) as error:
            run()
        assert str(error.value) == wanted["error"]
        assert document.text == before
        return
    count = run()
    if "replacement" in wanted:
        assert document.text == (case / "after.mo").read_bytes().decode()
        assert count == wanted["count"]
        if count:
            document.undo()
            assert document.text == before


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 60


# ---------------------------------------------------------------- laws


@settings(max_examples=examples(30))
@given(documents())
def test_a_pattern_for_itself_changes_no_byte(text: str) -> None:
    document = Document(text)
    for pattern in map(Pattern.compile, PATTERNS):
        assert rewrite(document, pattern, pattern.text) == 0
        assert document.text == text


@settings(max_examples=examples(30))
@given(documents())
def test_what_is_written_finds_itself(text: str) -> None:
    tree = parse(text)
    for view in walk(tree, annotations=False):
        for cls, kind in (
            (ClassDefinition, "class"),
            (Element, "element"),
            (Equation, "equation"),
            (Statement, "statement"),
            (Argument, "argument"),
        ):
            if isinstance(view, cls):
                assert _finds(view, kind, tree), (kind, view.text)


def _finds(view: View, kind: str, tree: Any) -> bool:
    try:
        pattern = Pattern.compile(view.text, kind)
    except PatternError as error:
        return str(error) == (
            "the pattern is not a valid element: it is a class"
        )  # found as a class, which is a view of its own
    start = view.span.start.offset
    return any(match.span.start.offset <= start < match.span.end.offset for match in pattern.find(tree))


@settings(max_examples=examples(30))
@given(documents())
def test_there_and_back_again(text: str) -> None:
    for one, other in (
        ("connect($A, $B)", "joined($A, $B);"),
        ("$a + $b", "plus_of($a, $b)"),
        ("parameter $T $x", "parameter New.Package.$T $x"),
        ("extends $B($$M)", "extends New.Package.$B($$M)"),
    ):
        document = Document(text)
        # A full name can't have something before it.
        where = {name: {"not_regex": r"^\."} for name in ("T", "B") if f"New.Package.${name}" in other}
        there = rewrite(document, one, other, where=where)
        if document.text.count(";") != text.count(";"):
            continue  # one of `Real a, b;` got a declaration of its own, which nothing takes back
        assert rewrite(document, other, one) == there
        assert document.text == text, (one, other)


@given(documents(), st.sampled_from(PATTERNS), st.sampled_from(PATTERNS))
def test_any_pattern_for_any_other_is_a_rewrite_or_a_refusal(text: str, one: str, other: str) -> None:
    document = Document(text)
    try:
        rewrite(document, one, other)
    except EditError:
        assert document.text == text
    parse(document.text, strict=True)


@given(st.text("$aA_.()[]{}=,;:+*'\"/ \n", max_size=30), documents())
def test_no_text_is_a_pattern_that_crashes(text: str, document: str) -> None:
    try:
        found = Pattern.compile(text).find(parse(document))
    except PatternError:
        return
    for match in found:
        assert document[match.span.start.offset : match.span.end.offset] == match.text
        assert match.captures.keys() <= set(Pattern.compile(text).names)


@given(fragments("expression"))
def test_an_expression_as_a_pattern_finds_itself(text: str) -> None:
    document = f"model M\n  Real x = {text}\n;\nend M;\n"
    found = Pattern.compile(text, "expression").find(parse(document))
    assert any(" ".join(match.text.split()) in " ".join(document.split()) for match in found)


def test_deep_nesting_costs_no_stack() -> None:
    depth = 5_000
    deep = "(" * depth + "a" + ")" * depth
    document = Document(f"model M\n  Real x = f({deep});\nend M;\n")
    assert len(Pattern.compile("f($x)").find(document)) == 1
    assert rewrite(document, "f($x)", "g($x, 1)") == 1
    assert document.text == f"model M\n  Real x = g({deep}, 1);\nend M;\n"
    assert len(Pattern.compile(f"g({deep}, $n)").find(document)) == 1
    with pytest.raises(PatternError, match="nested deeper"):
        rewrite(document, "g($x, 1)", f"g({deep}, $x)")


# ---------------------------------------------------------------- pieces of the API


def test_captures_have_places() -> None:
    text = "model M\nequation\n  connect(arm.motor[2].flange_a,\n    load);\nend M;\n"
    (match,) = Pattern.compile("connect($A.flange_a, $B)").find(parse(text))
    capture = match.captures["A"]
    assert capture.span is not None
    assert (capture.span.start.line, capture.span.start.column) == (3, 11)
    assert text[capture.span.start.offset : capture.span.end.offset] == capture.text == "arm.motor[2]"
    assert capture.kind == "component_reference"
    assert repr(match) == "<Match 3:3 'connect(arm.motor[2].flange_a, load);'>"


def test_a_list_capture_has_its_items() -> None:
    (match,) = Pattern.compile("G $g(a=$a, $$REST)").find(parse("model M\n  G g(x=1, a=2, y=3);\nend M;\n"))
    assert match.captures["REST"].texts == ("x=1", "y=3")
    (match,) = Pattern.compile("G $g($$REST)").find(parse("model M\n  G g;\nend M;\n"))
    assert match.captures["REST"].texts == ()
    assert match.captures["REST"].span is None


def test_kinds_of_an_ambiguous_pattern() -> None:
    assert Pattern.compile("$x = $y").kinds == ("equation", "argument")
    assert Pattern.compile("$x = $y", "argument").kinds == ("argument",)
    assert Pattern.compile("$f($$a)").kinds == ("expression", "equation", "statement")
    assert Pattern.compile("model $N $$b end $N").kinds == ("class",)


def test_a_text_without_the_words_is_not_parsed() -> None:
    pattern = Pattern.compile("connect($A.flange_a, $B)")
    assert pattern.words == {"connect", "flange_a"}
    assert not pattern.may_match("this is not Modelica, and nobody will know")


def test_where_on_a_command_line() -> None:
    assert parse_where(["x ~ ^flange_", "$y : Modelica.Units.SI.Length", "z is number", "x !~ b$"]) == {
        "x": {"regex": "^flange_", "not_regex": "b$"},
        "y": {"type": "Modelica.Units.SI.Length"},
        "z": {"kind": "number"},
    }
    for text, message in (
        ("x", "'x' is not a constraint: write 'x ~ regex', 'x !~ regex', 'x is kind' or 'x : type'"),
        ("x ~", "'x ~' is not a constraint: write 'x ~ regex', 'x !~ regex', 'x is kind' or 'x : type'"),
    ):
        with pytest.raises(PatternError) as error:
            parse_where([text])
        assert str(error.value) == message
    with pytest.raises(PatternError, match="two constraints of one kind"):
        parse_where(["x ~ a", "x ~ b"])


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"x": {"regex": "("}}, "'(', the constraint of $x, is not a regular expression"),
        ({"x": {"kind": "verb"}}, "$x can't be of kind 'verb'; it can be number"),
        ({"x": {"size": "1"}}, "a constraint has no key 'size'; the keys are regex, not_regex, kind, type"),
        ({"x": {"regex": 1}}, "'regex' of $x must be a string, not 1"),
        ({"x": "a"}, "the constraint of $x is an object with regex"),
    ],
)
def test_bad_constraints(where: Any, message: str) -> None:
    with pytest.raises(PatternError) as error:
        Pattern.compile("f($x)").find(parse("model M end M;"), where=where)
    assert message in str(error.value)


def test_a_rewrite_is_one_step() -> None:
    document = Document("model M\n  Real a, b;\n  Real c;\nend M;\n")
    before = document.text
    assert rewrite(document, "Real $x", "Integer $x") == 3
    document.undo()
    assert document.text == before
    document.redo()
    assert document.text == "model M\n  Integer a;\n  Integer b;\n  Integer c;\nend M;\n"
    assert rewrite(document, "Real $x", "Integer $x") == 0


def test_an_annotation_that_is_no_modelica_is_named_with_its_place() -> None:
    document = Document("model M\n  Real a annotation (Placement(= 1));\nend M;\n", path="A.mo")
    with pytest.raises(Exception, match="2:") as error:
        Pattern.compile("annotation(Placement($$p))").find(document)
    assert "2:" in str(error.value)


# ---------------------------------------------------------------- types from libraries


def test_types_are_looked_up_in_libraries(msl: Path, tmp_path: Path) -> None:
    libraries = Libraries([], read_only=[msl])
    file = tmp_path / "Mine.mo"
    file.write_text(
        "model Mine\n"
        "  import Modelica.Electrical.Analog;\n"
        "  Analog.Basic.Resistor r(R=1);\n"
        "  Analog.Basic.Capacitor c(C=1);\n"
        "  Modelica.Units.SI.Length s = 2;\n"
        "equation\n"
        "  connect(r.p, c.n);\n"
        "end Mine;\n",
        encoding="utf-8",
    )
    document = Document.open(file)
    pattern = Pattern.compile("$T $x")

    def found(type_: str) -> list[str]:
        matches = pattern.find(document, where={"x": {"type": type_}}, libraries=libraries)
        return [match.captures["x"].text for match in matches]

    assert found("Modelica.Electrical.Analog.Basic.Resistor") == ["r"]
    assert found("Modelica.Electrical.Analog.Interfaces.OnePort") == ["r", "c"]
    assert found("Real") == ["s"]
    ends = Pattern.compile("connect($a.p, $b)").find(
        document, where={"a": {"type": "Modelica.Electrical.Analog.Basic.Resistor"}}, libraries=libraries
    )
    assert [match.captures["b"].text for match in ends] == ["c.n"]


@pytest.mark.corpus
def test_standard_library(msl: Path) -> None:
    """Patterns for themselves change no byte of any file; every eighth is enough of them."""
    patterns = [Pattern.compile(text) for text in PATTERNS]
    for file in sorted(msl.rglob("*.mo"))[::8]:
        document = Document.open(file)
        text = document.text
        for pattern in patterns:
            assert rewrite(document, pattern, pattern.text) == 0, (file, pattern.text)
        assert document.text == text


# ---------------------------------------------------------------- regular expressions of users

SAME_EXPRESSIONS = (
    "a+b|^a|b$|[[:alpha:]]|[[a]b]|x{e<=1}|x{1,2}y|x{,2}y|x{,}y|x{}|{|\\{e\\}|[]x]|[^]x]|[\\]x]|(?i)AB|(?P<n>a)(?P=n)|a(?=b)"
    "|(?<!a)b|\\bab\\b|[+--b]|[a&&b]|[a~~b]|(?x) a b # [|(?s).b|[\\w.]+\\.b|a{2}|a++b|(?>a+)b|[{e}]|a{e}|[a-c[]"
    "|\\N{LATIN SMALL LETTER A}b"
).split("|")


@pytest.mark.filterwarnings("ignore::FutureWarning")  # `re` says which notations may mean something else one day
@pytest.mark.parametrize("expression", SAME_EXPRESSIONS)
def test_a_regular_expression_means_what_it_means_in_python(expression: str) -> None:
    texts = (
        "a b ab aab x xx xxy {e} x{e<=1} x{} { ] [ : l] alpha:] a] [b] & | - ~ A AB a.b .b [[ xy aa a\nb a{e}".split(
            " "
        )
    )
    found = RegularExpression(expression)
    assert {text: found.finds(text) for text in texts} == {text: bool(re.search(expression, text)) for text in texts}


def test_a_regular_expression_that_would_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular_expressions, "_SECONDS", 0.05)
    assert not RegularExpression("(a+)+$").finds("a" * 60 + "b")
    tree = parse(f"model M\n  Real {'a' * 60}b;\nend M;\n")
    with pytest.raises(PatternError, match=r"the regular expression '\(a\|a\)\*\$' takes too long on 'aaa") as caught:
        Pattern.compile("Real $x").find(tree, where={"x": {"regex": "(a|a)*$"}})
    assert len(str(caught.value)) < 300


def test_searches_that_are_nearly_too_long_are_stopped_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular_expressions, "_SECONDS", 0.5)
    expression = RegularExpression("(a|a)*$")

    def search() -> None:
        for length in range(1, 40):  # each takes twice as long as the one before
            expression.finds("a" * length + "b")

    with pytest.raises(PatternError, match="takes too long"):
        search()
    with pytest.raises(PatternError, match="takes too long"):
        expression.finds("a" * 30 + "b")
