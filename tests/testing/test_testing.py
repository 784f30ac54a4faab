"""The strategies keep what they promise, and every law catches a transform that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings, strategies as st

from conftest import FIXTURES, examples
from modelica_ast import (
    evaluate,
    literal,
    parse,
    parse_argument,
    parse_class,
    parse_element,
    parse_equation,
    parse_expression,
    parse_name,
    parse_reference,
    parse_statement,
    render,
)
from modelica_ast.edit import Document
from modelica_ast.foundation import EditError
from modelica_ast.syntax.checks import BY_PRODUCTION, UNDECIDED
from modelica_ast.syntax.tables import KINDS
from modelica_ast.testing import (
    check_all,
    check_idempotence,
    check_identity,
    check_inverse,
    check_locality,
    check_parses,
    check_refusal,
    check_remove_of_add,
    check_round_trip,
    classes,
    components,
    definitions,
    documents,
    dotted_names,
    edits,
    equations,
    expressions,
    fragments,
    json_values,
    library_classes,
    names,
    on_text,
    patches,
    statements,
    trivia,
    values,
)
from modelica_ast.testing.derivations import CORRECTIONS
from modelica_ast.testing.touched import touched
from modelica_ast.tree.literals import Reference

# As a vendor has them, who knows nothing of ours: the health checks of Hypothesis must not complain.
plain = settings(max_examples=examples(30), deadline=None, suppress_health_check=[])


# ---------------------------------------------------------------- strategies


@pytest.mark.parametrize(
    ("texts", "read"),
    [
        (expressions(), parse_expression),
        (equations(), parse_equation),
        (statements(), parse_statement),
        (components(), parse_element),
        (classes(), parse_class),
        (fragments("_argument", size=20).filter(lambda text: "break" not in text), parse_argument),
        (names(), parse_reference),
        (dotted_names(), parse_name),
    ],
    ids=["expressions", "equations", "statements", "components", "classes", "fragments", "names", "dotted_names"],
)
@given(data=st.data())
@plain
def test_what_is_drawn_parses(texts: st.SearchStrategy[str], read: Callable[[str], Any], data: st.DataObject) -> None:
    text = data.draw(texts)
    assert render(read(text).root) == text


@pytest.mark.parametrize("files", [definitions(), documents()], ids=["definitions", "documents"])
@given(data=st.data())
@plain
def test_files_parse_strictly(files: st.SearchStrategy[str], data: st.DataObject) -> None:
    text = data.draw(files)
    parse(text, strict=True)
    check_round_trip(text)


@given(trivia())
@plain
def test_trivia_can_stand_anywhere(blanks: str) -> None:
    assert parse_expression(f"a{blanks} +{blanks} b{blanks} ").kind == "binary"


@given(trivia(line_ends=False))
@plain
def test_trivia_without_line_ends(blanks: str) -> None:
    assert "\n" not in blanks
    assert parse_expression(f"a{blanks} + b").kind == "binary"


@given(values())
@plain
def test_values_come_back(value: Any) -> None:
    assert evaluate(literal(value)) == value


@given(json_values())
@plain
def test_json_values_are_taken(value: Any) -> None:
    document = Document("model M\n  Real x;\nend M;\n")
    document.apply([{"op": "set_modifier", "class": "M", "component": "x", "path": "start", "value": value}])
    assert document.is_changed


@given(documents(max_classes=1, max_elements=3, line_ends=("\r\n",)))
@plain
def test_documents_as_asked_for(text: str) -> None:
    tree = parse(text)
    assert len(tree.classes) == 1
    assert "\n" not in text.replace("\r\n", "")
    declared = [component.name for component in tree.classes[0].components]
    assert len(declared) <= 3
    assert len(set(declared)) == len(declared)


def test_every_check_is_kept_by_construction() -> None:
    checked = {KINDS[number] for number in BY_PRODUCTION}
    kept_by_what_is_drawn = UNDECIDED | {"equation_section"}
    assert checked == set(CORRECTIONS) | kept_by_what_is_drawn, (
        "a check without a correction: say in modelica_ast/testing/derivations.py how a derivation is put right"
    )


@pytest.mark.slow
def test_examples_shrink_to_the_plainest() -> None:
    quick = settings(max_examples=100, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    assert find(documents(), lambda _: True, settings=quick) == "model M\nend M;\n"
    found = find(documents(), lambda text: "connect(" in text, settings=quick)
    assert len(found.splitlines()) <= 6
    found = find(expressions(), lambda text: parse_expression(text).kind == "binary", settings=quick)
    assert len(found) <= 12


@given(data=st.data())
@plain
def test_edits_fit_the_text(data: st.DataObject) -> None:
    text = data.draw(documents())
    operation = data.draw(edits(text, verbs=["set_modifier", "remove_component", "disconnect", "add_component"]))
    document = Document(text)
    if operation["op"] in ("remove_component", "add_component"):
        document.apply([operation])
        assert document.is_changed
    else:
        assert document.find_class(operation["class"])


@given(data=st.data())
@plain
def test_patches_are_not_refused(data: st.DataObject) -> None:
    text = data.draw(documents())
    Document(text).apply(data.draw(patches(Document(text), max_operations=3)))


def test_edits_of_unknown_verbs() -> None:
    with pytest.raises(ValueError, match="no edits for the verb 'remoove'; there are for add_class"):
        edits("", verbs=["remoove"])


@given(data=st.data())
@plain
def test_classes_of_a_folder(data: st.DataObject) -> None:
    text = data.draw(library_classes(FIXTURES / "demo"))
    assert parse(text).classes[0].name == "TwoLinkArm"  # the other file there does not parse


def test_a_folder_without_classes(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no \.mo file below"):
        library_classes(tmp_path)


# ---------------------------------------------------------------- laws

TEXT = """model M "text"
  Real x; // about x
  Real y(start=1);
equation
  x = y;
end M;

model N
  Real z;
end N;
"""


def set_start(document: Document) -> None:
    document.find_class("M").find_component("y").set("start", 2)


def add_w(document: Document) -> None:
    document.find_class("M").add_component("Real", "w")


def remove_w(document: Document) -> None:
    document.find_class("M").find_component("w").remove()


def does_nothing(_document: Document) -> None:
    pass


SET_START = {"op": "set_modifier", "class": "M", "component": "y", "path": "start", "value": 2}


@pytest.mark.parametrize(
    "transform",
    [set_start, SET_START, [SET_START], on_text(lambda text: text.replace("start=1", "start=2")), add_w, does_nothing],
)
def test_good_transforms_pass(transform: Any) -> None:
    check_all(transform, TEXT, allowed=["M"])
    check_remove_of_add(add_w, remove_w, TEXT)
    check_identity(does_nothing, TEXT)
    check_identity(set_start, TEXT.replace("start=1", "start=2"))


def test_locality_takes_places_of_all_kinds() -> None:
    span = parse(TEXT).classes[0].components[1].span
    places: list[Any] = [3, range(2, 4), "M", span, (TEXT.index("(start"), TEXT.index(";\nequation"))]
    for place in places:
        check_locality(set_start, TEXT, allowed=[place])
    check_locality(set_start, TEXT, allowed=touched(SET_START))
    check_locality(set_start, TEXT, allowed=lambda text: [text[: text.index("start")].count("\n") + 1])
    for place in (2, "N", (0, 5)):
        with pytest.raises(AssertionError, match="must not touch"):
            check_locality(set_start, TEXT, allowed=[place])
    with pytest.raises(ValueError, match="there is no line 40: the text has 11"):
        check_locality(set_start, TEXT, allowed=[40])


def reformats(text: str) -> str:
    return text.replace("  Real", "\tReal")


def drops_a_comment(text: str) -> str:
    return text.replace(" // about x", "").replace("start=1", "start=2")


def adds_again(document: Document) -> None:
    owner = document.find_class("M")
    owner.add_component("Real", f"w{len(owner.components)}")


def breaks_the_text(text: str) -> str:
    return text.replace("end M;", "end;")


def breaks_an_annotation(text: str) -> str:
    return text.replace("Real z;", "Real z annotation(a=);")


def half_an_edit(document: Document) -> None:
    set_start(document)
    document.find_class("M").find_component("nothing").remove()


def half_an_edit_taken_back(document: Document) -> None:
    set_start(document)
    document.find_class("M").find_component("y").set("start", 1)
    raise EditError("not today")


def forgets_its_steps(document: Document) -> None:
    document.restore(Document(document.text.replace("start=1", "start=2")).state)


@pytest.mark.parametrize(
    ("law", "transform", "message"),
    [
        (
            check_identity,
            on_text(reformats),
            "@ lines 2 to 3\n-   Real x; // about x⏎\n-   Real y(start=1);⏎\n+ ⇥Real x; // about x⏎",
        ),
        (
            check_identity,
            set_start,
            "nothing to do here and changes the text\n@ line 3\n-   Real y(start=1);\n+   Real",
        ),
        (
            check_idempotence,
            adds_again,
            "is not idempotent: run again, it changes its own result\n@ line 5\n+   Real w3;",
        ),
        (check_idempotence, on_text(breaks_the_text), "the result is not Modelica: <text>:6:"),
        (check_parses, on_text(breaks_the_text), "- end M;\n+ end;"),
        (check_parses, on_text(breaks_an_annotation), "the result is not Modelica: <text>:9:"),
        (check_refusal, half_an_edit, "`with document.transaction():`); it refused with: no component 'nothing'"),
        (check_refusal, half_an_edit, "@ line 3\n-   Real y(start=1);\n+   Real y(start=2);"),
        (check_refusal, half_an_edit_taken_back, "has left steps to undo"),
        (check_parses, half_an_edit, "a refused transform has changed the text"),
        (check_inverse, forgets_its_steps, "undo does not restore the text\n@ line 3"),
        (check_all, forgets_its_steps, "undo does not restore the text"),
        (check_all, adds_again, "is not idempotent"),
    ],
)
def test_a_bad_transform_is_caught(law: Callable[..., None], transform: Any, message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        law(transform, TEXT)
    assert message in str(caught.value)


def test_a_tree_that_is_not_its_text_is_caught() -> None:
    def other_shape(document: Document) -> None:
        """One leaf with the blanks of its neighbour: the same text, another tree."""
        number = document.state[0]
        *children, end = document.state[1:]
        stored: Any = children[0]
        root: Any = (number, (*stored[:-1], stored[-1] + "\n"), *children[1:-1], _lstripped(children[-1]), end)
        document.restore(root)

    with pytest.raises(AssertionError, match="the document's tree is not the tree of its text"):
        check_parses(other_shape, "model M end M;\nmodel N end N;\n")


def _lstripped(green: Any) -> Any:
    return green[1:] if isinstance(green, str) else (green[0], _lstripped(green[1]), *green[2:])


def test_locality_shows_only_what_is_wrong() -> None:
    with pytest.raises(AssertionError) as caught:
        check_locality(on_text(drops_a_comment), TEXT, allowed=[3])
    assert str(caught.value) == (
        "the transform changes what it must not touch\n@ lines 2 to 3\n"
        "-   Real x; // about x\n-   Real y(start=1);\n+   Real x;\n+   Real y(start=2);"
    )
    with pytest.raises(AssertionError) as caught:
        check_locality(on_text(lambda text: text.replace("start=1", "start=2").replace(" z", " q")), TEXT, allowed=[3])
    assert str(caught.value).endswith("touch\n@ line 9\n-   Real z;\n+   Real q;")


def test_remove_that_leaves_something_is_caught() -> None:
    def removes_badly(text: str) -> str:
        return text.replace("  Real w;", "")

    with pytest.raises(AssertionError) as caught:
        check_remove_of_add(add_w, on_text(removes_badly), TEXT)
    assert str(caught.value) == "removing what was added does not restore the text\n@ line 4\n+ ⏎"
    with pytest.raises(AssertionError, match="removing what was added is refused: no component 'v' in 'M'"):
        check_remove_of_add(add_w, {"op": "remove_component", "class": "M", "component": "v"}, TEXT)


def test_inverse_that_does_not_restore_is_caught() -> None:
    with pytest.raises(AssertionError, match="the inverse does not restore the text\n@ line 3"):
        check_inverse(set_start, TEXT, inverse=on_text(lambda text: text.replace("start=2", "start = 1")))
    check_inverse(set_start, TEXT, inverse=on_text(lambda text: text.replace("start=2", "start=1")))
    with pytest.raises(TypeError, match="has no undo: give its inverse"):
        check_inverse(on_text(reformats), TEXT)


def test_a_transform_of_the_wrong_kind() -> None:
    with pytest.raises(TypeError, match="returned NoneType, not str"):
        check_parses(on_text(lambda _: None), TEXT)  # type: ignore[arg-type,return-value]


def test_long_differences_are_cut() -> None:
    with pytest.raises(AssertionError, match="… and 11 more lines"):
        check_identity(on_text(lambda text: text + "// more\n" * 50), TEXT)


def test_a_vendors_test_is_three_lines() -> None:
    def rename_all(document: Document) -> None:
        for owner in document.classes:
            for component in owner.components:
                component.set_description(f"the {component.name}")

    @given(documents())
    @plain
    def test_mine(text: str) -> None:
        check_all(rename_all, text)

    test_mine()


def test_references_are_values() -> None:
    assert find(values(max_dimensions=0), lambda value: isinstance(value, Reference)) == Reference("a")
