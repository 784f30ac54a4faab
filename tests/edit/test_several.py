"""Many components, connections and modifiers at once; copies of components and of documents; constructors as values."""

from __future__ import annotations

import re
from typing import Any

import pytest

from modelica_ast import Constructor, LiteralError, Real, Reference, literal, parse
from modelica_ast.edit import ComponentCopy, Document, NewComponent, NewConnection
from modelica_ast.foundation import EditError, NotFoundError
from modelica_ast.graphics import Extent, Line, Placement, Point, Transformation

PLACEMENT = Placement(transformation=Transformation(extent=Extent(Point(0, 0), Point(20, 20))))
LINE = Line(points=(Point(0, 0), Point(10, 0)))


def test_components_and_connections_are_added_in_their_order() -> None:
    document = Document("model Arm\n  Real x; // first\nequation\n  x = 1; // one\n  annotation (Icon());\nend Arm;\n")
    arm = document.find_class("Arm")
    arm.add_components(
        [
            NewComponent("Body", "link", {"m": Real("1.50")}, description="A link", placement=PLACEMENT),
            NewComponent("Real", "fl.hip", prefixes=["parameter"], dimensions=[3]),
        ]
    )
    arm.connect_all([NewConnection("a.b", "link.frame_a", LINE), NewConnection("c[1]", "'fl.hip'.d")])
    assert (
        document.text
        == """\
model Arm
  Real x; // first
  Body link(m=1.50) "A link"
    annotation (Placement(transformation(extent={{0,0},{20,20}})));
  parameter Real 'fl.hip'[3];
equation
  x = 1; // one
  connect(a.b, link.frame_a)
    annotation (Line(points={{0,0},{10,0}}));
  connect(c[1], 'fl.hip'.d);
  annotation (Icon());
end Arm;
"""
    )
    document.undo()
    document.undo()
    assert not document.is_changed


@pytest.mark.parametrize("text", ["model M end M;", "model M\nend M;\n", "model M Real x; equation x = 1; end M;"])
def test_they_fit_into_any_class(text: str) -> None:
    document = Document(text)
    each = document.find_class("M")
    each.add_components([NewComponent("A", f"a{n}", placement=PLACEMENT) for n in range(3)])
    each.connect_all([NewConnection(f"a{n}.p", f"a{n + 1}.p", LINE) for n in range(2)])
    assert [component.name for component in each.components][-3:] == ["a0", "a1", "a2"]
    assert each.connections == [("a0.p", "a1.p"), ("a1.p", "a2.p")]
    assert each.get_line("a0.p", "a1.p") == LINE
    parse(document.text, strict=True)


@pytest.mark.parametrize(
    "declared",
    [
        "Real x;",
        "Real x = 1;",
        "Real x(start= 2) =1;",
        "B b(redeclare C c = d, k =1); Real x= 1;",
        "Real x= 1; B b(k = 1, redeclare C c =d);",
        "extends B(redeclare parameter C c =d); Real x = 1; A a(k= 1);",
    ],
)
def test_what_they_add_is_what_one_by_one_adds(declared: str) -> None:
    names = [f"a{n}" for n in range(5)]
    many, single = (Document(f"model M\n  {declared}\nequation\n  x = 1;\nend M;\n") for _ in range(2))
    many.find_class("M").add_components([NewComponent("A", name, {"k": 1, "": 2}) for name in names])
    many.find_class("M").connect_all([NewConnection("x", name) for name in names])
    for name in names:
        single.find_class("M").add_component("A", name, {"k": 1, "": 2})
        single.find_class("M").connect("x", name)
    assert many.text == single.text


def test_nothing_to_add_changes_nothing() -> None:
    document = Document("model M\nend M;\n")
    document.find_class("M").add_components([])
    document.find_class("M").connect_all([])
    assert not document.is_changed


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ([NewComponent("A", "x")], "'x' is already declared in 'M'"),
        ([NewComponent("A", "a"), NewComponent("B", "a")], "'a' is already declared in 'M'"),
        ([NewComponent("A", "model")], "'model' is a keyword of Modelica"),
        ([NewComponent("A B", "a")], "'A B' is not a type"),
        ([NewConnection("p", "q")], "connect(p, q) is already in 'M'"),
        ([NewConnection("a", "b"), NewConnection("b", "a")], "connect(b, a) is already in 'M'"),
        ([NewConnection("a", "b +")], "'b +' is not a reference"),
    ],
)
def test_what_is_refused_changes_nothing(new: list[Any], message: str) -> None:
    document = Document("model M\n  Real x;\nequation\n  connect(q, p);\nend M;\n")
    each = document.find_class("M")
    with pytest.raises(EditError, match=re.escape(message)):
        (each.add_components if isinstance(new[0], NewComponent) else each.connect_all)(new)
    assert not document.is_changed


MANY = """\
model M
  // About a.
  A a;
  Real x, y /* kept */, z; // behind
  // About b.
  B b "the second"
    annotation (Placement(visible=true));

protected
  C c;
equation
  connect(a.p, b.p); // one
  connect(b.q, c.p)
    annotation (Line(points={{0,0},{1,1}}));
  // About the last.
  connect(x, c.q);
  for i in 1:3 loop
    connect(a.f[i], b.f[i]);
  end for;
end M;
"""


@pytest.mark.parametrize(
    "gone", [["a"], ["c"], ["x", "y"], ["z", "y"], ["x", "y", "z"], ["b", "c", "a"], ["c", "z", "x", "y", "b", "a"]]
)
def test_components_are_removed_as_one_by_one(gone: list[str]) -> None:
    many, single = Document(MANY), Document(MANY)
    many.find_class("M").remove_components(gone)
    for name in sorted(gone, key=[each.name for each in single.find_class("M").components].index, reverse=True):
        single.find_class("M").find_component(name).remove()
    assert many.text == single.text
    many.undo()
    assert many.text == MANY


@pytest.mark.parametrize(
    "gone",
    [
        [("a.p", "b.p")],
        [("b.p", "a.p"), ("c.q", "x")],
        [("a.f [ i ]", "b.f[i]")],
        [("x", "c.q"), ("b.q", "c.p"), ("a.f[i]", "b.f[i]"), ("a.p", "b.p")],
    ],
)
def test_connections_are_removed_as_one_by_one(gone: list[tuple[str, str]]) -> None:
    many, single = Document(MANY), Document(MANY)
    many.find_class("M").disconnect_all(gone)
    for one, other in reversed(single.find_class("M").connections):
        if any({one, other} == {end.replace(" ", "") for end in ends} for ends in gone):
            single.find_class("M").disconnect(one, other)
    assert many.text == single.text
    assert len(many.find_class("M").connections) == 4 - len(gone)
    many.undo()
    assert many.text == MANY


def test_what_is_not_there_is_not_removed() -> None:
    document = Document(MANY)
    each = document.find_class("M")
    with pytest.raises(NotFoundError, match="no component 'd' in 'M'"):
        each.remove_components(["a", "d"])
    with pytest.raises(NotFoundError, match=r"no connect\(a.p, c.p\) in 'M'"):
        each.disconnect_all([("a.p", "b.p"), ("a.p", "c.p")])
    each.remove_components([])
    each.disconnect_all([])
    assert not document.is_changed


def test_modifiers_of_an_extends_clause() -> None:
    document = Document(
        "package P\n  record R\n    extends Base;\n  end R;\n  record S\n    extends Base(a=1);\n  end S;\nend P;\n"
    )
    value = Constructor("P.Inner", {"x": Real("0.10"), "y": [1, 2]}, indent=8)
    document.find_class("P.R").set_extends_modifiers("Base", {"name": "r", "inside": value}, indent=4)
    document.find_class("P.S").set_extends_modifiers("Base", {"a": 2, "b": Reference("Kind.small")}, indent=4)
    assert (
        document.text
        == """\
package P
  record R
    extends Base(
      name="r",
      inside=P.Inner(
        x=0.10,
        y={1,2}));
  end R;
  record S
    extends Base(a=2, b=Kind.small);
  end S;
end P;
"""
    )


def test_a_component_is_copied_with_other_references() -> None:
    document = Document(
        "model M\n  // the left one\n"
        '  Body left(m=p.left.m[1] + f(p.left.k), c={p.leftover, q.p.left}) "side"; // here\n'
        "  Real x;\nend M;\n"
    )
    document.find_class("M").find_component("left").copy("right", {"p.left": "p.right"})
    assert document.text.splitlines()[2:4] == [
        '  Body left(m=p.left.m[1] + f(p.left.k), c={p.leftover, q.p.left}) "side"; // here',
        '  Body right(m=p.right.m[1] + f(p.right.k), c={p.leftover, q.p.left}) "side";',
    ]


@pytest.mark.parametrize(
    ("name", "references", "message"),
    [
        ("x", {}, "'x' is already declared in 'M'"),
        ("c", {"p": "q"}, "'p' and 'q' do not have the same number of parts, two or more"),
        ("c", {"p.a": "q"}, "'p.a' and 'q' do not have the same number of parts, two or more"),
    ],
)
def test_a_copy_that_is_refused(name: str, references: dict[str, str], message: str) -> None:
    document = Document("model M\n  Body b;\n  Real x, y;\nend M;\n")
    with pytest.raises(EditError, match=re.escape(message)):
        document.find_class("M").find_component("b").copy(name, references)
    assert not document.is_changed


def test_one_of_several_is_not_copied() -> None:
    document = Document("model M\n  Real x, y;\nend M;\n")
    with pytest.raises(EditError, match="'x' is declared together with others"):
        document.find_class("M").find_component("x").copy("z")


def test_a_copy_of_a_document_is_edited_by_itself() -> None:
    document = Document("model M\nend M;\n", path="M.mo")
    copy = document.copy()
    copy.find_class("M").rename("N")
    assert (document.text, copy.text) == ("model M\nend M;\n", "model N\nend N;\n")
    assert copy.path is None
    copy.undo()
    assert copy.text == document.text


def test_a_rename_that_finds_its_name_elsewhere_still_looks() -> None:
    document = Document("package P\n  model A\n    A.B b;\n  end A;\n  model C\n    A a;\n  end C;\nend P;\n")
    document.find_class("P.A").rename("D")
    assert document.text == "package P\n  model D\n    D.B b;\n  end D;\n  model C\n    D a;\n  end C;\nend P;\n"


def test_constructors_are_values() -> None:
    assert literal(Constructor("A.B", {})).text == "A.B()"
    assert (
        literal(Constructor("A.B", {"x": -1, "c": Constructor("C", {"s": 'a"b'})})).text == 'A.B(x=-1, c=C(s="a\\"b"))'
    )


@pytest.mark.parametrize("value", [Constructor("A B", {}), Constructor("A", {"x y": 1}), Constructor("A", {"end": 1})])
def test_constructors_that_are_none(value: Constructor) -> None:
    with pytest.raises(LiteralError):
        literal(value)


def test_a_deep_constructor_is_refused() -> None:
    value: Any = 1
    for _ in range(5000):
        value = Constructor("A", {"x": value})
    with pytest.raises(LiteralError, match="nested deeper than 100 levels"):
        literal(value)


DRAWN = """\
model M
  parameter P p;
  A a(m=p.left.m) "one" // about a
    annotation (Placement(visible=true, transformation(extent={{ -10.0,0},{10,20}}, rotation=90)));
  A b; A c annotation(Placement(transformation(origin={1,2}, extent={{0,0},{9,9}})));
equation
  connect(a.p, b.p) annotation (Line(
      points={{0,0}, {5,5}},
      color={0,0,255}));
  connect(b.p, c.p); // plain
  connect(c.p, a.p) annotation(Line(origin={1,1}, points={{0,0},{1,1}}));
end M;
"""


def _place(number: int) -> Placement:
    return Placement(transformation=Transformation(extent=Extent(Point(-10, number), Point(10, number + 20))))


def test_many_copies_are_what_one_by_one_makes() -> None:
    many, single = (Document(DRAWN) for _ in range(2))
    wanted = [(original, f"{original}{n}", f"p.right{n}") for n in range(3) for original in "ab"]
    many.find_class("M").copy_components([ComponentCopy(old, new, {"p.left": other}) for old, new, other in wanted])
    for old, new, other in reversed(wanted):  # each comes directly after its original
        single.find_class("M").find_component(old).copy(new, {"p.left": other})
    assert many.text == single.text
    assert [each.name for each in many.find_class("M").components] == [
        "p",
        "a",
        "a0",
        "a1",
        "a2",
        "b",
        "b0",
        "b1",
        "b2",
        "c",
    ]
    many.undo()
    assert not many.is_changed


@pytest.mark.parametrize(("names", "reason"), [("bc", "already declared in 'M'"), ("dd", "already")])
def test_copies_with_a_name_that_is_taken_are_refused(names: str, reason: str) -> None:
    document = Document(DRAWN)
    with pytest.raises(EditError, match=reason):
        document.find_class("M").copy_components([ComponentCopy("a", name) for name in names])
    assert not document.is_changed


def test_many_placements_are_what_one_by_one_sets() -> None:
    many, single = (Document(DRAWN) for _ in range(2))
    placements = {name: _place(10 * number) for number, name in enumerate("abc")}
    many.find_class("M").set_placements(placements)
    for name, placement in placements.items():
        single.find_class("M").find_component(name).set_placement(placement)
    assert many.text == single.text
    assert "origin={1,2}" not in many.text
    many.undo()
    assert not many.is_changed
    with pytest.raises(NotFoundError, match="no component 'd'"):
        many.find_class("M").set_placements({"a": PLACEMENT, "d": PLACEMENT})
    assert not many.is_changed


def test_many_lines_are_what_one_by_one_draws() -> None:
    many, single = (Document(DRAWN) for _ in range(2))
    ends = [("b.p", "a.p"), ("b.p", "c.p"), ("c.p", "a.p")]
    lines = {both: Line(points=(Point(0, 0), Point(n, 9))) for n, both in enumerate(ends)}
    many.find_class("M").set_lines(lines)
    for (one, other), line in lines.items():
        single.find_class("M").set_line(one, other, line)
    assert many.text == single.text
    assert many.find_class("M").get_line("b.p", "c.p") == Line(points=(Point(0, 0), Point(1, 9)))
    with pytest.raises(NotFoundError, match="no connect"):
        many.find_class("M").set_lines({("a.p", "d.p"): LINE})
