"""What each edit means, as data: fixtures/edits/<case>/{before.mo, patch.json, after.mo}."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES
from modelica_ast import ModelicaSyntaxError, parse
from modelica_ast.edit import Document
from modelica_ast.foundation import AmbiguousError, EditError, NotFoundError

CASES = sorted((FIXTURES / "edits").iterdir())


def operations(case: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((case / "patch.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda p: p.name)
def test_case(case: Path) -> None:
    before = (case / "before.mo").read_bytes().decode()
    document = Document(before)
    document.apply(operations(case))
    assert document.text == (case / "after.mo").read_bytes().decode()
    # The tree that was built is the tree that is read, and undo is exact.
    assert document.tree.green == parse(document.text).green
    if document.is_changed:
        document.undo()
    assert document.text == before


REFUSED = json.loads((FIXTURES / "refused_edits.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["message"])
def test_refused_with_a_reason_and_nothing_changed(case: dict[str, Any]) -> None:
    document = Document(case["text"])
    with pytest.raises(EditError) as caught:
        document.apply([case["operation"]])
    assert case["message"] in str(caught.value)
    assert document.text == case["text"]
    assert not document.is_changed


UNREADABLE = """\
model M
  Real x annotation (
    Dialog(group="x",
      tab=));
end M;
"""


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "set_annotation", "class": "M", "component": "x", "path": "Dialog.tab", "value": "t"},
        {"op": "remove_annotation", "class": "M", "component": "x", "path": "Dialog"},
        {"op": "set_placement", "class": "M", "component": "x", "placement": {"transformation": {"rotation": 90}}},
        {"op": "rename_component", "class": "M", "component": "x", "name": "y"},
        {"op": "rename_class", "class": "M", "name": "group"},
        {"op": "rewrite", "pattern": "annotation(Dialog($$d))", "replacement": ""},
        {"op": "rewrite", "pattern": '"x"', "replacement": '"y"', "annotations": True},
    ],
    ids=lambda operation: operation["op"],
)
def test_an_annotation_that_does_not_parse_is_named_with_its_file_and_line(operation: dict[str, Any]) -> None:
    document = Document(UNREADABLE, path="Lib/M.mo")
    with pytest.raises(EditError) as caught:
        document.apply([operation])
    assert str(caught.value).startswith(f"{Path('Lib/M.mo')}:4:11: expected an expression, found ')'")
    assert document.text == UNREADABLE


def test_one_refused_operation_undoes_the_whole_patch() -> None:
    document = Document("model M\n  Real x;\nend M;\n")
    with pytest.raises(NotFoundError):
        document.apply(
            [
                {"op": "set_modifier", "class": "M", "component": "x", "path": "", "value": 1},
                {"op": "remove_component", "class": "M", "component": "y"},
            ]
        )
    assert document.text == "model M\n  Real x;\nend M;\n"


def test_kinds_of_refusal() -> None:
    assert issubclass(NotFoundError, LookupError)
    assert issubclass(AmbiguousError, EditError)


def test_modelica_builder_syntax_error_is_raised_and_nothing_is_edited(tmp_path: Path) -> None:
    """There a message is printed and the edit goes on."""
    path = tmp_path / "M.mo"
    path.write_text("model M\n  Real x\nend M;\n")
    with pytest.raises(ModelicaSyntaxError, match="expected ';' after component 'x'"):
        Document.open(path)
    document = Document("model M\n  Real x;\nend M;\n")
    with pytest.raises(EditError, match="'2\\*' is not an expression"):
        document.apply(
            [{"op": "set_modifier", "class": "M", "component": "x", "path": "", "value": {"expression": "2*"}}]
        )
    assert not document.is_changed
