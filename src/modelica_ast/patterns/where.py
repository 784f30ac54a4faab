"""Constraints on what metavariables stand for: `where={"x": {"regex": "^flange_", "type": "Modelica.…"}}`.

On a command line: `x ~ ^flange_`, `x !~ ^flange_`, `x is number`, `x : Modelica.Units.SI.Length`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from modelica_ast.edit import at
from modelica_ast.foundation import nearest, split_name
from modelica_ast.library import Libraries, classes_of, lookup_of
from modelica_ast.patterns.matcher import parts_of
from modelica_ast.patterns.stretches import Bound, Stretch
from modelica_ast.patterns.trees import PatternError
from modelica_ast.semantics import (
    Environment,
    Found,
    Member,
    Target,
    identity_of,
    lookup_in_root,
    type_parts,
    within_parts,
)
from modelica_ast.syntax import KINDS, Green, Node, accepted, child_at, symbol, tokens

if TYPE_CHECKING:
    import regex


# ---------------------------------------------------------------- typed
# The type of what a metavariable stands for, looked up as the specification has it.


class Types:
    """Lookup from places of one tree."""

    def __init__(self, root: Node, file: FilePath | None, libraries: Libraries | None) -> None:
        self._tree: Hashable = None
        self._has_libraries = libraries is not None
        self._root = root
        if libraries is None:
            self._lookup = lookup_in_root(root)
        elif file is not None and libraries.entry_at(file.resolve()) is not None:
            self._tree = file.resolve()
            self._lookup = lookup_of(libraries, {file.resolve(): root})
        else:
            self._lookup = lookup_in_root(root, classes_of(libraries).files)

    def is_of(self, bound: Bound, wanted: str, what: str) -> bool:
        """Is the declared type of what was captured this class, or one that extends it? PatternError if unknown."""
        return all(self._is_of(place, wanted, what) for place in bound.places)

    def is_class(self, place: Stretch, wanted: str) -> bool:
        """Does a name stand for this very class, however it is written? PatternError if that is not known."""
        parts = split_name(wanted)
        wanted_parts = self._lookup.resolve(None, parts, is_global=True)
        looked_for = _class(wanted_parts[-1])
        if looked_for is None and self._has_libraries:
            raise PatternError(f"there is no class '{wanted}' in the file and the libraries")
        names = [part.name for part in parts_of(place.green)]
        resolved = self._resolved(place, names)
        if resolved[-1] is not None:
            return _is_same(_class(resolved[-1]), looked_for)
        may_be_near = list(within_parts(self._root)) and parts[-len(names) :] == names != parts
        if may_be_near and not self._has_libraries:
            raise PatternError(f"'{_text(place)}' leads out of the file; give the libraries that it may come from")
        # A name that nothing in reach declares is a full one.
        return names == parts and (resolved[0] is None or _is_same(_class(resolved[0]), _class(wanted_parts[0])))

    def _is_of(self, place: Stretch, wanted: str, what: str) -> bool:
        found = self._lookup.resolve(None, split_name(wanted.removeprefix(".")), is_global=True)[-1]
        class_ = _class(found)
        if class_ is None:
            where = "the file and the libraries" if self._has_libraries else "the file; give its libraries"
            raise PatternError(f"there is no class '{wanted}' in {where}")
        looked_for = identity_of(class_)
        return any(identity_of(part) == looked_for for part in self._type_of(place, what).ancestry())

    def _type_of(self, place: Stretch, what: str) -> Environment:
        """The type of a component, or a class itself."""
        hint = "" if self._has_libraries else "; give the libraries that it comes from"
        found = self._found(place)
        if isinstance(found, Environment):
            return found
        if not isinstance(found, Member):
            raise PatternError(f"the type of {what} can't be looked up: '{_text(place)}' leads out of the file{hint}")
        type_ = found.environment
        if type_ is None:
            text = _text(place) if found.is_class else str(found.type_name)
            raise PatternError(f"the type of {what} can't be looked up: there is no class '{text}'{hint}")
        return type_

    def _found(self, place: Stretch) -> Found | None:
        parent: Any = at(self._root, place.parent)
        kind = KINDS[parent[0]]
        if kind == "component_declaration" and place.first == 1:
            return self._lookup.declared_at(Target(self._tree, place.parent))
        if kind == "component_declaration1" and place.first == 1:
            around = self._lookup.environment_at(Target(self._tree, place.path))
            parts, is_global = type_parts(at(self._root, place.parent[:-1]))
            found = self._lookup.resolve(None if around is None else around.scope, parts, is_global=is_global)[-1]
            return found.environment if isinstance(found, Member) and found.is_class else found
        names = [part.name for part in parts_of(place.green)]
        if not all(name.isidentifier() or name.startswith("'") for name in names):
            return None
        return self._resolved(place, names)[-1]

    def _resolved(self, place: Stretch, names: list[str]) -> list[Found | None]:
        """What each part of a written name stands for; the name of an import clause is a full one."""
        around = self._lookup.environment_at(Target(self._tree, place.path))
        is_full = tokens(place.green)[0] == "." or symbol(at(self._root, place.parent)) == "import_clause"
        return self._lookup.resolve(None if around is None else around.scope, names, is_global=is_full)


def _is_same(one: Environment | None, other: Environment | None) -> bool:
    return one is not None and other is not None and identity_of(one) == identity_of(other)


def _class(found: Found | None) -> Environment | None:
    """What was found, if it is a class."""
    class_ = found.environment if isinstance(found, Member) and found.is_class else found
    return class_ if isinstance(class_, Environment) else None


def _text(place: Stretch) -> str:
    return " ".join(tokens(place.green))


# ---------------------------------------------------------------- regular expressions
# Regular expressions that come from recipes and command lines, and are stopped where they would not end.
#
# What they mean is what Python's `re` says; `(a|a)*$` would keep it busy for years. The package `regex` can stop, and
# knows more notations: those are spelled so that they mean there what they mean here.

# Of one expression, for all texts together. A search that ends takes microseconds; those are not counted.
_SECONDS: Final = 2.0
_SLOW: Final = 0.01
# Escapes and sets as they are, and a brace that starts no repetition: `regex` has `x{e<=1}` for what is nearly x.
_NOTATION: Final = re.compile(r"\\N\{[^}]*\}|\\[\s\S]|(\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])|(\{(?!\d*,?\d*\}))")
_IN_SET: Final = re.compile(r"(\\[\s\S])|\[")


class RegularExpression:
    """An expression, ready to search; `re.error` if it is not one."""

    def __init__(self, text: str) -> None:
        self.text = text
        re.compile(text)
        self._left = _SECONDS
        self._compiled: regex.Pattern[str] | None = None

    def finds(self, text: str) -> bool:
        """Is it somewhere in the text? PatternError if that takes too long to find out."""
        if self._compiled is None:
            self._compiled = _compiled(self.text)
        start = time.thread_time()
        try:
            return self._compiled.search(text, timeout=self._left) is not None
        except TimeoutError:
            shown = text if len(text) <= 60 else f"{text[:59]}…"  # noqa: PLR2004  (what fits on a line)
            raise PatternError(
                f"the regular expression '{self.text}' takes too long on '{shown}': do "
                "not repeat what can match the same text in several ways"
            ) from None
        finally:
            spent = time.thread_time() - start
            if spent > _SLOW:
                self._left = max(self._left - spent, _SLOW)


def _compiled(text: str) -> regex.Pattern[str]:
    import regex  # noqa: PLC0415  (start-up time: few commands search by expressions)

    try:
        return regex.compile(_NOTATION.sub(_respelled, text), regex.VERSION0)
    except regex.error as error:
        raise PatternError(f"the regular expression '{text}' can't be used here: {error}") from None


def _respelled(found: re.Match[str]) -> str:
    if found[1]:  # in a set, `[:alpha:]` is a notation of `regex` only
        inside = _IN_SET.sub(lambda piece: piece[1] or r"\[", found[1][1:])
        return f"[{inside}"
    return rf"\{found[2]}" if found[2] else found[0]


# ---------------------------------------------------------------- constraints

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
CAPTURE_KINDS: Final = (*_KINDS, "literal", "expression")


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
            raise PatternError(
                f"'{text}' is not a constraint: write 'x ~ regex', 'x !~ regex', 'x is kind' or 'x : type'"
            )
        name, key = found[1], _KEY_OF[found[2]]
        if key in where.setdefault(name, {}):
            raise PatternError(f"two constraints of one kind for ${name}: '{where[name][key]}' and '{found[3]}'")
        where[name][key] = found[3]
    return where


def _constraint(name: str, given: Mapping[str, Any]) -> Constraint:
    for key, value in given.items():
        if key not in _KEYS:
            raise PatternError(f"a constraint has no key '{key}'; the keys are {', '.join(_KEYS)}")
        if not isinstance(value, str):
            raise PatternError(f"'{key}' of ${name} must be a string, not {value!r}")
    kind = given.get("kind")
    if kind is not None and kind not in CAPTURE_KINDS:
        raise PatternError(f"${name} can't be of kind '{kind}'; it can be {', '.join(CAPTURE_KINDS)}")
    return Constraint(
        _expression(name, given.get("regex")), _expression(name, given.get("not_regex")), kind, given.get("type")
    )


def _expression(name: str, text: str | None) -> RegularExpression | None:
    try:
        return None if text is None else RegularExpression(text)
    except re.error as error:
        raise PatternError(f"'{text}', the constraint of ${name}, is not a regular expression: {error}") from None


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
