"""Records: values that are nothing but their fields."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from modelica_ast import Position
from modelica_ast.foundation.values import Record


class Pair(Record):
    left: int
    right: str = "r"


def test_fields_by_place_by_name_and_by_default() -> None:
    assert Pair(1) == Pair(1, "r") == Pair(left=1) == Pair(right="r", left=1)
    assert Pair(1) != Pair(2)
    assert Pair(1) != (1, "r")
    assert hash(Pair(1)) == hash(Pair(right="r", left=1))
    assert repr(Pair(right="x", left=1)) == "Pair(left=1, right='x')"


@pytest.mark.parametrize(("values", "named"), [((), {}), ((1, "r", 2), {}), ((1,), {"left": 1}), ((1,), {"up": 1})])
def test_other_arguments_are_refused(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="the fields of Pair are left, right"):
        Pair(*values, **named)


def test_a_record_stays_as_it_is() -> None:
    pair = Pair(1)
    with pytest.raises(AttributeError, match="can't be changed"):
        pair.left = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="can't be changed"):
        del pair.left
    assert pickle.loads(pickle.dumps(pair)) == pair  # noqa: S301  (our own bytes)


def test_a_record_matches_by_place() -> None:
    match Pair(1, "x"):
        case Pair(left, right):
            assert (left, right) == (1, "x")


def test_positions_have_an_order() -> None:
    assert Position(1, 9, 8) < Position(2, 1, 9)
    assert Position(2, 1, 9) >= Position(2, 1, 9)
    assert max(Position(1, 2, 1), Position(1, 1, 0)) == Position(1, 2, 1)
