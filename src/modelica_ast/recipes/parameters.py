"""Parameters of a recipe: declared with a type, given by its user, written as `${name}` in its steps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from modelica_ast.identifiers import nearest
from modelica_ast.recipes.errors import RecipeError
from modelica_ast.recipes.yaml_lines import Lines, Path

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
        raise lines.error(("parameters",), "'parameters' is a mapping of names to their declarations")
    found = {}
    for name, declaration in given.items():
        path: Path = ("parameters", name)
        if not name.isidentifier():
            raise lines.error(path, f"'{name}' can't be the name of a parameter")
        if not isinstance(declaration, dict):
            raise lines.error(path, f"the parameter '{name}' has type, default, description and required")
        for key in declaration:
            if key not in ("type", "default", "description", "required"):
                raise lines.error(
                    (*path, key), f"a parameter has no '{key}'; it has type, default, description, required"
                )
        type_ = declaration.get("type", "string")
        if type_ not in TYPES:
            raise lines.error((*path, "type"), f"there is no type '{type_}'; there is {', '.join(TYPES)}")
        required = declaration.get("required", "default" not in declaration)
        if not isinstance(required, bool):
            raise lines.error((*path, "required"), "'required' is true or false")
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
