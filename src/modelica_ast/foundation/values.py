"""Small immutable values: equal by their fields, hashable, printed like a call.

What attrs would make of them, without attrs: importing it and letting it write their methods takes as long as
importing all the rest, and a short script pays that in every run.

So a value is a `Record` where parsing, editing, libraries and the start of a command need it. It is `attrs.frozen`
where few scripts come by, and converters and validators are free: in `graphics`, `drawing`, `format`, `patterns`,
`recipes`, `generate` and `urdf_frontend`, and in the modules that recover from errors, read YAML and draw lines.
"""

from __future__ import annotations

from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class Record:
    """Base of classes that are nothing but their annotated fields; what a field is set to there is its default."""

    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # mypy knows the fields by `dataclass_transform`; this is for Python.
        cls.__match_args__ = (*cls.__match_args__, *cls.__annotations__)  # type: ignore[misc]

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = self.__match_args__
        if named or len(values) != len(fields):
            values = self._complete(values, named)
        self.__dict__.update(zip(fields, values, strict=True))

    @classmethod
    def _complete(cls, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """All values in the order of the fields, defaults for those that were not given."""
        rest = cls.__match_args__[len(values) :]
        missing = [name for name in rest if name not in named and not hasattr(cls, name)]
        if missing or len(values) > len(cls.__match_args__) or not named.keys() <= set(rest):
            raise TypeError(f"the fields of {cls.__name__} are {', '.join(cls.__match_args__)}")
        return (*values, *(named[name] if name in named else getattr(cls, name) for name in rest))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"
