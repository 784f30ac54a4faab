"""Recipes: edits of many files as data, with parameters and conditions; carried out twice they change nothing more.

Start with `recipe`. `operations` says for each verb when its effect already exists; `application` carries all steps
out in all files, or nothing, and runs the tests of recipes for their authors.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.recipes.application import (
        CaseResult as CaseResult,
        Report as Report,
        apply_recipe as apply_recipe,
        run_recipe_tests as run_recipe_tests,
    )
    from modelica_ast.recipes.recipe import (
        Parameter as Parameter,
        Recipe as Recipe,
        load_recipe as load_recipe,
        read_recipe as read_recipe,
    )
    from modelica_ast.recipes.targets import RecipeError as RecipeError, Target as Target

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

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "application": "CaseResult Report apply_recipe run_recipe_tests",
            "recipe": "Parameter Recipe load_recipe read_recipe",
            "targets": "RecipeError Target",
        },
    )
