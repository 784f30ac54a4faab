"""What a template has and a class lacks: variables, adaptors, connections."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from modelica_ast.edit import ClassHandle
from urdf_frontend.fmi.shell_body import Body, Number, lowest_edge

_GAP = 20
_BLOCKS = "Modelica.Blocks."


@define
class Completing:
    """A template on its way into a class. `there` says what each component of the template is called in the class."""

    body: Body
    template: ClassHandle
    variables: frozenset[str]  # of the profile; the other components of the template serve them
    there: dict[str, str] = field(factory=dict)

    def run(self, called: Mapping[str, str]) -> None:
        """Add what is missing; `called` are variables that the class has under other names."""
        lower = self._lower()
        for component in self.template.components:
            if component.name in self.variables:
                self.there[component.name] = name = called.get(component.name, component.name)
                if name not in self.body.names:
                    self.body.copy_component(component, name, lower)
        for name in self._helpers():
            self._find_or_add(name, lower)
        for source, sink in self.template.connections:
            one, other = self.end(source), self.end(sink)
            if one is not None and other is not None and not self.body.is_driven(other):
                self.body.connect(one, other, is_signal=True)

    def end(self, written: str) -> str | None:
        """An end of a connection of the template in the class; None if its component is not there."""
        name, dot, rest = written.partition(".")
        actual = self.there.get(name)
        return None if actual is None else f"{actual}{dot}{rest}"

    def component_of_type(self, name: str) -> str | None:
        """What the class calls a component of the template, if it has it: by name and type, or by its special type."""
        wanted = self.template.find_component(name).type
        if self.body.type_of(name) == wanted:
            return name
        if wanted.startswith(_BLOCKS):  # a gain may be any gain
            return None
        found = [each for each in sorted(self.body.names) if self.body.type_of(each) == wanted]
        return found[0] if len(found) == 1 else None

    def _helpers(self) -> list[str]:
        """The components that serve the variables, each behind what it drives."""
        names = [each.name for each in self.template.components if each.name not in self.variables]
        return sorted(names, key=self._distance)

    def _distance(self, name: str) -> int:
        """How many connections it is away from a variable that it drives."""
        steps, around = 0, {name}
        while around and not around & self.variables:
            around = {sink.partition(".")[0] for source, sink in self.template.connections if _head(source) in around}
            steps += 1
        return steps

    def _find_or_add(self, name: str, lower: Number) -> None:
        found = self.component_of_type(name)
        if found is None and self._is_needed(name):
            found = self.body.free_name(name)
            self.body.copy_component(self.template.find_component(name), found, lower)
        if found is not None:
            self.there[name] = found

    def _is_needed(self, name: str) -> bool:
        """Is there something that it has to drive, and that nothing drives so far?"""
        sinks = [self.end(sink) for source, sink in self.template.connections if _head(source) == name]
        return any(sink is not None and not self.body.is_driven(sink) for sink in sinks)

    def _lower(self) -> Number:
        """How far below its place in the template all goes, so that nothing lies on what is there."""
        edge = lowest_edge(self.body.handle) if self.body.known else None
        tops = [each.placement for each in self.template.components]
        boxes = [getattr(each.transformation, "box", None) for each in tops if each is not None]
        top = max((box.top for box in boxes if box is not None), default=0)
        return 0 if edge is None else top - edge + _GAP


def _head(end: str) -> str:
    return end.partition(".")[0]
