"""Which files and classes a step is about, and whether a condition holds there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from attrs import frozen

from modelica_ast.edit.document import Document
from modelica_ast.edit.handles import ClassHandle
from modelica_ast.library.conversion.versions import used_version
from modelica_ast.patterns import Pattern
from modelica_ast.patterns.regular_expressions import RegularExpression
from modelica_ast.recipes.errors import RecipeError
from modelica_ast.recipes.targets import Target, TargetFile

CLASS_KEYS: Final = ("name", "regex", "kind", "extends", "component", "pattern")
CONDITION_KEYS: Final = ("class", "component", "pattern", "uses")


@frozen(eq=False)
class Selected:
    """A class that a step is about."""

    file: TargetFile
    document: Document
    name: str  # in the file
    full_name: str


def selected_files(target: Target, globs: str | list[str] | None) -> list[TargetFile]:
    """The files whose names fit one of the globs; all without any."""
    wanted = [globs] if isinstance(globs, str) else globs
    files = target.files()
    if wanted is None:
        return files
    return [file for file in files if any(fnmatchcase(file.name, glob) for glob in wanted)]


def selected_classes(target: Target, files: list[TargetFile], wanted: str | Mapping[str, Any]) -> list[Selected]:
    """The classes of some files that a selector fits; a text is a glob for the full name."""
    selector: Mapping[str, Any] = {"name": wanted} if isinstance(wanted, str) else wanted
    pattern = Pattern.compile(selector["pattern"]) if "pattern" in selector else None
    expression = _expression(selector["regex"]) if "regex" in selector else None
    found = []
    for file in files:
        if pattern is not None and not pattern.may_match(target.text_of(file)):
            continue
        document = target.document(file)
        inside = {match.path for match in pattern.find(document)} if pattern is not None else None
        found += [
            one
            for one in classes_of(file, document)
            if _fits(one, selector)
            and (expression is None or expression.finds(one.full_name))
            and (inside is None or one.full_name in inside)
        ]
    return found


def _expression(text: str) -> RegularExpression:
    try:
        return RegularExpression(text)
    except re.error as error:  # it was written with a parameter, so nobody has looked at it before
        raise RecipeError(f"'{text}' is no regular expression: {error}") from None


def classes_of(file: TargetFile, document: Document) -> Iterator[Selected]:
    """Every class of a file, each before those inside it."""
    within = document.within
    prefix = f"{within}." if within else ""
    todo: list[tuple[ClassHandle, str]] = [(handle, handle.view.name) for handle in reversed(document.classes)]
    while todo:
        handle, name = todo.pop()
        yield Selected(file, document, name, prefix + name)
        todo += [(inner, f"{name}.{inner.view.name}") for inner in reversed(handle.classes)]


def _fits(one: Selected, selector: Mapping[str, Any]) -> bool:
    handle = one.document.find_class(one.name)
    if "name" in selector and not fnmatchcase(one.full_name, selector["name"]):
        return False
    if "kind" in selector and handle.kind != selector["kind"]:
        return False
    if "extends" in selector and not any(fnmatchcase(base, selector["extends"]) for base in handle.extends):
        return False
    if "component" in selector:
        return any(fnmatchcase(component.name, selector["component"]) for component in handle.components)
    return True


def holds(target: Target, condition: Mapping[str, Any], selected: Selected | None) -> bool:
    """Does a condition hold: in the selected class, or without one in any file?"""
    if "uses" in condition:
        return all(_uses(target, name, version) for name, version in condition["uses"].items())
    if "class" in condition:
        every = (one.full_name for file in target.files() for one in classes_of(file, target.document(file)))
        return any(fnmatchcase(name, condition["class"]) for name in every)
    if selected is not None:
        return _holds_in(condition, selected)
    if "pattern" in condition:
        pattern = Pattern.compile(condition["pattern"])
        files = [file for file in target.files() if pattern.may_match(target.text_of(file))]
        return any(pattern.find(target.document(file)) for file in files)
    every_class = [one for file in target.files() for one in classes_of(file, target.document(file))]
    return any(_holds_in(condition, one) for one in every_class)


def _holds_in(condition: Mapping[str, Any], selected: Selected) -> bool:
    if "component" in condition:
        return _fits(selected, {"component": condition["component"]})
    inside = selected.full_name
    matches = Pattern.compile(condition["pattern"]).find(selected.document)
    return any(match.path == inside for match in matches)  # what lies in a class inside it is another's


def _uses(target: Target, name: str, version: str) -> bool:
    if target.libraries is None:
        raise RecipeError("'uses' asks for a library, and this is none: there is no package.mo")
    found = [used_version(target.libraries, library, name) for library in target.libraries if not library.read_only]
    return any(one is not None and fnmatchcase(one, version) for one in found)
