"""Recipes: edits as data, read from YAML or JSON and checked as a whole before anything is done with them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from modelica_ast.edit import VERBS, checked, parameters as parameters_of_verb
from modelica_ast.foundation import EditError, Lines, load_yaml, nearest, read_regular
from modelica_ast.patterns import Pattern, Replacement, constraints
from modelica_ast.recipes.operations import NEEDS_CONDITION, check_library_operation
from modelica_ast.recipes.targets import CLASS_KEYS, CONDITION_KEYS, RecipeError

# ---------------------------------------------------------------- parameters
# Parameters of a recipe: declared with a type, given by its user, written as `${name}` in its steps.

Path = tuple[str | int, ...]
_USE: Final = re.compile(r"\$\{([^{}]*)\}")
TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "list": (list,),
}


@frozen
class Parameter:
    """One parameter of a recipe."""

    name: str
    type: str
    default: Any
    description: str
    required: bool

    def checked(self, value: Any, where: str) -> Any:
        """A value, if it is of the type; a text from a command line is read as one."""
        if isinstance(value, str) and self.type != "string":
            value = _from_text(value, self.type)
        fits = isinstance(value, TYPES[self.type]) and not (isinstance(value, bool) and self.type != "boolean")
        if not fits:
            article = "an" if self.type == "integer" else "a"
            raise RecipeError(f"{where}: the parameter '{self.name}' is {article} {self.type}, not {value!r}")
        return value


def _from_text(text: str, type_: str) -> Any:
    try:
        if type_ == "boolean":
            return {"true": True, "false": False}[text]
        if type_ == "integer":
            return int(text)
        if type_ == "number":
            return float(text) if not text.lstrip("+-").isdigit() else int(text)
    except (KeyError, ValueError):
        return text
    return text


def read_parameters(given: Any, lines: Lines) -> dict[str, Parameter]:
    """The declared parameters."""
    if not isinstance(given, dict):
        raise lines.error(("parameters",), "'parameters' must be a mapping of names to declarations")
    found = {}
    for name, declaration in given.items():
        path: Path = ("parameters", name)
        if not name.isidentifier():
            raise lines.error(path, f"'{name}' can't be the name of a parameter")
        if not isinstance(declaration, dict):
            raise lines.error(path, f"the parameter '{name}' takes type, default, description and required")
        for key in declaration:
            if key not in ("type", "default", "description", "required"):
                raise lines.error(
                    (*path, key), f"a parameter has no key '{key}'; the keys are type, default, description, required"
                )
        type_ = declaration.get("type", "string")
        if type_ not in TYPES:
            raise lines.error((*path, "type"), f"there is no type '{type_}'; there is {', '.join(TYPES)}")
        required = declaration.get("required", "default" not in declaration)
        if not isinstance(required, bool):
            raise lines.error((*path, "required"), "'required' must be true or false")
        default = declaration.get("default")
        parameter = Parameter(name, type_, default, str(declaration.get("description", "")), required)
        if default is not None:
            parameter.checked(default, lines.place((*path, "default")))
        found[name] = parameter
    return found


def parameter_values(parameters: Mapping[str, Parameter], given: Mapping[str, Any], recipe: str) -> dict[str, Any]:
    """What the parameters stand for; RecipeError for one that is unknown, missing or of another type."""
    for name in given:
        if name not in parameters:
            raise RecipeError(f"{recipe} has no parameter '{name}'{nearest(name, parameters)}")
    values = {}
    for name, parameter in parameters.items():
        if name in given:
            values[name] = parameter.checked(given[name], recipe)
        elif parameter.required:
            about = f" ({parameter.description})" if parameter.description else ""
            raise RecipeError(f"{recipe} needs the parameter '{name}'{about}")
        else:
            values[name] = parameter.default
    return values


def filled(value: Any, values: Mapping[str, Any], lines: Lines, path: Path) -> Any:
    """A value with its `${…}` replaced: a whole string takes the parameter's type, a part of one its text."""
    if isinstance(value, dict):
        return {key: filled(item, values, lines, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, values, lines, (*path, place)) for place, item in enumerate(value)]
    if not isinstance(value, str) or "${" not in value:
        return value
    for name in _USE.findall(value):
        if name not in values:
            raise lines.error(path, f"there is no parameter '{name}'{nearest(name, values)}")
    whole = _USE.fullmatch(value)
    if whole is not None:
        return values[whole[1]]
    return _USE.sub(lambda found: _as_text(values[found[1]]), value)


def uses(value: Any, lines: Lines, path: Path, known: Mapping[str, Any]) -> None:
    """RecipeError unless every `${…}` in a value is a parameter."""
    filled(value, dict.fromkeys(known, ""), lines, path)


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "{" + ", ".join(map(_as_text, value)) + "}"
    return "" if value is None else str(value)


# ---------------------------------------------------------------- recipe

RECIPE_KEYS: Final = ("name", "description", "parameters", "requires", "refuses", "steps")
ACTIONS: Final = ("do", "rewrite", "library")
STEP_KEYS: Final = ("name", "files", "classes", "when", "unless", "allow_empty", *ACTIONS)
REWRITE_KEYS: Final = ("pattern", "to", "kind", "where", "annotations")


@frozen(eq=False)
class Recipe:
    """A recipe as it was written: names, parameters, conditions and steps."""

    file: str
    name: str
    description: str
    parameters: dict[str, Parameter]
    requires: list[dict[str, Any]]
    refuses: list[dict[str, Any]]
    steps: list[dict[str, Any]]
    lines: Lines


def load_recipe(path: str | os.PathLike[str]) -> Recipe:
    """The recipe in a file; RecipeError says what is wrong with it, and in which line."""
    try:
        text = read_regular(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise RecipeError(f"{path}: {problem}") from None
    return read_recipe(text, str(path))


def read_recipe(text: str, file: str = "<recipe>") -> Recipe:
    """The recipe in a text; `file` is its name in messages."""
    data, lines = load_yaml(text, file, RecipeError)
    if not isinstance(data, dict):
        raise lines.error((), "a recipe must be a mapping with name, steps and more")
    _check_keys(data, RECIPE_KEYS, "a recipe", lines, ())
    for key in ("name", "steps"):
        if key not in data:
            raise lines.error((), f"a recipe needs '{key}'")
    for key in ("name", "description"):
        if not isinstance(data.get(key, ""), str):
            raise lines.error((key,), f"'{key}' is a text")
    recipe = Recipe(
        file,
        data["name"],
        data.get("description", ""),
        read_parameters(data.get("parameters", {}), lines),
        _conditions(data.get("requires", []), lines, ("requires",)),
        _conditions(data.get("refuses", []), lines, ("refuses",)),
        data["steps"] if isinstance(data["steps"], list) else [],
        lines,
    )
    if not recipe.steps:
        raise lines.error(("steps",), "'steps' must be a list of at least one step")
    for key in ("requires", "refuses", "steps"):
        uses(data.get(key), lines, (key,), recipe.parameters)
    for number, step in enumerate(recipe.steps):
        _check_step(step, recipe, ("steps", number), number + 1)
    return recipe


def _check_keys(data: dict[str, Any], known: tuple[str, ...], what: str, lines: Lines, path: Path) -> None:
    for key in data:
        if key not in known:
            near = nearest(key, known)
            raise lines.error((*path, key), f"{what} has no '{key}'{near}")


def _conditions(data: Any, lines: Lines, path: Path) -> list[dict[str, Any]]:
    conditions = [data] if isinstance(data, dict) else data
    if not isinstance(conditions, list):
        raise lines.error(path, f"'{path[-1]}' must be a condition or a list of conditions")
    for number, condition in enumerate(conditions):
        where = (*path, number) if condition is not data else path
        if not isinstance(condition, dict) or len(condition) != 1:
            raise lines.error(where, f"a condition must have exactly one key: {', '.join(CONDITION_KEYS)}")
        _check_keys(condition, CONDITION_KEYS, "a condition", lines, where)
        ((key, value),) = condition.items()
        if key == "uses":
            if not isinstance(value, dict) or not all(isinstance(version, str) for version in value.values()):
                raise lines.error((*where, key), "'uses' must be a mapping of libraries to versions, which are strings")
        elif not isinstance(value, str):
            raise lines.error((*where, key), f"'{key}' is a text")
        if key == "pattern" and "${" not in value:
            _compiled(lambda value=value: Pattern.compile(value), lines, (*where, key))
    return conditions


def _check_step(step: Any, recipe: Recipe, path: Path, number: int) -> None:
    lines = recipe.lines
    if not isinstance(step, dict):
        raise lines.error(path, f"step {number} must be a mapping with one of {', '.join(ACTIONS)}")
    _check_keys(step, STEP_KEYS, f"step {number}", lines, path)
    actions = [key for key in ACTIONS if key in step]
    if len(actions) != 1:
        raise lines.error(path, f"step {number} must have one of {', '.join(ACTIONS)}, not {len(actions)} of them")
    for key in ("when", "unless"):
        _conditions(step.get(key, []), lines, (*path, key))
    if not isinstance(step.get("allow_empty", False), bool):
        raise lines.error((*path, "allow_empty"), "'allow_empty' must be true or false")
    _check_selectors(step, lines, path)
    if actions == ["rewrite"]:
        _check_rewrite(step["rewrite"], lines, (*path, "rewrite"))
    elif actions == ["library"]:
        _check_operations(step, "library", lines, path, number)
        for key in ("files", "classes"):
            if key in step:
                raise lines.error((*path, key), f"step {number} is about libraries: their operations name classes")
    else:
        _check_operations(step, "do", lines, path, number)


def _check_selectors(step: dict[str, Any], lines: Lines, path: Path) -> None:
    files = step.get("files", [])
    if not isinstance(files, str) and not (isinstance(files, list) and all(isinstance(glob, str) for glob in files)):
        raise lines.error((*path, "files"), "'files' must be a glob or a list of globs")
    classes = step.get("classes", "")
    if isinstance(classes, str):
        return
    if not isinstance(classes, dict) or not classes:
        raise lines.error((*path, "classes"), f"'classes' must be a glob, or a mapping with {', '.join(CLASS_KEYS)}")
    _check_keys(classes, CLASS_KEYS, "'classes'", lines, (*path, "classes"))
    for key, value in classes.items():
        where = (*path, "classes", key)
        if not isinstance(value, str):
            raise lines.error(where, f"'{key}' is a text")
        if "${" in value:
            continue  # what it is will be known when the recipe is used
        if key == "pattern":
            _compiled(lambda value=value: Pattern.compile(value), lines, where)
        elif key == "regex":
            try:
                re.compile(value)
            except re.error as error:
                raise lines.error(where, f"'{value}' is not a regular expression: {error}") from None


def _check_rewrite(rewrite: Any, lines: Lines, path: Path) -> None:
    if not isinstance(rewrite, dict):
        raise lines.error(path, "'rewrite' must be a mapping with pattern and to")
    _check_keys(rewrite, REWRITE_KEYS, "'rewrite'", lines, path)
    for key in ("pattern", "to"):
        if not isinstance(rewrite.get(key), str):
            raise lines.error((*path, key), f"'rewrite' needs the string '{key}'")
    if not isinstance(rewrite.get("annotations", False), bool):
        raise lines.error((*path, "annotations"), "'annotations' must be true or false")
    if "${" not in rewrite["pattern"]:
        pattern = _compiled(lambda: Pattern.compile(rewrite["pattern"], rewrite.get("kind")), lines, (*path, "pattern"))
        if "${" not in rewrite["to"]:
            _compiled(lambda: Replacement(pattern, rewrite["to"]), lines, (*path, "to"))
        _compiled(lambda: constraints(rewrite.get("where"), pattern.names), lines, (*path, "where"))


def _compiled(make: Any, lines: Lines, path: Path) -> Any:
    try:
        return make()
    except EditError as error:
        raise lines.error(path, str(error)) from None


def _check_operations(step: dict[str, Any], key: str, lines: Lines, path: Path, number: int) -> None:
    operations = step[key]
    if isinstance(operations, dict):
        operations = [operations]
    if not isinstance(operations, list) or not operations:
        raise lines.error((*path, key), f"'{key}' must be an operation or a list of operations")
    for place, operation in enumerate(operations):
        where = (*path, key, place) if operation is not step[key] else (*path, key)
        try:
            if key == "library":
                check_library_operation(operation)
            else:
                _check_operation(operation, step, number)
        except EditError as error:
            raise lines.error(where, str(error)) from None


def _check_operation(operation: Any, step: dict[str, Any], number: int) -> None:
    name = operation.get("op") if isinstance(operation, dict) else None
    verb = VERBS.get(name) if isinstance(name, str) else None
    if verb is None:
        checked(operation)  # which says what there is
        return
    keys = {parameter.key: parameter for parameter in parameters_of_verb(verb)}
    if name in NEEDS_CONDITION and not (step.get("when") or step.get("unless")):
        raise EditError(f"'{name}' would happen again in a second run: step {number} needs 'when' or 'unless'")
    if "class" in keys and "class" not in operation and "classes" not in step:
        raise EditError(f"'{name}' needs a class: give 'class', or 'classes' for the whole step")
    given = dict(operation)
    if "class" in keys:
        given.setdefault("class", "")
    if "${" not in str(operation):  # values of parameters are checked when they are known
        checked(given)
        return
    for key in given:
        if key != "op" and key not in keys:
            raise EditError(f"'{name}' has no '{key}'; it has {', '.join(keys)}")
    for key, parameter in keys.items():
        if parameter.required and key not in given:
            raise EditError(f"'{name}': missing a required argument: '{key}'")
