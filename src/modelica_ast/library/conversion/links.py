"""`modelica://` links to classes that have other names now."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from modelica_ast.identifiers import split_name
from modelica_ast.library.conversion.rules import ConvertMessage, Rule, Rules

_IDENT: Final = r"(?:[A-Za-z_][A-Za-z_0-9]*|'[^'\"]+')"
_LINK: Final = re.compile(rf"(?P<scheme>modelica://)(?P<name>{_IDENT}(?:\.{_IDENT})*)(?P<folder>/?)", re.IGNORECASE)


class Link(NamedTuple):
    """A link that a rule speaks of."""

    offset: int
    old: str
    new: str
    rule: Rule
    is_resource: bool  # a file of the old library: where that is now, no rule says


def converted_links(text: str, rules: Rules) -> tuple[str, list[Link]]:
    """A text with its links converted, and those that a rule speaks of."""
    found: list[Link] = []

    def convert(match: re.Match[str]) -> str:
        verdict = rules.convert(tuple(split_name(match["name"])))
        if verdict.rule is None or isinstance(verdict.rule, ConvertMessage):
            return match[0]
        new = match["scheme"] + ".".join(verdict.new)
        found.append(Link(match.start(), match["scheme"] + match["name"], new, verdict.rule, bool(match["folder"])))
        return match[0] if match["folder"] else new

    return _LINK.sub(convert, text), found
