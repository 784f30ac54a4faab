"""Words of the command line as values, modifiers and places."""

from __future__ import annotations

import argparse
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypedDict

from modelica_ast.cli.exits import CommandError
from modelica_ast.edit import Where
from modelica_ast.foundation import ModelicaSyntaxError
from modelica_ast.tree import no_literal_for, parse_expression

# NAME=VALUE: not `a == b`, not `a <= b`, and not the `=` of a quoted name or of a folder before `::`.
_ASSIGNMENT: Final = re.compile(r"(?P<name>(?:.*::)?(?:'(?:[^'\\]|\\.)*'|[^'=<>:])+)=(?!=)(?P<value>.*)", re.DOTALL)
_NOT_FINITE: Final = re.compile(r"\s*([-+]?)\s*(nan|inf|infinity)\s*", re.IGNORECASE)


def value_of(text: str, around: str, *, is_string: bool = False) -> Any:
    """A value as it is written on the command line: a Modelica expression, or any text as a string.

    `around` is the text that it comes into: where that has no name `inf`, it is meant as a number.
    """
    if is_string:
        return text
    found = _NOT_FINITE.fullmatch(text)
    if found is not None and not re.search(rf"\b{found[2]}\b", around):
        raise CommandError(no_literal_for(float(found[1] + found[2])))
    try:
        return parse_expression(text)
    except ModelicaSyntaxError as error:
        raise CommandError(
            f"'{text}' is not a Modelica expression: {error.message}; a string needs its quotes, "
            f"'\"{text}\"', or --string"
        ) from None


def modifiers_of(words: Iterable[str], around: str = "", *, is_string: bool = False) -> dict[str, Any]:
    """`m=2.5 r.start={0,0,0}`, or `m 2.5`, as modifiers."""
    found: dict[str, Any] = {}
    for name, value in assignments(words):
        if name in found:
            raise CommandError(f"'{name}' is given twice")
        found[name] = value_of(value, around, is_string=is_string)
    return found


def assignments(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names and values, each as one word, `m=2.5`, or as two. Names after an address are inside it: `Arm.body m=2`."""
    rest = deque(words)
    around = ""
    while rest:
        word = rest.popleft()
        found = _ASSIGNMENT.fullmatch(word)
        if found is not None:
            name = found["name"].strip()
            yield (f"{around}.{name}" if around and "::" not in name else name), found["value"]
        elif not rest:
            raise CommandError(f"'{word}' has no value: write NAME=VALUE, or NAME VALUE")
        elif _ASSIGNMENT.fullmatch(rest[0]):
            around = word
        else:
            around = ""
            yield word, rest.popleft()


def pairs(words: list[str], what: str) -> list[tuple[str, str]]:
    """The words two by two; CommandError if one is left over."""
    if len(words) % 2:
        raise CommandError(f"{what} come in pairs, and '{words[-1]}' is left over")
    return list(zip(words[::2], words[1::2], strict=True))


def point_of(text: str) -> tuple[float, float]:
    """`20,-30` as a point."""
    parts = text.split(",")
    try:
        x, y = map(float, parts)
    except ValueError:
        raise CommandError(f"'{text}' is not a point: write X,Y") from None
    return x, y


def add_place_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where in its class something goes."""
    group = parser.add_argument_group("where it goes")
    where = group.add_mutually_exclusive_group()
    where.add_argument("--before", metavar="NAME", help="before this element or equation")
    where.add_argument("--after", metavar="NAME", help="after it")
    where.add_argument("--first", action="store_true", help="before all others")
    where.add_argument("--last", action="store_true", help="after all others")
    where.add_argument("--sorted", action="store_true", help="next to those of its type")
    group.add_argument("--section", choices=["public", "protected"], help="made if it is missing")


def where_of(options: argparse.Namespace) -> Where:
    """What the options say about the place, and nothing else."""
    where: Where = {}
    if options.before is not None:
        where["before"] = options.before
    if options.after is not None:
        where["after"] = options.after
    if options.section is not None:
        where["section"] = options.section
    for place in ("first", "last", "sorted"):
        if getattr(options, place):
            where["place"] = place
    return where


# ---------------------------------------------------------------- imports, as they are written


class Import(TypedDict):
    """What `add_import` takes."""

    name: str
    alias: str | None
    members: list[str] | None
    wildcard: bool


def member_of(text: str) -> tuple[str, str]:
    """`A.B.c`, one name of the list of an import, as the package and the name in it."""
    package, dot, member = text.strip().rpartition(".")
    if not dot:
        raise CommandError(f"'{text}' names no package: write A.B.c for one name of 'import A.B.{{c, d}}'")
    return package, member


def import_of(text: str) -> Import:
    """An import in its parts."""
    alias, equals, name = text.partition("=")
    if not equals:
        alias, name = "", text
    name = name.strip()
    members = None
    if name.endswith("}") and ".{" in name:
        name, _, listed = name[:-1].partition(".{")
        members = [member.strip() for member in listed.split(",")]
    wildcard = name.endswith(".*")
    return Import(
        name=name.removesuffix(".*"),
        alias=alias.strip() or None,
        members=members,
        wildcard=wildcard and members is None,
    )


def dimensions_of(text: str) -> list[str]:
    """`n, :` as dimensions; a comma inside brackets separates nothing."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts] if text.strip() else []
