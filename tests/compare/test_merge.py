"""Three versions of a file become one: cases as files, and the laws that every merge keeps."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings, strategies as st

from conftest import FIXTURES, examples
from modelica_ast import parse
from modelica_ast.compare import Change, Changes, Labels, MergeError, compare, merge, merge_files, merge_order
from modelica_ast.compare.things import comments_of, normal_of
from modelica_ast.compare.three_way.lines import Hunk, merged_lines, narrowed
from modelica_ast.edit import Document
from modelica_ast.foundation import EditError
from modelica_ast.syntax.lexer import lex, split_leaf
from modelica_ast.testing import documents, library_classes, patches

CASES = sorted((FIXTURES / "merges").iterdir())
quick = settings(
    max_examples=examples(10),
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def versions(case: Path) -> tuple[str, str, str]:
    base, ours, theirs = (read(case / f"{name}.mo") for name in ("base", "ours", "theirs"))
    return base, ours, theirs


def decided(text: str, side: str) -> str:
    """A text with markers in which somebody has chosen one side everywhere."""
    kept = []
    part = None
    for line in text.split("\n"):
        word = line.rstrip("\r")
        if word.startswith("<<<<<<< "):
            part = "ours"
        elif part and word.startswith("||||||| "):
            part = "base"
        elif part and word == "=======":
            part = "theirs"
        elif part and word.startswith(">>>>>>> "):
            part = None
        elif part in (None, side):
            kept.append(line)
    return "\n".join(kept)


# ---------------------------------------------------------------- cases


def test_there_are_cases() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path) -> None:
    merged = merge(*versions(case))
    assert merged.text == read(case / "merged.mo")
    conflicts = case / "conflicts.json"
    expected = json.loads(read(conflicts)) if conflicts.exists() else []
    assert [conflict.as_json() for conflict in merged.conflicts] == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_by_the_laws(case: Path) -> None:
    check_laws(*versions(case))


def test_labels_are_in_the_markers() -> None:
    base, ours, theirs = versions(FIXTURES / "merges" / "type_changed_by_both")
    text = merge(base, ours, theirs, labels=Labels("v1", "HEAD", "feature")).text
    assert [line for line in text.splitlines() if line[:7] in ("<<<<<<<", "|||||||", ">>>>>>>")] == [
        "<<<<<<< HEAD",
        "||||||| v1",
        ">>>>>>> feature",
    ]


def test_a_preferred_side_leaves_no_markers_and_lists_the_conflicts() -> None:
    base, ours, theirs = versions(FIXTURES / "merges" / "same_value_changed_differently")
    kept = merge(base, ours, theirs, prefer="ours")
    assert kept.text == ours
    assert [(c.path, c.base, c.ours, c.theirs) for c in kept.conflicts] == [
        (("Arm", "upper", "m"), "2.0", "2.5", "3.0"),
    ]
    assert merge(base, ours, theirs, prefer="theirs").text == theirs


def test_a_conflict_says_which_side_removed_what_the_other_changed() -> None:
    base, without, other = (
        f"model M {b} end M;" for b in ("Real a; Real b(start=1);", "Real a;", "Real a; Real b(start=2);")
    )
    (ours,) = merge(base, without, other).conflicts
    (theirs,) = merge(base, other, without).conflicts
    assert str(ours) == "M.b: ours removed the component, theirs changed it"
    assert str(theirs) == "M.b: theirs removed the component, ours changed it"
    assert ours.told("you", "the URDF") == "M.b: you removed the component, the URDF changed it"


def test_what_was_taken_is_listed() -> None:
    merged = merge(*versions(FIXTURES / "merges" / "two_parameters_of_one_component"))
    assert [(c.kind, c.what, c.path, c.old, c.new) for c in merged.taken] == [
        ("changed", "modifier", ("Arm", "upper", "r"), "{0, 0, 1}", "{0, 0, 2}"),
    ]


def test_what_is_not_modelica_is_refused_with_its_place() -> None:
    with pytest.raises(MergeError, match=r"^theirs:2:\d+: .*can be merged as Modelica$"):
        merge("model M end M;", "model M Real x; end M;", "model M\n  Real ;\nend M;")


def test_a_side_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="prefer is 'ours', 'theirs' or None, not 'mine'"):
        merge("", "", "", prefer="mine")  # type: ignore[arg-type]


def test_spans_are_places_of_the_texts_that_were_given() -> None:
    """Also where a rename has changed the columns of the line that is merged."""
    base = "model M\n  Real a;\n  Body b(x = a, y = 1);\nend M;\n"
    ours = base.replace("Real a;", "Real long_name;").replace("x = a", "x = long_name").replace("y = 1", "y = 2")
    theirs = base.replace("y = 1", "y = 3")
    (conflict,) = merge(base, ours, theirs).conflicts
    for text, span, value in (
        (base, conflict.base_span, "1"),
        (ours, conflict.ours_span, "2"),
        (theirs, conflict.theirs_span, "3"),
    ):
        assert span is not None
        assert text[span.start.offset : span.end.offset] == value


@pytest.mark.slow
def test_thousands_of_elements_are_merged() -> None:
    lines = [f'  parameter Real p{number} = {number} "number {number}";\n' for number in range(1_000)]
    lines += [f"  Body b{number}(m = {number});\n" for number in range(1_000)]
    lines += ["equation\n", *(f"  connect(b{number}.a, b{number + 1}.b);\n" for number in range(1_000))]
    base = f"model M\n{''.join(lines)}end M;\n"
    ours = base.replace("Real p17 = 17 ", "Real p17 = 18 ").replace("  connect(b9.a, b10.b);\n", "")
    theirs = base.replace("Body b77(m = 77)", "Body b77(m = 78)").replace("equation", "  Body last;\nequation")
    merged = merge(base, ours, theirs)
    assert not merged.conflicts
    assert [(c.kind, c.path[-1]) for c in compare(base, merged.text)] == [
        ("changed", "p17"),
        ("changed", "m"),
        ("added", "last"),
        ("removed", "connect(b9.a, b10.b)"),
    ]


def test_deep_nesting_ends_in_no_recursion_error() -> None:
    deep = "a(" * 1_000 + "b=1" + ")" * 1_000
    base = f"model M\n  C c({deep});\n  Real x;\nend M;\n"
    merged = merge(base, base.replace("Real x", "Real y"), base.replace("b=1", "b=2"))
    assert not merged.conflicts
    assert "b=2" in merged.text
    assert "Real y" in merged.text


# ---------------------------------------------------------------- laws


def check_laws(base: str, ours: str, theirs: str) -> None:
    merged, mirrored = merge(base, ours, theirs), merge(base, theirs, ours)
    changes = [change for text in (ours, theirs) for change in compare(base, text)]
    has_other_names = any(change.kind in ("moved", "renamed") for change in changes)
    # A name that one side gives to something and the other to something else may leave the whole to people.
    assert has_other_names or [c for c in merged.conflicts if c.kind == "unproved"] == []
    assert _kinds(merged) == _kinds(mirrored), "the same conflicts from either side"
    if not merged.conflicts:
        assert [change for change in compare(merged.text, mirrored.text) if not is_order_of_lines(change)] == []
    for side in ("ours", "theirs"):
        chosen = decided(merged.text, side)
        parse(chosen, strict=True)
        assert chosen.split() == merge(base, ours, theirs, prefer=side).text.split()
    if not any(change.kind == "renamed" for change in changes):
        check_nothing_is_lost(base, ours, theirs, merged.text)


def is_order_of_lines(change: Change) -> bool:
    """Is it a text with the same lines in another order? What both sides added to a list starts with ours."""
    old, new = ((text or "").split("\n") for text in (change.old, change.new))
    return len(old) > 1 and sorted(old) == sorted(new)


def _kinds(merged: Any) -> list[tuple[str, str]]:
    return sorted((conflict.kind, conflict.what) for conflict in merged.conflicts)


# How many of these there are follows from what is between them: a list that loses items loses commas.
SIGNS = frozenset(",;()=") | {"public", "protected", "equation", "algorithm", "initial", "annotation"}


def check_nothing_is_lost(base: str, ours: str, theirs: str, merged: str) -> None:
    """Every token of a side is in the result, but for what the other took away; every comment, too."""
    lines = [line for line in merged.split("\n") if line[:7] not in ("<<<<<<<", "|||||||", "=======", ">>>>>>>")]
    found, remarks = words_and_comments("\n".join(lines))
    before = words_and_comments(base)[1]
    for side, other in ((ours, theirs), (theirs, ours)):
        words, comments = words_and_comments(side)
        gone = Counter[str]()
        for change in compare(base, other):
            gone += words_and_comments(change.old or "")[0]
        for word, count in words.items():
            assert word in SIGNS or found[word] >= count - gone[word], f"{word!r} is lost"
        kept = words_and_comments(other)[1]
        for comment, count in comments.items():
            assert remarks[comment] >= count - max(before[comment] - kept[comment], 0), f"{comment!r} is lost"


def words_and_comments(text: str) -> tuple[Counter[str], Counter[str]]:
    """The tokens of a text, apart from how numbers are written, strings by lines, and its comments.

    It need not be Modelica.
    """
    words, comments = Counter[str](), Counter[str]()
    for leaf, _ in lex(text, lazy=False):
        trivia, token = split_leaf(leaf)
        comments.update(comments_of(trivia))
        words.update(line for word in normal_of([token]) for line in word.split("\n"))
    return words, comments


@given(documents(), st.data())
@quick
def test_a_side_without_changes_takes_the_other_to_the_byte(base: str, data: st.DataObject) -> None:
    other = _applied(base, data.draw(patches(base)))
    assert merge(base, base, other).text == other
    assert merge(base, other, base).text == other
    assert merge(base, other, other).text == other


@given(documents(), st.data())
@quick
def test_laws_on_documents(base: str, data: st.DataObject) -> None:
    check_edits(base, data)


@given(st.data())
@settings(quick, max_examples=examples(3))
def test_laws_on_library_classes(msl: Path, data: st.DataObject) -> None:
    check_edits(data.draw(library_classes(msl / "Blocks", max_length=4_000)), data)


@pytest.mark.corpus
@given(st.data())
@settings(quick, max_examples=examples(500))
def test_laws_on_many_library_classes(msl: Path, data: st.DataObject) -> None:
    check_edits(data.draw(library_classes(msl, max_length=10_000)), data)


def check_edits(base: str, data: st.DataObject) -> None:
    first, second = data.draw(patches(base)), data.draw(patches(base))
    ours, theirs = _applied(base, first), _applied(base, second)
    note(f"BASE\n{base}\nOURS\n{ours}\nTHEIRS\n{theirs}")
    check_laws(base, ours, theirs)
    if not _are_apart(compare(base, ours), compare(base, theirs)):
        return
    try:
        both = _applied(ours, second)
    except EditError:
        return
    merged = merge(base, ours, theirs)
    assert merged.conflicts == (), "edits of different things are not conflict"
    assert list(compare(both, merged.text)) == []


def _applied(text: str, patch: list[Any]) -> str:
    document = Document(text)
    document.apply(patch)
    return document.text


def _are_apart(one: Changes, other: Changes) -> bool:
    """Are the changes about different things? What is moved or renamed is about much."""
    if not one or not other:
        return False  # what changes nothing here may still do so elsewhere
    if {change.kind for change in (*one, *other)} & {"moved", "renamed"}:
        return False
    paths = [change.path for change in one], [change.path for change in other]
    return not any(p[: len(q)] == q or q[: len(p)] == p for p in paths[0] for q in paths[1])


# ---------------------------------------------------------------- lines


def chosen(hunks: list[Hunk], side: str) -> str:
    return "".join(getattr(hunk, side) for hunk in hunks)


texts = st.lists(st.sampled_from("abcdef"), max_size=8).map("\n".join)


@given(texts, texts, texts)
def test_lines_that_one_side_left_alone_are_those_of_the_other(base: str, ours: str, theirs: str) -> None:
    for one, other, expected in ((base, theirs, theirs), (ours, base, ours), (ours, ours, ours)):
        hunks = merged_lines(base, one, other)
        assert all(hunk.is_decided for hunk in hunks)
        assert chosen(hunks, "ours") == expected


@given(texts, texts, texts)
def test_lines_are_merged_alike_from_either_side(base: str, ours: str, theirs: str) -> None:
    here, there = merged_lines(base, ours, theirs), merged_lines(base, theirs, ours)
    assert [hunk.is_decided for hunk in here] == [hunk.is_decided for hunk in there]
    assert chosen(here, "ours") == chosen(there, "theirs")
    assert chosen(here, "theirs") == chosen(there, "ours")


@given(texts, texts, texts)
def test_what_is_marked_of_two_texts_leaves_each_whole(ours: str, base: str, theirs: str) -> None:
    hunks = narrowed(ours, base, theirs)
    assert chosen(hunks, "ours") == ours
    assert chosen(hunks, "theirs") == theirs
    assert all(hunk.base in base for hunk in hunks if not hunk.is_decided)


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ("<li>2020-05-02: a</li>", "<li>2019-05-02: b</li>", "ours, theirs"),
        ("<li>May 2, 2019: a</li>", "<li>2 June 2020: b</li>", "theirs, ours"),
        ("<li>Sept. 2nd, 2020: a</li>", "<li>2.10.2020: b</li>", "theirs, ours"),
        ("<li>2020-05-02: a</li>", "<li>without a date</li>", "ours, theirs"),
        ("<li>2020-13-40: a</li>", "<li>2020-05-02: b</li>", "ours, theirs"),
        ("<li>\n2020-05-02: a\n</li>", "<li>\n2021-05-02: b<br/>\n<ul><li>c</li></ul>\n</li>", "theirs, ours"),
    ],
)
def test_items_of_both_sides_stay_and_go_by_their_dates(first: str, second: str, order: str) -> None:
    page = "<ul>\n{}<li>\n2018-01-01: the first\n</li>\n</ul>"
    base, ours, theirs = (page.format(item and item + "\n") for item in ("", first, second))
    in_order = (first, second) if order == "ours, theirs" else (second, first)
    hunks = merged_lines(base, ours, theirs)
    assert all(hunk.is_decided for hunk in hunks)
    assert chosen(hunks, "ours") == page.format("\n".join(in_order) + "\n")


@pytest.mark.parametrize("added", ["<li>one", "one</li>", "<li>one</li> more", "<p>one</p>", "<b>one</li>", "one"])
def test_what_is_no_whole_item_is_a_conflict(added: str) -> None:
    page = "<ul>\n{}</ul>"
    hunks = merged_lines(page.format(""), page.format(f"{added}\n"), page.format("<li>two</li>\n"))
    assert [hunk.is_decided for hunk in hunks] == [True, False, True]


def test_an_item_that_both_sides_added_is_there_once() -> None:
    page = "<ul>\n{}</ul>"
    ours, theirs = (page.format(f"<li>both</li>\n<li>{word}</li>\n") for word in ("ours", "theirs"))
    merged = chosen(merged_lines(page.format(""), ours, theirs), "ours")
    assert merged == page.format("<li>both</li>\n<li>ours</li>\n<li>theirs</li>\n")


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"), [("a b c", "a", "a c"), ("a", "a b c", "a c"), ("a c b", "a", "a c")]
)
def test_a_class_like_one_that_the_other_side_removed_is_another_one(ours: str, theirs: str, merged: str) -> None:
    """The merge was right, and its proof took the new one for the one that was gone."""

    def package(names: str) -> str:
        return "\n".join(
            ["package P", *(f"  model {each}\n    Real x=1;\n  end {each};" for each in names.split()), "end P;\n"]
        )

    found = merge(package("a b"), package(ours), package(theirs))
    assert found.conflicts == ()
    assert found.text == package(merged)


# ---------------------------------------------------------------- folders


def test_folders_are_merged() -> None:
    order = "A\nB\nC\n"
    base = {"P/package.mo": "package P\nend P;\n", "P/A.mo": "within P;\nmodel A\n  Real x;\nend A;\n"}
    base |= {"P/B.mo": "within P;\nmodel B\nend B;\n", "P/package.order": order, "P/notes.txt": "a"}
    ours = base | {"P/A.mo": base["P/A.mo"].replace("Real x", "Real x = 1"), "P/package.order": "A\nB\nC\nOurs\n"}
    theirs = base | {"P/New.mo": "within P;\nmodel New\nend New;\n", "P/package.order": "A\nNew\nC\n"}
    theirs = {name: text for name, text in theirs.items() if name != "P/B.mo"}
    theirs["P/A.mo"] = theirs["P/A.mo"].replace("Real x;", "Real x;\n  Real y;")
    merged = merge_files(base, ours, theirs)
    assert merged.conflicts == []
    assert dict(merged.texts) == {
        "P/package.mo": base["P/package.mo"],
        "P/A.mo": "within P;\nmodel A\n  Real x = 1;\n  Real y;\nend A;\n",
        "P/package.order": "A\nNew\nC\nOurs\n",
        "P/notes.txt": "a",
        "P/New.mo": theirs["P/New.mo"],
    }


def test_a_removed_and_changed_file_is_a_conflict() -> None:
    merged = merge_files({"A.mo": "model A end A;"}, {}, {"A.mo": "model A Real x; end A;"})
    assert [(name, c.kind, c.what) for name, c in merged.conflicts] == [("A.mo", "removed", "file")]
    assert merged.texts == {"A.mo": "model A Real x; end A;"}
    preferred = merge_files({"A.mo": "model A end A;"}, {}, {"A.mo": "model A Real x; end A;"}, prefer="ours")
    assert preferred.texts == {}


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        ("A B", "A X B", "A Y B", "A X Y B"),  # both add at one place
        ("", "A", "B", "A B"),
        ("A B C", "C B A", "B A C", "C B A"),  # contradictory orders: ours
        ("A B C", "A C B", "A C B D", "A C B D"),
        ("A B", "B", "A C", "C"),  # each removes one
        ("A B C", "A B C", "C A B", "C A B"),
        ("A B C", "A B C X", "C A B", "C A B X"),
    ],
)
def test_orders(base: str, ours: str, theirs: str, merged: str) -> None:
    lines = ["".join(f"{name}\n" for name in names.split()) for names in (base, ours, theirs)]
    assert merge_order(*lines).text.split() == merged.split()


@given(*[st.lists(st.sampled_from("ABCDEFGH"), unique=True)] * 3)
def test_orders_lose_and_double_nothing(base: list[str], ours: list[str], theirs: list[str]) -> None:
    found = merge_order("\n".join(base), "\n".join(ours), "\n".join(theirs)).text.split()
    removed = {name for name in base if name not in ours or name not in theirs}
    assert sorted(found) == sorted({*ours, *theirs} - removed)


def test_orders_keep_their_line_ends() -> None:
    assert merge_order("A\nB\n", "A\r\nB\r\nC\r\n", "B\nA\n").text == "B\r\nA\r\nC\r\n"
    assert merge_order("A\nB", "A\nB\nC", "A\nD\nB").text == "A\nD\nB\nC"
