"""A class and what it inherits, as layers of one picture: which graphics, where, in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from modelica_ast.drawing.planes import UNCHANGED, Affine
from modelica_ast.drawing.reading import AnnotationReader, BaseMap, LayerName
from modelica_ast.graphics import Extent, Point
from modelica_ast.semantics.environments import Base, Environment
from modelica_ast.views.base import View
from modelica_ast.views.classes import ClassDefinition, ShortClassDefinition, ShortClassSpecifier
from modelica_ast.views.components import ExtendsClause

_MOST_PARTS: Final = 500  # classes that one class inherits from, each counted for each way to it
_USUAL: Final = Extent(Point(-100, -100), Point(100, 100))
_USUAL_SCALE: Final = 0.1


class Part(NamedTuple):
    """A class, itself or one that it inherits from, in the picture of that class."""

    environment: Environment
    map: Affine
    shows_primitives: bool


class System(NamedTuple):
    """The coordinate system of a layer, inherited if the class has none of its own."""

    extent: Extent
    keeps_ratio: bool
    scale: float


class Inheritance:
    """Looks through the extends clauses of classes."""

    def __init__(self, reader: AnnotationReader) -> None:
        self._reader = reader

    def parts(self, environment: Environment, layer: LayerName) -> list[Part]:
        """What is drawn, from back to front: the base classes in their order, then the class itself."""
        found: list[Part] = []
        todo: list[tuple[Part, bool]] = [(Part(environment, UNCHANGED, shows_primitives=True), False)]
        seen = 0
        while todo:
            part, is_open = todo.pop()
            if is_open:
                found.append(part)
                continue
            seen += 1
            if seen > _MOST_PARTS:
                self._complain(environment, f"it inherits from more than {_MOST_PARTS} classes; some are not drawn")
                continue
            todo.append((part, True))
            todo += [(base, False) for base in reversed(list(self._bases(part, layer)))]
        return found

    def _complain(self, environment: Environment, message: str) -> None:
        if environment.definition is not None:
            self._reader.complain(environment.definition, f"'{environment.full_name}': {message}")

    def _bases(self, part: Part, layer: LayerName) -> Iterator[Part]:
        for named, (extent, shows_primitives), clause in self._mapped_bases(part.environment, layer):
            base = named.environment
            if base is None:
                what = f"'{named.type}', which '{part.environment.full_name}' extends, is not found or goes in a circle"
                self._reader.complain(clause, what)
                continue
            shown = part.shows_primitives and shows_primitives
            if extent is None:
                yield Part(base, part.map, shown)
            elif extent.left < extent.right and extent.bottom < extent.top:
                system = self.system(base, layer)
                inner = Affine.mapping(system.extent, extent, keeps_ratio=system.keeps_ratio)
                yield Part(base, inner.then(part.map), shown)
            # A region without an area shows nothing at all.

    def _mapped_bases(self, environment: Environment, layer: LayerName) -> Iterator[tuple[Base, BaseMap, View]]:
        """The base classes in their order, with what the extends clauses say of this layer."""
        definition = environment.definition
        if definition is None:
            return
        clauses = _clauses(environment, definition)
        bases = environment.bases
        clauses = [definition] * (len(bases) - len(clauses)) + clauses  # `model extends M` has no clause for M
        for base, clause in zip(bases, clauses, strict=False):
            has_map = isinstance(clause, ExtendsClause) or isinstance(definition.specifier, ShortClassSpecifier)
            mapped = self._reader.base_map(getattr(clause, "annotation", None), layer) if has_map else BaseMap()
            yield base, mapped, clause

    def system(self, environment: Environment, layer: LayerName) -> System:
        """Each of its values is that of the class itself, or of the first base class that is not mapped to a region."""
        extent: Extent | None = None
        keeps_ratio: bool | None = None
        scale: float | None = None
        current: Environment | None = environment
        while current is not None and current.definition is not None:
            own = self._reader.layer(current.definition, layer)
            extent = own.extent if extent is None else extent
            keeps_ratio = own.keeps_ratio if keeps_ratio is None else keeps_ratio
            scale = own.scale if scale is None else scale
            if extent is not None and keeps_ratio is not None and scale is not None:
                break
            # The library ends chains that are endless: a class that inherits from itself has no such base.
            current = next(
                (
                    base.environment
                    for base, mapped, _ in self._mapped_bases(current, layer)
                    if base.environment is not None and base.environment.definition and mapped.extent is None
                ),
                None,
            )
        return System(
            _USUAL if extent is None else extent,
            True if keeps_ratio is None else keeps_ratio,
            _USUAL_SCALE if scale is None else scale,
        )


def _clauses(environment: Environment, definition: ClassDefinition | ShortClassDefinition) -> list[View]:
    if isinstance(definition.specifier, ShortClassSpecifier) or not isinstance(definition, ClassDefinition):
        return [definition]
    return list(environment.written.extends) if environment.written is not None else []
