"""The verbs under the laws that `modelica_ast.testing` states, on files at random and on the Standard Library's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, event, given, settings, strategies as st

from conftest import examples
from modelica_ast import parse, tree as views, walk
from modelica_ast.edit import Document
from modelica_ast.edit.patch import VERBS
from modelica_ast.foundation import EditError
from modelica_ast.testing import check_all, check_remove_of_add, definitions, documents, edits, library_classes, patches
from modelica_ast.testing.changes import FILE_GENERATORS, GENERATORS
from modelica_ast.testing.touched import touched

Operation = dict[str, Any]

# The minimal example says enough; to explain it takes longer than to find it. Few files have what a rare verb needs,
# two statements of which one can be moved, so many are thrown away.
quick = settings(
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
# Run twice, these do it twice: an equation may be in a class more than once, and the second item becomes the first.
NOT_IDEMPOTENT = {
    *("add_equation", "add_statement", "replace_text", "rewrite"),
    *("add_graphic", "remove_graphic", "move_in_diagram"),
}


def test_every_verb_is_generated() -> None:
    missing = sorted(set(VERBS) - set(GENERATORS) - set(FILE_GENERATORS))
    assert missing == [], (
        f"edits() makes no operations of the verb '{missing[0]}': add it to GENERATORS of a module "
        "src/modelica_ast/testing/*_edits.py, with a function that returns arguments that fit a class, and say in "
        "touched.py what it may change"
    )
    gone = sorted({*GENERATORS, *FILE_GENERATORS} - set(VERBS))
    assert gone == [], f"there is no verb '{gone[0]}' any more: remove its generator"


def check_verb(operation: Operation, text: str) -> None:
    try:
        Document(text).apply([operation])
    except EditError as refusal:
        event(f"refused: {type(refusal).__name__}")
    check_all(operation, text, allowed=touched(operation), idempotent=operation["op"] not in NOT_IDEMPOTENT)


@pytest.mark.parametrize("verb", sorted({**GENERATORS, **FILE_GENERATORS}))
@given(data=st.data())
@settings(quick, max_examples=examples(20))
def test_a_verb_on_files_at_random(verb: str, data: st.DataObject) -> None:
    text = data.draw(documents())
    check_verb(data.draw(edits(text, verbs=[verb])), text)


@given(data=st.data())
@settings(quick, max_examples=examples(40))
def test_verbs_on_any_syntax(data: st.DataObject) -> None:
    text = data.draw(definitions())
    check_verb(data.draw(edits(text)), text)


@given(data=st.data())
@settings(quick, max_examples=examples(40))
def test_verbs_that_name_what_is_not_there(data: st.DataObject) -> None:
    text = data.draw(documents())
    operation = data.draw(edits(text, misses=True))
    check_all(operation, text, idempotent=operation["op"] not in NOT_IDEMPOTENT)


@given(data=st.data())
@settings(quick, max_examples=examples(40))
def test_patches(data: st.DataObject) -> None:
    text = data.draw(documents())
    check_all(data.draw(patches(text)), text, idempotent=False)


def test_verbs_on_the_standard_library(msl: Path) -> None:
    @given(data=st.data())
    @settings(quick, max_examples=examples(40))
    def check(data: st.DataObject) -> None:
        text = data.draw(library_classes(msl, max_length=5_000))
        check_verb(data.draw(edits(text)), text)

    check()


# ---------------------------------------------------------------- remove(add) is the identity

REMOVED_BY: dict[str, Callable[[Operation], Operation]] = {
    "add_class": lambda op: {"op": "remove_class", "class": f"{op['class']}.{op['name']}".removeprefix(".")},
    "add_component": lambda op: {"op": "remove_component", "component": op["name"]},
    "add_extends": lambda op: {"op": "remove_extends", "base": op["base"]},
    "add_import": lambda op: {**op, "op": "remove_import"},
    "add_equation": lambda op: {"op": "remove_equation", "equation": op["equation"]},
    "add_statement": lambda op: {"op": "remove_statement", "statement": op["statement"]},
    "connect": lambda op: {"op": "disconnect", "one": op["other"], "other": op["one"]},
}


@pytest.mark.parametrize("verb", sorted(REMOVED_BY))
@given(data=st.data())
@settings(quick, max_examples=25)
def test_remove_of_add(verb: str, data: st.DataObject) -> None:
    text = data.draw(documents())
    add = data.draw(edits(text, verbs=[verb]))
    # A section that something leaves empty goes, also one that was empty before it came.
    assume(not any(is_empty(section) for section in sections(parse(text))))
    remove = {"class": add["class"], **REMOVED_BY[verb](add)}
    check_remove_of_add(add, remove, text)


def sections(tree: views.StoredDefinition) -> list[views.Section]:
    return [view for view in walk(tree, annotations=False) if isinstance(view, views.Section)]


def is_empty(section: views.Section) -> bool:
    return all(isinstance(part, views.Token) for part in section.children)
