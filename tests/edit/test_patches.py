"""Patches: what changed as text, inverses, files, the schema, and edits for editors."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from conftest import FIXTURES, ROOT
from modelica_ast import parse
from modelica_ast.edit import (
    Document,
    TextEdit,
    Workspace,
    load_patch,
    load_patches,
    save_patch,
    save_patches,
    workspace_edit,
)
from modelica_ast.edit.diffs import apply_text_edits, text_edits
from modelica_ast.edit.patch import VERBS
from modelica_ast.edit.patch_files import FILE, patch_schema, schema_text
from modelica_ast.edit.workspace import PositionEncoding, document_edits
from modelica_ast.foundation import EditError

CASES = sorted((FIXTURES / "edits").iterdir())
TEXTS = [
    path.read_bytes().decode()
    for path in [FIXTURES / "demo" / "TwoLinkArm.mo", *sorted((FIXTURES / "modelica").glob("*.mo"))]
    if path.name != "Latin1.mo"
]


def operations(case: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((case / "patch.json").read_text(encoding="utf-8"))
    return found


@st.composite
def edited_documents(draw: st.DrawFn) -> Document:
    """A fixture after some random verbs; what one of them refuses has changed nothing."""
    document = Document(draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 5))):
        classes = [*document.classes]
        for found in classes:
            classes += found.classes
        owner = draw(st.sampled_from(classes)) if classes else None
        components = [c.name for c in owner.components] if owner else []
        component = draw(st.sampled_from(components)) if components else "absent"
        operation: dict[str, Any] = draw(
            st.sampled_from(
                [
                    {"op": "add_component", "type": "A.B", "name": "brand_new", "before": component},
                    {"op": "add_component", "type": "A.B", "name": "brand_new2", "modifiers": {"k": 1}},
                    {"op": "remove_component", "component": component},
                    {"op": "set_modifier", "component": component, "path": "a.b", "value": [1, 2.5]},
                    {"op": "set_component_description", "component": component, "text": "é😀\n"},
                    {"op": "set_annotation", "path": "experiment.StopTime", "value": 2},
                    {"op": "connect", "one": "a.b", "other": component},
                    {"op": "add_equation", "equation": "a = b"},
                ]
            )
        )
        try:
            document.apply([{**operation, "class": owner.name if owner else "Absent"}])
        except EditError:
            continue
    return document


# ---------------------------------------------------------------- what changed, as text


@given(edited_documents())
def test_text_edits_make_the_new_text(document: Document) -> None:
    edits = document.text_edits()
    assert apply_text_edits(document.saved_text or "", edits) == document.text
    assert all(one.end < other.start for one, other in pairwise(edits))
    assert document.is_changed == bool(edits)


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS), edited_documents())
def test_text_edits_between_trees_that_share_nothing(one: str, other: str, document: Document) -> None:
    for old, new in ((one, other), (document.saved_text or "", document.text)):
        assert apply_text_edits(old, text_edits(parse(old).green, parse(new).green)) == new


def test_text_edits_are_as_short_as_what_was_done() -> None:
    text = "model M\n  Real a;\n  Real b(start=1);\n  Real c;\nend M;\n"
    document = Document(text)
    m = document.find_class("M")
    m.find_component("b").set("start", 25)
    at = text.index("1);")
    assert document.text_edits() == [TextEdit(at, at + 1, "25")]
    m.add_component("Real", "z", before="a")
    m.find_component("c").remove()
    edits = document.text_edits()
    assert [(text[e.start : e.end], e.text) for e in edits] == [
        ("", "\n  Real z;"),
        ("1", "25"),
        (";\n  Real c", ""),
    ]
    # The same between trees that share nothing.
    assert text_edits(parse(text).green, parse(document.text).green) == edits


@pytest.mark.slow
def test_text_edits_of_deep_trees() -> None:
    deep = "(" * 20_000, ")" * 20_000
    old, new = (f"model M Real x = {deep[0]}{value}{deep[1]}; end M;" for value in ("a", "bc"))
    at = old.index("a)")
    assert text_edits(parse(old).green, parse(new).green) == [TextEdit(at, at + 1, "bc")]


def test_text_edits_out_of_order_are_refused() -> None:
    with pytest.raises(EditError, match="out of order"):
        apply_text_edits("abc", [TextEdit(1, 2, ""), TextEdit(0, 1, "")])


# ---------------------------------------------------------------- inverses


@pytest.mark.parametrize("case", CASES, ids=lambda p: p.name)
def test_the_inverse_restores_the_bytes(case: Path) -> None:
    before = (case / "before.mo").read_bytes().decode()
    document = Document(before)
    inverse = document.apply(operations(case))
    after = document.text
    other = Document(before)
    other.apply(document.changes())
    assert other.text == after
    again = Document(after)
    forth = again.apply(json.loads(json.dumps(inverse)))
    assert again.text == before
    again.apply(forth)
    assert again.text == after


@given(edited_documents())
def test_changes_are_a_patch_from_the_saved_text_and_back(document: Document) -> None:
    other = Document(document.saved_text or "")
    inverse = other.apply(document.changes())
    assert other.text == document.text
    other.apply(inverse)
    assert other.text == document.saved_text


def test_an_inverse_reads_like_a_diff() -> None:
    document = Document("model M\n  Real x;\n\n  Real y;\nend M;\n")
    assert document.apply([{"op": "add_component", "class": "M", "type": "Real", "name": "z", "after": "x"}]) == [
        {
            "op": "replace_text",
            "replacements": [{"line": 2, "old": "  Real x;\n  Real z;\n", "new": "  Real x;\n"}],
        }
    ]
    assert document.apply([]) == []
    assert Document("").changes() == []


def test_an_inverse_is_never_about_blank_lines_alone() -> None:
    document = Document("model M\n\n\n\n  Real x;\nend M;\n")
    (operation,) = document.apply([{"op": "replace_text", "replacements": [{"line": 3, "old": "\n", "new": ""}]}])
    assert all(replacement["old"].strip() for replacement in operation["replacements"])
    document.apply([operation])
    assert not document.is_changed


REFUSED: list[tuple[str, list[dict[str, Any]], str]] = [
    ("model M end M;", [{"line": 1, "old": "model N", "new": ""}], "line 1: there is 'model M', not 'model N'"),
    (
        "model M\nend M;\n",
        [{"line": 1, "old": "model M\nend N;", "new": ""}],
        "line 2: there is 'end M;', not 'end N;'",
    ),
    ("model M end M;", [{"line": 2, "old": "", "new": " "}], "there is no line 2: the text has 1"),
    ("model M end M;", [{"line": 0, "old": "", "new": " "}], "there is no line 0"),
    ("model M end M;", [{"line": 1, "column": 99, "old": "", "new": " "}], "line 1 has no column 99"),
    ("model M end M;", [{"line": 1, "column": 0, "old": "", "new": " "}], "line 1 has no column 0"),
    ("model M end M;", [{"line": 1, "old": "model", "new": "modal"}], "would not be Modelica: line 1, column 1"),
    (
        "model M end M;",
        [{"line": 1, "old": "model", "new": "block"}, {"line": 1, "column": 3, "old": "del", "new": ""}],
        "two replacements overlap in line 1",
    ),
    ("model M end M;", [{"line": 1, "old": "model"}], "'replacements'[0]: missing 'new'"),
    ("model M end M;", [{"line": 1, "old": "", "new": "", "at": 1}], "'replacements'[0] has no 'at'; it has line, old"),
    ("model M end M;", [{"line": True, "old": "", "new": ""}], "'line' must be a whole number, not True"),
]


@pytest.mark.parametrize(("text", "replacements", "message"), REFUSED, ids=[message for *_, message in REFUSED])
def test_a_replacement_is_checked_before_it_counts(text: str, replacements: list[dict[str, Any]], message: str) -> None:
    document = Document(text)
    with pytest.raises(EditError) as caught:
        document.apply([{"op": "replace_text", "replacements": replacements}])
    assert message in str(caught.value)
    assert document.text == text


def test_an_inverse_does_not_fit_another_text() -> None:
    document = Document("model M\n  Real x;\nend M;\n")
    inverse = document.apply([{"op": "add_component", "class": "M", "type": "Real", "name": "y"}])
    document.find_class("M").add_component("Real", "first", before="x")
    with pytest.raises(EditError, match="line 2: there is '  Real fi', not '  Real x;'"):
        document.apply(inverse)


def test_a_refused_operation_is_named_by_its_number() -> None:
    document = Document("model M Real x; end M;")
    good = {"op": "set_modifier", "class": "M", "component": "x", "path": "", "value": 1}
    with pytest.raises(EditError, match=r"^operation 2: no component 'y' in 'M'"):
        document.apply([good, {**good, "component": "y"}])


# ---------------------------------------------------------------- patches in files

SET = {"op": "set_modifier", "class": "M", "component": "x", "path": "", "value": 1}


def test_saved_patches_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "patch.json"
    document = Document('\ufeffmodel M\r\n  Real x "é😀";\r\nend M;\r\n')
    inverse = document.apply([SET, {"op": "set_component_description", "class": "M", "component": "x", "text": None}])
    save_patch(path, inverse)
    assert load_patch(path) == inverse
    assert json.loads(path.read_text(encoding="utf-8"))["modelica_patch"] == 1
    save_patches(path, {"A.mo": inverse, "B/C.mo": []})
    assert load_patches(path) == {"A.mo": inverse, "B/C.mo": []}
    with pytest.raises(EditError, match="load_patches reads it"):
        load_patch(path)
    path.write_text(json.dumps([SET]))
    assert load_patch(path) == [SET]
    with pytest.raises(EditError, match="load_patch reads it"):
        load_patches(path)


WRONG_FILES: list[tuple[str, str]] = [
    ("[", "patch.json:1:2: this is not JSON"),
    ("[\n  {,}\n]", "patch.json:2:4: this is not JSON"),
    ('{"op": 1, "op": 2}', "the key 'op' appears twice"),
    ("[" * 100_000, "nested too deep"),
    ("5", "a patch must be a list of operations or an object, not 5"),
    ("{}", "a patch has either 'operations' or 'files'"),
    ('{"operations": [], "files": {}}', "a patch has either 'operations' or 'files'"),
    ('{"modelica_patch": 2, "operations": []}', "'modelica_patch' is 2; this program knows version 1"),
    ('{"modelica_patch": true, "operations": []}', "'modelica_patch' is True"),
    ('{"operation": []}', "a patch has no key 'operation'"),
    ('{"operations": {}}', "operations are a list, not {}"),
    ('{"files": []}', "'files' must be an object, not []"),
    ('{"files": {"A.mo": [1]}}', "patch.json: A.mo: operation 1: an operation is an object with the key 'op', not 1"),
    ('[{"op": "paint"}]', "operation 1: there is no operation 'paint'"),
    ('[{"op": ["paint"]}]', "operation 1: there is no operation ['paint']"),
    (json.dumps([SET, {**SET, "class": 5}]), "operation 2: 'set_modifier': 'class' must be a string, not 5"),
    (json.dumps([{**SET, "colour": 5}]), "operation 1: 'set_modifier' has no 'colour'"),
    (json.dumps([{"op": "connect", "class": "M"}]), "operation 1: 'connect': missing a required argument: 'one'"),
    (json.dumps([{**SET, "value": {"expression": "1 +"}}]), "operation 1: 'set_modifier': 'value': '1 +' is not an"),
    (json.dumps([{**SET, "value": {"a": 1}}]), "operation 1: 'set_modifier': 'value': {'a': 1} is not a value"),
    ('[{"op": "set_modifier", "value": NaN}]', "NaN is not a number in JSON"),
    (
        json.dumps([{"op": "add_import", "class": "M", "name": "A", "members": "B"}]),
        "operation 1: 'add_import': 'members' must be a list or null, not 'B'",
    ),
    (
        json.dumps([{"op": "add_import", "class": "M", "name": "A", "members": ["B", 2]}]),
        "operation 1: 'add_import': 'members'[1] must be a string, not 2",
    ),
    (
        json.dumps([{"op": "add_import", "class": "M", "name": "A", "wildcard": 1}]),
        "operation 1: 'add_import': 'wildcard' must be true or false, not 1",
    ),
    (
        json.dumps([{"op": "add_extends", "class": "M", "base": "A", "modifiers": [1]}]),
        "operation 1: 'add_extends': 'modifiers' must be an object or null, not [1]",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG_FILES, ids=[message for _, message in WRONG_FILES])
def test_a_wrong_file_is_told_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "patch.json"
    path.write_text(text)
    with pytest.raises(EditError) as caught:
        load_patch(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "patch.json"
    with pytest.raises(EditError, match="can't be read: No such file"):
        load_patch(path)
    path.write_bytes(b'["\xff"]')
    with pytest.raises(EditError, match="is not UTF-8"):
        load_patch(path)
    with pytest.raises(EditError, match="has no JSON form"):
        save_patch(path, [{**SET, "value": float("nan")}])
    with pytest.raises(EditError, match="operation 1: there is no operation"):
        save_patch(path, [{"op": "paint"}])
    assert path.read_bytes() == b'["\xff"]'


def test_wrong_types_are_refused_by_a_document_too() -> None:
    document = Document("model M Real x; end M;")
    for operation in (5, {**SET, "class": 5}, {**SET, "value": [[0]] * 2 + [{"a": 1}]}, {**SET, "value": deep_list()}):
        with pytest.raises(EditError):
            document.apply([operation])  # type: ignore[list-item]
    assert not document.is_changed


def deep_list() -> list[Any]:
    found: list[Any] = []
    for _ in range(50_000):
        found = [found]
    return found


# ---------------------------------------------------------------- the schema


def test_the_schema_fits_the_verbs() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text(), "run python -m modelica_ast.edit.patch_files"
    Draft202012Validator.check_schema(patch_schema())
    assert all(patch_schema()["$defs"][name]["description"] for name in VERBS)


@pytest.mark.parametrize("case", CASES, ids=lambda p: p.name)
def test_patches_fit_the_schema(case: Path) -> None:
    validator = Draft202012Validator(patch_schema())
    for patch in (
        operations(case),
        {"modelica_patch": 1, "operations": operations(case)},
        {"modelica_patch": 1, "files": {"A.mo": operations(case)}},
    ):
        assert [error.message for error in validator.iter_errors(patch)] == []


# Not for the schema: keys that appear twice, and the inside of an expression.
BEYOND_THE_SCHEMA = ("'1 +'", "appears twice", "not JSON", "nested too deep", "NaN")


@pytest.mark.parametrize(
    "text",
    [text for text, message in WRONG_FILES if not any(part in message for part in BEYOND_THE_SCHEMA)],
)
def test_wrong_patches_do_not_fit_the_schema(text: str) -> None:
    assert not Draft202012Validator(patch_schema()).is_valid(json.loads(text))


def test_the_schema_is_written_by_its_module(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src" / "modelica_ast", tmp_path / "modelica_ast")
    copy = tmp_path / "modelica_ast" / "edit" / FILE.name
    copy.unlink()
    command = [sys.executable, "-W", "error", "-m", "modelica_ast.edit.patch_files"]
    subprocess.run(command, check=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert copy.read_text(encoding="utf-8") == schema_text()


# ---------------------------------------------------------------- edits for editors


def applied_by_a_client(text: str, edits: list[dict[str, Any]], encoding: PositionEncoding) -> str:
    """What an editor does, said again: positions of the text before, no two edits overlap."""
    text = text.removeprefix("\ufeff")
    spans = sorted(
        (offset(text, e["range"]["start"], encoding), offset(text, e["range"]["end"], encoding)) for e in edits
    )
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    for edit in reversed(edits):
        start, end = (offset(text, edit["range"][key], encoding) for key in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


def offset(text: str, position: dict[str, int], encoding: PositionEncoding) -> int:
    line_ends = [0, *(match.end() for match in re.finditer("\r\n|\n|\r", text))]
    start = line_ends[position["line"]]
    line = re.split("[\r\n]", text[start:], maxsplit=1)[0]
    units = 0
    for index, character in enumerate(line):
        if units == position["character"]:
            return start + index
        units += {"utf-8": len(character.encode()), "utf-16": 1 + (ord(character) > 0xFFFF), "utf-32": 1}[encoding]
    assert units == position["character"], "a position inside a character or after its line"
    return start + len(line)


ENCODINGS: list[PositionEncoding] = ["utf-8", "utf-16", "utf-32"]
words = st.text(st.sampled_from("aé日😀\U0001f1e9 \r\n"), max_size=6)
line_ends = st.sampled_from(["\n", "\r\n", "\r", " "])


@st.composite
def decorated_documents(draw: st.DrawFn) -> Document:
    """A class with anything in its descriptions and comments, some of it changed."""
    names = [f"c{i}" for i in range(draw(st.integers(1, 4)))]
    text = draw(st.sampled_from(["", "\ufeff"])) + f"model M{draw(line_ends)}"
    for name in names:
        text += f'  /*{draw(words)}*/ Real {name} "{draw(words)}";{draw(line_ends)}'
    document = Document(text + f"end M;{draw(line_ends)}", path="M.mo")
    m = document.find_class("M")
    for name in names:
        match draw(st.sampled_from(["keep", "describe", "remove", "add"])):
            case "describe":
                m.find_component(name).set_description(draw(words))
            case "remove":
                m.find_component(name).remove()
            case "add":
                m.add_component("Real", f"{name}_new", description=draw(words), before=name)
    return document


@given(decorated_documents(), st.sampled_from(ENCODINGS))
def test_a_client_gets_the_new_text(document: Document, encoding: PositionEncoding) -> None:
    edits = document_edits(document, encoding=encoding)
    found = applied_by_a_client(document.saved_text or "", edits, encoding)
    assert found == document.text.removeprefix("\ufeff")


@given(edited_documents(), st.sampled_from(ENCODINGS))
def test_a_client_gets_the_new_text_of_fixtures(document: Document, encoding: PositionEncoding) -> None:
    edits = document_edits(document, encoding=encoding)
    found = applied_by_a_client(document.saved_text or "", edits, encoding)
    assert found == document.text.removeprefix("\ufeff")


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 18), ("utf-16", 16), ("utf-32", 15)])
def test_positions_count_in_the_units_asked_for(encoding: PositionEncoding, character: int) -> None:
    document = Document('model M\n  String s = "😀";\nend M;', path="M.mo")
    document.find_class("M").find_component("s").set("", "😀!")
    (edit,) = document_edits(document, encoding=encoding)
    assert edit["range"]["start"] == {"line": 1, "character": character}
    assert edit["newText"] == "!"


def test_a_line_end_is_not_split() -> None:
    document = Document("model M\r\n  Real x;\r\nend M;", path="M.mo")
    document.apply([{"op": "replace_text", "replacements": [{"line": 1, "column": 8, "old": "\r", "new": ""}]}])
    (edit,) = document_edits(document)
    assert edit == {
        "range": {"start": {"line": 0, "character": 7}, "end": {"line": 1, "character": 0}},
        "newText": "\n",
    }


def test_workspace_edit(tmp_path: Path) -> None:
    (tmp_path / "A b.mo").write_text("model A Real x; end A;")
    (tmp_path / "B.mo").write_text("model B end B;")
    (tmp_path / "C.mo").write_text("model C end C;")
    workspace = Workspace(tmp_path)
    workspace.open("A b.mo").find_class("A").find_component("x").set("", 1)
    workspace.open("B.mo")
    workspace.create("N.mo", "model N end N;")
    workspace.delete("C.mo")
    found = workspace_edit(workspace.documents, deleted=workspace.deleted)
    folder = tmp_path.resolve().as_uri()
    at, zero = {"line": 0, "character": 14}, {"line": 0, "character": 0}
    assert found == {
        "documentChanges": [
            {
                "textDocument": {"uri": f"{folder}/A%20b.mo", "version": None},
                "edits": [{"range": {"start": at, "end": at}, "newText": "=1"}],
            },
            {"kind": "create", "uri": f"{folder}/N.mo"},
            {
                "textDocument": {"uri": f"{folder}/N.mo", "version": None},
                "edits": [{"range": {"start": zero, "end": zero}, "newText": "model N end N;"}],
            },
            {"kind": "delete", "uri": f"{folder}/C.mo"},
        ]
    }
    with pytest.raises(EditError, match="without a path"):
        workspace_edit([Document("")])
    with pytest.raises(EditError, match="'utf-7' is not a position encoding"):
        workspace_edit(workspace.documents, encoding="utf-7")  # type: ignore[arg-type]
