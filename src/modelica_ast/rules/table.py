"""All rules of the check: their codes, how bad it is to break them, and where the specification has them.

Codes are stable: people write them into comments and options. Sections are those of the specification, version 3.7.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from modelica_ast.foundation import Record


class Rule(Record):
    """One rule."""

    code: str
    severity: str  # error, warning or note
    section: str  # of the specification; '' for what it does not speak about
    sentence: str


_ALL: Final = (
    Rule("unreadable", "error", "", "A file can't be read."),
    Rule("syntax", "error", "A", "The text is not Modelica."),
    Rule("obsolete", "warning", "A", "Old or foreign syntax that tools still read."),
    Rule("duplicate-name", "error", "4.2", "Two elements of a class have the same name."),
    Rule("duplicate-inherited", "error", "7.1", "An element has the name of an inherited one that is something else."),
    Rule("duplicate-import", "error", "13.2.2", "Two imports of a class bring the same name."),
    Rule("duplicate-modifier", "error", "7.2.4", "A list of modifiers sets the same thing twice."),
    Rule("duplicate-argument", "error", "12.4.1", "A call gives the same named argument twice."),
    Rule("unknown-type", "error", "5.3", "The type of a component or of a short class is not found."),
    Rule("unknown-base", "error", "5.3", "The class after `extends` is not found."),
    Rule("replaceable-base", "warning", "7.1.4", "The class after `extends` may be replaced from outside."),
    Rule("component-as-type", "error", "5.3.2", "The name of a type starts with a component, which hides any class."),
    Rule("ambiguous-import", "error", "13.2.1", "A name that is used comes from more than one `import P.*`."),
    Rule("inheritance-cycle", "error", "7.1", "A class inherits from itself, directly or through others."),
    Rule("unknown-import", "error", "13.2.1", "What is imported is not found."),
    Rule("unknown-function", "error", "5.3", "The function of a call is not found."),
    Rule("unknown-reference", "error", "5.3", "A name in an expression, an equation or a statement is not found."),
    Rule("unknown-modifier", "error", "7.2", "A modifier names something that the modified class does not have."),
    Rule("unknown-argument", "error", "12.4.1", "A named argument is not among the inputs of the function."),
    Rule("library-not-open", "note", "13.3", "Names lead into a library that is not open; they are not judged."),
    Rule("connect-no-component", "error", "9.1", "An end of a connection is not a component."),
    Rule("connect-no-connector", "error", "9.1", "An end of a connection is not a connector."),
    Rule("connect-mismatch", "error", "9.3", "Two connectors that are connected do not fit together."),
    Rule("connect-no-source", "warning", "9.3", "Two inputs are connected with each other and with nothing else."),
    Rule("connect-itself", "warning", "9.1", "A connection has the same end twice."),
    Rule("duplicate-connect", "warning", "9.1", "The same connection is written twice."),
    Rule("redeclare-not-replaceable", "error", "7.3.3", "Something is redeclared that is not replaceable."),
    Rule("final-modified", "error", "7.2.6", "Something is modified that is final."),
    Rule("each-without-array", "warning", "7.2.5", "`each` is used where there is no array."),
    Rule("section-not-allowed", "error", "4.7", "The kind of a class does not allow this section."),
    Rule("second-body", "error", "12.2", "A function has more than one algorithm or external clause."),
    Rule("prefix-not-allowed", "error", "4.7", "The kind of a class does not allow this prefix of an element."),
    Rule("package-variable", "error", "4.7", "A package has a component that is not constant."),
    Rule("public-in-function", "error", "12.2", "A public component of a function is neither input nor output."),
    Rule("not-in-function", "error", "12.2", "A function uses what needs time, events or states."),
    Rule("assigned-constant", "error", "11.2.1", "A constant or a parameter is assigned."),
    Rule("assigned-input", "error", "12.2", "An input of a function is assigned in it."),
    Rule("derivative-of-constant", "warning", "3.7.4", "The derivative of a constant or a parameter is always zero."),
    Rule("unused-import", "warning", "", "An import is not used in its class."),
    Rule("unused-protected", "warning", "", "A protected variable or parameter is not used."),
    Rule("misspelt-annotation", "warning", "18", "An annotation is spelt almost like a standard one."),
    Rule("graphics", "warning", "18.9", "A graphical annotation has an argument that its record does not have."),
    Rule("within", "error", "13.4.3", "The within clause does not fit the place of the file."),
    Rule("file-name", "error", "13.4.1", "The class of a file does not have the name of the file or its folder."),
    Rule("package-order", "warning", "13.4.1", "package.order does not fit what is in the package."),
    Rule("missing-library", "warning", "18.11.2", "A library is used that is not installed, or not in this version."),
    Rule("broken-link", "warning", "13.6", "A modelica:// link leads nowhere."),
    Rule("library-files", "warning", "13.4", "Something else is wrong with the files of a library."),
)

RULES: Final[dict[str, Rule]] = {rule.code: rule for rule in _ALL}

# What is reported of an edit: something that it names is not there, can't be changed, or does not fit.
EDITED: Final = frozenset(
    "unknown-modifier unknown-reference connect-no-component connect-no-connector connect-mismatch connect-no-source "
    "final-modified redeclare-not-replaceable misspelt-annotation graphics".split()
)

# ---------------------------------------------------------------- findings
# What a check finds: a rule, a place and a sentence.


class Place(Record):
    """A line of a file; None for a text that came from no file."""

    path: Path | None
    line: int


class Finding(Record):
    """One place where a rule is broken. Lines and columns count from 1; 0 is the file as a whole."""

    code: str
    path: Path | None  # None for a text that came from no file
    line: int
    column: int
    message: str
    hint: str = ""
    offset: int = 0  # in characters, from the start of the text
    end: int = 0  # after the last character
    about: Place | None = None  # the declaration that settles it: of the class that lacks what is named, say
    near: Place | None = None  # the declaration of the name that the hint proposes

    @property
    def severity(self) -> str:
        """`error`, `warning` or `note`."""
        return RULES[self.code].severity

    def __str__(self) -> str:
        place = f"{'<text>' if self.path is None else self.path}:{self.line}:{self.column}"
        return f"{place}: {self.severity}: {self.message} [{self.code}]"


# ---------------------------------------------------------------- suppressing
# `// modelica-patch: ignore CODE` takes findings back: on its own line for the next, else for the line it is on.

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
    """Line -> the codes that are ignored there. A comment without codes does not count: it would hide too much."""
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
