"""What the generators of operations share: arguments that fit a class, and those that are new to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from hypothesis import strategies as st

from modelica_ast.testing.leaves import dotted_names, json_values, names
from modelica_ast.testing.subjects import ClassFacts

Operation = dict[str, Any]
Operations = st.SearchStrategy[Operation]
# From the facts about a class to the arguments of a verb that fit there (`op` and `class` need not be among them); None
# where there is nothing that the verb could be about.
Generator = Callable[[ClassFacts], Operations | None]

TYPES: Final = ("Real", "A.B", ".Modelica.Blocks.Gain")
DESCRIPTIONS: Final = ("", "text", 'a "quoted" word', "two\nlines", "back\\slash", "é")
DIMENSIONS: Final[tuple[list[Any], ...]] = ([], [3], [2, ":"], [{"expression": "n + 1"}])
COMMENTS: Final = st.sampled_from(("drop", "keep"))
_NEW_NAMES: Final = ("new_1", "z", "Another", "'new one'")


def fields(**given: st.SearchStrategy[Any]) -> Operations:
    """Arguments by their keys in a patch; `class_` stands for `class`."""
    return st.fixed_dictionaries({key.rstrip("_"): value for key, value in given.items()})


def one_of(*parts: Operations | None) -> Operations | None:
    """Any of these, without those that are None; None if nothing is left."""
    given = [part for part in parts if part is not None]
    return st.one_of(given) if given else None


def for_any(things: Iterable[Any], make: Callable[[Any], Operations | None]) -> Operations | None:
    """Arguments that are about one of these things, whichever."""
    return one_of(*map(make, things))


def new_name(taken: Iterable[str]) -> st.SearchStrategy[str]:
    """A name that is not among these."""
    known = set(taken)
    return st.sampled_from([name for name in _NEW_NAMES if name not in known])


def modifiers() -> st.SearchStrategy[dict[str, Any]]:
    """Modifiers of something new, by their paths."""
    return st.dictionaries(dotted_names(max_parts=2), json_values(), max_size=2)


def paths(there: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Paths that are there, longer ones, and others."""
    new = dotted_names()
    if not there:
        return new
    known = st.sampled_from(there)
    return known | new | st.tuples(known, names()).map(".".join)


def beside(found: Operations, neighbours: Iterable[str]) -> Operations:
    """The same arguments, or with a place before or behind one of these neighbours."""
    names_ = list(neighbours)
    if not names_:
        return found
    place = st.tuples(st.sampled_from(("before", "after")), st.sampled_from(names_))
    return found | st.tuples(found, place).map(lambda drawn: {**drawn[0], drawn[1][0]: drawn[1][1]})


def in_class(found: Operations, facts: ClassFacts) -> Operations:
    """The same arguments, or with any place in a class that is given by a word or by a neighbour."""
    words = st.fixed_dictionaries(
        {}, optional={"place": st.sampled_from(("first", "last", "sorted")), "section": st.sampled_from(_SECTIONS)}
    )
    by_words = st.tuples(found, words).map(lambda drawn: {**drawn[0], **drawn[1]})
    return beside(found, facts.declared) | by_words


_SECTIONS: Final = ("public", "protected")
