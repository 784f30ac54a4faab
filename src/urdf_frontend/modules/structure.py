"""Which module is attached to which port: a tree, or a sentence that says why not."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, frozen

from modelica_ast.foundation import did_you_mean
from urdf_frontend.modules.module_file import Instance, Module, ModuleError, Port, names_of


@frozen
class Placed:
    """An instance with its module and the port that it is attached to; the first one is attached to nothing.

    `index` counts all instances from 0, `position` the modules from 1; what is attached has the position 0.
    """

    instance: Instance
    name: str
    index: int
    position: int
    module: Module
    parent: int | None
    port: Port | None


@frozen
class Tree:
    """All instances in the order of the file, and in an order in which parents come first."""

    placed: tuple[Placed, ...]
    parents_first: tuple[Placed, ...]
    children: Mapping[tuple[int, str], Placed]  # by parent and joint of the port

    def child_at(self, placed: Placed, port: Port) -> Placed | None:
        """What is attached to a port."""
        return self.children.get((placed.index, port.joint))


def place(instances: tuple[Instance, ...], modules: tuple[Module, ...], file: str) -> Tree:
    """Find the port of each instance; ModuleError for one that is not there, is taken, or closes a circle."""
    placing = _Placing(instances, modules, names_of(instances), file)
    placed = tuple(placing.placed())
    children: dict[tuple[int, str], Placed] = {}
    for each in placed:
        if each.parent is None or each.port is None:
            continue
        first = children.setdefault((each.parent, each.port.joint), each)
        if first is not each:
            message = f"the port '{each.port.joint}' of '{placed[each.parent].name}' is taken by '{first.name}' already"
            raise placing.error(each.instance, message)
    return Tree(placed, _parents_first(placed, placing), children)


@define
class _Placing:
    instances: tuple[Instance, ...]
    modules: tuple[Module, ...]
    names: tuple[str, ...]
    file: str

    def placed(self) -> list[Placed]:
        twice = next((number for number, name in enumerate(self.names) if name in self.names[:number]), None)
        if twice is not None:
            message = (
                f"'{self.names[twice]}' is the name of two modules; a module without 'as' is named by its position"
            )
            raise self.error(self.instances[twice], message)
        found: list[Placed] = []
        position = 0
        for index, (instance, module) in enumerate(zip(self.instances, self.modules, strict=True)):
            position += not instance.is_attached
            parent, port = self.parent_of(index, instance)
            own = 0 if instance.is_attached else position
            found.append(Placed(instance, self.names[index], index, own, module, parent, port))
        return found

    def parent_of(self, index: int, instance: Instance) -> tuple[int | None, Port | None]:
        if instance.parent is None and index == 0:
            if instance.rotate:
                raise self.error(instance, "the first module is not attached to a connector, so it can't be turned")
            if instance.joint is not None:
                raise self.error(instance, "the first module is attached to no joint that 'joint:' could name")
            return None, None
        name, dot, port_name = (instance.parent or self.default_parent(index)).partition(".")
        if name not in self.names:
            hint = did_you_mean(name, self.names) or f"there are {', '.join(self.names)}"
            raise self.error(
                instance, f"there is no module '{name}' that '{self.names[index]}' could be attached to; {hint}"
            )
        parent = self.names.index(name)
        return parent, self.port_of(index, parent, port_name if dot else None)

    def default_parent(self, index: int) -> str:
        """The module before it; what is attached is attached to the last module, whatever else is attached."""
        while index > 0 and self.instances[index - 1].is_attached:
            index -= 1
        return self.names[index - 1]

    def port_of(self, index: int, parent: int, name: str | None) -> Port:
        instance, module = self.instances[index], self.modules[parent]
        ports = ", ".join(f"'{port.joint}'" for port in module.ports)
        if not module.ports:
            message = f"'{self.names[index]}' can't be attached to '{self.names[parent]}': {module.path.name} has no "
            raise self.error(instance, f"{message}output connector")
        if name is None:
            if len(module.ports) > 1:
                message = (
                    f"'{self.names[parent]}' has several ports; say 'parent: {self.names[parent]}.PORT', of {ports}"
                )
                raise self.error(instance, message)
            return module.ports[0]
        port = module.get_port(name)
        if port is None:
            raise self.error(instance, f"'{self.names[parent]}' has no port '{name}'; {module.path.name} has {ports}")
        return port

    def error(self, instance: Instance, message: str) -> ModuleError:
        return ModuleError(f"{self.file}:{instance.line}: {message}" if instance.line else f"{self.file}: {message}")


def _parents_first(placed: tuple[Placed, ...], placing: _Placing) -> tuple[Placed, ...]:
    below: dict[int | None, list[Placed]] = {}
    for each in placed:
        below.setdefault(each.parent, []).append(each)
    order: list[Placed] = []
    todo = list(reversed(below.get(None, [])))
    while todo:
        each = todo.pop()
        order.append(each)
        todo += reversed(below.get(each.index, []))
    if len(order) < len(placed):
        reached = {each.index for each in order}
        start = next(each for each in placed if each.index not in reached)
        raise placing.error(start.instance, f"modules are attached to each other in a cycle: {_circle(start, placed)}")
    return tuple(order)


def _circle(start: Placed, placed: tuple[Placed, ...]) -> str:
    way: list[int] = []
    index = start.index
    while index not in way:
        way.append(index)
        parent = placed[index].parent
        assert parent is not None, "what can't be reached from the first module is attached to something"
        index = parent
    circle = [*way[way.index(index) :], index]
    return " on ".join(f"'{placed[each].name}'" for each in circle)
