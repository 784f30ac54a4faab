"""Edits as data: every verb has a JSON form, and a list of them is a patch.

`{"op": "set_modifier", "class": "Arm", "component": "body", "path": "m", "value": 1.5}`

A value is a JSON number, boolean, string or list; `{"expression": "2*m"}` is parsed, `{"reference": "Init.NoInit"}` is
a name, `{"real": "1.50"}` a number that keeps its text. `patch.schema.json` has all of it as a JSON Schema.

The keys are the parameters of the verb. What it edits, its second parameter, is given by names: `class`, `component`.
"""

from __future__ import annotations

import importlib
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.verbs.annotations import Annotated
from modelica_ast.edit.verbs.classes import Around, Prefixed, find_literal
from modelica_ast.edit.verbs.components import find_constraint
from modelica_ast.edit.verbs.inheritance import find_extends
from modelica_ast.edit.verbs.modifiers import Modified
from modelica_ast.foundation import EditError, ModelicaSyntaxError, Record, nearest
from modelica_ast.tree import (
    ClassDefinition,
    Component,
    EnumerationLiteral,
    ExtendsClause,
    Real,
    Reference,
    ShortClassSpecifier,
    StoredDefinition,
    View,
    parse_expression,
)

Verb = Callable[..., object]

_DEEPEST: Final = 100  # levels of lists in a value; no array has more dimensions
_SHOWN: Final = 60  # characters of a wrong value that a message shows
_WORDS: Final[dict[Any, str]] = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
}

_PLACES: Final = {
    "add_class": "verbs.classes.add_class",
    "insert_class": "verbs.classes.insert_class",
    "remove_class": "verbs.classes.remove_class",
    "move_class": "verbs.classes.move_class",
    "rename_class": "verbs.renames.rename_class",
    "set_class_kind": "verbs.classes.set_class_kind",
    "set_class_prefixes": "verbs.classes.set_class_prefixes",
    "set_class_description": "verbs.classes.set_class_description",
    "add_prefix": "verbs.classes.add_prefix",
    "remove_prefix": "verbs.classes.remove_prefix",
    "set_class_base": "verbs.classes.set_class_base",
    "set_class_dimensions": "verbs.classes.set_class_dimensions",
    "add_literal": "verbs.classes.add_literal",
    "remove_literal": "verbs.classes.remove_literal",
    "rename_literal": "verbs.classes.rename_literal",
    "set_literal_description": "verbs.classes.set_literal_description",
    "set_within": "verbs.classes.set_within",
    "add_component": "verbs.components.add_component",
    "remove_component": "verbs.equations.remove_component",
    "move_component": "verbs.components.move_component",
    "rename_component": "verbs.renames.rename_component",
    "set_component_type": "verbs.components.set_type",
    "set_component_description": "verbs.components.set_description",
    "set_component_prefixes": "verbs.components.set_prefixes",
    "set_component_dimensions": "verbs.components.set_dimensions",
    "set_component_condition": "verbs.components.set_condition",
    "set_component_constraint": "verbs.components.set_constraint",
    "set_modifier": "verbs.modifiers.set_modifier",
    "remove_modifier": "verbs.modifiers.remove_modifier",
    "redeclare": "verbs.modifiers.redeclare",
    "set_modifier_prefixes": "verbs.modifiers.set_modifier_prefixes",
    "set_annotation": "verbs.annotations.set_annotation",
    "remove_annotation": "verbs.annotations.remove_annotation",
    "add_extends": "verbs.inheritance.add_extends",
    "remove_extends": "verbs.inheritance.remove_extends",
    "set_extends_base": "verbs.inheritance.set_extends_base",
    "set_extends_modifier": "verbs.modifiers.set_extends_modifier",
    "remove_extends_modifier": "verbs.modifiers.remove_extends_modifier",
    "add_import": "verbs.inheritance.add_import",
    "remove_import": "verbs.inheritance.remove_import",
    "add_import_member": "verbs.inheritance.add_import_member",
    "remove_import_member": "verbs.inheritance.remove_import_member",
    "add_equation": "verbs.equations.add_equation",
    "remove_equation": "verbs.equations.remove_equation",
    "replace_equation": "verbs.equations.replace_equation",
    "move_equation": "verbs.equations.move_equation",
    "add_statement": "verbs.equations.add_statement",
    "remove_statement": "verbs.equations.remove_statement",
    "replace_statement": "verbs.equations.replace_statement",
    "move_statement": "verbs.equations.move_statement",
    "connect": "verbs.diagram.connect",
    "disconnect": "verbs.equations.remove_connection",
    "reconnect": "verbs.equations.reconnect",
    "set_placement": "verbs.diagram.set_placement",
    "place_component": "verbs.diagram.place_component",
    "move_in_diagram": "verbs.diagram.move_in_diagram",
    "set_line": "verbs.diagram.set_line",
    "route_line": "verbs.diagram.route_line",
    "add_graphic": "verbs.diagram.add_graphic",
    "set_graphic": "verbs.diagram.set_graphic",
    "remove_graphic": "verbs.diagram.remove_graphic",
    "set_coordinate_system": "verbs.diagram.set_coordinate_system",
    "replace_text": "document.replace_text",
    "rewrite": ".patterns.rewrite_code",  # a dot leads out of this room, to one that is above it
}


class _Verbs(Mapping[str, Verb]):
    """The verbs by name; the module of a verb is imported when it is first asked for."""

    def __getitem__(self, name: str) -> Verb:
        module, _, function = _PLACES[name].rpartition(".")
        verb: Verb = getattr(importlib.import_module(f".{module}", __package__), function)
        return verb

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)


VERBS: Final = _Verbs()


def run(edit: ExactEditor, operation: Mapping[str, Any]) -> None:
    """Carry out one operation; EditError if it is not one, or if its verb refuses."""
    verb, arguments = checked(operation)
    keys, find = _SUBJECTS[_edited(verb)]
    names = {key.key: arguments.pop(key.key, None) for key in keys}
    verb(edit, find(edit, names), **arguments)


def checked(operation: Any) -> tuple[Verb, dict[str, Any]]:
    """The verb of an operation and its arguments; EditError unless there is such a verb and it takes these."""
    if not isinstance(operation, Mapping):
        raise EditError(f"an operation is an object with the key 'op', not {operation!r}")
    arguments = dict(operation)
    name = arguments.pop("op", None)
    verb = VERBS.get(name) if isinstance(name, str) else None
    if verb is None:
        raise EditError(f"there is no operation {name!r}{nearest(str(name), sorted(VERBS))}")
    return verb, _keywords(str(name), verb, arguments)


# ---------------------------------------------------------------- what a verb edits


class Parameter(Record):
    """One argument that a verb takes: its key in a patch and name in Python, its type."""

    key: str
    hint: Any
    required: bool


def _find_class(edit: ExactEditor, names: Mapping[str, Any]) -> ClassDefinition:
    return edit.find_class(names["class"])


def _find_around(edit: ExactEditor, names: Mapping[str, Any]) -> Around:
    return _find_class(edit, names) if names["class"] else edit.tree


def _find_component(edit: ExactEditor, names: Mapping[str, Any]) -> Component:
    return edit.find_component(_find_class(edit, names), names["component"])


def _find_extends(edit: ExactEditor, names: Mapping[str, Any]) -> ExtendsClause:
    return find_extends(_find_class(edit, names), names["base"])


def _find_modified(edit: ExactEditor, names: Mapping[str, Any]) -> Modified:
    if names["component"] is not None and names["base"] is not None:
        raise EditError("give 'component' or 'base', not both")
    if names["constrainedby"]:
        return find_constraint(_find_prefixed(edit, names))
    if names["component"] is not None:
        return _find_component(edit, names)
    if names["base"] is not None:
        return _find_extends(edit, names)
    owner = _find_class(edit, names)
    if not isinstance(owner.specifier, ShortClassSpecifier):
        raise EditError(
            f"give 'component' or 'base': '{owner.name_in_file}' is not a short class with modifiers itself"
        )
    return owner.specifier


def _find_prefixed(edit: ExactEditor, names: Mapping[str, Any]) -> Prefixed:
    return _find_class(edit, names) if names["component"] is None else _find_component(edit, names)


def _find_annotated(edit: ExactEditor, names: Mapping[str, Any]) -> Annotated:
    return _find_prefixed(edit, names) if names["base"] is None else _find_extends(edit, names)


def _find_literal(edit: ExactEditor, names: Mapping[str, Any]) -> EnumerationLiteral:
    return find_literal(_find_class(edit, names), names["literal"])


_CLASS: Final = Parameter("class", str, True)  # noqa: FBT003  (a field)
_COMPONENT, _BASE, _LITERAL = (Parameter(key, str, True) for key in ("component", "base", "literal"))  # noqa: FBT003
_MAYBE_CLASS, _MAYBE_COMPONENT, _MAYBE_BASE = (
    Parameter(key, str | None, False)  # noqa: FBT003
    for key in ("class", "component", "base")
)
# By the hint of the second parameter: the keys that name what is edited, and how it is found.
_SUBJECTS: Final[dict[object, tuple[tuple[Parameter, ...], Callable[[ExactEditor, Mapping[str, Any]], View]]]] = {
    StoredDefinition: ((), lambda edit, _: edit.tree),
    ClassDefinition: ((_CLASS,), _find_class),
    Around: ((_CLASS,), _find_around),
    View: ((_MAYBE_CLASS,), _find_around),  # whatever is in there
    Component: ((_CLASS, _COMPONENT), _find_component),
    ExtendsClause: ((_CLASS, _BASE), _find_extends),
    EnumerationLiteral: ((_CLASS, _LITERAL), _find_literal),
    Modified: ((_CLASS, _MAYBE_COMPONENT, _MAYBE_BASE, Parameter("constrainedby", bool, False)), _find_modified),  # noqa: FBT003
    Annotated: ((_CLASS, _MAYBE_COMPONENT, _MAYBE_BASE), _find_annotated),
    Prefixed: ((_CLASS, _MAYBE_COMPONENT), _find_prefixed),
}


@cache
def _edited(verb: Verb) -> object:
    _, edited, *_ = inspect.signature(verb).parameters
    return get_type_hints(verb)[edited]


# ---------------------------------------------------------------- arguments


@cache
def parameters(verb: Verb) -> tuple[Parameter, ...]:
    """What an operation has for a verb: the names of what it edits, and the verb's own parameters after that."""
    hints = get_type_hints(verb)
    _, _, *own = inspect.signature(verb).parameters.values()
    keys, _ = _SUBJECTS[_edited(verb)]
    return (*keys, *(Parameter(p.name, hints[p.name], p.default is p.empty) for p in own))


def _keywords(name: str, verb: Verb, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an operation as its verb takes them; EditError names the key that is wrong."""
    known = {parameter.key: parameter for parameter in parameters(verb)}
    for key in given:
        if key not in known:
            raise EditError(f"'{name}' has no '{key}'; it has {', '.join(known)}")
    for key, parameter in known.items():
        if parameter.required and key not in given:
            raise EditError(f"'{name}': missing a required argument: '{key}'")
    return {key: converted(known[key].hint, value, f"'{name}': '{key}'") for key, value in given.items()}


def kind_of(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type hint as one of few kinds, and what it is made of.

    The kinds are Any, a plain type, `list`, `Mapping`, `Literal`, `Union` and, for a TypedDict, `dict`.
    """
    origin, inner = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return dict, ()
    if origin in (Union, types.UnionType):
        return Union, inner
    if origin in (list, Sequence):
        return list, inner
    if origin in (dict, Mapping):
        return Mapping, inner[1:]
    if origin is Literal:
        return Literal, inner
    if hint is Any or hint in _WORDS:
        return hint, ()
    raise TypeError(f"{hint!r} has no form in a patch")


def converted(hint: Any, value: Any, where: str) -> Any:
    """A JSON value as a verb takes it; EditError, with the place, if its type is another."""
    kind, inner = kind_of(hint)
    if kind is Any:
        try:
            return from_json(value)
        except EditError as error:
            raise EditError(f"{where}: {error}") from None
    if kind is Union:
        fitting = [one for one in inner if _fits(one, value)]
        if fitting:
            return converted(fitting[0], value, where)
    elif _fits(hint, value):
        if kind is list:
            return [converted(inner[0], item, f"{where}[{place}]") for place, item in enumerate(value)]
        if kind is Mapping:
            return {key: converted(inner[0], item, f"{where}, '{key}'") for key, item in value.items()}
        if kind is dict:
            return _typed_dict(hint, value, where)
        return value
    raise EditError(f"{where} must be {described(hint)}, not {_shown(value)}")


def _fits(hint: Any, value: Any) -> bool:
    """Is a value of this kind, whatever is inside it?"""
    kind, inner = kind_of(hint)
    if kind is Any:
        return True
    if kind is list:
        return isinstance(value, list | tuple)
    if kind in (Mapping, dict):
        return isinstance(value, Mapping) and all(isinstance(key, str) for key in value)
    if kind is Literal:
        return value in inner
    if kind in (int, float) and isinstance(value, bool):  # which is a number in Python only
        return False
    return isinstance(value, int | float if kind is float else kind)


def _typed_dict(hint: Any, value: Mapping[str, Any], where: str) -> dict[str, Any]:
    hints = get_type_hints(hint)
    for key in value:
        if key not in hints:
            raise EditError(f"{where} has no '{key}'; it has {', '.join(hints)}")
    for key in hints:
        if key in hint.__required_keys__ and key not in value:
            raise EditError(f"{where}: missing '{key}'")
    return {key: converted(hints[key], item, f"{where}, '{key}'") for key, item in value.items()}


def described(hint: Any) -> str:
    """A type in the words of a message: `a string or null`."""
    kind, inner = kind_of(hint)
    if kind is Union:
        return " or ".join(map(described, inner))
    if kind is Literal:
        return " or ".join(map(repr, inner))
    if kind is list:
        return "a list"
    return "an object" if kind in (Mapping, dict) else _WORDS.get(kind, "a value")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def from_json(value: Any, depth: int = 0) -> Any:
    """A value of a patch as a value for a verb."""
    match value:
        case {"expression": str(text)} if len(value) == 1:
            try:
                return parse_expression(text)
            except ModelicaSyntaxError as error:
                raise EditError(f"'{text}' is not an expression: {error.message}") from None
        case {"reference": str(name)} if len(value) == 1:
            return Reference(name)
        case {"real": str(text)} if len(value) == 1:
            try:
                return Real(text)
            except ValueError:
                raise EditError(f"'{text}' is not a number") from None
        case dict():
            raise EditError(
                f"{_shown(value)} is not a value: a value is a JSON literal, or has one key: expression, "
                "reference or real"
            )
        case list():
            if depth >= _DEEPEST:
                raise EditError(f"a list nested deeper than {_DEEPEST} levels")
            return [from_json(item, depth + 1) for item in value]
        case _:
            return value
