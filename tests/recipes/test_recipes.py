"""Recipes: what they do, that a second run changes nothing, and what their authors read when something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from conftest import FIXTURES, ROOT
from modelica_ast.edit.patch import VERBS
from modelica_ast.foundation import load_yaml
from modelica_ast.library import Libraries
from modelica_ast.patterns import where
from modelica_ast.recipes import RecipeError, Target, apply_recipe, load_recipe, read_recipe, run_recipe_tests
from modelica_ast.recipes.application import recipe_files
from modelica_ast.recipes.operations import _IS_DONE, LIBRARY_OPERATIONS, NEEDS_CONDITION, _is_done
from modelica_ast.recipes.schema import FILE, recipe_schema, schema_text

BAD = sorted((FIXTURES / "recipes" / "bad").glob("*.yaml"))
RECIPES = [*recipe_files(FIXTURES / "recipes"), *recipe_files(ROOT / "examples" / "recipes")]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.parent.name)
def test_recipe(recipe: Path) -> None:
    """Every case comes out as wanted, and a second run changes nothing."""
    results = run_recipe_tests(recipe)
    assert results
    assert [(result.case, result.problem, result.diff) for result in results if not result.passed] == []


@pytest.mark.parametrize("file", BAD, ids=lambda path: path.stem)
def test_bad_recipe(file: Path) -> None:
    with pytest.raises(RecipeError) as error:
        read_recipe(file.read_text(encoding="utf-8"), file.name)
    assert str(error.value) + "\n" == file.with_suffix(".txt").read_text(encoding="utf-8")


# ---------------------------------------------------------------- the schema


def test_the_schema_is_that_of_the_code() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.parent.name)
def test_recipes_fit_the_schema(recipe: Path) -> None:
    data, _ = load_yaml(recipe.read_text(encoding="utf-8"), str(recipe), RecipeError)
    jsonschema.validate(data, recipe_schema())


@pytest.mark.parametrize(
    "name",
    ["unknown_verb", "unknown_key_of_verb", "unknown_step_key", "two_actions", "no_steps", "no_name", "wrong_type"],
)
def test_what_the_reader_refuses_the_schema_refuses(name: str) -> None:
    data, _ = load_yaml((FIXTURES / "recipes" / "bad" / f"{name}.yaml").read_text(encoding="utf-8"), name, RecipeError)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, recipe_schema())


def test_every_verb_can_be_repeated_or_needs_a_condition() -> None:
    by_itself = ("set_", "remove_", "move_", "disconnect", "redeclare", "place_component", "route_line")
    unknown = [
        name
        for name in VERBS
        if not name.startswith(by_itself) and name not in _IS_DONE and name not in NEEDS_CONDITION
    ]
    assert unknown == [], "say in recipes/operations.py when these are done already"


# ---------------------------------------------------------------- all or nothing


def test_a_recipe_that_fails_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "A.mo").write_text("model A\n  Real x;\nend A;\n", encoding="utf-8")
    (tmp_path / "B.mo").write_text("model B\nend B;\n", encoding="utf-8")
    target = Target(tmp_path)
    recipe = read_recipe(
        "name: r\nsteps:\n  - classes: '*'\n    do: {op: set_modifier, component: x, path: start, value: 1}\n", "r.yaml"
    )
    with pytest.raises(RecipeError) as error:
        apply_recipe(recipe, target)
    assert str(error.value) == "r.yaml:4: step 1 of 'r' in B.mo: no component 'x' in 'B'"
    assert target.diff() == ""


def test_a_recipe_is_one_step(tmp_path: Path) -> None:
    for name in "AB":
        (tmp_path / f"{name}.mo").write_text(f"model {name}\n  Real x;\nend {name};\n", encoding="utf-8")
    target = Target(tmp_path)
    recipe = read_recipe("name: r\nsteps:\n  - rewrite: {pattern: 'Real $x', to: 'Integer $x'}\n")
    report = apply_recipe(recipe, target)
    assert (report.rewritten, report.changed) == (2, ["A.mo", "B.mo"])
    assert target.diff().count("+  Integer x;") == 2
    target.workspace.undo()
    assert target.diff() == ""


def test_a_single_file_is_a_target(tmp_path: Path) -> None:
    file = tmp_path / "A.mo"
    file.write_text("model A\n  Real x;\nend A;\n", encoding="utf-8")
    (tmp_path / "B.mo").write_text("this is not Modelica", encoding="utf-8")
    target = Target(file)
    apply_recipe(read_recipe("name: r\nsteps:\n  - rewrite: {pattern: 'Real $x', to: 'Integer $x'}\n"), target)
    target.save()
    assert file.read_text(encoding="utf-8") == "model A\n  Integer x;\nend A;\n"


def test_json_is_a_recipe(tmp_path: Path) -> None:
    file = tmp_path / "recipe.json"
    file.write_text(
        json.dumps({"name": "r", "steps": [{"rewrite": {"pattern": "Real $x", "to": "Integer $x"}}]}), encoding="utf-8"
    )
    assert load_recipe(file).name == "r"


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for run in (
        lambda: load_recipe(tmp_path / "no.yaml"),
        lambda: Target(tmp_path / "no"),
        lambda: recipe_files(tmp_path),
    ):
        with pytest.raises(RecipeError, match=str(tmp_path)):
            run()


def test_a_library_step_needs_a_library(tmp_path: Path) -> None:
    (tmp_path / "A.mo").write_text("model A\nend A;\n", encoding="utf-8")
    recipe = read_recipe("name: r\nsteps:\n  - library: {op: rename, name: A.b, new: c}\n", "r.yaml")
    with pytest.raises(RecipeError, match="it is about a library, and this is not one"):
        apply_recipe(recipe, Target(tmp_path))


# ---------------------------------------------------------------- the runner


def test_the_runner_reports_a_difference(tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text(
        "name: r\nsteps:\n  - rewrite: {pattern: 'f($x)', to: 'f(f($x))'}\n", encoding="utf-8"
    )
    for name, after in (("wrong", "g(1)"), ("again", "f(f(1))")):
        for folder, text in (("before", "f(1)"), ("after", after)):
            place = tmp_path / "tests" / name / folder
            place.mkdir(parents=True)
            (place / "A.mo").write_text(f"model A\n  Real x = {text};\nend A;\n", encoding="utf-8")
    again, wrong = run_recipe_tests(tmp_path)
    assert (again.case, again.problem) == ("again", "a second run changes the files again")
    assert (wrong.case, wrong.problem) == ("wrong", "the files are not as in 'after'")
    assert "-  Real x = g(1);\n+  Real x = f(f(1));\n" in wrong.diff


def test_the_runner_wants_cases(tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text(
        "name: r\nsteps:\n  - rewrite: {pattern: 'f($x)', to: 'g($x)'}\n", encoding="utf-8"
    )
    (result,) = run_recipe_tests(tmp_path)
    assert not result.passed
    assert "there is no case" in result.problem


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("(a|a)*$", "the regular expression '(a|a)*$' takes too long on 'aaaa"),
        ("(", "'(' is not a regular expression: missing ), unterminated subpattern at position 0"),
    ],
)
def test_a_regular_expression_given_as_a_parameter_is_one_error(
    expression: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, "_SECONDS", 0.05)
    name = "a" * 60 + "b"
    (tmp_path / "a.mo").write_text(f"model {name}\nend {name};\n", encoding="utf-8")
    recipe = tmp_path / "r.yaml"
    recipe.write_text(
        "name: r\nparameters:\n  e: {type: string}\nsteps:\n  - classes: {regex: '${e}'}\n"
        "    do: {op: add_component, type: Real, name: x}\n",
        encoding="utf-8",
    )
    with pytest.raises(RecipeError) as error:
        apply_recipe(recipe, Target(tmp_path / "a.mo"), {"e": expression})
    assert f"r.yaml:5: step 1 of 'r': {message}" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("operation", LIBRARY_OPERATIONS)
def test_it_can_be_seen_that_an_operation_on_a_library_was_done(operation: str, tmp_path: Path) -> None:
    path = tmp_path / "Lib.mo"
    path.write_text("package Lib\n  package P\n  end P;\n  model A\n  end A;\nend Lib;\n", encoding="utf-8")
    _, required, optional = LIBRARY_OPERATIONS[operation]
    values = {"name": "New" if operation == "add_class" else "Lib.A", "package": "Lib.P", "new": "B", "new_name": "C"}
    arguments = {key: values[key] for key in (*required, *optional) if key in values}
    libraries = Libraries([path])
    assert not _is_done(libraries, operation, arguments)
    LIBRARY_OPERATIONS[operation][0](libraries, **arguments)
    assert _is_done(libraries, operation, arguments)
