"""Files of parameters for ROS 2, as text with places: what is not to be changed stays as it is, byte for byte.

The text is read event by event, so that deep nesting and aliases can't take the process down.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

import yaml
from attrs import evolve, frozen

from modelica_ast.foundation import nearest, yaml_events
from urdf_frontend.fmi.profiles import FmiError

ROS_PARAMETERS: Final = "ros__parameters"
LARGEST_FILE: Final = 4_000_000  # characters; a thousand parameters take a hundredth of it
_DEEPEST: Final = 100
_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
_FLOAT: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


@frozen
class Entry:
    """A key with its value. `start` and `end` are where the value is in the text, up to its last item."""

    path: tuple[str, ...]  # all keys down to this one
    line: int
    column: int
    kind: str  # scalar, mapping, sequence or alias
    text: str  # of a scalar
    is_plain: bool  # a scalar without quotes, tags and anchors
    is_flow: bool  # in braces, or a mapping that is
    start: int
    end: int

    @property
    def number(self) -> float | None:
        """Its value, if it is a number as ROS reads one; None for texts in quotes, `.nan` and `.inf`."""
        if self.kind != "scalar" or not self.is_plain or not _FLOAT.fullmatch(self.text):
            return None
        value = float(self.text)
        return value if math.isfinite(value) else None

    @property
    def is_integer(self) -> bool:
        """Is it written without a dot? A node that wants a double throws an exception then."""
        return self.is_plain and _INTEGER.fullmatch(self.text) is not None


def yaml_float(value: float) -> str:
    """A number that ROS, and every reader of YAML, takes for a float: `1.0`, `1.0e-05`, never `1` or `1e-05`."""
    text = repr(float(value))
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa}.0{mark}{exponent}" if mark and "." not in mantissa else text


def yaml_key(name: str) -> str:
    """A name as a key, in quotes if YAML would take it for something else than a text: `on`, `null`, `12`."""
    is_text = bool(name) and isinstance(yaml.safe_load(name), str)
    return name if is_text else yaml_text(name)


def yaml_text(text: str) -> str:
    """A text in quotes."""
    if not text.isprintable():
        raise FmiError(f"{text!r} has characters that no path in YAML should have")
    return "'" + text.replace("'", "''") + "'"


def yaml_comment(text: str) -> str:
    """A text that can come after `#`: one line, and no characters that YAML does not take."""
    return "".join(each if each.isprintable() else "?" for each in " ".join(text.split()))


def read_entries(text: str, name: str) -> list[Entry]:
    """All entries of mappings, each before those inside it; FmiError says what is wrong with the file."""
    reader = _Reader(name)
    for event in yaml_events(text, name, FmiError, largest=LARGEST_FILE):
        reader.take(event)
    return reader.entries


@frozen
class _Around:
    """A mapping or sequence that is open."""

    path: tuple[str, ...]
    is_mapping: bool
    is_flow: bool
    entry: int | None  # the number of the entry that it is the value of


class _Reader:
    """Follows the events of one file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.entries: list[Entry] = []
        self._around: list[_Around] = []
        self._key: yaml.ScalarEvent | None = None
        self._documents = 0
        self._last_end = 0  # of what was read so far

    def take(self, event: yaml.Event) -> None:
        """One event more."""
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self._wrong(event, "there is a second document, and ROS reads one")
        elif isinstance(event, yaml.CollectionEndEvent):
            closed = self._around.pop()
            if closed.is_flow:  # lines have no end of their own: the event comes with what follows them
                self._last_end = _mark(event.end_mark).index
            if closed.entry is not None:
                self.entries[closed.entry] = evolve(self.entries[closed.entry], end=self._last_end)
        elif isinstance(event, yaml.NodeEvent):
            self._node(event)

    def _node(self, event: yaml.NodeEvent) -> None:
        around = self._around[-1] if self._around else None
        is_mapping = around is not None and around.is_mapping
        path = around.path if around is not None else ()
        number = None
        self._last_end = _mark(event.end_mark).index
        if is_mapping and self._key is None:
            if not isinstance(event, yaml.ScalarEvent):
                raise self._wrong(event, "this key is not a name")
            self._key = event
            return
        if is_mapping and self._key is not None:
            path = (*path, self._key.value)
            assert around is not None
            number = len(self.entries)
            self.entries.append(_entry(path, self._key, event, is_flow=around.is_flow))
            self._key = None
        if isinstance(event, yaml.CollectionStartEvent):
            if len(self._around) >= _DEEPEST:
                raise self._wrong(event, f"parameters are nested at most {_DEEPEST} levels deep")
            is_flow = bool(event.flow_style)
            self._around.append(_Around(path, isinstance(event, yaml.MappingStartEvent), is_flow, number))

    def _wrong(self, event: yaml.Event, message: str) -> FmiError:
        mark = _mark(event.start_mark)
        return FmiError(f"{self._name}:{mark.line + 1}:{mark.column + 1}: {message}")


def _entry(path: tuple[str, ...], key: yaml.ScalarEvent, value: yaml.NodeEvent, *, is_flow: bool) -> Entry:
    kinds = {yaml.ScalarEvent: "scalar", yaml.MappingStartEvent: "mapping", yaml.SequenceStartEvent: "sequence"}
    at = _mark(key.start_mark)
    return Entry(
        path=path,
        line=at.line + 1,
        column=at.column + 1,
        kind=kinds.get(type(value), "alias"),
        text=value.value if isinstance(value, yaml.ScalarEvent) else "",
        is_plain=isinstance(value, yaml.ScalarEvent) and value.style is value.anchor is value.tag is None,
        is_flow=is_flow or (isinstance(value, yaml.CollectionStartEvent) and bool(value.flow_style)),
        start=_mark(value.start_mark).index,
        end=_mark(value.end_mark).index,
    )


def _mark(mark: Any) -> yaml.Mark:
    """The place of an event; only events that programs make have none."""
    assert mark is not None
    found: yaml.Mark = mark
    return found


# ---------------------------------------------------------------- ros nodes
# The parameters of one node in a file for ROS 2.

DEFAULT_NODE: Final = "fmi_adapter_node"
_SHORTEST_PATH: Final = 2  # a node, and its parameters
_NODE: Final = re.compile(r"/?[A-Za-z_][A-Za-z0-9_]*(?:/[A-Za-z_][A-Za-z0-9_]*)*|/\*\*")


@frozen
class NodeParameters:
    """What a file says of a node: the entry of `ros__parameters`, those in it by name, and all that is deeper."""

    node: str
    around: Entry
    parameters: tuple[Entry, ...]
    inside: tuple[Entry, ...]  # with those of mappings in it

    @property
    def by_name(self) -> dict[str, Entry]:
        """The parameters by their names."""
        return {entry.path[-1]: entry for entry in self.parameters}


def checked_node(name: str) -> str:
    """A name that a node of ROS can have; FmiError if it is not one."""
    if not _NODE.fullmatch(name):
        raise FmiError(f"'{name}' is not the name of a node: letters, digits and '_', and '/' between name spaces")
    return name


def nodes_of(text: str, file: str) -> dict[str, NodeParameters]:
    """The nodes of a file, by their names with name spaces: `arm/fmi_adapter_node`."""
    found: dict[tuple[str, ...], Entry] = {}
    inside: dict[tuple[str, ...], list[Entry]] = {}
    for entry in read_entries(text, file):
        depth = entry.path.index(ROS_PARAMETERS) + 1 if ROS_PARAMETERS in entry.path else 0
        key = entry.path[:depth]
        if depth < _SHORTEST_PATH:
            continue
        if depth < len(entry.path):
            inside[key].append(entry)
        elif found.setdefault(key, entry) is not entry:
            raise FmiError(f"{file}:{entry.line}: {ROS_PARAMETERS} of '{_name(key)}' appears twice")
        else:
            inside[key] = []
    return {_name(key): _node(key, entry, inside[key], file) for key, entry in found.items()}


def _name(path: tuple[str, ...]) -> str:
    return "/".join(part.strip("/") if number else part for number, part in enumerate(path[:-1]))


def _node(path: tuple[str, ...], around: Entry, inside: list[Entry], file: str) -> NodeParameters:
    direct = tuple(each for each in inside if len(each.path) == len(path) + 1)
    seen: set[str] = set()
    for entry in direct:
        if entry.path[-1] in seen:
            raise FmiError(f"{file}:{entry.line}: '{entry.path[-1]}' appears twice")
        seen.add(entry.path[-1])
    return NodeParameters(_name(path), around, direct, tuple(inside))


def get_node(nodes: dict[str, NodeParameters], name: str) -> NodeParameters | None:
    """The node of a name, with or without the slash before it; None if it is not there."""
    return nodes.get(name) or nodes.get(f"/{name}") or nodes.get(name.removeprefix("/"))


def chosen_node(nodes: dict[str, NodeParameters], name: str | None, file: str) -> NodeParameters:
    """The node of a name, or the only one of a file; FmiError says what there is."""
    if not nodes:
        raise FmiError(f"{file} has no parameters of a node: NODE, and in it {ROS_PARAMETERS}")
    if name is not None:
        found = get_node(nodes, name)
        if found is None:
            raise FmiError(f"{file} has no node '{name}'{nearest(name, nodes)}")
        return found
    if len(nodes) == 1:
        return next(iter(nodes.values()))
    if DEFAULT_NODE in nodes:
        return nodes[DEFAULT_NODE]
    raise FmiError(f"{file} has {len(nodes)} nodes: name one with --node; there is {', '.join(nodes)}")
