"""YAML as values that know their lines, asked for what they have to be; what they are not is one sentence."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator
from typing import Any, Final

import yaml

from modelica_ast.yaml_loader import BoundedLoader
from urdf_frontend.constraints.errors import ConstraintError

_LARGEST: Final = 1 << 20  # characters; a description is a few pages
_WORDS: Final = {"tag:yaml.org,2002:map": "names with values", "tag:yaml.org,2002:seq": "a list"}


class CellError(ConstraintError):
    """Something is wrong with a description; the message has its file and line."""


class Given:
    """A value of the file. `what` is how messages call it: `robots.left.urdf`."""

    def __init__(self, node: yaml.Node, file: str, what: str) -> None:
        self._node = node
        self._file = file
        self.what = what

    def error(self, message: str) -> CellError:
        """A refusal with the place."""
        return CellError(f"{self._file}:{self._node.start_mark.line + 1}: {message}")

    def fields(self, *known: str, required: tuple[str, ...] = ()) -> dict[str, Given]:
        """The values of a mapping whose keys are known."""
        found = dict(self.entries())
        for key, value in found.items():
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                hint = f"did you mean '{near[0]}'?" if near else f"there can be {', '.join(known)}"
                where = f" in '{self.what}'" if self.what else ""
                raise value.error(f"'{key}' is unknown{where}; {hint}")
        for key in required:
            if key not in found:
                raise self.error(f"'{self.what or 'the cell'}' has no '{key}'")
        return found

    @property
    def is_mapping(self) -> bool:
        """Is it names with values?"""
        return isinstance(self._node, yaml.MappingNode)

    def entries(self) -> Iterator[tuple[str, Given]]:
        """The keys and values of a mapping."""
        if not isinstance(self._node, yaml.MappingNode):
            raise self.error(f"'{self.what or self._file}' has to be names with values, and is {self._kind}")
        seen: set[str] = set()
        for key_node, value_node in self._node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise Given(key_node, self._file, self.what).error(f"a name in '{self.what}' has to be a word")
            key = key_node.value
            place = Given(value_node, self._file, f"{self.what}.{key}" if self.what else key)
            if key in seen:
                raise place.error(f"'{place.what}' is there twice")
            seen.add(key)
            yield key, place

    def items(self) -> list[Given]:
        """The items of a list."""
        if not isinstance(self._node, yaml.SequenceNode):
            raise self.error(f"'{self.what}' has to be a list, and is {self._kind}")
        return [Given(item, self._file, f"{self.what}[{place}]") for place, item in enumerate(self._node.value, 1)]

    def text(self) -> str:
        """A word or a text."""
        if not isinstance(self._node, yaml.ScalarNode) or not self._node.value:
            raise self.error(f"'{self.what}' has to be a text, and is {self._kind}")
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

    @property
    def _kind(self) -> str:
        return _WORDS.get(self._node.tag, f"'{self._node.value}'" if self._node.value else "empty")


def read_yaml(text: str, file: str) -> Given:
    """The value of a whole file; CellError if it is no YAML. Aliases are refused: they make short files large."""
    if len(text) > _LARGEST:
        raise CellError(f"{file}: a description has at most {_LARGEST} characters")
    try:
        for token in yaml.scan(text, Loader=BoundedLoader):
            if isinstance(token, yaml.AliasToken):
                raise CellError(f"{file}:{token.start_mark.line + 1}: write it out: '*{token.value}' is an alias")
        node: Any = yaml.compose(text, Loader=BoundedLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise CellError(f"{file}:{mark.line + 1 if mark is not None else 1}: no YAML: {problem}") from None
    if node is None:
        raise CellError(f"{file}:1: the file is empty")
    return Given(node, file, "")
