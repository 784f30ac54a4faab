"""`modelica-patch recipe`: what authors of recipes need."""

from __future__ import annotations

import argparse
import sys

from modelica_ast.cli.catalogue import Command
from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK
from modelica_ast.cli.terminal import count, printable, styled, styled_diff, tell, write_json

COMMANDS = {
    "test": Command("modelica_ast.cli.commands.recipe:Test", "run the before/after cases of recipes"),
}


class Test:
    """`modelica-patch recipe test`: the before/after cases of recipes."""

    DESCRIPTION = """
Run the cases of a recipe, or of all recipes below a folder. A case is a folder tests/NAME beside recipe.yaml with
before/ and after/ (or error.txt, the message that the recipe must end with) and parameters.yaml if it needs some.
The recipe is applied to a copy of before/, the result is compared with after/ byte by byte, and a second run must
change nothing. Exit code 1 if a case fails.
"""
    EXAMPLES = """
  modelica-patch recipe test si_units/recipe.yaml              one recipe
  modelica-patch recipe test recipes/                          all below a folder
  modelica-patch recipe test recipes/ --library ~/Modelica     with a library that types are looked up in
"""
    USAGE = "modelica-patch recipe test RECIPE or FOLDER ... [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `recipe test` takes."""
        parser.add_argument("places", nargs="+", metavar="RECIPE", help="recipes, or folders with recipes")
        parser.add_argument(
            "--library", metavar="FOLDER", action="append", default=[], help="where types are looked up (repeatable)"
        )
        parser.add_argument("--json", action="store_true", help="the results as JSON")
        parser.add_argument("-q", "--quiet", action="store_true", help="only what fails")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Run them; 1 if one fails."""
        from modelica_ast.recipes import run_recipe_tests  # noqa: PLC0415  (PERF: only here)

        results = [one for place in options.places for one in run_recipe_tests(place, read_only=options.library)]
        failed = [one for one in results if not one.passed]
        if options.json:
            data = [
                {"recipe": one.recipe, "case": one.case, "passed": one.passed, "problem": one.problem, "diff": one.diff}
                for one in results
            ]
            write_json({"cases": data})
            return EXIT_FOUND if failed else EXIT_OK
        for one in results:
            if one.passed and options.quiet:
                continue
            mark = styled("ok", "added", sys.stdout) if one.passed else styled("FAILED", "error", sys.stdout)
            sys.stdout.write(f"{mark} {printable(one.recipe)}{' ' if one.case else ''}{printable(one.case)}\n")
            if not one.passed:
                sys.stdout.write(f"  {one.problem}\n")
                sys.stdout.writelines(styled_diff(one.diff, sys.stdout))
        tell(f"{count(len(results), 'case')}, {len(failed)} failed", quiet=options.quiet)
        return EXIT_FOUND if failed else EXIT_OK
