"""Edits at random that fit a text: operations of a patch about what the text has.

Every verb of `modelica_ast.edit.patch` has its generator: in GENERATORS, or in FILE_GENERATORS if it is about no class.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from hypothesis import reject, strategies as st

from modelica_ast.edit import Document
from modelica_ast.foundation import EditError
from modelica_ast.testing import declarations
from modelica_ast.testing.subjects import (
    COMMENTS,
    ClassFacts,
    Generator,
    Operation,
    Operations,
    beside,
    classes_of,
    dotted_names,
    fields,
)

# ---------------------------------------------------------------- file edits
# Operations that are about a file and no class of it.


def _set_within(_text: str) -> Operations:
    return fields(within=st.none() | st.just("") | dotted_names())


def _replace_text(text: str) -> Operations:
    """Some line gets blanks at its end: that parses wherever it is."""
    lines = text.split("\n")

    def blanks_behind(number: int, blanks: str) -> dict[str, object]:
        line = lines[number].removesuffix("\r")
        return {"replacements": [{"line": number + 1, "old": line, "new": line + blanks}]}

    return st.builds(blanks_behind, st.integers(0, len(lines) - 1), st.sampled_from((" ", "  ", "\t")))


# For each verb a function from the text of a file to the arguments that fit there.
FILE_GENERATORS: Final[dict[str, Callable[[str], Operations]]] = {
    "replace_text": _replace_text,
    "set_within": _set_within,
}

# ---------------------------------------------------------------- diagram edits
# Operations on what a diagram editor shows: placements, lines of connections, icons.

_PLACEMENTS: Final[tuple[dict[str, Any], ...]] = (
    {"extent": [[-10, -10], [10, 10]]},
    {"rotation": 90},
    {"visible": False},
    {"origin": [20, 0], "extent": [[0, 0], [10, 5]], "rotation": -90},
    {"iconTransformation": {"extent": [[90, -10], [110, 10]]}},
)
_LINES: Final[tuple[dict[str, Any], ...]] = (
    {"points": [[0, 0], [10, 0]]},
    {"color": [0, 0, 255]},
    {"points": [[0, 0], [5, 0], [5, 8.5]], "thickness": 0.5},
)
_ITEMS: Final[tuple[dict[str, Any], ...]] = (
    {"kind": "Line", "points": [[0, 0], [10, 0]]},
    {"kind": "Rectangle", "extent": [[-100, -100], [100, 100]], "lineColor": [0, 0, 127]},
    {"kind": "Text", "extent": [[-100, 100], [100, 140]], "textString": "%name"},
)
_SYSTEMS: Final[tuple[dict[str, Any], ...]] = (
    {"extent": [[-100, -100], [100, 100]]},
    {"preserveAspectRatio": False, "grid": [2, 2]},
)
_LAYERS: Final = st.sampled_from(("Icon", "Diagram"))
_COORDINATES: Final = st.integers(-100, 100) | st.just(2.5)


def _on_component(**given: st.SearchStrategy[Any]) -> Generator:
    """A verb that needs a component, and else only what is given here."""

    def generate(facts: ClassFacts) -> Operations | None:
        names = [component.name for component in facts.components]
        return fields(component=st.sampled_from(names), **given) if names else None

    return generate


def _on_connection(**given: st.SearchStrategy[Any]) -> Generator:
    """A verb that needs a connection, and else only what is given here."""

    def generate(facts: ClassFacts) -> Operations | None:
        if not facts.connections:
            return None
        ends = st.sampled_from(facts.connections).map(lambda found: {"one": found[0], "other": found[1]})
        return st.tuples(ends, fields(**given)).map(lambda drawn: {**drawn[0], **drawn[1]})

    return generate


def _on_layer(**given: st.SearchStrategy[Any]) -> Generator:
    """A verb that needs a class with a body."""
    return lambda facts: fields(layer=_LAYERS, **given) if facts.has_body else None


DIAGRAM_EDITS: Final[dict[str, Generator]] = {
    "set_placement": _on_component(placement=st.sampled_from(_PLACEMENTS)),
    "place_component": _on_component(x=_COORDINATES, y=_COORDINATES),
    "move_in_diagram": _on_component(dx=_COORDINATES, dy=_COORDINATES),
    "set_line": _on_connection(line=st.sampled_from(_LINES)),
    "route_line": _on_connection(),
    "add_graphic": _on_layer(item=st.sampled_from(_ITEMS)),
    "set_graphic": _on_layer(index=st.integers(0, 1), item=st.sampled_from(_ITEMS)),
    "remove_graphic": _on_layer(index=st.integers(0, 1)),
    "set_coordinate_system": _on_layer(system=st.sampled_from(_SYSTEMS)),
}

# ---------------------------------------------------------------- equation edits
# Operations on equations, statements and connections.

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


EQUATION_EDITS: Final[dict[str, Generator]] = {
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

# ---------------------------------------------------------------- edits

GENERATORS: Final[dict[str, Generator]] = {
    **declarations.CLASS_EDITS,
    **declarations.COMPONENT_EDITS,
    **EQUATION_EDITS,
    **DIAGRAM_EDITS,
}
_NOWHERE: Final = "no_such_thing"
# What an operation finds something by.
_SELECTORS: Final = ("class", "component", "base", "equation", "statement", "one", "before", "after", "path")


def edits(
    source: Document | str, *, verbs: Collection[str] | None = None, misses: bool = False
) -> st.SearchStrategy[Operation]:
    """Operations of a patch that fit a document or a text: `document.apply([operation])`.

    They name classes, components, paths and connections that are there, and new ones where something is added. `verbs`
    chooses among them. A verb may still refuse; with `misses` some operations name what is not there and should be
    refused. Where nothing fits, the example is rejected.
    """
    known = {**GENERATORS, **FILE_GENERATORS}
    chosen = [*known] if verbs is None else list(verbs)
    unknown = sorted(set(chosen) - set(known))
    if unknown:
        raise ValueError(f"there are no edits for the verb '{unknown[0]}'; there are for {', '.join(known)}")
    return _edits(source, chosen, misses)


@st.composite
def _edits(draw: st.DrawFn, source: Document | str, verbs: list[str], misses: bool) -> Operation:  # noqa: FBT001
    document = Document(source) if isinstance(source, str) else source
    of_file = [verb for verb in verbs if verb in FILE_GENERATORS]
    of_class = [verb for verb in verbs if verb in GENERATORS]
    fitting = [(facts, possible) for facts in classes_of(document.tree) if (possible := _possible(facts, of_class))]
    if not fitting and not of_file:
        reject()
    # A class by its number, and one more for the file: Hypothesis prints what it chooses from.
    number = draw(st.integers(0, len(fitting) - (0 if of_file else 1)))
    if number == len(fitting):
        verb = draw(st.sampled_from(of_file))
        return {"op": verb, **draw(FILE_GENERATORS[verb](document.text))}
    facts, possible = fitting[number]
    verb = draw(st.sampled_from(sorted(possible)))
    operation = {"op": verb, "class": facts.name, **draw(possible[verb])}
    if misses and draw(st.booleans()):
        operation[draw(st.sampled_from([key for key in _SELECTORS if key in operation]))] = _NOWHERE
    return operation


def _possible(facts: ClassFacts, verbs: list[str]) -> dict[str, Operations]:
    return {verb: found for verb in verbs if (found := GENERATORS[verb](facts)) is not None}


@st.composite
def patches(
    draw: st.DrawFn, source: Document | str, *, max_operations: int = 4, verbs: Collection[str] | None = None
) -> list[Operation]:
    """Lists of operations, each of which fits what those before it have left; none of them is refused."""
    document = Document(source if isinstance(source, str) else source.text)
    found = []
    for _ in range(draw(st.integers(1, max_operations))):
        operation = draw(edits(document, verbs=verbs))
        try:
            document.apply([operation])
        except EditError:
            continue
        found.append(operation)
    return found
