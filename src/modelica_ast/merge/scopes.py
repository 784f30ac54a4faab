"""Names that one side removed and the other still uses: a text merge would leave them dangling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from modelica_ast.compare.grouping import lists_of, names_of
from modelica_ast.compare.things import Thing
from modelica_ast.lexer import lex, token_text
from modelica_ast.merge.layout import Shift
from modelica_ast.record import Record


class Scope(Record):
    """Names that were declared around a place, and that a side does not declare there any more."""

    gone_from_ours: frozenset[str] = frozenset()
    gone_from_theirs: frozenset[str] = frozenset()
    # Members that a side removed and the other uses from outside, anywhere in the file.
    missed_in_ours: frozenset[str] = frozenset()
    missed_in_theirs: frozenset[str] = frozenset()
    shift: Shift = Shift()  # from the lines of theirs to those of ours, inside what has moved

    def inside(self, base: Thing | None, ours: Thing, theirs: Thing) -> Scope:
        """The scope of a class that stands in this one."""
        if base is None:
            return self
        before, here, there = (frozenset(declared_in(version)) for version in (base, ours, theirs))
        return Scope(
            (self.gone_from_ours - here) | (before - here),
            (self.gone_from_theirs - there) | (before - there),
            self.missed_in_ours,
            self.missed_in_theirs,
            self.shift,
        )

    def shifted_by(self, shift: Shift) -> Scope:
        """The same names where lines start otherwise."""
        return Scope(self.gone_from_ours, self.gone_from_theirs, self.missed_in_ours, self.missed_in_theirs, shift)


def declared_in(version: Thing) -> Iterator[str]:
    """The names that a class declares or imports, by themselves."""
    for inside in lists_of(version):
        for item in inside.children:
            if item.shape == "clause":
                yield from names_of(item)
            elif item.what == "class":
                yield item.name
            elif item.what == "import":
                yield item.name.removeprefix("import ").rpartition(".")[2]


def uses_more(new: str, old: str, names: Collection[str], members: Collection[str]) -> bool:
    """Does a text use one of these names more often than another does, or reach for one of these members?"""
    if not any(name in new for name in names) and not any(name in new for name in members):
        return False
    before = _uses(old, names, members)
    return any(count > before[name] for name, count in _uses(new, names, members).items())


def _uses(text: str, names: Collection[str], members: Collection[str]) -> Counter[str]:
    """How often each name is written by itself, and each member behind a dot or as a modifier."""
    found: Counter[str] = Counter()
    tokens = ["", *(token_text(leaf) for leaf, _ in lex(text, lazy=False)), ""]
    for place, token in enumerate(tokens):
        if token in names or token in members:
            previous, following = tokens[place - 1], tokens[place + 1]
            is_modifier = previous in ("(", ",") and following in ("(", "=")
            if (token in names and previous != ".") or (token in members and (previous == "." or is_modifier)):
                found[token] += 1
    return found
