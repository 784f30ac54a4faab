"""Operations on what a diagram editor shows: placements, lines of connections, icons."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from modelica_ast.testing.operations import Generator, Operations, fields
from modelica_ast.testing.surroundings import ClassFacts

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


GENERATORS: Final[dict[str, Generator]] = {
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
