"""`// modelica-patch: ignore CODE` takes findings back: on its own line for the next, else for the line it is on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from modelica_ast.rules.findings import Finding

_MARK: Final = "modelica-patch:"
_COMMENT: Final = re.compile(r"//[^\n]*?modelica-patch:\s*ignore\b(?P<codes>[^\n]*)")
_CODE: Final = re.compile(r"[a-z][a-z-]*")
_EVERY: Final = "all"


def without_suppressed(findings: Iterable[Finding], text: str) -> list[Finding]:
    """The findings of a text that no comment takes back."""
    if _MARK not in text:
        return list(findings)
    ignored = _ignored(text)
    return [finding for finding in findings if not _is_ignored(finding, ignored)]


def _is_ignored(finding: Finding, ignored: dict[int, frozenset[str]]) -> bool:
    codes = ignored.get(finding.line, frozenset())
    return finding.code in codes or _EVERY in codes


def _ignored(text: str) -> dict[int, frozenset[str]]:
    """Line -> the codes that are ignored there. A comment without codes is none: it would hide too much."""
    found: dict[int, frozenset[str]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        comment = _COMMENT.search(line) if _MARK in line else None
        if comment is None:
            continue
        codes = frozenset(_CODE.findall(comment["codes"]))
        stands_alone = not line[: comment.start()].strip()
        target = number + 1 if stands_alone else number
        found[target] = found.get(target, frozenset()) | codes
    return found
