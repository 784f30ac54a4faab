"""Which subtrees have the same tokens, found out without looking at all of both each time."""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.green import Green, tokens
from modelica_ast.lexer import token_text

_PRIME: Final = (1 << 61) - 1
_BASE: Final = 1_000_003
# How many tokens, their hash, and the base to the power of their number: two of them in a row make a third.
_Fingerprint = tuple[int, int, int]
_NOTHING: Final = (0, 0, 1)


class Fingerprints:
    """A memo of one search.

    `$a + $a` asks at each sum whether both sides are the same. In a sum of 2,000 terms the left side is all terms
    before, so each node is read once and its fingerprint is put together from those of its children.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, _Fingerprint]] = {}  # with the node, or its id would be given to another

    def are_same(self, one: Green, other: Green) -> bool:
        """Have both the same tokens? Blanks and comments do not count."""
        if type(one) is str and type(other) is str:
            return token_text(one) == token_text(other)
        # Equal fingerprints hardly ever lie, but they may; only then all tokens are compared.
        return self._of(one) == self._of(other) and tokens(one) == tokens(other)

    def _of(self, green: Any) -> _Fingerprint:
        known = self._known
        todo = [green] if type(green) is tuple else []
        while todo:
            node = todo[-1]
            missing = [child for child in node[1:] if type(child) is tuple and id(child) not in known]
            if missing and id(node) not in known:
                todo += missing
                continue
            todo.pop()
            if id(node) not in known:
                known[id(node)] = (node, self._in_a_row(node))
        return self._part(green)

    def _in_a_row(self, node: Any) -> _Fingerprint:
        count, mixed, power = _NOTHING
        for child in node[1:]:
            more, its, its_power = self._part(child)
            count, mixed, power = count + more, (mixed * its_power + its) % _PRIME, power * its_power % _PRIME
        return count, mixed, power

    def _part(self, green: Any) -> _Fingerprint:
        if type(green) is tuple:
            return self._known[id(green)][1]
        text = token_text(green)
        return (1, hash(text) % _PRIME, _BASE) if text else _NOTHING
