"""Carry out a recipe: all of its steps in all files, or nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define, field

from modelica_ast.edit import VERBS, parameters as parameters_of_verb
from modelica_ast.foundation import EditError, ModelicaError, nearest
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
            raise self._error(f"'classes' ({shown}) fits no class; 'allow_empty: true' permits that", "classes")
        return [one for one in found if self._holds(one)]

    # ------------------------------------------------------------ the three actions

    def _run_in_libraries(self) -> None:
        libraries = self._target.libraries
        if libraries is None:
            raise self._error("it is about a library, and this is none: there is no package.mo", "library")
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
