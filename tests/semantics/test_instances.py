"""Instance trees: on a library made for it, and on the Standard Library."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast import Reference
from modelica_ast.edit.surgery import at
from modelica_ast.foundation import NotFoundError
from modelica_ast.library import Libraries
from modelica_ast.library.class_files import instance
from modelica_ast.semantics.instances import Instance
from modelica_ast.syntax.green import render

LIBRARIES = FIXTURES / "libraries"


def machines() -> Libraries:
    return Libraries([], read_only=[LIBRARIES / "Machines", LIBRARIES / "Units.mo"])


def tree(name: str) -> Instance:
    return instance(machines(), f"Machines.{name}")


# ---------------------------------------------------------------- which components there are


def test_inherited_components_stand_where_their_extends_clause_does() -> None:
    motor = tree("Parts.StrongMotor")
    assert list(motor.components) == ["ratio", "a", "b", "internal", "k", "boost"]
    assert [c.declared_in.rpartition(".")[2] for c in motor.components.values()] == [
        *["TwoFlanges"] * 4,
        "Motor",
        "StrongMotor",
    ]


def test_a_component_knows_its_declaration() -> None:
    m = tree("Arm").find("body.m")
    assert m.file == LIBRARIES / "Machines" / "Parts" / "Body.mo"
    assert m.line == 4
    assert m.declared_in == "Machines.Parts.Body"
    assert m.description == "Mass"
    root = machines().find_class("Machines.Parts.Body").document.tree.green
    assert render(at(root, m.declaration.path)).strip().startswith("m(start=1)")


def test_types() -> None:
    body = tree("Parts.Body")
    assert body.find("inertia").type_name == "Machines.Parts.Inertia"
    assert body.find("m").type_text == "U.LimitedMass"
    assert body.find("m").end_type == "Real"
    assert body.find("mode").end_type == "Units.Mode"
    assert body.find("size").type is None
    assert body.find("size").type_name == "Integer"


def test_prefixes() -> None:
    body = tree("Parts.Body")
    assert body.find("m").variability == "parameter"
    assert body.find("u").causality == "input"  # its type says so
    assert body.find("fixed_").is_final
    assert not body.find("m").is_final
    assert body.find("frame_a.tau").flow == "flow"
    assert body.find("world").is_outer
    motor = tree("Parts.Motor")
    assert motor.find("internal").is_protected
    assert not motor.find("k").is_protected


def test_dimensions() -> None:
    body = tree("Parts.Body")
    assert [(d.text, d.size) for d in body.find("x").dimensions] == [("size", 3), ("count", 3)]
    assert [(d.text, d.size) for d in body.find("y").dimensions] == [(":", 2)]
    assert [d.size for d in body.find("n").dimensions] == [3]  # from its type
    assert body.find("m").dimensions == []
    count = body.find("x").dimensions[1].expression
    assert count is not None
    assert (count.scope_name, count.value) == ("Machines.Parts.Body", 3)
    line = tree("Line")
    assert [d.size for d in line.find("arms").dimensions] == [2]
    assert [d.size for d in line.find("z").dimensions] == [3]


def test_conditions() -> None:
    body = tree("Parts.Body")
    heat = body.find("heat")
    assert heat.condition is not None
    assert heat.condition.text == "withHeat"
    assert heat.condition.scope_name == "Machines.Parts.Body"
    assert [body.find(name).is_present for name in ("heat", "cold", "unclear", "u")] == [False, True, None, True]


def test_connections_are_inherited() -> None:
    found = [(c.left, c.right, c.declared_in.rpartition(".")[2]) for c in tree("Examples.FastArm").connections]
    assert found == [("body.frame_b", "motor.a", "Arm"), ("motor.b", "load.frame_a", "Arm")]
    motor = tree("Parts.StrongMotor").connections
    assert [(c.left, c.right, c.line) for c in motor] == [("a", "b", 20)]


def test_broken_components_and_their_connections_are_left_out() -> None:
    arm = tree("Examples.WithElements")
    assert "body" not in arm.components
    assert [c.left for c in arm.connections] == ["motor.b"]


def test_a_broken_connection_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text(
        "package P\n  model A Real x; Real y; equation connect(x, y); connect(y, x.z); end A;\n"
        "  model B extends A(break connect(x, y)); end B;\nend P;\n"
    )
    found = instance(Libraries([tmp_path / "P.mo"]), "P.B")
    assert [(c.left, c.right) for c in found.connections] == [("y", "x.z")]
    assert list(found.components) == ["x", "y"]


def test_a_protected_extends_makes_protected_components(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text(
        "package P\n  model A Real x; end A;\n  model B Real y; protected extends A; end B;\nend P;\n"
    )
    found = instance(Libraries([tmp_path / "P.mo"]), "P.B")
    assert {name: c.is_protected for name, c in found.components.items()} == {"y": False, "x": True}


# ---------------------------------------------------------------- modifiers


def test_outer_modifiers_come_before_inner_ones() -> None:
    holder = tree("Examples.Holder")
    phi = holder.find("arm.body.frame_a.phi")
    assert [m.text for m in phi.modifiers_of("start")] == ["0.2", "0.1"]
    assert phi.attribute("start") == 0.2
    assert phi.attribute("fixed") is True
    assert holder.find("arm.body.m").value == 8
    assert [m.text for m in holder.find("arm.body.m").modifiers_of("=")] == ["8", "2*payload", "2"]


def test_a_modifier_knows_its_place() -> None:
    arm = tree("Examples.FastArm")
    start = arm.find("body.frame_a.phi").modifiers["start"]
    assert start.place.tree == LIBRARIES / "Machines" / "Examples" / "package.mo"
    root = machines().find_class("Machines.Examples").document.tree.green
    assert render(at(root, start.place.path)).strip() == "start=0.2"
    assert start.line == 4
    assert arm.find("body.frame_a.phi").path + ".start" == "body.frame_a.phi.start"
    hidden = arm.find("body.frame_a.phi").modifiers_of("start")[1]
    assert (hidden.place.tree, hidden.line) == (LIBRARIES / "Machines" / "Arm.mo", 6)


def test_a_binding_knows_its_scope() -> None:
    arm = tree("Examples.FastArm")
    binding = arm.find("body.m").binding
    assert binding is not None
    assert binding.text == "2*payload"
    assert binding.scope.full_name == "Machines.Arm"
    assert arm.find("body.m").value == 10  # payload is 5 here


def test_modifiers_of_a_component_reach_deep() -> None:
    assert set(tree("Arm").find("body").modifiers) == {"m", "frame_a.phi.start", "frame_a.phi.fixed"}


def test_extends_modifiers() -> None:
    motor = tree("Parts.StrongMotor")
    assert motor.find("ratio").value == 7
    assert motor.find("k").value == 10
    assert motor.find("b.phi").attribute("start") == 0.5


def test_values_of_records() -> None:
    body = tree("Parts.Body")
    mass = body.find("inertia.m")
    assert mass.value == 2
    assert mass.binding is not None
    assert mass.binding.view.text == "m=m"  # the argument of the constructor, which can be edited
    assert body.find("inertia.r").value == [0, 0, 0]
    holder = tree("Examples.Holder")
    assert holder.find("inertia.m").value == 6
    assert holder.find("copied.m").value == 6


def test_each_and_final(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text("package P\n  model A Real x; end A;\n  A a[2](each final x=1);\nend P;\n")
    x = instance(Libraries([tmp_path / "P.mo"]), "P").find("a.x")
    assert x.binding is not None
    assert x.binding.is_each
    assert x.is_final


def test_break_takes_a_binding_away(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text("package P\n  model A Real x = 1; end A;\n  A a(x=break);\nend P;\n")
    x = instance(Libraries([tmp_path / "P.mo"]), "P").find("a.x")
    assert x.binding is None
    assert x.value is None


# ---------------------------------------------------------------- attributes


def test_attributes_are_merged_through_type_definitions() -> None:
    m = tree("Parts.Body").find("m")
    found = {name: m.attribute(name) for name in m.attributes}
    assert found == {"start": 1, "max": 1000, "quantity": "Mass", "unit": "kg", "min": 0}


def test_an_array_type_overrides_the_unit_of_its_items() -> None:
    n = tree("Parts.Body").find("n")
    assert n.attribute("unit") == "1"
    assert [m.text for m in n.modifiers_of("unit")] == ['"1"', '"m"']
    assert n.attribute("max") is None


# ---------------------------------------------------------------- redeclarations


def test_a_component_redeclared_by_a_modifier() -> None:
    motor = tree("Examples.FastArm").find("motor")
    assert motor.type_name == "Machines.Parts.StrongMotor"
    assert motor.redeclared_by is not None
    assert motor.redeclared_by.line == 4
    assert motor.find("boost").value == 3
    assert motor.find("ratio").value == 9  # the constraining clause reaches what replaces it
    assert motor.find("k").value == 10  # what was in the replaced declaration does not
    assert not motor.is_replaceable


def test_a_component_as_it_is_declared() -> None:
    motor = tree("Arm").find("motor")
    assert motor.type_name == "Machines.Parts.Motor"
    assert motor.redeclared_by is None
    assert motor.is_replaceable
    assert motor.constraint == "Parts.TwoFlanges"
    assert (motor.find("k").value, motor.find("ratio").value) == (2, 9)


def test_modifiers_reach_a_redeclared_component() -> None:
    assert tree("Examples.Holder").find("arm.motor.k").value == 20


def test_without_a_constraining_clause_the_declaration_constrains(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text(
        "package P\n  model A Real x; Real y; end A;\n  model B extends A; Real z; end B;\n"
        "  model C replaceable A a(x=1); end C;\n  C c(redeclare B a(z=3));\nend P;\n"
    )
    found = instance(Libraries([tmp_path / "P.mo"]), "P")
    assert [found.find(f"c.a.{name}").value for name in "xyz"] == [1, None, 3]


def test_redeclare_elements() -> None:
    arm = tree("Examples.WithElements")
    assert arm.find("motor").type_name == "Machines.Parts.StrongMotor"
    assert arm.find("motor").is_replaceable
    assert arm.find("motor").line == 10
    assert arm.find("load").type_name == "Machines.Examples.WithElements.Load"
    assert arm.find("load").is_a("Machines.Examples.WithElements.Heavy")
    assert arm.find("load.m").value == 100
    assert list(arm.components) == ["world", "payload", "motor", "load"]


def test_short_classes() -> None:
    arm = tree("Arm")
    assert arm.find("load.m").value == 4
    assert [d.size for d in arm.find("load.x").dimensions] == [6, 3]  # size=6 of the constraining clause
    holder = tree("Examples.Holder")
    assert holder.find("arm.load.m").value == 11
    assert [d.size for d in holder.find("arm.load.x").dimensions] == [6, 3]
    assert holder.find("arm.load").is_a("Machines.Parts.Body")
    assert holder.find("arm.load").type_name == "Machines.Parts.Body"  # the class in the modifier has no full name


def test_packages_are_redeclared() -> None:
    plain = tree("Examples.UsesMedium")
    assert list(plain.find("state").components) == ["p"]
    assert [d.size for d in plain.find("base.X").dimensions] == [1]
    ice = tree("Examples.UsesIce").find("inside")
    assert list(ice.find("state").components) == ["p", "T", "x"]
    assert list(ice.find("base").components) == ["p", "X", "h"]
    assert [d.size for d in ice.find("base.X").dimensions] == [2]
    assert ice.find("p").attribute("nominal") == 2e5
    assert ice.find("p").attribute("start") == 2
    assert ice.find("state.T").attribute("unit") == "K"
    assert ice.find("state").declared_in == "Machines.Examples.UsesMedium"


def test_a_package_around_is_replaceable_too() -> None:
    tank = tree("Examples.Fluids.Tank")
    assert list(tank.find("state").components) == ["p", "T"]
    assert tank.find("n").value == 2
    assert tank.find("p").attribute("nominal") == 2e5


def test_the_classes_inside() -> None:
    assert tree("Examples.FastArm").classes["Load"].is_a("Machines.Parts.Body")
    heavy = tree("Examples.WithElements").classes
    assert heavy["Load"].is_a("Machines.Examples.WithElements.Heavy")


# ---------------------------------------------------------------- names


def one_package(folder: Path, body: str) -> Instance:
    (folder / "P.mo").write_text(f"package P\n{body}\nend P;\n")
    return instance(Libraries([folder / "P.mo"]), "P")


@pytest.mark.parametrize(
    ("clause", "name"),
    [
        ("import P.Q.T;", "T"),
        ("import X = P.Q.T;", "X"),
        ("import P.Q;", "Q.T"),
        ("import P.Q.*;", "T"),
        ("import P.Q.{S, T};", "T"),
        ("import P.Derived.T;", "T"),
    ],
)
def test_imports(tmp_path: Path, clause: str, name: str) -> None:
    found = one_package(
        tmp_path,
        'package Q\n  type T = Real(unit="m");\n  type S = Real;\nend Q;\npackage Derived extends Q; end Derived;\n'
        f"encapsulated model M\n  {clause}\n  {name} x;\nend M;\nM m;",
    )
    assert found.find("m.x").attribute("unit") == "m"


def test_encapsulated_classes_do_not_see_what_is_around(tmp_path: Path) -> None:
    found = one_package(tmp_path, "type T = Real;\nencapsulated model M\n  T x; Real y;\nend M;\nM m;")
    assert found.find("m.x").type_name is None
    assert found.find("m.y").type_name == "Real"


def test_a_derived_class_does_not_change_what_names_in_its_base_mean(tmp_path: Path) -> None:
    found = one_package(
        tmp_path,
        'type T = Real(unit="m");\nmodel A\n  T x;\nend A;\n'
        'package Q\n  type T = Real(unit="s");\n  model B\n    extends A;\n    T y;\n  end B;\nend Q;\nQ.B b;',
    )
    assert [found.find(f"b.{name}").attribute("unit") for name in "xy"] == ["m", "s"]


def test_a_redeclaration_of_a_redeclaration(tmp_path: Path) -> None:
    found = one_package(
        tmp_path,
        "model A replaceable model M = X constrainedby X(p=1); M m; end A;\n"
        "model X parameter Real p; parameter Real q = 0; end X;\n"
        "model B extends A(redeclare replaceable model M = X(q=2)); end B;\n"
        "model C extends B(redeclare model M = X(p=3)); end C;\n"
        "B b; C c; C d(m(q=9));",
    )
    assert [found.find(f"{path}").value for path in ("b.m.p", "b.m.q", "c.m.p", "c.m.q", "d.m.q")] == [1, 2, 3, 2, 9]


def test_the_nearest_inner_counts(tmp_path: Path) -> None:
    found = one_package(
        tmp_path,
        "model W parameter Real g = 0; end W;\n"
        "model Leaf outer W w; parameter Real g = w.g; end Leaf;\n"
        "model Mid inner W w(g=2); Leaf leaf; end Mid;\n"
        "inner W w(g=1); Mid mid; Leaf leaf;",
    )
    assert (found.find("leaf.g").value, found.find("mid.leaf.g").value) == (1, 2)
    assert found.find("mid.leaf.w").inner == "mid.w"


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("half", 0.5),
        ("big", True),
        ("chosen", 0.5),
        ("unknown", None),
        ("later", None),
        ("circle1", None),
        ("zero", None),
        ("list", [1, 2, 4.0]),
        ("second", 2),
        ("steps", [1, 3, 5, 7]),
        ("many", 4),
        ("twice", 1.0),
        ("product_", 11),
        ("big_", 10.0),
        ("text", "ab"),
        ("mode", Reference("Units.Mode.Fast")),
        ("isFast", True),
        ("matrix", [[1, 2], [3, 4]]),
        ("huge", None),
    ],
)
def test_values(name: str, value: object) -> None:
    assert tree("Examples.Values").find(name).value == value


def test_a_value_through_an_outer_component() -> None:
    arm = tree("Arm")
    assert arm.find("body.world").inner == "world"
    assert arm.find("body.weight").value == 60  # 2 * 3 * 10
    body = tree("Parts.Body")  # no inner around it: no value
    assert body.find("world").inner is None
    assert body.find("weight").value is None


def test_a_long_sum_is_decided(tmp_path: Path) -> None:
    terms = " + ".join(["1"] * 5000)
    (tmp_path / "P.mo").write_text(f"package P\n  parameter Real x = {terms};\nend P;\n")
    assert instance(Libraries([tmp_path / "P.mo"]), "P").find("x").value == 5000


def test_deep_nesting_and_long_chains_end(tmp_path: Path) -> None:
    chain = "".join(f"  parameter Real x{i} = x{i + 1} + x{i + 1};\n" for i in range(500))
    nested = "(" * 3000 + "1" + ")" * 3000
    (tmp_path / "P.mo").write_text(f"package P\n{chain}  parameter Real x500 = 1;\n  Real y = {nested};\nend P;\n")
    found = instance(Libraries([tmp_path / "P.mo"]), "P")
    assert found.find("x490").value == 2**10
    assert found.find("x0").value is None  # too far to follow
    assert found.find("y").value is None


# ---------------------------------------------------------------- finding and walking


def test_find_names_the_nearest() -> None:
    arm = tree("Arm")
    assert arm.find("body.frame_a").path == "body.frame_a"
    assert arm.get("body.frame_x") is None
    with pytest.raises(NotFoundError, match=r"no component 'frame_c' in 'body'; did you mean 'frame_[ab]'\?"):
        arm.find("body.frame_c")


def test_no_such_class() -> None:
    with pytest.raises(NotFoundError, match="no class 'Amr' in 'Machines'"):
        tree("Amr")
    with pytest.raises(NotFoundError, match=r"there is no class 'Machines\.NoSuch'"):
        tree("Arm").is_a("Machines.NoSuch")


def test_is_a_goes_through_inheritance() -> None:
    arm = tree("Examples.FastArm")
    assert arm.is_a("Machines.Arm")
    assert not arm.is_a("Machines.Line")
    assert arm.find("motor").is_a("Machines.Parts.TwoFlanges")
    found = [c.path for c in arm.walk(2) if c.is_a("Machines.Parts.Flange")]
    assert found[:3] == ["body.heat", "body.cold", "body.unclear"]
    assert "motor.a" in found
    assert arm.find("payload").is_a("Real")
    assert arm.find("payload").is_a("Units.Mass")


def test_walk_is_in_order_and_can_stop() -> None:
    motor = tree("Parts.Motor")
    assert [c.path for c in motor.walk()] == ["ratio", "a", "a.phi", "a.tau", "b", "b.phi", "b.tau", "internal", "k"]
    assert [c.path for c in motor.walk(1)] == ["ratio", "a", "b", "internal", "k"]


def test_a_recursive_type_ends() -> None:
    found = tree("Examples.Tree")
    assert [c.path for c in found.walk()] == ["depth", "left", "sap"]
    deep = found.find("left.left.left")
    assert deep.find("depth").value == 0
    assert deep.find("left").is_present is False
    assert found.find("left.left").is_present is True


def test_classes_that_inherit_from_each_other_end() -> None:
    assert sorted(tree("Examples.Loop").components) == ["a"]
    assert tree("Examples.Loop").get("no") is None


def test_long_chains_of_bases_end(tmp_path: Path) -> None:
    chain = "".join(f"model M{i} extends M{i + 1}; Real x{i}; end M{i};\n" for i in range(1000))
    found = one_package(tmp_path, f"{chain}model M1000 Real x; end M1000;\nM920 short; M0 long;")
    assert found.find("short.x").type_name == "Real"
    assert "x50" in found.find("long").components
    assert "x" not in found.find("long").components
    assert found.find("long").unresolved_bases != []


def test_what_is_not_found_is_none() -> None:
    missing = tree("Examples.Missing")
    assert missing.unresolved_bases == ["NoSuchClass"]
    nothing = missing.find("nothing")
    assert (nothing.type, nothing.type_name, nothing.type_text) == (None, None, "Nothing.At.All")
    assert list(nothing.components) == []
    assert missing.find("known").value == 1


def test_names_that_lead_in_circles_end(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text(
        "package P\n  import P.*;\n  model M = N;\n  model N = M;\n  model S = S;\n  M m; S s; T t;\n"
        "  model Q extends Q.R; model R end R; end Q;\n  Q q;\nend P;\n"
    )
    found = instance(Libraries([tmp_path / "P.mo"]), "P")
    assert [c.path for c in found.walk()] == ["m", "s", "t", "q"]
    assert found.find("t").type_name is None


def test_a_file_that_does_not_parse_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "P").mkdir()
    (tmp_path / "P" / "package.mo").write_text("package P\n  B b;\n  Real x;\nend P;\n")
    (tmp_path / "P" / "B.mo").write_text("within P;\nmodel B\n  Real = 1;\nend B;\n")
    found = instance(Libraries([tmp_path / "P"]), "P")
    assert found.find("b").type is None
    assert [(problem.path.name, problem.line) for problem in found.problems] == [("B.mo", 3)]


def test_an_edit_is_seen_by_the_next_tree(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text("package P\n  parameter Real x = 1;\nend P;\n")
    libraries = Libraries([tmp_path / "P.mo"])
    before = instance(libraries, "P")
    libraries.find_class("P").find_component("x").set("", 2)
    assert instance(libraries, "P").find("x").value == 2
    assert before.find("x").binding is not None


def test_the_path_is_what_sets_it_from_the_top(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text(
        "package P\n  model A Real x(start=1); end A;\n  model B A a; end B;\n  model C B b; end C;\nend P;\n"
    )
    libraries = Libraries([tmp_path / "P.mo"])
    x = instance(libraries, "P.C").find("b.a.x")
    component, _, rest = f"{x.path}.start".partition(".")
    libraries.find_class("P.C").find_component(component).set(rest, 5)
    assert instance(libraries, "P.C").find("b.a.x").attribute("start") == 5
    assert instance(libraries, "P.B").find("a.x").attribute("start") == 1


# ---------------------------------------------------------------- the Standard Library


@pytest.fixture(scope="module")
def standard(msl: Path) -> Libraries:
    beside = [path for path in msl.parent.iterdir() if path.name.startswith(("ModelicaServices", "Complex"))]
    return Libraries([], read_only=[msl, *beside])


@pytest.mark.parametrize(
    ("name", "depth_1", "depth_2"),
    [
        ("Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum", 6, 203),
        ("Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot", 46, 231),
        ("Modelica.Electrical.Analog.Examples.CauerLowPassAnalog", 18, 88),
        ("Modelica.Fluid.Examples.HeatingSystem", 18, 488),
        ("Modelica.Media.Examples.MoistAir", 18, 49),
    ],
)
def test_examples_of_the_standard_library(standard: Libraries, name: str, depth_1: int, depth_2: int) -> None:
    found = instance(standard, name)
    assert [sum(1 for _ in found.walk(depth)) for depth in (1, 2)] == [depth_1, depth_2]
    every = list(found.walk(3))
    resolved = [component for component in every if component.type_name is not None]
    assert len(resolved) >= 0.99 * len(every)
    assert found.unresolved_bases == []
    assert found.problems == []


def test_quantities_of_the_standard_library(standard: Libraries) -> None:
    pendulum = instance(standard, "Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum")
    assert pendulum.find("boxBody1.body.m").attribute("unit") == "kg"
    assert pendulum.find("boxBody1.density").attribute("unit") == "kg/m3"
    assert pendulum.find("damper.d").value == 0.1
    assert pendulum.find("boxBody1.r").value == [0.5, 0, 0]
    assert pendulum.find("revolute1.phi").attribute("fixed") is True
    assert pendulum.find("boxBody1.body.world").inner == "world"
    frames = [c for c in pendulum.walk(2) if c.is_a("Modelica.Mechanics.MultiBody.Interfaces.Frame")]
    assert "boxBody1.frame_a" in [c.path for c in frames]
    heating = instance(standard, "Modelica.Fluid.Examples.HeatingSystem")
    assert heating.find("tank.medium.p").attribute("unit") == "Pa"
    assert heating.find("heater.crossArea").value == pytest.approx(3.14159265 * 0.01**2 / 4)
    assert heating.find("heater.T_start").value == pytest.approx(353.15)


RECORDS = """\
package P
  record R
    parameter Real x = 1;
    parameter Real y = 2*x;
  end R;
  record R2
    extends R(x=10);
  end R2;
  model A
    parameter Integer n = 2;
    parameter Real s = 3*n;
  end A;
  model M
    parameter R r1 = R2();
    parameter Real k1 = r1.x;
    parameter Real k2 = r1.y;
    parameter R r2 = R2(x=4);
    parameter Real k3 = r2.y;
    A a[3];
    parameter Real all[3] = a.s;
    parameter Real total = sum(a.s);
    A b[2](n={2, 3});
    parameter Integer sizes[2] = b.n;
  end M;
end P;
"""


def test_a_constructor_has_the_defaults_of_its_own_record(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text(RECORDS)
    found = {name: each.value for name, each in instance(Libraries([tmp_path / "P.mo"]), "P.M").components.items()}
    assert (found["k1"], found["k2"], found["k3"]) == (10, 20, 8)


def test_a_member_of_an_array_of_components_is_an_array(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text(RECORDS)
    found = {name: each.value for name, each in instance(Libraries([tmp_path / "P.mo"]), "P.M").components.items()}
    assert (found["all"], found["total"]) == ([6, 6, 6], 18)
    assert found["sizes"] == [2, 3]


# ---------------------------------------------------------------- values of items, arrays and functions


def values(folder: Path, body: str) -> dict[str, object]:
    return {path: found.value for path, found in ((c.path, c) for c in one_package(folder, body).walk())}


def test_each_item_of_an_array_of_components_has_its_own_value(tmp_path: Path) -> None:
    found = values(
        tmp_path,
        "model A parameter Integer n = 1; parameter Real k[n] = fill(3, n); parameter Real s = sum(k); end A;\n"
        "model B A one[2](each n=n); parameter Integer n = 4; A two[2](n={n, 5}); end B;\n"
        "A a[2](n={2, 3}); A same[3](each n=2); B b[3](n={7, 8, 9}); B c[2];\n"
        "parameter Real second = a[2].s; parameter Real last = a[end].s; parameter Real every[2] = a[:].s;\n"
        "parameter Real equal[3] = same.s; parameter Real deep = b[2].one[1].s; parameter Real far = b[3].two[2].n;\n"
        "parameter Real outside = a[3].s; parameter Real item = a[2].k[3]; parameter Real none = a[2].k[4];",
    )
    assert (found["a.s"], found["second"], found["last"], found["every"]) == ([6, 9], 9, 9, [6, 9])
    assert (found["same.s"], found["equal"]) == (6, [6, 6, 6])
    assert (found["b.one.s"], found["deep"], found["far"]) == ([21, 24, 27], 24, 5)
    assert (found["b.two.n"], found["c.two.s"]) == ([[7, 5], [8, 5], [9, 5]], [12, 15])
    assert (found["outside"], found["item"], found["none"]) == (None, 3, None)


def test_a_value_that_is_for_unclear_items_is_used_for_none(tmp_path: Path) -> None:
    found = values(
        tmp_path,
        "model A parameter Real x = 0; parameter Real y = 2*x; end A;\nmodel B A a[2]; end B;\n"
        "B b[2](a(each x={1, 2})); parameter Real z = b[1].a[2].x;",
    )
    assert (found["b.a.y"], found["z"]) == (None, None)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("[1, 2; 3, 4]", [[1, 2], [3, 4]]),
        ("[v, v]", [[1, 1], [2, 2], [3, 3]]),
        ("[zeros(0, 1); v]", [[1], [2], [3]]),
        ("[1, v]", None),
        ("cat(1, v, {4})", [1, 2, 3, 4]),
        ("cat(2, m, m)", [[1, 2, 1, 2], [3, 4, 3, 4]]),
        ("transpose(m)", [[1, 3], [2, 4]]),
        ("m * {1, 1}", [3, 7]),
        ("{1, 1} * m", [4, 6]),
        ("m * m", [[7, 10], [15, 22]]),
        ("m .* m", [[1, 4], [9, 16]]),
        ("m * v", None),
        ("v .* {1, 2}", None),
        ("cross({1, 0, 0}, {0, 1, 0})", [0, 0, 1]),
        ("skew({1, 2, 3})", [[0, -3, 2], [3, 0, -1], [-2, 1, 0]]),
        ("outerProduct({1, 2}, {3, 4})", [[3, 4], [6, 8]]),
        ("diagonal({1, 2})", [[1, 0], [0, 2]]),
        ("v[2:end]", [2, 3]),
        ("v[{3, 1}]", [3, 1]),
        ("m[:, 2]", [2, 4]),
        ("m[end, end]", 4),
        ("v[4]", None),
        ("size(m)", [2, 2]),
        ("size([v, v], 2)", 2),
        ("size(open, 1)", 2),
        ("{i^2 for i in 1:3}", [1, 4, 9]),
        ("{10*i + j for i in 1:2, j in 1:3}", [[11, 21], [12, 22], [13, 23]]),
        ("sum(i*v[i] for i in 1:3)", 14),
        ("max(i for i in {2, 5, 3})", 5),
        ("sin({0, 0})", [0, 0]),
        ("max({1, 2}, {3})", 3),
        ("noEvent(2) + smooth(0, 3)", 5),
        ("Integer(Colour.blue)", 2),
        ("(v)[2]", 2),
        ("1e308 * 10", None),
        ("i", 7),
        ("{k for i in 1:2}", [7, 7]),
    ],
)
def test_arrays(tmp_path: Path, expression: str, value: object) -> None:
    found = one_package(
        tmp_path,
        "type Colour = enumeration(red, blue); constant Integer i = 7; constant Integer k = i;\n"
        "constant Real v[3] = {1, 2, 3}; constant Real m[2, 2] = [1, 2; 3, 4]; constant Real open[:] = {1, 2};\n"
        f"constant Real x = {expression};",
    ).find("x")
    assert found.value == (value if value is None else pytest.approx(value) if isinstance(value, float) else value)


FUNCTIONS = """\
record R Real x = 1; Real y = 2*x; Real z[2]; end R;
partial function Base input Real u; output Real y; end Base;
function twice extends Base; algorithm y := 2*u; end twice;
function squares input Integer n; output Real y[n]; algorithm for i in 1:n loop y[i] := i*i; end for; end squares;
function steps input Real u; input Integer most = 100; output Integer n = 0; protected Real x = u;
algorithm while x > 1 loop x := x/2; n := n + 1; if n == most then break; end if; end while; end steps;
function both input Real u; output Real a; output Real b; algorithm a := u; b := 2*u; end both;
function second input Real u; output Real y; protected Real a; algorithm (a, y) := both(u); end second;
function made input Real u; output R r; algorithm r.x := u; r.y := 7; r.z := {u, u}; end made;
function checked input Real u; output Real y; algorithm assert(u > 0, "negative"); y := sqrt(u); end checked;
function early input Real u; output Real y = 1; algorithm if u > 0 then return; end if; y := 2; end early;
function endless input Real u; output Real y; algorithm y := u; while true loop y := y + 1; end while; end endless;
function itself input Real u; output Real y; algorithm y := itself(u + 1); end itself;
function factorial input Integer n; output Integer y; algorithm y := if n <= 1 then 1 else n*factorial(n - 1);
end factorial;
function foreign input Real u; output Real y; external "C" y = f(u); end foreign;
function root input Real u; output Real y; external "builtin" y = sqrt(u); end root;
impure function moody input Real u; output Real y; algorithm y := u; end moody;
function partly input Real u; output Real y[2]; algorithm y[1] := u; end partly;
function scale input Real u; input Real k = 10; output Real y; algorithm y := k*u; end scale;
function short = scale(k=3);
function given input R r; output Real y; algorithm y := r.x + r.z[2]; end given;
constant R r(x=5, z={1, 2});
constant Real unknown;
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("twice(4)", 8),
        ("twice({1, 2})", [2, 4]),
        ("twice(u=3)", 6),
        ("squares(3)", [1, 4, 9]),
        ("squares(unknown)", None),
        ("steps(100)", 7),
        ("steps(100, 3)", 3),
        ("second(3)", 6),
        ("made(3).y", 7),
        ("made(3).z", [3, 3]),
        ("R(x=4, z={1, 2}).y", 8),
        ("R(4, 9, {1, 2}).y", 9),
        ("given(r)", 7),
        ("given(R(z={0, 4}))", 5),
        ("checked(4)", 2),
        ("checked(-4)", None),
        ("checked(unknown)", None),
        ("early(1)", 1),
        ("early(-1)", 2),
        ("endless(1)", None),
        ("itself(1)", None),
        ("factorial(5)", 120),
        ("foreign(1)", None),
        ("root(9)", 3),
        ("moody(1)", None),
        ("partly(1)", None),
        ("scale(2)", 20),
        ("short(2)", 6),
        ("short(2, k=4)", 8),
    ],
)
def test_functions(tmp_path: Path, expression: str, value: object) -> None:
    assert one_package(tmp_path, f"{FUNCTIONS}constant Real result = {expression};").find("result").value == value


def test_an_answer_does_not_depend_on_what_was_asked_before(tmp_path: Path) -> None:
    (tmp_path / "P.mo").write_text(
        "package P\n"
        "function slow input Integer n; output Real y = 0; algorithm for i in 1:n loop y := y + i; end for; end slow;\n"
        "constant Real a = slow(1000); constant Real b = slow(1000) + slow(1000) + slow(1000) + slow(1000);\n"
        "end P;\n"
    )
    first, second = (instance(Libraries([tmp_path / "P.mo"]), "P") for _ in range(2))
    assert second.find("a").value == 500500
    assert first.find("b").value == second.find("b").value


@pytest.mark.parametrize(
    "body",
    [
        (
            "function f input Real u; output Real y; algorithm for i in 1:1 loop if u > 0 then while u > 0 loop\n"
            "y := f(u + 1); return; end while; end if; end for; end f;\nconstant Real x = f(3);"
        ),
        "model A parameter Real p = 0; parameter Real x = p; end A;\n"
        + "".join(f"A a{i}[2, 2](p=a{i + 1}[:, :].x);\n" for i in range(200))
        + "A a200[2, 2](p={{1, 2}, {3, 4}}); parameter Real x = a0[1, 1].x;",
    ],
)
def test_questions_that_wait_for_each_other_end(tmp_path: Path, body: str) -> None:
    assert one_package(tmp_path, body).find("x").value is None


def test_an_outer_class_is_the_inner_one_of_the_instance(tmp_path: Path) -> None:
    found = one_package(
        tmp_path,
        "model A constant Integer id = 1; end A;\nmodel B constant Integer id = 2; end B;\n"
        "model User outer model T = A; T t; end User;\n"
        "model M inner model T = B; User user; end M;\nM m; User alone;",
    )
    assert (found.find("m.user.t").type_name, found.find("m.user.t.id").value) == ("P.M.T", 2)
    assert found.find("alone.t.id").value == 1
