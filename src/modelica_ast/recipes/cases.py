"""Tests of recipes, for their authors: files before and after, beside the recipe.

    recipe.yaml
    tests/<case>/before/…        files that the recipe is applied to
    tests/<case>/after/…         what they must be then, byte by byte
    tests/<case>/parameters.yaml values of parameters, if it has some
    tests/<case>/error.txt       instead of after/: a message that the recipe must end with

A second run must change nothing.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from modelica_ast.edit import unified_diff
from modelica_ast.foundation import ModelicaError, load_yaml, open_regular, read_regular
from modelica_ast.recipes.application import apply_recipe
from modelica_ast.recipes.recipe import Recipe, load_recipe
from modelica_ast.recipes.targets import RecipeError, Target

RECIPE_FILES: Final = ("recipe.yaml", "recipe.yml", "recipe.json")


@frozen
class CaseResult:
    """What came of one case."""

    recipe: str
    case: str
    problem: str = ""  # '' if it passed
    diff: str = ""  # from what is wanted to what came out

    @property
    def passed(self) -> bool:
        """Did all come out as wanted?"""
        return not self.problem


def run_recipe_tests(
    path: str | os.PathLike[str], *, read_only: Iterable[str | os.PathLike[str]] = ()
) -> list[CaseResult]:
    """Run the cases of a recipe, given by its file or its folder, or of all recipes below a folder."""
    libraries = tuple(read_only)
    results = []
    for file in recipe_files(path):
        try:
            recipe = load_recipe(file)
        except RecipeError as error:
            results.append(CaseResult(str(file), "", str(error)))
            continue
        cases = sorted(case for case in (file.parent / "tests").glob("*") if case.is_dir())
        if not cases:
            results.append(CaseResult(str(file), "", f"there is no case in {file.parent / 'tests'}"))
        results += [_run_case(recipe, case, libraries) for case in cases]
    return results


def recipe_files(path: str | os.PathLike[str]) -> list[Path]:
    """The recipes that a path names: a file, or all of a folder; RecipeError if there is none, OSError for a pipe."""
    place = Path(path)
    if place.exists() and not place.is_dir():
        os.close(open_regular(place))
        return [place]
    found = sorted(file for name in RECIPE_FILES for file in place.rglob(name))
    if not found:
        raise RecipeError(f"{path}: no recipe; it is a file, or a folder with {RECIPE_FILES[0]}")
    return found


def _run_case(recipe: Recipe, case: Path, libraries: tuple[str | os.PathLike[str], ...]) -> CaseResult:
    if not (case / "before").is_dir():
        return CaseResult(recipe.file, case.name, f"{case} has no folder 'before'")
    if (case / "after").is_dir() == (case / "error.txt").is_file():
        return CaseResult(recipe.file, case.name, f"{case} has either a folder 'after' or an error.txt")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "before"
        shutil.copytree(case / "before", copy)
        try:
            return _run_in(recipe, case, copy, libraries)
        except (ModelicaError, OSError) as error:
            return _with_error(recipe, case, str(error).replace(f"{copy}{os.sep}", ""))


def _run_in(recipe: Recipe, case: Path, folder: Path, libraries: tuple[str | os.PathLike[str], ...]) -> CaseResult:
    values = _values(case)
    _apply(recipe, folder, values, libraries)
    if (case / "error.txt").is_file():
        return CaseResult(recipe.file, case.name, "it was carried out, and error.txt says that it must fail")
    diff = _difference(case / "after", folder)
    if diff:
        return CaseResult(recipe.file, case.name, "the files are not as in 'after'", diff)
    once = _files(folder)
    try:
        _apply(recipe, folder, values, libraries)
    except ModelicaError as error:
        return CaseResult(recipe.file, case.name, f"a second run fails: {error}")
    if once != _files(folder):
        diff = _difference(case / "after", folder)
        return CaseResult(recipe.file, case.name, "a second run changes the files again", diff)
    return CaseResult(recipe.file, case.name)


def _apply(recipe: Recipe, folder: Path, values: dict[str, Any], libraries: tuple[str | os.PathLike[str], ...]) -> None:
    target = Target(folder, read_only=libraries)
    apply_recipe(recipe, target, values)
    target.save()


def _values(case: Path) -> dict[str, Any]:
    file = case / "parameters.yaml"
    if not file.is_file():
        return {}
    values, lines = load_yaml(read_regular(file).decode(), str(file), RecipeError)
    if not isinstance(values, dict):
        raise lines.error((), "parameters are a mapping of names to values")
    return values


def _with_error(recipe: Recipe, case: Path, message: str) -> CaseResult:
    file = case / "error.txt"
    if not file.is_file():
        return CaseResult(recipe.file, case.name, message)
    wanted = read_regular(file).decode().replace("\r\n", "\n").strip()
    # The file of the recipe is called as its tester called it, so the place before the message is left open.
    if message.endswith(wanted):
        return CaseResult(recipe.file, case.name)
    diff = unified_diff(wanted + "\n", message + "\n", "error.txt")
    return CaseResult(recipe.file, case.name, "it fails with another message", diff)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): read_regular(file)
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    }


def _difference(wanted: Path, found: Path) -> str:
    """A diff from what is wanted to what is there; '' if all bytes are equal."""
    one, other = _files(wanted), _files(found)
    parts = []
    for name in sorted(one.keys() | other.keys()):
        if one.get(name) != other.get(name):
            texts = [
                None if data is None else data.decode("utf-8", "replace") for data in (one.get(name), other.get(name))
            ]
            parts.append(unified_diff(texts[0], texts[1], name) or f"{name}: other bytes\n")
    return "".join(parts)
