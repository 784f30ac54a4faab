"""YAML (and JSON, which is YAML) as plain values that know their lines, so that a message can name one."""

from __future__ import annotations

from typing import Any, Final

from attrs import define

from modelica_ast.foundation import EditError

# ---------------------------------------------------------------- errors
# Why a recipe was refused, or where it failed.


class RecipeError(EditError):
    """A recipe that is none, or that could not be carried out; no file has changed."""


# ---------------------------------------------------------------- yaml lines

Path = tuple[str | int, ...]
_DEEPEST: Final = 60
_MOST: Final = 100_000  # values, those that aliases repeat among them


@define
class Lines:
    """The lines of a file's values, by their paths in it."""

    file: str
    lines: dict[Path, int]

    def place(self, path: Path) -> str:
        """`recipe.yaml:12`, of a value or of the nearest around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.file}:{self.lines.get(path, 1)}"

    def error(self, path: Path, message: str) -> RecipeError:
        """A refusal with its place."""
        return RecipeError(f"{self.place(path)}: {message}")


def load_yaml(text: str, file: str) -> tuple[Any, Lines]:
    """The values of a file; RecipeError with the line if it is no YAML. Only plain values: no tags, no objects."""
    from modelica_ast.foundation import compose  # noqa: PLC0415  (PERF: only those who use recipes pay for it)

    node = compose(text, file, "a recipe", RecipeError)
    lines = Lines(file, {})
    if node is None:
        raise RecipeError(f"{file}:1: the file is empty")
    return _Reader(lines).value(node, ()), lines


class _Reader:
    """Values of nodes. It recurses as deep as a recipe may nest, which is checked."""

    def __init__(self, lines: Lines) -> None:
        import yaml  # noqa: PLC0415  (PERF: see load_yaml)

        self._yaml = yaml
        self._lines = lines
        self._scalars = yaml.SafeLoader("")
        self._size = 0

    def value(self, node: Any, path: Path) -> Any:
        """The value of a node at a path."""
        yaml = self._yaml
        line = node.start_mark.line + 1
        self._lines.lines[path] = line
        self._size += 1
        # An alias repeats what it stands for, and aliases of aliases multiply.
        if len(path) > _DEEPEST or self._size > _MOST:
            raise self._lines.error(path, "it nests too deep, or an alias repeats too much")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, place)) for place, item in enumerate(node.value)]
        try:
            found = self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            problem = getattr(error, "problem", None) or str(error)
            raise self._lines.error(path, f"no plain value: {problem}") from None
        if found is not None and not isinstance(found, str | int | float | bool):
            # A date is a text here: Modelica knows none.
            return node.value
        return found

    def _mapping(self, node: Any, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if isinstance(key_node, self._yaml.ScalarNode) else None
            if key is None:
                raise self._lines.error(path, "a key must be a word")
            if key in found:
                self._lines.lines[(*path, key)] = key_node.start_mark.line + 1
                raise self._lines.error((*path, key), f"'{key}' is there twice")
            found[key] = self.value(value_node, (*path, key))
            self._lines.lines[(*path, key)] = key_node.start_mark.line + 1
        return found
