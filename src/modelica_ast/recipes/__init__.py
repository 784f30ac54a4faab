"""Recipes: edits of many files as data, with parameters and conditions; carried out twice they change nothing more."""

from modelica_ast.recipes.applying import Report, apply_recipe
from modelica_ast.recipes.errors import RecipeError
from modelica_ast.recipes.parameters import Parameter
from modelica_ast.recipes.recipe import Recipe, load_recipe, read_recipe
from modelica_ast.recipes.targets import Target
from modelica_ast.recipes.testing import CaseResult, run_recipe_tests

__all__ = [
    "CaseResult",
    "Parameter",
    "Recipe",
    "RecipeError",
    "Report",
    "Target",
    "apply_recipe",
    "load_recipe",
    "read_recipe",
    "run_recipe_tests",
]
