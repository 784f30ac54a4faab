"""Literal values to Python and back."""

from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given, strategies as st

from modelica_ast import (
    LiteralError,
    Real,
    Reference,
    evaluate,
    literal,
    parse,
    parse_element,
    parse_expression,
    render,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-12", -12),
        ("+3", 3),
        ("1.50", 1.5),
        ("-1e-3", -1e-3),
        (".5", 0.5),
        ("1.", 1.0),
        ("true", True),
        ("false", False),
        ('"plain"', "plain"),
        (r'"tab\t newline\n quote\" backslash\\"', 'tab\t newline\n quote" backslash\\'),
        (r'"bell\a question\? apostrophe\'"', "bell\a question? apostrophe'"),
        ('"real\nline"', "real\nline"),
        ('"a" + "b" + "c"', "abc"),
        ("{1, 2.0, {3}}", [1, 2.0, [3]]),
        ("{}", []),
        ("[1, 2; 3, 4]", [[1, 2], [3, 4]]),
        ("Modelica.Blocks.Types.Init.NoInit", Reference("Modelica.Blocks.Types.Init.NoInit")),
        (".A. 'b c'", Reference(".A.'b c'")),
        ("(-(1))", -1),
        ("{ /* a */ 1, // b\n 2}", [1, 2]),
    ],
)  # fmt: skip
def test_evaluate(text: str, value: object) -> None:
    found = evaluate(parse_expression(text))
    assert found == value
    assert type(found) is type(value) or isinstance(found, Real)


@pytest.mark.parametrize(
    "text",
    ["1 + 2", "x[1]", "f(1)", "if a then 1 else 2", "-true", "not true", "1:3", "()", "(1, 2)", "-{1}", '"a" + b'],
)
def test_what_is_not_literal_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(LiteralError, match=r"is not a literal value \(line 1, column 1\)"):
        evaluate(parse_expression(text))


def test_a_number_too_large_is_refused() -> None:
    with pytest.raises(LiteralError, match="1e999 is too large"):
        evaluate(parse_expression("1e999"))


def test_a_real_keeps_its_text() -> None:
    real = evaluate(parse_expression("1.50e-3"))
    assert real == 1.5e-3
    assert real.text == "1.50e-3"
    assert render(literal(real)) == "1.50e-3"
    assert render(literal([real, -0.0])) == "{1.50e-3,-0.0}"
    assert pickle.loads(pickle.dumps(real)).text == "1.50e-3"  # noqa: S301  (our own bytes)


def test_a_description_is_a_string() -> None:
    component = parse('model M Real x "a" + " b"; end M;').classes[0].components[0]
    assert component.description is not None
    assert evaluate(component.description) == "a b"
    assert component.description.value == "a b"


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, {}, None, object, 1j, Reference("a b"), Reference("a."), Reference("")]
)
def test_values_without_a_literal_are_refused(value: object) -> None:
    with pytest.raises(LiteralError):
        literal(value)


def test_a_list_inside_itself_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(LiteralError, match="nested deeper"):
        literal(loop)


values = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda items: st.lists(items, max_size=4),
    max_leaves=12,
)


@given(values)
def test_back_and_forth(value: object) -> None:
    view = literal(value)
    again = parse_expression(render(view))
    assert again.green == view.green
    assert evaluate(again) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_as_short_as_they_can_be(number: float) -> None:
    assert render(literal(number)) == repr(number)


def test_a_literal_is_accepted_in_a_file() -> None:
    text = render(literal([[1, 2.5], [-3, 1e-7]]))
    element = parse_element(f"parameter Real m[2, 2] = {text};")
    assert element.component_clause is not None
    assert evaluate(element.component_clause.declarations[0].binding) == [[1, 2.5], [-3, 1e-7]]  # type: ignore[arg-type]
