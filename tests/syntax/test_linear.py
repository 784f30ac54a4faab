"""Work that grows with the input and no faster: steps, copies and calls are counted for two sizes of it.

Nothing here asserts on time. `benchmarks/linear.py` measures the same cases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import Match, SequenceMatcher
from pathlib import Path
from typing import Any, SupportsIndex

import pytest
from hypothesis import given, strategies as st
from lxml import etree

from modelica_ast import edit, parse
from modelica_ast.cli import places
from modelica_ast.edit import diffs
from modelica_ast.files.journal import FileWrite
from modelica_ast.library import Libraries, instance, references
from modelica_ast.patterns import Pattern, stretches
from modelica_ast.refactor import rename
from modelica_ast.rules import check_libraries
from modelica_ast.semantics.environments import Environment
from modelica_ast.semantics.lookup import lookup_in
from modelica_ast.syntax import green, messages, reader, recovery, trivia
from modelica_ast.syntax.lalr import Machine, Token
from modelica_ast.syntax.lexer import lex_on, token_text
from urdf_frontend import read
from urdf_frontend.modules import Assembly, module_file, split
from urdf_frontend.modules.cuts import ASSEMBLY_FILE
from urdf_frontend.urdf import xml_tree
from urdf_frontend.urdf.document import Document

SIZE = 100
# Twice the input may take twice the work, and a little more for what happens rarely.
LINEAR = 2.3


class Count:
    """How often something was done."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.value = 0

    def calls(self, owner: object, name: str) -> None:
        """Count the calls of a function, by the name that its caller knows it by."""
        function = getattr(owner, name)

        def counted(*args: object, **options: object) -> Any:
            self.value += 1
            return function(*args, **options)

        self.patch.setattr(owner, name, counted)

    def growth(self, work: Callable[[int], object]) -> float:
        """How many times more is done for twice the input."""
        work(SIZE)  # what is done once for all is not counted
        self.value = 0
        work(SIZE)
        once, self.value = self.value, 0
        work(2 * SIZE)
        assert once, "nothing was counted"
        return self.value / once


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    return Count(monkeypatch)


# ---------------------------------------------------------------- recovery

BROKEN = {
    "side by side": lambda size: "".join(f"model M{i} Real x = ; end M{i};\n" for i in range(size)),
    "brackets": lambda size: "".join(f"model M{i} Real x(start = 1; end M{i};\n" for i in range(size)),
    "complaints": lambda size: "".join(
        f"model M{i} final final Real x; end M{i};\nmodel N{i} flow flow Real x; Real = ; end N{i};\n"
        for i in range(size)
    ),
    "nested": lambda size: (
        "".join(f"package P{i} Real = ;\n" for i in range(size))
        + "".join(f"end P{i};\n" for i in reversed(range(size)))
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_recovery_copies_no_tokens_behind_an_error(name: str, count: Count) -> None:
    class Tokens(list[Token]):
        def __getitem__(self, place: SupportsIndex | slice) -> Any:
            found = super().__getitem__(place)
            count.value += len(found) if isinstance(place, slice) else 0
            return found

    new_machine = reader.new_machine

    def counted(start: str, tokens: list[Token]) -> Machine:
        return new_machine(start, Tokens(tokens))

    count.patch.setattr(reader, "new_machine", counted)
    assert count.growth(lambda size: parse(BROKEN[name](size), recover=True)) < LINEAR


@pytest.mark.parametrize("name", ["brackets", "nested"])
def test_a_hint_measures_what_is_around_the_error_only(name: str, count: Count) -> None:
    count.calls(messages, "width")
    count.calls(messages, "token_text")
    assert count.growth(lambda size: parse(BROKEN[name](size), recover=True)) < LINEAR


def test_complaints_are_placed_without_measuring_the_file_for_each(count: Count) -> None:
    count.calls(reader, "accumulate")
    parse(BROKEN["complaints"](SIZE), recover=True)
    assert count.value == 1


def test_strings_that_are_left_open_are_looked_through_once(count: Count) -> None:
    hiding = recovery._HIDING

    class Hiding:
        def search(self, text: str, at: int) -> re.Match[str] | None:
            found = hiding.search(text, at)
            count.value += 0 if found is None else found.end() - at
            return found

    def counted(text: str, *, lazy: bool) -> list[Token]:
        count.value += len(text)
        return lex_on(text, lazy=lazy)

    def recover(size: int) -> None:
        classes = (f'model M{i}\n  Real x "about x;\n  Real y "about y";\nend M{i};\n' for i in range(size))
        assert len(parse("".join(classes) + "model Last\nend Last;\n", recover=True).classes) == 1

    count.patch.setattr(recovery, "_HIDING", Hiding())
    count.patch.setattr(recovery, "lex_on", counted)
    assert count.growth(recover) < LINEAR


# ---------------------------------------------------------------- URDF


def test_attributes_of_xml_are_not_looked_up_one_by_one() -> None:
    # lxml counts no steps, but its elements do: nothing may ask for `attrib`, which searches for every value.
    names = [f"a{number}" for number in range(2 * SIZE)]
    document = Document("<robot " + " ".join(f"{name}='{name}&amp;'" for name in names) + "/>")
    looked_up: list[str] = []

    class Watched(etree.ElementBase):
        @property
        def attrib(self) -> Any:
            looked_up.append(str(self.tag))
            return super().attrib

    parser = etree.XMLParser()
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=Watched))
    tree = xml_tree._with_places(document, document.text, etree.fromstring(document.text, parser))
    assert {name: found.value for name, found in tree.root.attributes.items()} == {name: f"{name}&" for name in names}
    assert not looked_up


@pytest.mark.slow
def test_attributes_of_modules_are_not_looked_up_one_by_one(tmp_path: Path, count: Count) -> None:
    names = [f"a{number}" for number in range(20_000)]
    many = " ".join(f'{name}="{name}&amp;&#10;"' for name in names)
    text = (
        f'<robot name="arm" xmlns:x="http://x.org" x:own="1" undeclared:own="2" {many}><link name="a"/><link name="b"/>'
        f'<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint><more link="b" {many}/></robot>'
    )

    class Attributes:
        """Gives names, and counts what searches for the value of each."""

        def __init__(self, attributes: Any) -> None:
            self.keys = attributes.keys

        def __getattr__(self, name: str) -> Any:
            count.value += 1
            raise AssertionError(f"attrib.{name} looks all values up by their names")

    class Watched(etree.ElementBase):
        @property
        def attrib(self) -> Any:
            return Attributes(super().attrib)

        def set(self, *arguments: Any) -> None:
            count.value += 1
            super().set(*arguments)

    make_parser = module_file._parser

    def watching_parser(*, recover: bool) -> etree.XMLParser:
        parser = make_parser(recover=recover)
        parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=Watched))
        return parser

    count.patch.setattr(module_file, "_parser", watching_parser)
    found = split(read(text), ["j"])
    for name, data in found.files.items():
        (tmp_path / name).write_bytes(data)
    robot = Assembly.load(tmp_path / ASSEMBLY_FILE).to_urdf().text.encode()
    assert count.value < 2 * SIZE
    count.patch.undo()
    own = {"{http://x.org}own": "1", "undeclared:own": "2", **{name: f"{name}&\n" for name in names}}
    for data, called in ((found.files["a.urdf"], "a"), (found.files["j.urdf"], "j"), (robot, "arm")):
        root = etree.fromstring(data, etree.XMLParser(recover=True))
        assert module_file.attributes_of(root) == {"name": called, **own}
    (more,) = root.iter("more")
    assert module_file.attributes_of(more) == {"link": "b", **{name: f"{name}&\n" for name in names}}


# ---------------------------------------------------------------- edits


def test_comments_on_one_line_are_not_copied_for_each_other(count: Count) -> None:
    pieces = trivia._PIECE

    class Piece(str):
        __slots__ = ()

        def __radd__(self, before: str) -> Piece:
            count.value += len(before) + len(self)
            return Piece(before + str(self))

    class Match:
        def __init__(self, match: re.Match[str]) -> None:
            self.match = match
            self.start, self.end = match.start, match.end

        def __getitem__(self, group: int) -> str | None:
            found = self.match[group]
            return found if found is None else Piece(found)

    class Pieces:
        def finditer(self, text: str) -> Iterator[Match]:
            for match in pieces.finditer(text):
                count.value += len(match[0])
                yield Match(match)

    def add(size: int) -> None:
        document = edit.Document("model M\n  Real x; " + "/* c */ " * size + "\nend M;\n")
        document.find_class("M").add_component("Real", "y")
        assert document.text == "model M\n  Real x; " + "/* c */ " * size + "\n  Real y;\nend M;\n"

    count.patch.setattr(trivia, "_PIECE", Pieces())
    assert count.growth(add) < LINEAR


# ---------------------------------------------------------------- patterns


@pytest.mark.parametrize("pattern", ["$a + $a", "x1 + $a", "$a + $b + $a"])
def test_a_pattern_does_not_read_a_long_sum_at_each_of_its_terms(pattern: str, count: Count) -> None:
    class Texts(dict[str, str]):
        def __getitem__(self, leaf: str) -> str:
            count.value += 1
            return token_text(leaf)

    count.patch.setattr(green, "TOKEN_TEXTS", Texts())
    count.calls(stretches, "token_text")
    compiled = Pattern.compile(pattern)

    def find(size: int) -> None:
        terms = " + ".join(f"x{number}" for number in range(size))
        assert not compiled.find(parse(f"model M\n  Real y = {terms};\nend M;\n"))

    assert count.growth(find) < LINEAR


@pytest.mark.parametrize("size", [1, 2, 3000])
def test_both_sides_of_a_long_sum_are_found_to_be_the_same(size: int) -> None:
    terms = " + ".join(f"x{number}" for number in range(size))
    tree = parse(f"model M\n  Real y = ({terms}) + /* the same */ ({terms});\n  Real z = ({terms}) + (q);\nend M;\n")
    assert [match.span.start.line for match in Pattern.compile("$a + $a").find(tree)] == [2]


# ---------------------------------------------------------------- inheritance

LONG = 3000


def chain(size: int, *, is_cycle: bool = False) -> str:
    """A class that extends the next one, and so on; the names in them come from the last."""
    classes = [f"  model A{i}\n    extends A{(i + 1) % size};\n    Real y{i} = x;\n  end A{i};\n" for i in range(size)]
    if not is_cycle:
        classes[-1] = f"  model A{size - 1}\n    Real x;\n  end A{size - 1};\n"
    return f"package P\n{''.join(classes)}end P;\n"


def nested_chain(size: int) -> str:
    """The base of each class is found in what the one before inherits."""
    first = (
        "  package A0\n    package X\n      package X = P.A0.X;\n      constant Real x = 1;\n    end X;\n  end A0;\n"
    )
    others = (f"  package A{i}\n    extends A{i - 1}.X;\n  end A{i};\n" for i in range(1, size))
    last = f"  model M\n    extends A{size - 1};\n    Real y = x;\n  end M;\n"
    return f"package P\n{first}{last}{''.join(others)}end P;\n"


@pytest.fixture
def library(tmp_path: Path) -> Callable[[str], Libraries]:
    def opened(text: str) -> Libraries:
        (tmp_path / "P.mo").write_text(text, encoding="utf-8")
        return Libraries([tmp_path / "P.mo"])

    return opened


@pytest.mark.parametrize("is_cycle", [False, True])
def test_a_name_is_looked_for_in_each_class_of_a_chain_once(is_cycle: bool, count: Count) -> None:  # noqa: FBT001
    count.calls(Environment, "_own")

    def look(size: int) -> None:
        document = edit.Document(chain(size, is_cycle=is_cycle))
        lookup = lookup_in(document.tree)
        for number in range(size):
            found = lookup.resolve(None, ["P", f"A{number}", "x"], is_global=True)
            assert found[1] is not None
            assert (found[2] is None) == is_cycle

    assert count.growth(look) < LINEAR


def test_names_in_a_long_chain_of_classes_are_renamed(library: Callable[[str], Libraries]) -> None:
    libraries = library(chain(LONG))
    name = f"P.A{LONG - 1}.x"
    assert len(references(libraries, name)) == LONG - 1
    rename(libraries, name, "z")
    (_, entry), *_ = libraries.files()
    assert libraries.text_of(entry) == chain(LONG).replace("= x;", "= z;").replace("Real x;", "Real z;")


def test_names_in_a_long_cycle_of_classes_lead_nowhere(library: Callable[[str], Libraries]) -> None:
    libraries = library(chain(LONG, is_cycle=True))
    rename(libraries, "P.A0.y0", "z")
    (_, entry), *_ = libraries.files()
    assert libraries.text_of(entry) == chain(LONG, is_cycle=True).replace("y0", "z")


def test_base_classes_that_need_each_other_are_found(library: Callable[[str], Libraries]) -> None:
    assert [use.around for use in references(library(nested_chain(LONG)), "P.A0.X.x")] == ["Real y = x"]


def test_a_component_whose_type_is_found_in_itself_has_none() -> None:
    document = edit.Document("model M\n  x.T x;\n  Real y = x.a;\nend M;\n")
    document.find_class("M").find_component("y").rename("z")
    assert document.text == "model M\n  x.T x;\n  Real z = x.a;\nend M;\n"


@pytest.mark.parametrize("is_cycle", [False, True])
def test_a_long_chain_is_checked_shown_and_built(
    is_cycle: bool,  # noqa: FBT001
    library: Callable[[str], Libraries],
) -> None:
    libraries = library(chain(LONG // 5, is_cycle=is_cycle))
    found = [finding.code for finding in check_libraries(libraries)]
    assert found.count("inheritance-cycle") == (LONG // 5 if is_cycle else 0)
    assert list(instance(libraries, "P.A0").components)


def test_a_diff_is_not_searched_anew_for_each_change(count: Count) -> None:
    class Lines(SequenceMatcher[str]):
        def find_longest_match(
            self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
        ) -> Match:
            count.value += (ahi or 0) - alo
            return super().find_longest_match(alo, ahi, blo, bhi)

    count.patch.setattr(diffs, "SequenceMatcher", Lines)
    count.patch.setattr("difflib.SequenceMatcher", Lines)

    def compare(size: int) -> None:
        old = "".join(f"model M{i}\n  Real y = x{i};\n  Real z = x{i};\nend M{i};\n" for i in range(size))
        found = diffs.unified_diff(old, old.replace("Real y = x", "Real y = new"), "M.mo")
        assert found.count("\n+  Real y = new") == found.count("\n-  Real y = x") == size
        count.value += size

    assert count.growth(compare) < LINEAR


@given(st.lists(st.sampled_from("abcdefgh"), max_size=12), st.lists(st.sampled_from("abcdefgh"), max_size=12))
def test_equal_lines_of_a_diff_are_equal_and_in_order(old: list[str], new: list[str]) -> None:
    blocks = list(diffs.equal_lines(old, new))
    assert blocks.pop() == (len(old), len(new), 0)
    before = [0, 0]
    for start, other, length in blocks:
        assert length
        assert old[start : start + length] == new[other : other + length]
        assert start >= before[0]
        assert other >= before[1]
        assert [start, other] != before or before == [0, 0]  # blocks that touch are one
        before = [start + length, other + length]


# ---------------------------------------------------------------- what became of which file


def test_files_that_are_known_to_move_are_not_compared(count: Count) -> None:
    count.calls(places, "_split")
    writes = [FileWrite(Path(f"Old/C{i}.mo"), None, f"model C{i}\nend C{i};\n".encode()) for i in range(SIZE)]
    writes += [
        FileWrite(Path(f"New/C{i}.mo"), f"model C{i}\nend C{i};\n".encode(), None, Path(f"Old/C{SIZE - 1 - i}.mo"))
        for i in range(SIZE)
    ]
    found = places.changes_of(writes)
    assert [(change.status, change.source) for change in found] == [
        ("renamed", Path(f"Old/C{SIZE - 1 - i}.mo")) for i in sorted(range(SIZE), key=lambda i: f"C{i}.mo")
    ]
    assert count.value == 0


def test_each_file_is_split_once_to_tell_what_it_was(count: Count) -> None:
    count.calls(places, "_split")
    count.calls(places._Moves, "_share")

    def work(size: int) -> None:
        old = [FileWrite(Path(f"Old/C{i}.mo"), None, f"a\nb\nc{i}\n".encode()) for i in range(size)]
        new = [FileWrite(Path(f"New/C{i}.mo"), f"a\nb\nd{i}\n".encode(), None) for i in range(size)]
        found = places.changes_of([*old, *new])
        assert [(change.path.name, change.status) for change in found] == [
            (change.source.name, "renamed") for change in found if change.source is not None
        ]
        assert len(found) == size

    assert count.growth(work) < LINEAR


def test_only_so_many_files_are_compared_with_others(count: Count) -> None:
    count.calls(places._Moves, "_share")
    old = [FileWrite(Path(f"Old/C{i}.mo"), None, b"a\nb\nc\n") for i in range(SIZE)]
    new = [FileWrite(Path(f"New/D{i}.mo"), b"a\nb\nd\n", None) for i in range(SIZE)]
    places.changes_of([*old, *new])
    assert count.value == places._MOST_COMPARED


def test_a_file_that_was_cut_is_that_with_most_of_its_lines() -> None:
    old = FileWrite(Path("L.mo"), None, b"a\nb\nc\nd\n")
    texts = {"A": b"x\na", "B": b"a\nb\nc", "C": b"d"}
    parts = [FileWrite(Path(f"L/{name}.mo"), text, None, Path("L.mo")) for name, text in texts.items()]
    found = places.changes_of([old, *parts])
    assert [(change.status, change.path.stem) for change in found] == [
        ("created", "A"),
        ("renamed", "B"),
        ("created", "C"),
    ]
