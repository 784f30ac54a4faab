"""Documents: handles, steps, diffs, and files that are replaced whole or not at all."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from conftest import FIXTURES
from modelica_ast import evaluate, find_all, parse_expression, parse_file, walk
from modelica_ast.edit import ClassHandle, Document, diffs
from modelica_ast.edit.placement import Where
from modelica_ast.foundation import EditError, NotFoundError
from modelica_ast.syntax.green import iter_leaves
from modelica_ast.tree import ClassDefinition, ConnectEquation

ARM = FIXTURES / "demo" / "TwoLinkArm.mo"


def test_handles_read_what_was_written() -> None:
    document = Document.open(ARM)
    arm = document.find_class("TwoLinkArm")
    link = arm.find_component("link1")
    assert link.type == "Modelica.Mechanics.MultiBody.Parts.Body"
    assert link.get("m") is not None
    link.set("m", 2.0)
    assert evaluate(link.get("m")) == 2.0  # type: ignore[arg-type]
    tool = arm.add_component("Modelica.Mechanics.MultiBody.Parts.Body", "tool", {"m": 0.2}, after="link2")
    tool.set("r_CM", [0, 0, 0.1])
    arm.connect("link2.frame_a", "tool.frame_a")
    assert ("link2.frame_a", "tool.frame_a") in arm.connections
    assert [c.name for c in arm.components][-1] == "tool"
    tool.set_description("the tool")
    assert tool.view.description is not None
    tool.remove_modifier("m")
    assert tool.get("m") is None
    arm.disconnect("tool.frame_a", "link2.frame_a")
    tool.remove()
    assert arm.get_component("tool") is None
    link.set("m", parse_expression("m1"))
    assert document.text == ARM.read_text()
    assert not document.is_changed


def test_lookups_demand_or_ask() -> None:
    document = Document.open(ARM)
    assert document.get_class("Nothing") is None
    with pytest.raises(NotFoundError, match="no class 'TwoLinkArn' in the file; did you mean 'TwoLinkArm'"):
        document.find_class("TwoLinkArn")
    arm = document.find_class("Robots.TwoLinkArm")
    with pytest.raises(NotFoundError, match="did you mean 'elbow'"):
        arm.find_component("elbo")
    assert [c.name for c in document.classes] == ["TwoLinkArm"]
    assert arm.view.name == "TwoLinkArm"
    assert repr(arm.find_component("elbow")) == "<ComponentHandle Robots.TwoLinkArm.elbow>"


def test_undo_and_redo() -> None:
    document = Document("model M\n  Real x;\nend M;\n")
    x = document.find_class("M").find_component("x")
    x.set("", 1)
    x.set("", 2)
    document.undo()
    assert document.text == "model M\n  Real x=1;\nend M;\n"
    document.redo()
    assert document.text == "model M\n  Real x=2;\nend M;\n"
    document.undo()
    document.undo()
    with pytest.raises(EditError, match="nothing to undo"):
        document.undo()
    x.set("", 3)
    with pytest.raises(EditError, match="nothing to redo"):
        document.redo()


def test_a_transaction_is_one_step() -> None:
    document = Document("model M\n  Real x;\nend M;\n")
    m = document.find_class("M")
    with document.transaction():
        m.find_component("x").set("", 1)
        m.add_component("Real", "y")
    document.undo()
    assert not document.is_changed
    with pytest.raises(NotFoundError):
        add_and_fail(document)
    assert not document.is_changed


def add_and_fail(document: Document) -> None:
    with document.transaction():
        document.find_class("M").add_component("Real", "y")
        document.find_class("M").find_component("nothing")


def test_diff() -> None:
    document = Document("model M\n  Real x;\nend M;", path="M.mo")
    assert document.diff() == ""
    document.find_class("M").find_component("x").set("start", 1)
    assert document.diff() == (
        "--- a/M.mo\n+++ b/M.mo\n@@ -1,3 +1,3 @@\n model M\n-  Real x;\n+  Real x(start=1);\n end M;\n"
        "\\ No newline at end of file\n"
    )


@pytest.mark.parametrize("name", ["Bom.mo", "Crlf.mo", "Latin1.mo"])
def test_save_keeps_encoding_mark_and_line_ends(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    data = (FIXTURES / "modelica" / name).read_bytes()
    path.write_bytes(data)
    document = Document.open(path)
    document.find_class(name.removesuffix(".mo")).find_component("x").set("start", 1)
    document.save()
    assert not document.is_changed
    new = path.read_bytes()
    at = new.index(b"start=1")
    opened = new.rindex(b"(", 0, at)
    assert new.count(b"start=1") == 1
    assert new[:opened] == data[:opened]
    assert new.endswith(data[-10:])


def test_mixed_line_ends_stay_in_the_file_and_after_undo(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    before = b"within;\r\nmodel M\n  Real x;\r\n\n  Real y;\nequation\r\n  x = 1;\n  y = 2;\r\nend M;"
    path.write_bytes(before)
    document = Document.open(path)
    model = document.find_class("M")
    model.add_component("Real", "z", after="x")
    model.add_equation("when y > 1 then\n  z = 3;\nend when")
    model.find_component("y").remove()
    document.save()
    assert path.read_bytes() == (
        b"within;\r\nmodel M\n  Real x;\r\n  Real z;\r\nequation\r\n  x = 1;\n  y = 2;\r\n"
        b"  when y > 1 then\r\n    z = 3;\r\n  end when;\r\nend M;"
    )
    for _ in range(3):
        document.undo()
    document.save()
    assert path.read_bytes() == before


def test_save_keeps_permissions_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    path.write_text("model M Real x; end M;")
    path.chmod(0o640)
    document = Document.open(path)
    document.find_class("M").find_component("x").set("", 1)
    document.save()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_character_that_the_encoding_lacks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    data = 'model M "°"\n  String s;\nend M;\n'.encode("latin-1")
    path.write_bytes(data)
    document = Document.open(path)
    document.find_class("M").find_component("s").set("", "日本")
    with pytest.raises(EditError, match="the file is latin-1, which has no character '日'"):
        document.save()
    assert path.read_bytes() == data


def test_save_needs_a_path(tmp_path: Path) -> None:
    document = Document("model M end M;")
    with pytest.raises(EditError, match="has no path"):
        document.save()
    document.save(tmp_path / "M.mo")
    assert document.path == tmp_path / "M.mo"
    assert (tmp_path / "M.mo").read_text() == "model M end M;"


def test_an_edit_shares_what_it_does_not_touch() -> None:
    document = Document.open(FIXTURES / "modelica" / "Classes.mo")
    before = document.tree
    document.find_class("Classes.Gain").find_component("k").set("", 2)
    after = document.tree
    assert [c.green is d.green for c, d in zip(before.classes[0].classes, after.classes[0].classes, strict=True)].count(
        False
    ) == 1


# ---------------------------------------------------------------- laws, on every class of the fixtures

FILES = [ARM, *(FIXTURES / "modelica" / f"{name}.mo" for name in ("Classes", "Equations", "Modifications", "Crlf"))]
PLACES = [
    (path, definition.full_name, component.name)
    for path in FILES
    for definition in walk(parse_file(path), annotations=False)
    if isinstance(definition, ClassDefinition)
    for component in definition.components
]


def changed_part(old: str, new: str) -> tuple[str, str]:
    """What is left of two texts without their common start and end."""
    start = common_length(old, new)
    end = common_length(old[start:][::-1], new[start:][::-1])
    return old[start : len(old) - end], new[start : len(new) - end]


def common_length(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@given(st.text("ab", max_size=9), st.text("ab", max_size=9))
def test_the_common_start_of_texts_is_found_by_halves(one: str, other: str) -> None:
    assert diffs.common_length(one, other) == common_length(one, other)


@given(st.sampled_from(PLACES), st.sampled_from(["start", "a.b.c", "frame_a.r_0.start"]), st.integers() | st.text())
def test_set_is_local_idempotent_and_reads_back(place: tuple[Path, str, str], path: str, value: int | str) -> None:
    file, class_, name = place
    document = Document.open(file)
    component = document.find_class(class_).get_component(name)
    assert component is not None
    try:
        component.set(path, value)
    except EditError:
        assert not document.is_changed
        return
    found = component.get(path)
    assert found is not None
    assert evaluate(found) == value
    once = document.text
    old, _ = changed_part(file.read_bytes().decode(), once)
    assert "\n" not in old
    assert old.count("=") <= 1
    component.set(path, value)
    assert document.text == once


@given(st.sampled_from(PLACES), st.booleans())
def test_remove_of_add_restores_the_bytes(place: tuple[Path, str, str], before: bool) -> None:  # noqa: FBT001
    file, class_, name = place
    document = Document.open(file)
    text = document.text
    owner = document.find_class(class_)
    beside: Where = {"before": name} if before else {"after": name}
    new = owner.add_component("A.B", "brand_new", {"k": 1}, **beside)
    old, added = changed_part(text, document.text)
    assert old == ""
    assert "brand_new" in added
    new.remove()
    assert document.text == text


@given(st.sampled_from(PLACES))
def test_remove_takes_nothing_of_anybody_else(place: tuple[Path, str, str]) -> None:
    file, class_, name = place
    document = Document.open(file)
    owner = document.find_class(class_)
    others = [c.name for c in owner.components if c.name != name]
    owner.find_component(name).remove()
    assert [c.name for c in owner.components] == others
    assert document.tree.green == Document(document.text).tree.green
    assert "".join(iter_leaves(document.tree.green)) == document.text


@pytest.mark.parametrize("path", ["@x", "a b", "a;b", "a.b c", "1x"])
def test_what_is_no_path_of_an_annotation_is_refused(path: str) -> None:
    document = Document("model A\n  Real x;\nend A;\n")
    before = document.text
    for owner in (document.find_class("A"), document.find_class("A").find_component("x")):
        with pytest.raises(EditError):
            owner.set_annotation(path, 1)
    assert document.text == before


def test_what_handles_are_is_seen_in_their_repr() -> None:
    document = Document(
        "within Lib.Sub;\nmodel A\n  B b[2];\nequation\n  connect(b[1].p, b[2].n);\nend A;\n", path="A.mo"
    )
    assert repr(document) == "<Document A.mo: Lib.Sub.A>"
    handle = document.find_class("A")
    assert (handle.name, handle.full_name, repr(handle)) == ("A", "Lib.Sub.A", "<ClassHandle Lib.Sub.A>")
    same = document.find_class("Lib.Sub.A")
    assert (same.name, same.full_name, repr(same)) == ("A", "Lib.Sub.A", "<ClassHandle Lib.Sub.A>")
    assert repr(Document("")) == "<Document without a path: no class>"


def test_connections_know_the_loops_around_them() -> None:
    text = (
        "model A equation\n  for i in 1:3, j loop\n    for k in {1,\n 2} loop connect(a[i], b[k]); end for; end for;\n"
    )
    document = Document(text + "  connect(c, d);\nend A;\n")
    inner, outer = find_all(document.tree, ConnectEquation)
    assert (inner.loops, outer.loops) == (("i in 1:3", "j", "k in {1, 2}"), ())


# ---------------------------------------------------------------- declarations behind a class annotation

OLD_CLASS = """model Old
  Real a;
protected
  Real b;
  annotation (Icon());
  Real c;
  Real d;
public
  annotation (Diagram());
  Real e;
end Old;
"""


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        (lambda old: old.find_component("c").remove(), "  Real c;\n", ""),
        (lambda old: old.find_component("e").remove(), "  Real e;\n", ""),
        (lambda old: old.find_component("b").remove(), "  Real b;\n", ""),  # c and d stay protected
        (lambda old: old.add_component("Real", "n", after="c"), "  Real c;\n", "  Real c;\n  Real n;\n"),
        (lambda old: old.add_component("Real", "n", before="e"), "  Real e;\n", "  Real n;\n  Real e;\n"),
        (lambda old: old.remove_annotation("Diagram"), "  annotation (Diagram());\n", ""),
        (lambda old: old.add_equation("a = 1"), "  Real e;\n", "  Real e;\nequation\n  a = 1;\n"),
        (lambda old: old.find_component("d").rename("n"), "  Real d;\n", "  Real n;\n"),
    ],
)
def test_what_is_behind_a_class_annotation_is_edited(
    edit: Callable[[ClassHandle], object], before: str, after: str
) -> None:
    document = Document(OLD_CLASS)
    edit(document.find_class("Old"))
    assert document.text == OLD_CLASS.replace(before, after)
    hidden = [element.text for element in document.find_class("Old").view.elements if element.is_protected]
    inside = document.text.partition("protected\n")[2].partition("public\n")[0].splitlines()
    assert hidden == [line.strip() for line in inside if line.startswith("  Real")]


def test_a_new_protected_section_takes_nothing_that_is_public() -> None:
    document = Document("model Old\n  Real a;\n  annotation (Icon());\n  Real b;\nend Old;\n")
    document.find_class("Old").add_component("Real", "n", section="protected")
    assert document.text == (
        "model Old\n  Real a;\n  annotation (Icon());\n  Real b;\nprotected\n  Real n;\nend Old;\n"
    )
