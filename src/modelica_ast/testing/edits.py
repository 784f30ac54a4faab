"""Edits at random that fit a text: operations of a patch about what the text has.

Every verb of `modelica_ast.edit.patch` has its generator: in GENERATORS, or in FILE_GENERATORS if it is about no class.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from hypothesis import reject
from hypothesis import strategies as st

from modelica_ast.edit.document import Document
from modelica_ast.edit.errors import EditError
from modelica_ast.testing import class_edits, component_edits, diagram_edits, equation_edits
from modelica_ast.testing.file_edits import FILE_GENERATORS
from modelica_ast.testing.operations import Generator, Operation, Operations
from modelica_ast.testing.surroundings import ClassFacts, classes_of

GENERATORS: Final[dict[str, Generator]] = {
    **class_edits.GENERATORS,
    **component_edits.GENERATORS,
    **equation_edits.GENERATORS,
    **diagram_edits.GENERATORS,
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
