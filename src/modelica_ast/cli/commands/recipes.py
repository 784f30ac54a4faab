"""`modelica-patch apply` and `recipe`: recipes carried out, and what their authors need."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from modelica_ast.cli.catalogue import Command
from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, CommandError, reading, writing
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import count, printable, styled, styled_diff, tell, write_json

if TYPE_CHECKING:
    from modelica_ast.edit import Document
    from modelica_ast.files import FileWrite
    from modelica_ast.recipes import Parameter, Target


def parameters_of(texts: Iterable[str]) -> dict[str, str]:
    """`name=value` words as parameters."""
    values: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise CommandError(f"'{text}' is not a parameter: write name=value")
        if name in values:
            raise CommandError(f"the parameter '{name}' is given twice")
        values[name] = value
    return values


class TargetSession(Session):
    """The files that a recipe is applied to, for what shows and writes changes."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        self._target = target

    @property
    def opened(self) -> list[Document]:
        """The documents that were opened."""
        return list(self._target.workspace.documents)

    def _writes(self) -> Iterator[FileWrite]:
        yield from self._target.workspace.writes()

    def save(self, *, force: bool = False) -> None:
        """Write all that has changed: every file, or none."""
        with writing():
            self._target.save(force=force)


class Apply:
    """`modelica-patch apply`: recipes carried out."""

    DESCRIPTION = """
Apply a recipe to a library, a folder or a file. A recipe is a YAML file: parameters, conditions, and steps that select
classes and edit them with verbs, patterns or operations on libraries. All of its steps are done, in all files, or
none; a second run changes nothing more. 'modelica-patch help recipes' explains them, --parameters lists what one
takes.
"""

    EXAMPLES = """
  modelica-patch apply si_units/recipe.yaml Lib/               see the diff
  modelica-patch apply si_units/recipe.yaml Lib/ -i            and write it
  modelica-patch apply rename.yaml Lib/ -p class=Lib.Arm -p name=m
  modelica-patch apply rename.yaml --parameters                what it takes
"""

    USAGE = "modelica-patch apply RECIPE [FILE or FOLDER] [-p NAME=VALUE ...] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `apply` takes."""
        parser.add_argument("recipe", metavar="RECIPE", help="a YAML or JSON file")
        parser.add_argument("place", nargs="?", metavar="FOLDER", help="a library, a folder of files, or a file")
        parser.add_argument("-p", "--parameter", metavar="NAME=VALUE", action="append", default=[], help="(repeatable)")
        parser.add_argument("--parameters", action="store_true", help="list the recipe's parameters, and do nothing")
        parser.add_argument(
            "--library", metavar="FOLDER", action="append", default=[], help="where types are looked up (repeatable)"
        )
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Carry it out, and show or write the result."""
        from modelica_ast.recipes import RecipeError, Target, apply_recipe, load_recipe  # noqa: PLC0415  (PERF: only here)

        with reading(RecipeError):
            recipe = load_recipe(options.recipe)
        if options.parameters:
            return _list_parameters(recipe.name, recipe.description, list(recipe.parameters.values()))
        if options.place is None:
            raise CommandError("name the folder or the file that the recipe is applied to")
        target = Target(options.place, read_only=options.library)
        for link in target.left_alone:
            tell(f"{link} is a link that leads out of its folder; it is left alone", quiet=options.quiet)
        report = apply_recipe(recipe, target, parameters_of(options.parameter))
        return finish(TargetSession(target), options, recipe=report.recipe, rewritten=report.rewritten)


def _list_parameters(name: str, description: str, parameters: list[Parameter]) -> int:
    lines = [name, *([" ".join(description.split())] if description else [])]
    for one in parameters:
        note = "required" if one.required else f"default {one.default!r}"
        lines.append(f"  {one.name}  {one.type}, {note}{': ' if one.description else ''}{one.description}")
    if not parameters:
        lines.append("  it takes no parameters")
    sys.stdout.write("\n".join(lines) + "\n")
    return EXIT_OK


COMMANDS = {
    "test": Command("modelica_ast.cli.commands.recipes:Test", "run the before/after cases of recipes"),
}


class Test:
    """`modelica-patch recipe test`: the before/after cases of recipes."""

    DESCRIPTION = """
Run the cases of a recipe, or of all recipes below a folder. A case is a folder tests/NAME beside recipe.yaml with
before/ and after/ (or error.txt, the message that the recipe must end with) and parameters.yaml if it needs some. The
recipe is applied to a copy of before/, the result is compared with after/ byte by byte, and a second run must change
nothing. Exit code 1 if a case fails.
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
