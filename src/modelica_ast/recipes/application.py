"""Carry out a recipe: all of its steps in all files, or nothing; and the tests of recipes, which do so in a copy."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from modelica_ast.edit import VERBS, parameters as parameters_of_verb, unified_diff
from modelica_ast.foundation import EditError, ModelicaError, load_yaml, nearest, open_regular, read_regular
from modelica_ast.patterns import Pattern, rewrite
from modelica_ast.recipes.operations import ensure, ensure_in_libraries
from modelica_ast.recipes.recipe import Recipe, filled, load_recipe, parameter_values
from modelica_ast.recipes.targets import (
    RecipeError,
    Selected,
    Target,
    classes_of,
    holds,
    selected_classes,
    selected_files,
)


@define
class Report:
    """What a recipe did."""

    recipe: str
    rewritten: int = 0  # matches of patterns whose text has changed
    changed: list[str] = field(factory=list)  # the files that differ, by their names


def apply_recipe(
    recipe: Recipe | str | os.PathLike[str], target: Target, parameters: Mapping[str, Any] | None = None
) -> Report:
    """Carry out a recipe on files as one step; nothing is written until `target.save()`.

    RecipeError names the recipe's file and line, the step, and the Modelica file that it failed in.
    """
    read = recipe if isinstance(recipe, Recipe) else load_recipe(recipe)
    values = parameter_values(read.parameters, parameters or {}, read.file)
    report = Report(read.name)
    before = {file.name: target.text_of(file) for file in target.files()}
    with target.transaction():
        _check_conditions(read, target, values)
        for number, step in enumerate(read.steps):
            _Step(read, target, number, filled(step, values, read.lines, ("steps", number)), report).run()
    after = {file.name: target.text_of(file) for file in target.files()}
    report.changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return report


def _check_conditions(recipe: Recipe, target: Target, values: Mapping[str, Any]) -> None:
    for key, wanted in (("requires", True), ("refuses", False)):
        for number, condition in enumerate(getattr(recipe, key)):
            path = (key, number)
            ready = filled(condition, values, recipe.lines, path)
            ((what, value),) = ready.items()
            try:
                found = holds(target, ready, None)
            except ModelicaError as error:
                raise recipe.lines.error(path, str(error)) from None
            if found is not wanted:
                shown = ", ".join(f"{name} {version}" for name, version in value.items()) if what == "uses" else value
                verb = "is not there" if wanted else "is there"
                raise recipe.lines.error(path, f"the recipe can't be used here: {what} '{shown}' {verb}")


class _Step:
    """One step, its parameters filled in."""

    def __init__(self, recipe: Recipe, target: Target, number: int, step: dict[str, Any], report: Report) -> None:
        self._recipe = recipe
        self._target = target
        self._number = number
        self._step = step
        self._report = report

    def run(self) -> None:
        """Do it in all files and classes that it is about."""
        if "library" in self._step:
            self._run_in_libraries()
        elif "rewrite" in self._step:
            self._rewrite()
        else:
            self._run_operations()

    def _error(self, error: Exception | str, *path: str | int, file: str = "") -> RecipeError:
        place = self._recipe.lines.place(("steps", self._number, *path))
        where = f" in {file}" if file else ""
        return RecipeError(f"{place}: step {self._number + 1} of '{self._recipe.name}'{where}: {error}")

    def _holds(self, selected: Selected | None) -> bool:
        for key, wanted in (("when", True), ("unless", False)):
            given = self._step.get(key, [])
            for condition in [given] if isinstance(given, dict) else given:
                try:
                    found = holds(self._target, condition, selected)
                except ModelicaError as error:
                    raise self._error(error, key) from None
                if found is not wanted:
                    return False
        return True

    def _files(self) -> list[Any]:
        files = selected_files(self._target, self._step.get("files"))
        if not files and not self._step.get("allow_empty"):
            what = f"'files' ({self._step['files']})" if "files" in self._step else "the folder"
            raise self._error(f"{what} has no file; 'allow_empty: true' permits that", "files")
        return files

    def _classes(self, files: list[Any]) -> list[Selected]:
        wanted = self._step["classes"]
        try:
            found = selected_classes(self._target, files, wanted)
        except ModelicaError as error:
            raise self._error(error, "classes") from None
        if not found and not self._step.get("allow_empty"):
            shown = wanted if isinstance(wanted, str) else ", ".join(f"{key}: {value}" for key, value in wanted.items())
            raise self._error(f"'classes' ({shown}) matches no class; 'allow_empty: true' permits that", "classes")
        return [one for one in found if self._holds(one)]

    # ------------------------------------------------------------ the three actions

    def _run_in_libraries(self) -> None:
        libraries = self._target.libraries
        if libraries is None:
            raise self._error("it is about a library, and this is not one: there is no package.mo", "library")
        if not self._holds(None):
            return
        for place, operation in enumerate(_several(self._step["library"])):
            try:
                ensure_in_libraries(libraries, operation)
            except ModelicaError as error:
                raise self._error(error, "library", place) from None

    def _rewrite(self) -> None:
        given = self._step["rewrite"]
        files = self._files()
        try:
            pattern = Pattern.compile(given["pattern"], given.get("kind"))
        except EditError as error:
            raise self._error(error, "rewrite", "pattern") from None
        inside: dict[str, list[str]] | None = None
        if "classes" in self._step:
            inside = {}
            for one in self._classes(files):
                inside.setdefault(one.file.name, []).append(one.full_name)
        elif not self._holds(None):
            return
        for file in files:
            if inside is not None and file.name not in inside:
                continue
            try:
                if pattern.may_match(self._target.text_of(file)):
                    self._report.rewritten += rewrite(
                        self._target.document(file),
                        pattern,
                        given["to"],
                        where=given.get("where"),
                        libraries=self._target.lookup,
                        annotations=given.get("annotations", False),
                        classes=None if inside is None else inside[file.name],
                    )
            except (ModelicaError, OSError) as error:
                raise self._error(error, "rewrite", file=file.name) from None

    def _run_operations(self) -> None:
        operations = _several(self._step["do"])
        files = self._files()
        if "classes" not in self._step:
            if self._holds(None):
                for place, operation in enumerate(operations):
                    self._run_by_name(operation, place, files)
            return
        for one in self._classes(files):
            for place, operation in enumerate(operations):
                takes_class = any(p.key == "class" for p in parameters_of_verb(VERBS[operation["op"]]))
                ready = {"class": one.name, **operation} if takes_class else operation
                self._ensure(one, ready, place)

    def _run_by_name(self, operation: dict[str, Any], place: int, files: list[Any]) -> None:
        """An operation that names its class, by its full name or as it is called in its file."""
        name = operation.get("class", "")
        every = [one for file in files for one in classes_of(file, self._target.document(file))]
        found = [one for one in every if name in (one.full_name, one.name)]
        if operation["op"] == "remove_class" and not found:
            return
        if not found:
            near = nearest(name, [one.full_name for one in every])
            raise self._error(f"no class '{name}'{near}", "do", place)
        self._ensure(found[0], {**operation, "class": found[0].name}, place)

    def _ensure(self, one: Selected, operation: Mapping[str, Any], place: int) -> None:
        try:
            ensure(one.document, operation)
        except ModelicaError as error:
            raise self._error(error, "do", place, file=one.file.name) from None


def _several(value: Any) -> Iterable[dict[str, Any]]:
    found: list[dict[str, Any]] = [value] if isinstance(value, dict) else value
    return found


# ---------------------------------------------------------------- cases
# Tests of recipes, for their authors: files before and after, beside the recipe.
#
#     recipe.yaml
#     tests/<case>/before/…        files that the recipe is applied to
#     tests/<case>/after/…         what they must be then, byte by byte
#     tests/<case>/parameters.yaml values of parameters, if it has some
#     tests/<case>/error.txt       instead of after/: a message that the recipe must end with
#
# A second run must change nothing.

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
        raise RecipeError(f"{path}: not a recipe: name a file, or a folder with {RECIPE_FILES[0]}")
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
        return CaseResult(recipe.file, case.name, "it succeeded, but error.txt says that it must fail")
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
        raise lines.error((), "parameters must be a mapping of names to values")
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
