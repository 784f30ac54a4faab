"""Operations on equations, statements and connections."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from modelica_ast.testing.operations import COMMENTS, Generator, Operations, beside, fields
from modelica_ast.testing.surroundings import ClassFacts
from modelica_ast.testing.values import dotted_names

_EQUATIONS: Final = ("x = 2*y", "der(z) = 1;", "when b then\n  reinit(x, 0);\nend when")
_STATEMENTS: Final = ("x := 2*y", "(a, b) := f(x);", "for i in 1:3 loop\n  x := x + i;\nend for")


def _add_equation(facts: ClassFacts) -> Operations | None:
    found = fields(equation=st.sampled_from(_EQUATIONS), initial=st.booleans())
    return _added(facts, found, fields(equation=st.sampled_from(_EQUATIONS)), facts.equations)


def _add_statement(facts: ClassFacts) -> Operations | None:
    found = fields(statement=st.sampled_from(_STATEMENTS), initial=st.booleans())
    return _added(facts, found, fields(statement=st.sampled_from(_STATEMENTS)), facts.statements)


def _added(facts: ClassFacts, alone: Operations, plain: Operations, there: tuple[str, ...]) -> Operations | None:
    """With a neighbour, it is the neighbour's section that says whether it is initial."""
    return alone | beside(plain, there) if facts.has_body else None


def _on_equation(**given: st.SearchStrategy[Any]) -> Generator:
    return lambda facts: fields(equation=st.sampled_from(facts.equations), **given) if facts.equations else None


def _on_statement(**given: st.SearchStrategy[Any]) -> Generator:
    return lambda facts: fields(statement=st.sampled_from(facts.statements), **given) if facts.statements else None


def _moved(key: str, there: tuple[str, ...]) -> Operations | None:
    if len(there) < 2:  # noqa: PLR2004  (one moves beside another)
        return None
    any_ = st.sampled_from(there)
    return fields(**{key: any_, "before": any_}) | fields(**{key: any_, "after": any_})


def _ends(facts: ClassFacts) -> st.SearchStrategy[str]:
    new = dotted_names(max_parts=2)
    return new if not facts.components else new | st.sampled_from([f"{found.name}.p" for found in facts.components])


def _connect(facts: ClassFacts) -> Operations | None:
    return fields(one=_ends(facts), other=_ends(facts)) if facts.has_body else None


def _disconnect(facts: ClassFacts) -> Operations | None:
    # Verbs find a connection by its ends in either order.
    either = [ends for one, other in facts.connections for ends in ((one, other), (other, one))]
    return st.sampled_from(either).map(lambda ends: {"one": ends[0], "other": ends[1]}) if either else None


def _reconnect(facts: ClassFacts) -> Operations | None:
    found = _disconnect(facts)
    if found is None:
        return None
    return st.tuples(found, _ends(facts)).map(
        lambda drawn: {"kept": drawn[0]["one"], "old": drawn[0]["other"], "new": drawn[1]}
    )


GENERATORS: Final[dict[str, Generator]] = {
    "add_equation": _add_equation,
    "remove_equation": _on_equation(comments=COMMENTS),
    "replace_equation": _on_equation(new=st.sampled_from(_EQUATIONS)),
    "move_equation": lambda facts: _moved("equation", facts.equations),
    "add_statement": _add_statement,
    "remove_statement": _on_statement(comments=COMMENTS),
    "replace_statement": _on_statement(new=st.sampled_from(_STATEMENTS)),
    "move_statement": lambda facts: _moved("statement", facts.statements),
    "connect": _connect,
    "disconnect": _disconnect,
    "reconnect": _reconnect,
}
