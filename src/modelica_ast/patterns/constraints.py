"""Constraints on what metavariables stand for: `where={"x": {"regex": "^flange_", "type": "Modelica.…"}}`.

On a command line: `x ~ ^flange_`, `x !~ ^flange_`, `x is number`, `x : Modelica.Units.SI.Length`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import frozen

from modelica_ast.green import Green, child_at, symbol, tokens
from modelica_ast.identifiers import nearest
from modelica_ast.patterns.captures import Bound
from modelica_ast.patterns.errors import PatternError
from modelica_ast.patterns.regular_expressions import RegularExpression
from modelica_ast.shape import accepted

Where = Mapping[str, Mapping[str, Any]]

_KEYS: Final = ("regex", "not_regex", "kind", "type")
_TEXT_FORM: Final = re.compile(r"\s*\$*([A-Za-z_][A-Za-z_0-9]*)\s*(~|!~|:|\bis\b)\s*(.*?)\s*", re.DOTALL)
_KEY_OF: Final = {"~": "regex", "!~": "not_regex", ":": "type", "is": "kind"}
# What a capture can be, by the symbols of its tree.
_KINDS: Final[dict[str, frozenset[str]]] = {
    "number": frozenset({"UNSIGNED_NUMBER"}),
    "string": frozenset({"STRING"}),
    "boolean": frozenset({"TRUE", "FALSE"}),
    "identifier": frozenset({"IDENT"}),
    "name": frozenset({"IDENT", "component_reference", "type_specifier", "name"}),
    "call": frozenset({"function_call"}),
    "array": frozenset({"array", "array_comprehension", "matrix"}),
}
KIND_NAMES: Final = (*_KINDS, "literal", "expression")


@frozen
class Constraint:
    """What the capture of one metavariable must be."""

    regex: RegularExpression | None = None
    not_regex: RegularExpression | None = None
    kind: str | None = None
    type: str | None = None

    def fits(self, bound: Bound, text: str) -> bool:
        """Does a capture fit, but for its type, which has to be looked up?"""
        if self.regex is not None and not self.regex.finds(text):
            return False
        if self.not_regex is not None and self.not_regex.finds(text):
            return False
        return self.kind is None or all(_is(self.kind, place.green) for place in bound.places)


def constraints(where: Where | None, names: Iterable[str]) -> dict[str, Constraint]:
    """Constraints as data, checked; `names` are the metavariables of the pattern."""
    known = list(names)
    found = {}
    for name, given in (where or {}).items():
        name_only = name.lstrip("$")
        if name_only not in known:
            raise PatternError(f"there is no ${name_only} in the pattern to constrain{nearest(name_only, known)}")
        if not isinstance(given, Mapping):
            raise PatternError(f"the constraint of ${name_only} is an object with {', '.join(_KEYS)}, not {given!r}")
        found[name_only] = _constraint(name_only, given)
    return found


def parse_where(texts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Constraints as they are written on a command line, each `x ~ regex`, `x !~ regex`, `x is kind` or `x : type`."""
    where: dict[str, dict[str, str]] = {}
    for text in texts:
        found = _TEXT_FORM.fullmatch(text)
        if found is None or not found[3]:
            raise PatternError(f"'{text}' is no constraint: write 'x ~ regex', 'x !~ regex', 'x is kind' or 'x : type'")
        name, key = found[1], _KEY_OF[found[2]]
        if key in where.setdefault(name, {}):
            raise PatternError(f"two constraints of one kind for ${name}: '{where[name][key]}' and '{found[3]}'")
        where[name][key] = found[3]
    return where


def _constraint(name: str, given: Mapping[str, Any]) -> Constraint:
    for key, value in given.items():
        if key not in _KEYS:
            raise PatternError(f"a constraint has no '{key}'; it has {', '.join(_KEYS)}")
        if not isinstance(value, str):
            raise PatternError(f"'{key}' of ${name} is a string, not {value!r}")
    kind = given.get("kind")
    if kind is not None and kind not in KIND_NAMES:
        raise PatternError(f"${name} can't be of kind '{kind}'; it can be {', '.join(KIND_NAMES)}")
    return Constraint(
        _expression(name, given.get("regex")), _expression(name, given.get("not_regex")), kind, given.get("type")
    )


def _expression(name: str, text: str | None) -> RegularExpression | None:
    try:
        return None if text is None else RegularExpression(text)
    except re.error as error:
        raise PatternError(f"'{text}', the constraint of ${name}, is no regular expression: {error}") from None


def _is(kind: str, green: Green) -> bool:
    if kind == "expression":
        return symbol(green) in accepted("expression")
    if kind in ("number", "literal") and symbol(green) == "unary":
        assert isinstance(green, tuple)
        words = tokens(green)
        return words[0] in ("-", "+") and len(words) == 2 and _is("number", child_at(green, 2))  # noqa: PLR2004
    if kind == "literal":
        return any(_is(one, green) for one in ("number", "string", "boolean"))
    return symbol(green) in _KINDS[kind]
