"""Instance trees held against what OpenModelica says about the same classes.

The facts are beside the project in ../shared/oracle: of small packages about one rule each, and of the Standard
Library (`make test-corpus`). A value that is not known here is not a difference; one that is wrong is.
"""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from conftest import ROOT
from modelica_ast import Reference
from modelica_ast.foundation.identifiers import split_name
from modelica_ast.library import Libraries
from modelica_ast.library.class_files import instance
from modelica_ast.semantics.instances import ComponentInstance, Node

ORACLE = ROOT.parent / "shared" / "oracle"
TRICKY = sorted((ORACLE / "tricky").glob("*.json"))
STANDARD = ORACLE / "msl_facts.jsonl.gz"

# What the specification decides against OpenModelica: (class, path, kind of fact) -> the reason with its section.
EXCEPTIONS: Final[dict[tuple[str, str, str], str]] = {}
KINDS: Final = ("class", "components", "type", "origin", "dimensions", "size", "value", "condition")
MOST_UNKNOWN: Final = {"value": 350, "size": 55, "condition": 2}  # of the Standard Library
_DIGITS: Final = 1e-5  # OpenModelica prints six


class Agreement:
    """How many facts of each kind are equal, differ, or are not known here."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.differences: list[str] = []

    def add(self, kind: str, place: tuple[str, str], theirs: object, ours: object) -> None:
        """Count a fact."""
        if ours == theirs:
            self.counts[kind, "equal"] += 1
        elif (*place, kind) in EXCEPTIONS:
            self.counts[kind, "excepted"] += 1
        else:
            self.counts[kind, "differ"] += 1
            self.differences.append(f"{place[0]} {place[1]}: {kind} is {theirs!r}, here {ours!r}")

    def add_unknown(self, kind: str) -> None:
        """Count a fact that is not known here."""
        self.counts[kind, "unknown here"] += 1

    def __str__(self) -> str:
        columns = ("equal", "differ", "unknown here", "excepted")
        rows = [f"{kind:12}" + "".join(f"{self.counts[kind, column]:14}" for column in columns) for kind in KINDS]
        return "\n".join([f"{'':12}" + "".join(f"{column:>14}" for column in columns), *rows])


def report(agreement: Agreement) -> None:
    sys.stdout.write(f"\n{agreement}\n")
    assert not agreement.differences, "\n".join(agreement.differences[:50])


# ---------------------------------------------------------------- facts


def compare_class(libraries: Libraries, fact: dict[str, Any], agreement: Agreement) -> None:
    name = fact.get("asked", fact["class"])
    found = instance(libraries, name)
    agreement.add("class", (name, ""), fact["class"], found.name)
    if "literals" in fact:
        return
    groups: dict[str, dict[str, Any]] = {}
    for path, component in fact["components"].items():
        *before, last = split_name(path)
        groups.setdefault(".".join(before), {})[last] = component
    for where, components in groups.items():
        node: Node | None = found.get(where) if where else found
        around = fact["components"][split_name(where)[0]] if where else {}
        if node is None and around.get("prefixes", {}).get("inner"):
            continue  # MLS 5.4: an `inner` that is missing at the top is added; here it stays missing
        if node is None:
            agreement.add("components", (name, where), "found", "not found")
            continue
        is_short = (fact if not where else fact["components"][where]).get("incomplete", False)
        compare_components(node, components, (name, where), agreement, is_short=is_short)


def compare_components(
    node: Node, facts: dict[str, Any], place: tuple[str, str], agreement: Agreement, *, is_short: bool
) -> None:
    ours = node.components
    theirs = {
        name: fact for name, fact in facts.items() if name in ours or not fact.get("prefixes", {}).get("inner", False)
    }
    if is_short:  # OpenModelica leaves out what `redeclare model extends` inherits
        agreement.add("components", place, [], sorted(set(theirs) - set(ours)))
    else:
        agreement.add("components", place, list(theirs), list(ours))
    for name, fact in theirs.items():
        if name in ours:
            compare_component(ours[name], fact, (place[0], f"{place[1]}.{name}".lstrip(".")), agreement)


def compare_component(
    ours: ComponentInstance, fact: dict[str, Any], place: tuple[str, str], agreement: Agreement
) -> None:
    if fact.get("prefixes", {}).get("inner") and ours.is_outer and not ours.is_inner:
        return  # MLS 5.4, as above
    agreement.add("type", place, fact["type"], ours.type_name)
    agreement.add("origin", place, fact["from"], ours.declared_in)
    compare_sizes(ours, fact, place, agreement)
    compare_condition(ours, fact, place, agreement)
    if "value" in fact and ours.binding is not None:  # without a binding, OpenModelica takes `start`
        value = plain(ours.value)
        if value is None:
            agreement.add_unknown("value")
        else:
            agreement.add("value", place, fact["value"], fact["value"] if is_same(fact["value"], value) else value)


def compare_sizes(ours: ComponentInstance, fact: dict[str, Any], place: tuple[str, str], agreement: Agreement) -> None:
    sizes = fact.get("dims", [])
    dimensions = ours.dimensions
    if fact.get("condition") is False and not sizes:
        return  # nothing is said of what is not there
    agreement.add("dimensions", place, len(sizes), len(dimensions))
    for theirs, dimension in zip(sizes, dimensions, strict=False):
        if isinstance(theirs, int):
            if dimension.size is None:
                agreement.add_unknown("size")
            else:
                agreement.add("size", place, theirs, dimension.size)


def compare_condition(
    ours: ComponentInstance, fact: dict[str, Any], place: tuple[str, str], agreement: Agreement
) -> None:
    condition = fact.get("condition", True)
    if not isinstance(condition, bool):
        return
    if ours.is_present is None:
        agreement.add_unknown("condition")
    else:
        agreement.add("condition", place, condition, ours.is_present)


def plain(value: Any) -> Any:
    """A value as the facts have it."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return {"enum": value.name} if isinstance(value, Reference) else value


def is_same(theirs: Any, ours: Any) -> bool:
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(theirs) == len(ours) and all(map(is_same, theirs, ours))
    if isinstance(theirs, dict) and isinstance(ours, dict):  # the type may have another name there
        return split_name(theirs["enum"])[-2:] == split_name(ours["enum"])[-2:]
    if isinstance(theirs, bool) or isinstance(ours, bool):
        return theirs is ours
    if isinstance(theirs, int | float) and isinstance(ours, int | float):
        return math.isclose(theirs, ours, rel_tol=_DIGITS, abs_tol=1e-300)
    return bool(theirs == ours)


# ---------------------------------------------------------------- tests


@pytest.mark.skipif(not TRICKY, reason="there are no facts about instances in ../shared/oracle")
def test_tricky_packages() -> None:
    agreement = Agreement()
    for path in TRICKY:
        libraries = Libraries([path.with_suffix(".mo")])
        for fact in json.loads(path.read_text(encoding="utf-8"))["facts"]:
            compare_class(libraries, fact, agreement)
    report(agreement)
    unknown = {kind: count for (kind, column), count in agreement.counts.items() if column == "unknown here"}
    assert not unknown


@pytest.mark.corpus
@pytest.mark.skipif(not STANDARD.is_file(), reason="there are no facts about instances in ../shared/oracle")
def test_the_standard_library(msl: Path) -> None:
    beside = [path for path in msl.parent.iterdir() if path.name.startswith(("Modelica", "Complex"))]
    libraries = Libraries([], read_only=sorted(beside))
    agreement = Agreement()
    for fact in facts_of(STANDARD):
        compare_class(libraries, fact, agreement)
    report(agreement)
    for kind, most in MOST_UNKNOWN.items():
        assert agreement.counts[kind, "unknown here"] <= most, kind


def facts_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        (1, 1.0, True),
        (0.333333, 1 / 3, True),
        (0.3334, 1 / 3, False),
        (1, True, False),
        ([1, 2], [1, 2, 3], False),
        ({"enum": "P.E.a"}, {"enum": "Q.P.E.a"}, True),
        ({"enum": "P.E.a"}, {"enum": "P.E.b"}, False),
        ([1], 1, False),
    ],
)
def test_values_are_told_apart(theirs: object, ours: object, *, expected: bool) -> None:
    assert is_same(theirs, ours) is expected


def test_a_difference_fails() -> None:
    agreement = Agreement()
    agreement.add("value", ("P.M", "x"), 1, 2)
    with pytest.raises(AssertionError, match=r"P\.M x: value is 1, here 2"):
        report(agreement)
