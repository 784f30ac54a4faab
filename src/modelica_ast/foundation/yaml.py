"""YAML (and JSON, which is YAML) of strangers, as values with their places, as deep as somebody would write it.

`read_yaml` gives one value that is asked for what it has to be, `load_yaml` plain values with the lines of all of them,
`yaml_events` what a text consists of, for those who change a part of it and keep the rest to the byte.

It is read by PyYAML: its nodes and events know their places, and it follows YAML 1.1, as ROS does. Its scanner looks at
every bracket that is open for each token that it reads, so 20 KB of brackets take it seconds, and whoever walks the
result recurses. This one stops at the bracket that is too much, before it reads another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import yaml
from attrs import define, frozen

from modelica_ast.foundation.identifiers import did_you_mean

DEEPEST: Final = 100
LARGEST: Final = 1 << 20  # characters; what people write by hand is a page
_MOST: Final = 100_000  # plain values, those that aliases repeat among them
_KINDS: Final = {"tag:yaml.org,2002:map": "names with values", "tag:yaml.org,2002:seq": "a list"}

Refusal = Callable[[str], Exception]
Path = tuple[str | int, ...]


class BoundedLoader(yaml.SafeLoader):
    """Plain values only, nested at most `DEEPEST` deep; what is deeper is a YAMLError with its line."""

    def fetch_more_tokens(self) -> None:
        """Refuse, or read on: the scanner asks for each token."""
        if self.flow_level + len(self.indents) > DEEPEST:
            problem = f"it is nested more than {DEEPEST} levels deep"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=self.get_mark())
        super().fetch_more_tokens()


def yaml_events(text: str, file: str, error: Refusal, *, largest: int = LARGEST) -> Iterator[yaml.Event]:
    """The events of a text, one after the other; an error with the place if it is not YAML."""
    if len(text) > largest:
        raise error(f"{file}: it has more than {largest} characters")
    try:
        yield from yaml.parse(text, Loader=BoundedLoader)
    except yaml.YAMLError as wrong:
        raise _not_yaml(wrong, file, error) from None


def _compose(text: str, file: str, error: Refusal, *, aliases: bool) -> yaml.Node | None:
    if len(text) > LARGEST:
        raise error(f"{file}: it has more than {LARGEST} characters")
    try:
        for token in () if aliases else yaml.scan(text, Loader=BoundedLoader):
            if isinstance(token, yaml.AliasToken):
                raise error(f"{file}:{token.start_mark.line + 1}: write it out: '*{token.value}' is an alias")
        node: yaml.Node | None = yaml.compose(text, Loader=BoundedLoader)
    except yaml.YAMLError as wrong:
        raise _not_yaml(wrong, file, error) from None
    return node


def _not_yaml(wrong: yaml.YAMLError, file: str, error: Refusal) -> Exception:
    mark = getattr(wrong, "problem_mark", None) or getattr(wrong, "context_mark", None)
    problem = getattr(wrong, "problem", None) or str(wrong).partition("\n")[0]
    place = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark is not None else f"{file}:1"
    return error(f"{place}: this is not YAML: {problem}")


# ---------------------------------------------------------------- values
# A value that is asked for what it has to be; what it is not is one sentence with its place.


@frozen
class YamlValue:
    """A value of a file. `what` is how messages call it: `robots.left.urdf`."""

    _node: yaml.Node
    _file: str
    _error: Refusal
    what: str = ""

    @property
    def line(self) -> int:
        """Its line, from 1 on."""
        return int(self._node.start_mark.line) + 1

    def error(self, message: str) -> Exception:
        """A refusal with the place."""
        return self._error(f"{self._file}:{self.line}: {message}")

    @property
    def is_mapping(self) -> bool:
        """Is it names with values?"""
        return isinstance(self._node, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        """Is it a list?"""
        return isinstance(self._node, yaml.SequenceNode)

    @property
    def is_text(self) -> bool:
        """Is it a word, a number or a text?"""
        return isinstance(self._node, yaml.ScalarNode)

    @property
    def kind(self) -> str:
        """What it is, in words."""
        return _KINDS.get(self._node.tag, f"'{self._node.value}'" if self._node.value else "empty")

    def fields(self, *known: str, required: tuple[str, ...] = (), about: str = "") -> dict[str, YamlValue]:
        """The values of a mapping whose keys are known; `about` is what it describes."""
        about = about or (f"'{self.what}'" if self.what else "the file")
        found: dict[str, YamlValue] = {}
        for key, value in self.entries():
            if key not in known:
                hint = did_you_mean(key, known) or f"it has {', '.join(known)}"
                raise value.error(f"{about} has no '{key}'; {hint}")
            found[key] = value
        for key in required:
            if key not in found:
                raise self.error(f"{about} needs '{key}'")
        return found

    def entries(self) -> Iterator[tuple[str, YamlValue]]:
        """The keys and values of a mapping."""
        if not self.is_mapping:
            raise self.error(f"'{self.what or self._file}' has to be names with values, and is {self.kind}")
        seen: set[str] = set()
        for key_node, value_node in self._node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._at(key_node, self.what).error(f"a name in '{self.what}' has to be a word")
            key = key_node.value
            value = self._at(value_node, f"{self.what}.{key}" if self.what else key)
            if key in seen:
                raise self._at(key_node, self.what).error(f"'{value.what}' appears twice")
            seen.add(key)
            yield key, value

    def items(self) -> list[YamlValue]:
        """The items of a list."""
        if not self.is_list:
            raise self.error(f"'{self.what}' has to be a list, and is {self.kind}")
        return [self._at(item, f"{self.what}[{place}]") for place, item in enumerate(self._node.value, 1)]

    def text(self, *, empty: bool = False) -> str:
        """A word or a text, on one line of printable characters."""
        if not self.is_text or not (empty or self._node.value.strip()):
            raise self.error(f"'{self.what}' has to be a text, and is {self.kind}")
        if not self._node.value.isprintable():
            raise self.error(f"'{self.what}' has characters that cannot be printed")
        return str(self._node.value)

    def number(self, *, above: float = -math.inf) -> float:
        """A number."""
        word = self.text()
        try:
            value = float(word)
        except ValueError:
            raise self.error(f"'{self.what}' has to be a number, and is '{word}'") from None
        if not math.isfinite(value):
            raise self.error(f"'{self.what}' is {word}, and has to be finite")
        if value <= above:
            raise self.error(f"'{self.what}' is {word}, and has to be more than {above:g}")
        return value

    def numbers(self, count: int | None = None) -> tuple[float, ...]:
        """Numbers in a list."""
        found = tuple(item.number() for item in self.items())
        if count is not None and len(found) != count:
            raise self.error(f"'{self.what}' has to be {count} numbers, and is {len(found)}")
        return found

    def _at(self, node: yaml.Node, what: str) -> YamlValue:
        return YamlValue(node, self._file, self._error, what)


def read_yaml(
    text: str,
    file: str,
    error: Refusal,
    *,
    unreadable: Refusal | None = None,
    aliases: bool = False,
    empty: str = "the file is empty",
) -> YamlValue:
    """The value of a whole file; an error with the place if it is not YAML (`unreadable`, if that is another) or empty.

    Aliases make short files large: only who looks no deeper than a file may go can allow them.
    """
    node = _compose(text, file, unreadable or error, aliases=aliases)
    if node is None:
        raise error(f"{file}:1: {empty}")
    return YamlValue(node, file, error)


# ---------------------------------------------------------------- plain values


@define
class Lines:
    """The lines of a file's values, by their paths in it."""

    file: str
    refusal: Refusal
    lines: dict[Path, int]

    def place(self, path: Path) -> str:
        """`recipe.yaml:12`, of a value or of the nearest around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.file}:{self.lines.get(path, 1)}"

    def error(self, path: Path, message: str) -> Exception:
        """A refusal with its place."""
        return self.refusal(f"{self.place(path)}: {message}")


def load_yaml(text: str, file: str, error: Refusal) -> tuple[Any, Lines]:
    """The values of a file; an error with the line if it is not YAML. Only plain values: no tags, no objects."""
    node = _compose(text, file, error, aliases=True)
    lines = Lines(file, error, {})
    if node is None:
        raise error(f"{file}:1: the file is empty")
    return _PlainValues(lines).value(node, ()), lines


class _PlainValues:
    """Values of nodes. It recurses as deep as a file may nest, which is checked."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._scalars = yaml.SafeLoader("")
        self._size = 0

    def value(self, node: yaml.Node, path: Path) -> Any:
        """The value of a node at a path."""
        self._lines.lines[path] = node.start_mark.line + 1
        self._size += 1
        # An alias repeats what it stands for, and aliases of aliases multiply.
        if len(path) > DEEPEST or self._size > _MOST:
            raise self._lines.error(path, "it is nested too deeply, or an alias repeats too much")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, place)) for place, item in enumerate(node.value)]
        try:
            found = self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            problem = getattr(error, "problem", None) or str(error)
            raise self._lines.error(path, f"this is not a plain value: {problem}") from None
        if found is not None and not isinstance(found, str | int | float | bool):
            # A date is a text here: Modelica knows none.
            return node.value
        return found

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            if key is None:
                raise self._lines.error(path, "a key must be a word")
            if key in found:
                self._lines.lines[(*path, key)] = key_node.start_mark.line + 1
                raise self._lines.error((*path, key), f"'{key}' appears twice")
            found[key] = self.value(value_node, (*path, key))
            self._lines.lines[(*path, key)] = key_node.start_mark.line + 1
        return found
