"""Regular expressions that come from recipes and command lines, and are stopped where they would not end.

What they mean is what Python's `re` says; `(a|a)*$` would keep it busy for years. The package `regex` can stop, and
knows more notations: those are spelled so that they mean there what they mean here.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

from modelica_ast.patterns.errors import PatternError

if TYPE_CHECKING:
    import regex

# Of one expression, for all texts together. A search that ends takes microseconds; those are not counted.
_SECONDS: Final = 2.0
_SLOW: Final = 0.01
# Escapes and sets as they stand, and a brace that starts no repetition: `regex` has `x{e<=1}` for what is nearly x.
_NOTATION: Final = re.compile(r"\\N\{[^}]*\}|\\[\s\S]|(\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])|(\{(?!\d*,?\d*\}))")
_IN_SET: Final = re.compile(r"(\\[\s\S])|\[")


class RegularExpression:
    """An expression, ready to search; `re.error` if it is none."""

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
                f"the regular expression '{self.text}' takes too long on '{shown}': repeat nothing that can match "
                "the same text in several ways"
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
