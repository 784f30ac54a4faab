"""Properties that are computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Remembered(Generic[T]):
    """A property that is computed when first asked for.

    Like `functools.cached_property`, which in Python 3.11 takes one lock for all objects of a class: two threads, each
    with a tree of its own, could wait for each other for ever.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, cls: type) -> Remembered[T]: ...
    @overload
    def __get__(self, owner: object, cls: type) -> T: ...
    def __get__(self, owner: object | None, cls: type) -> Remembered[T] | T:
        if owner is None:
            return self
        value = self._compute(owner)
        # From now on the object's own attribute is found before this one.
        owner.__dict__[self._name] = value
        return value
