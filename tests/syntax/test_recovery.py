"""parse(..., recover=True): the good classes, the broken spans as opaque nodes, all errors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from modelica_ast import find_all, parse, render
from modelica_ast.tree import ClassDefinition, StoredDefinition, Unparsed


def names(tree: StoredDefinition) -> list[str]:
    return [definition.full_name for definition in find_all(tree, ClassDefinition)]


def opaque(tree: StoredDefinition) -> list[str]:
    return [view.text for view in find_all(tree, Unparsed)]


def messages(tree: StoredDefinition) -> Iterator[str]:
    return (f"{error.line}: {error.message}" for error in tree.errors)


def recovered(text: str) -> StoredDefinition:
    tree = parse(text, recover=True)
    assert render(tree) == text
    return tree


def test_a_good_file_is_as_without_recovery() -> None:
    text = "within A;\nmodel M\n  Real x annotation (Dialog);\nend M;\n"
    tree = recovered(text)
    assert not tree.errors
    assert tree.green == parse(text, strict=True).green


def test_one_broken_class_among_good_ones() -> None:
    tree = recovered(
        "within Lib;\npackage P\n  model A\n    Real x = ;\n  end A;\n\n  model B\n    Real y;\n  end B;\nend P;\n"
    )
    assert names(tree) == ["Lib.P", "Lib.P.B"]
    assert opaque(tree) == ["model A\n    Real x = ;\n  end A;"]
    assert list(messages(tree)) == ["4: expected an expression, found ';'"]


def test_broken_files_side_by_side() -> None:
    tree = recovered("model A Real ; end A;\nmodel B end B;\nmodel C x = 1; end C;\nmodel D end D;\n")
    assert names(tree) == ["B", "D"]
    assert len(tree.errors) == 2


def test_a_package_keeps_its_classes_when_its_own_element_is_broken() -> None:
    tree = recovered("package P\n  model A end A;\n  constant Real c = = 3;\n  model B end B;\nend P;\n")
    assert names(tree) == ["P", "P.A", "P.B"]
    assert opaque(tree) == ["constant Real c = = 3;"]


def test_a_class_that_is_never_closed_does_not_take_its_neighbours() -> None:
    tree = recovered("package P\n  model A\n    Real x;\n\n  model B\n    Real y;\n  end B;\nend P;\n")
    assert names(tree) == ["P", "P.B"]
    assert opaque(tree) == ["model A\n    Real x;"]
    assert list(messages(tree)) == ["2: class 'A' is never closed"]


def test_a_missing_semicolon_behind_a_class_costs_that_class() -> None:
    tree = recovered("model A end A\nmodel B end B;\n")
    assert names(tree) == ["B"]
    assert list(messages(tree)) == ["1: expected ';' after class 'A', found 'model'"]


def test_garbage_between_classes() -> None:
    tree = recovered("garbage; model A end A; } foo\nmodel B end B; (((")
    assert names(tree) == ["A", "B"]
    assert opaque(tree) == ["garbage;", "} foo", "((("]


def test_characters_that_are_no_tokens_cost_their_class_only() -> None:
    tree = recovered("model A\n  # Real x;\nend A;\nmodel B end B;\nmodel C Real é; end C;\n")
    assert names(tree) == ["B"]
    assert len(tree.errors) == 2


def test_what_only_a_check_refuses_stays_readable() -> None:
    tree = recovered("model A\n  final final Real x;\nend B;\n")
    assert names(tree) == ["A"]
    assert list(messages(tree)) == ["2: 'final' is written twice", "3: class 'A' is closed by 'end B'"]


def test_a_broken_annotation_is_found_without_being_read() -> None:
    tree = recovered("model A\n  Real x annotation (a(=));\nend A;\nmodel B end B;\n")
    assert names(tree) == ["B"]
    assert list(messages(tree)) == ["2: expected a modifier or ')', found '='"]


def test_an_open_string_takes_its_class_only() -> None:
    tree = recovered('model A end A;\nmodel B\n  String s = "abc;\nend B;\nmodel C end C;\n')
    assert names(tree) == ["A", "C"]
    assert list(messages(tree)) == ["3: this string is never closed"]


def test_an_open_string_without_classes_behind_it_takes_the_rest() -> None:
    tree = recovered('model A end A;\nmodel B String s = "abc; end B; model C end C;\n')
    assert names(tree) == ["A"]
    assert list(messages(tree)) == ["2: this string is never closed"]


def test_a_description_that_is_not_closed_takes_no_class_inside() -> None:
    tree = recovered('package P "all\n  model A "one"\n  end A;\n  model B "two"\n  end B;\nend P;\n')
    assert names(tree) == ["P", "P.A", "P.B"]


@pytest.mark.parametrize("sample", ["model X\n  Real x;\nend X;", "model X", "end X;"])
def test_a_class_in_documentation_is_no_sign_of_an_open_string(sample: str) -> None:
    documentation = f'annotation (Documentation(info="<html>\n{sample}\n</html>"))'
    tree = recovered(f"model A\n  Real x = ;\n  {documentation};\nend A;\nmodel B end B;\n")
    assert names(tree) == ["B"]
    assert list(messages(tree)) == ["2: expected an expression, found ';'"]


DOCUMENTATION = """  annotation (Icon(graphics={{Text(textString="%name")}}), Documentation(info="<html>
<p>The model of a drive, which isn't the <a href=\\"modelica://Library.C{0}\\">other</a> one: 5 &lt; 6 &amp; more.</p>
<pre>
model Example
  Real x \\"at the end of the package\\";
end Example;
</pre>
See http://www.example.org/?a=b#c, and the end of it.
</html>", revisions="<html><ul><li>first version of the function</li></ul></html>"));
"""
BODIES = (
    'model C{0} "The model of a drive"\n  parameter Real k(unit="N.m") = 1 "Constant of the motor";\n{1}end C{0};\n\n',
    'connector C{0}\n  Real phi "Angle";\n  flow Real tau "Torque";\nend C{0};\n\n',
    "record C{0}\n  Real a;\n  Real b;\nend C{0};\n\n",
    'function C{0}\n  output Real y;\nalgorithm\n  assert(y > 0, "must be positive: " + String(y));\nend C{0};\n\n',
    'package C{0} "In"\n  model A{0} "one"\n  end A{0};\n\n  model B{0}\n    A{0} a "a";\n  end B{0};\nend C{0};\n\n',
    'partial model C{0}\n  Real \'odd name\' = 1;\n  parameter String file = "table.txt" "of data";\n{1}end C{0};\n\n',
)


def fifty_classes(*, is_package: bool) -> str:
    bodies = [BODIES[i % len(BODIES)].format(i, DOCUMENTATION.format(i)) for i in range(50)]
    return f'package Library "Drives"\n{"".join(bodies)}end Library;\n' if is_package else "".join(bodies)


@pytest.mark.parametrize("is_package", [False, True])
def test_a_missing_quote_loses_at_most_three_of_fifty_classes(is_package: bool) -> None:  # noqa: FBT001
    text = fifty_classes(is_package=is_package)
    every = set(names(parse(text)))
    assert len(every) > 50
    quotes = [place for place, character in enumerate(text) if character == '"'][::3]
    lost = [len(every - set(names(recovered(text[:place] + text[place + 1 :])))) for place in quotes]
    assert sum(number <= 3 for number in lost) >= 0.9 * len(quotes)
    assert max(lost) < 10


def test_a_quote_too_many_loses_at_most_three_of_fifty_classes() -> None:
    text = fifty_classes(is_package=True)
    every = set(names(parse(text)))
    places = range(0, len(text), 97)
    lost = [len(every - set(names(recovered(text[:place] + '"' + text[place:])))) for place in places]
    assert sum(number <= 3 for number in lost) >= 0.9 * len(places)


@pytest.mark.parametrize(
    "text", ["", " ", "within", "model", "end", ";", "\0", '"', "/*", "((((", "model A", "\ufeff}"]
)
def test_anything_comes_back(text: str) -> None:
    tree = recovered(text)
    assert bool(tree.errors) == bool(text.strip())


def test_errors_are_in_source_order() -> None:
    tree = recovered("model A final final Real x; end A;\nmodel B Real; end B;\nmodel C flow flow Real x; end C;\n")
    assert [error.line for error in tree.errors] == [1, 2, 3]


def test_all_that_was_wrong_in_a_class_is_listed() -> None:
    tree = recovered("model M\nequation\n  x = f(a=1, 2);\n  y z;\nend M;\n")
    assert list(messages(tree)) == [
        "3: a positional argument can't follow the named argument 'a'",
        "4: expected '=', found 'z'",
    ]


def test_what_is_wrong_inside_an_unclosed_class_comes_first() -> None:
    tree = recovered("model M\n  Real x(start=1;\n")
    assert list(messages(tree)) == ["2: expected ',' or ')', found ';'"]
    assert tree.errors[0].hint == "the '(' at line 2, column 9 is not closed"


def test_declarations_behind_a_class_annotation_are_no_errors_beside_one() -> None:
    text = "model A\n  annotation (Icon());\n  Real x;\npublic\n  Real y;\n  Real z\nend A;\nmodel B\nend B;\n"
    assert list(messages(recovered(text))) == ["6: expected ';' after component 'z', found 'end'"]


@pytest.mark.parametrize("text", ["model M\n  Real x =\nend M;\n", "model M\nequation\n  if a >\nend M;\n"])
def test_a_file_while_somebody_types(text: str) -> None:
    assert recovered(text).errors
