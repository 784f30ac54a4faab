"""The views: one class for each meaning, fields by their grammar names."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import FIXTURES, MODELICA_FIXTURES
from modelica_ast import (
    dump,
    evaluate,
    find,
    find_all,
    notes,
    parse,
    parse_element,
    parse_equation,
    parse_expression,
    parse_file,
    parse_modification,
    parse_name,
    parse_reference,
    parse_statement,
    tree as views,
    walk,
)
from modelica_ast.syntax.shape import make_node, productions_of
from modelica_ast.syntax.tables import KINDS
from modelica_ast.tree.base import VIEW_OF_KIND, View


@pytest.fixture(scope="module")
def classes() -> views.ClassDefinition:
    return parse_file(FIXTURES / "modelica" / "Classes.mo").classes[0]


@pytest.fixture(scope="module")
def equations() -> views.ClassDefinition:
    return parse_file(FIXTURES / "modelica" / "Equations.mo").classes[0]


@pytest.fixture(scope="module")
def modifications() -> views.ClassDefinition:
    return parse_file(FIXTURES / "modelica" / "Modifications.mo").classes[0]


def component(definition: views.ClassDefinition, name: str) -> views.Component:
    found = definition.get_component(name)
    assert found is not None
    return found


def test_every_node_kind_has_a_view() -> None:
    assert set(VIEW_OF_KIND) == set(KINDS)
    assert all(productions_of(kind) for kind in VIEW_OF_KIND)


def test_every_view_is_public() -> None:
    assert {cls.__name__ for cls in VIEW_OF_KIND.values()} <= set(views.__all__)


@pytest.mark.parametrize("path", MODELICA_FIXTURES, ids=lambda p: p.name)
def test_every_property_of_every_view_answers(path: Path) -> None:
    for view in walk(parse_file(path), tokens=True):
        for name in dir(type(view)):
            if not name.startswith("_"):
                getattr(view, name)


def test_a_file(classes: views.ClassDefinition) -> None:
    tree = classes.root
    assert isinstance(tree, views.StoredDefinition)
    assert tree.within == "Fixtures.Syntax"
    assert parse("within;").within == ""
    assert parse("").within is None
    assert [c.name for c in tree.classes] == ["Classes"]


def test_classes(classes: views.ClassDefinition) -> None:
    assert classes.full_name == "Fixtures.Syntax.Classes"
    assert classes.encapsulated is not None
    assert classes.description is not None
    assert classes.description.value == "Every way to write a class"
    kinds = {c.name: (c.class_kind, c.is_partial, type(c.specifier).__name__) for c in classes.classes}
    assert kinds["Base"] == ("model", True, "LongClassSpecifier")
    assert kinds["Complex"] == ("operator record", False, "LongClassSpecifier")
    assert kinds["Bus"] == ("expandable connector", False, "LongClassSpecifier")
    assert kinds["Angle"] == ("type", False, "ShortClassSpecifier")
    assert kinds["Choice"] == ("type", False, "EnumerationClassSpecifier")
    assert kinds["f_x"] == ("function", False, "DerClassSpecifier")
    assert kinds["f"] == ("pure function", False, "LongClassSpecifier")
    assert kinds["M"] == ("model", False, "LongClassSpecifier")
    assert classes.get_class("Nothing") is None


def test_short_classes(classes: views.ClassDefinition) -> None:
    angle = classes.get_class("Angle")
    assert angle is not None
    assert isinstance(angle.specifier, views.ShortClassSpecifier)
    assert str(angle.specifier.type) == "Real"
    assert angle.specifier.arguments is not None
    assert [str(a.name) for a in angle.specifier.arguments.items if isinstance(a, views.ElementModification)] == [
        "quantity",
        "unit",
        "displayUnit",
    ]
    real_input = classes.get_class("RealInput")
    assert real_input is not None
    assert isinstance(real_input.specifier, views.ShortClassSpecifier)
    assert real_input.specifier.prefix is not None
    assert real_input.specifier.prefix.words == ("input",)


def test_enumerations(classes: views.ClassDefinition) -> None:
    choice, empty, anything = (classes.get_class(name) for name in ("Choice", "Empty", "Open"))
    assert choice is not None
    assert isinstance(choice.specifier, views.EnumerationClassSpecifier)
    assert [literal.name for literal in choice.specifier.literals] == ["first", "second", "third"]
    assert choice.specifier.literals[0].description is not None
    assert choice.annotation is not None
    assert empty is not None
    assert isinstance(empty.specifier, views.EnumerationClassSpecifier)
    assert empty.specifier.literals == []
    assert anything is not None
    assert isinstance(anything.specifier, views.EnumerationClassSpecifier)
    assert anything.specifier.colon is not None


def test_functions(classes: views.ClassDefinition) -> None:
    f, f_x, h = (classes.get_class(name) for name in ("f", "f_x", "h"))
    assert f is not None
    external = f.external
    assert external is not None
    assert external.language is not None
    assert external.language.text == '"C"'
    assert external.call is not None
    assert external.call.name == "f_c"
    assert str(external.call.result) == "z"
    assert external.call.arguments is not None
    assert [str(a) for a in external.call.arguments.items] == ["x", "y"]
    assert f.annotation is not None
    assert f_x is not None
    assert isinstance(f_x.specifier, views.DerClassSpecifier)
    assert (str(f_x.specifier.function), f_x.specifier.variables) == ("f", ("x", "y"))
    assert h is not None
    assert h.external is not None
    assert h.external.call is not None
    assert h.external.call.arguments is None


def test_imports(classes: views.ClassDefinition) -> None:
    found = [(i.name, i.alias, i.is_wildcard, i.imported) for i in classes.imports]
    assert found == [
        ("Modelica.Units.SI", None, False, ()),
        ("Modelica.Constants.pi", "Pi", False, ()),
        ("Modelica.Math", None, True, ()),
        ("Modelica.Blocks", None, False, (("Sources", "Sources"), ("Continuous", "Continuous"))),
        ("Modelica.Utilities", None, True, ()),
    ]
    old = parse_file(FIXTURES / "modelica" / "OldSyntax.mo").classes[0]
    assert old.imports[0].imported == (("c", "c"), ("e", "d"))


def test_class_extends(classes: views.ClassDefinition) -> None:
    extended = classes.get_class("M")
    assert extended is not None
    specifier = extended.specifier
    assert isinstance(specifier, views.LongClassSpecifier)
    assert specifier.extends is not None
    assert specifier.end_identifier.text == "M"
    assert [c.name for c in extended.components] == ["more"]


def test_three_components_know_their_one_clause(equations: views.ClassDefinition) -> None:
    x, y, z = (component(equations, name) for name in "xyz")
    assert x.clause == y.clause == z.clause
    assert x.clause is not y.clause  # views are made where somebody looks
    assert [str(c.type) for c in (x, y, z)] == ["Real"] * 3
    assert str(x.subscripts) == "[n]"
    assert y.subscripts is None
    assert evaluate(z.binding) == 1  # type: ignore[arg-type]
    assert z.description is not None
    assert z.annotation is not None
    assert component(equations, "n").prefixes == ("parameter",)
    assert component(equations, "world").prefixes == ("inner", "outer")
    assert component(equations, "c").prefixes == ("final", "constant")
    assert str(component(equations, "c").subscripts) == "[:,2]"


def test_conditions_bindings_and_breaks(equations: views.ClassDefinition) -> None:
    on = component(equations, "on")
    assert on.condition is not None
    assert on.condition.expression.text == "n > 1"
    broken = component(equations, "w")
    assert isinstance(broken.binding, views.Token)
    assert broken.binding.text == "break"


def test_visibility(classes: views.ClassDefinition) -> None:
    assert not component(classes, "a").is_protected
    assert component(classes, "b").is_protected


def test_sections(equations: views.ClassDefinition) -> None:
    assert [type(s).__name__ for s in equations.sections] == [
        "EquationSection",
        "AlgorithmSection",
        "EquationSection",
        "AlgorithmSection",
        "ClassAnnotation",
    ]
    assert len(equations.initial_equations) == 2
    assert len(equations.initial_statements) == 1


def test_equations(equations: views.ClassDefinition) -> None:
    connect = equations.equations[0]
    assert isinstance(connect, views.ConnectEquation)
    assert (str(connect.left), str(connect.right)) == ("a[1].p", "b.n[2,1]")
    assert connect.left.parts == ("a", "p")
    assert [str(s) if s else None for s in connect.right.subscripts] == [None, "[2,1]"]
    assert connect.description is not None
    assert connect.annotation is not None
    simple = equations.equations[2]
    assert isinstance(simple, views.SimpleEquation)
    assert (simple.left.text, simple.right.text) == ("der(x[1])", "-y")
    branches = next(e for e in equations.equations if isinstance(e, views.IfEquation))
    assert len(branches.equations) == len(branches.elseifs) == 1
    assert branches.otherwise is not None
    assert len(branches.otherwise.equations) == 1
    loop = next(e for e in equations.equations if isinstance(e, views.ForEquation))
    assert [(i.name, i.range.text if i.range else None) for i in loop.indices.items] == [("i", "1:n"), ("j", "1:2:m")]
    when = next(e for e in equations.equations if isinstance(e, views.WhenEquation))
    assert len(when.elsewhens) == 1
    call = next(e for e in equations.equations if isinstance(e, views.CallEquation))
    assert call.call.name == "assert"


def test_statements(equations: views.ClassDefinition) -> None:
    kinds = [type(s).__name__ for s in equations.statements]
    assert kinds == [
        "Assignment",
        "Assignment",
        "Assignment",
        "MultipleAssignment",
        "CallStatement",
        "DerAssignment",
        "IfStatement",
        "ForStatement",
        "WhileStatement",
        "WhenStatement",
    ]
    multiple = equations.statements[3]
    assert isinstance(multiple, views.MultipleAssignment)
    assert [s.text if s else None for s in multiple.targets.slots] == ["y", None, "z"]


def test_equations_behind_a_class_annotation_belong_to_it() -> None:
    old, function = parse_file(FIXTURES / "modelica" / "OldSyntax.mo").classes[:2]
    last = old.sections[-1]
    assert isinstance(last, views.ClassAnnotation)
    assert [type(e).__name__ for e in last.equations] == ["SimpleEquation", "ConnectEquation"]
    last = function.sections[-1]
    assert isinstance(last, views.ClassAnnotation)
    assert [type(s).__name__ for s in last.statements] == ["Assignment"]


def test_modifications(modifications: views.ClassDefinition) -> None:
    arguments = component(modifications, "a1").arguments
    assert arguments is not None
    x, y, w = arguments.items
    assert isinstance(x, views.ElementModification)
    assert (str(x.name), x.each, x.final) == ("x", None, None)
    assert isinstance(y, views.ElementModification)
    assert y.final is not None
    assert y.value is not None
    assert evaluate(y.value) == 4
    assert y.arguments is not None
    assert y.arguments.get("z") is not None
    assert y.arguments.get("nothing") is None
    assert isinstance(w, views.ElementModification)
    assert w.name.parts == ("w", "v", "u")
    assert w.each is not None
    assert w.final is not None
    assert w.description is not None
    empty = component(modifications, "a5").arguments
    assert empty is not None
    assert empty.items == []


def test_redeclarations(modifications: views.ClassDefinition) -> None:
    arguments = component(modifications, "a2").arguments
    assert arguments is not None
    model, motor = arguments.items
    assert isinstance(model, views.ElementRedeclaration)
    assert isinstance(model.declared, views.ShortClassDefinition)
    assert (model.declared.name, model.declared.class_kind) == ("M", "model")
    assert isinstance(motor, views.ElementRedeclaration)
    assert motor.each is not None
    assert motor.final is not None
    assert motor.replaceable is not None
    assert isinstance(motor.declared, views.ComponentClause1)
    assert motor.declared.declaration.name == "m"
    assert str(motor.declared.type) == "Motor"
    assert motor.constraint is not None
    assert str(motor.constraint.type) == "PartialMotor"
    replaceable = component(modifications, "a3").arguments
    assert replaceable is not None
    assert all(isinstance(item, views.ElementReplaceable) for item in replaceable.items)


def test_extends_and_breaks(modifications: views.ClassDefinition) -> None:
    first, second = modifications.extends
    assert first.arguments is not None
    assert [type(a).__name__ for a in first.arguments.items] == [
        "ElementRedeclaration",
        "ElementModification",
        "InheritanceModification",
    ]
    assert second.arguments is None
    assert second.annotation is not None
    constrained = component(modifications, "a7").element
    assert constrained is not None
    assert constrained.prefixes == ("replaceable",)
    assert constrained.constraint is not None


def test_annotations_are_read_when_somebody_looks() -> None:
    text = 'annotation (Icon(graphics={Line(color={0,0,255})}), uses(Modelica(version="4.1.0")));'
    tree = parse(f"model M\n  {text}\nend M;")
    annotation = tree.classes[0].annotation
    assert annotation is not None
    assert not annotation.is_read
    uses = annotation.arguments.get("uses")
    assert uses is not None
    assert uses.arguments is not None
    assert uses.arguments.items[0].text == 'Modelica(version="4.1.0")'
    assert uses.position == tree.source.position(tree.source.text.index("uses"))
    assert not annotation.is_read  # reading does not change the tree
    strict = parse(tree.source.text, strict=True).classes[0].annotation
    assert strict is not None
    assert strict.is_read
    assert strict.arguments.items[0].text == annotation.arguments.items[0].text


def test_expressions() -> None:
    binary = parse_expression("1 + 2*3")
    assert isinstance(binary, views.Binary)
    assert (binary.operator.text, binary.right.text) == ("+", "2*3")
    stepped, plain = parse_expression("1:2:3"), parse_expression("1:3")
    assert isinstance(stepped, views.Range)
    assert isinstance(plain, views.Range)
    assert stepped.step is not None
    assert plain.step is None
    assert (plain.start.text, plain.stop.text) == ("1", "3")
    choice = parse_expression("if a then 1 elseif b then 2 else 3")
    assert isinstance(choice, views.IfExpression)
    assert (choice.condition.text, choice.value.text, choice.otherwise.text) == ("a", "1", "3")
    assert choice.elseifs[0].condition.text == "b"
    call = parse_expression("A.f(x, y=2, z=function g(a=1))")
    assert isinstance(call, views.Call)
    assert call.name == "A.f"
    assert isinstance(call.arguments, views.CallArguments)
    assert [type(a).__name__ for a in call.arguments.items] == ["ComponentReference", "NamedArgument", "NamedArgument"]
    reduction = parse_expression("sum(i for i in 1:3)")
    assert isinstance(reduction, views.Call)
    assert isinstance(reduction.arguments, views.ReductionArguments)
    member = parse_expression("f(x).y.z")
    assert isinstance(member, views.CallMember)
    assert member.members == ("y", "z")


def test_end_and_initial_are_what_their_place_says() -> None:
    reference = parse_reference("x[end, end - 1]")
    assert reference.subscripts[0] is not None
    first, second = reference.subscripts[0].items
    assert isinstance(first, views.EndIndex)
    assert first.kind == "END_SUBSCRIPT"
    assert isinstance(second, views.Binary)
    assert isinstance(second.left, views.EndIndex)
    tree = parse("model M initial equation x = initial(); end M;")
    assert len(tree.classes[0].initial_equations) == 1
    section = tree.classes[0].sections[0]
    assert isinstance(section, views.EquationSection)
    assert section.initial is not None
    empty = parse("model M initial equation end M;").classes[0].sections[0].green
    assert make_node("equation_section", " initial", " equation") == empty
    assert make_node("array_subscripts", "[", "end", "]") == reference_subscripts("x[end]")


def reference_subscripts(text: str) -> object:
    subscripts = parse_reference(text).subscripts[0]
    assert subscripts is not None
    return subscripts.green


def test_a_node_that_the_grammar_does_not_know_cannot_be_made() -> None:
    assert make_node("type_specifier", "A", ".", "B") == parse_name("A.B").green
    for children in (["A", "B"], ["A", "."], [".", "A"], []):
        with pytest.raises(ValueError, match="the grammar has no name of"):
            make_node("name", *children)


def test_names_and_references() -> None:
    name = parse_name(".Modelica . Units")
    assert (str(name), name.parts, name.is_global) == (".Modelica.Units", ("Modelica", "Units"), True)
    reference = parse_reference("a[1, :].b")
    assert (str(reference), reference.parts, reference.is_global) == ("a[1,:].b", ("a", "b"), False)


def test_fragments() -> None:
    assert isinstance(parse_element("extends A;").extends_clause, views.ExtendsClause)
    assert isinstance(parse_equation("f(x);"), views.CallEquation)
    assert isinstance(parse_statement("return;"), views.ReturnStatement)
    assert parse_modification("(a=1) = 2").equals is not None


def test_walk_find_and_dump() -> None:
    tree = parse('model M\n  Real x = 1 annotation (Dialog(tab="T"));\nequation\n  x = 2;\nend M;\n')  # fmt: skip
    assert [n.text for n in find_all(tree, views.NumberLiteral)] == ["1", "2"]
    assert find(tree, views.NumberLiteral, lambda n: n.text == "2") is not None
    assert find(tree, views.WhenEquation) is None
    assert any(isinstance(v, views.StringLiteral) for v in walk(tree))
    assert not any(isinstance(v, views.StringLiteral) for v in walk(tree, annotations=False))
    tokens = [v.text for v in walk(tree, tokens=True) if isinstance(v, views.Token)]
    assert tokens[:2] == ["model", "M"]
    assert "SimpleEquation\n" in dump(tree)
    assert dump(parse_expression("-x")) == "Unary\n  '-'\n  ComponentReference 'x'"


def test_positions_and_spans() -> None:
    tree = parse("within A;\r\nmodel M // c\r\n\tReal x;\r\nend M;\r\n")
    x = tree.classes[0].components[0]
    assert (x.position.line, x.position.column) == (3, 7)
    span = tree.classes[0].span
    assert (span.start.line, span.start.column, span.end.line, span.end.column) == (2, 1, 4, 6)
    assert tree.source.text[span.start.offset : span.end.offset] == tree.classes[0].text
    for view in walk(tree, tokens=True):
        assert tree.source.text[view.span.start.offset : view.span.end.offset] == view.text


def test_views_of_one_place_are_equal() -> None:
    tree = parse("model M Real x; Real x; end M;")
    first, second = tree.classes[0].components
    assert tree.classes[0].components[0] == first
    assert hash(tree.classes[0].components[0]) == hash(first)
    assert first != second
    assert first != parse("model M Real x; Real x; end M;").classes[0].components[0]
    assert first != "x"


def test_leading_and_text() -> None:
    element = parse_element("  // about x\n  Real x; // more")
    assert element.leading == "  // about x\n  "
    assert element.text == "Real x;"
    assert repr(element) == "<Element Real x;>"
    token = find(parse("model M end M;"), views.StoredClass)
    assert isinstance(token, View)


def test_declarations_behind_a_class_annotation_are_those_of_its_class() -> None:
    old, function = parse_file(FIXTURES / "modelica" / "OldSyntax.mo").classes[2:]
    assert [component.name for component in old.components] == ["a", "b", "c", "d", "e", "f"]
    assert [element.is_protected for element in old.elements] == [False, True, True, True, False, False, True]
    assert [found.name for found in old.classes] == ["Inner"]
    assert old.annotation is not None
    assert old.annotation.text == "annotation (Diagram())"
    assert function.external is not None


def test_notes_on_old_syntax() -> None:
    tree = parse_file(FIXTURES / "modelica" / "OldSyntax.mo")
    assert [note.position.line for note in notes(tree)] == [2, 3, 4, 6, 7, 8, 11, 20, 28, 34, 44]
    for name in ("Classes", "Equations", "Modifications"):
        assert notes(parse_file(FIXTURES / "modelica" / f"{name}.mo")) == []
    found = notes(parse(r'model M String s = "a\q"; equation x = 1; annotation(Icon()); equation x = 2; end M;'))
    assert [note.message for note in found] == [
        r"the escape \q is not in the specification",
        "the class annotation should come last, before 'end'",
    ]


def test_notes_are_in_source_order_and_reach_unread_annotations() -> None:
    text = (
        "model A\n"
        "  Real x(start := 1);\n"
        "  model B\n"
        '    annotation(a="one" + "\\w");\n'
        "  end B;\n"
        '  extends C "text";\n'
        '  annotation(Documentation(info="\\q"), Dialog(group := "g"));\n'
        "end A;\n"
    )
    tree = parse(text)
    found = [note.position.line for note in notes(tree)]
    assert found == [2, 4, 6, 7, 7]
    assert [note.position.line for note in notes(parse(text, strict=True))] == found
    inner = tree.classes[0].classes[0]
    assert [note.message for note in notes(inner)] == ["the escape \\w is not in the specification"]


def test_notes_on_classes_that_nest_deeply() -> None:
    numbers = range(2000)
    text = "".join(f"model M{n} " for n in numbers) + "".join(f"annotation(a=1); end M{n}; " for n in reversed(numbers))
    assert notes(parse(text)) == []
