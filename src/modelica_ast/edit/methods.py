"""Verbs as methods: a handle has a verb's name, parameters and docstring from the verb itself.

`set_kind = of_class(classes.set_class_kind)`: the method finds what its handle names and carries the verb out on it,
as one step. Type checkers know its parameters from the verb's.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cached_property
from types import MethodType
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast

from modelica_ast.edit.draft import Working
from modelica_ast.edit.editor import Editor
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.tree import StoredDefinition

_H = TypeVar("_H", bound="Handle")
_P = ParamSpec("_P")
_Q = ParamSpec("_Q")
_R = TypeVar("_R")
_S = TypeVar("_S")
_V = TypeVar("_V")


class Editable(Protocol):
    """What handles need of their document."""

    @property
    def work(self) -> Working:
        """The tree as it is now, and where names are in it."""

    @property
    def tree(self) -> StoredDefinition:
        """The tree as it is now."""

    def transaction(self) -> AbstractContextManager[Editor]:
        """Several edits as one step: all of them, or none."""

    def edit(self, verb: Callable[Concatenate[ExactEditor, _Q], _R], *arguments: _Q.args, **options: _Q.kwargs) -> _R:
        """Carry out a verb as one step."""


class Handle(Protocol):
    """What has methods that are verbs."""

    @property
    def document(self) -> Editable:
        """The document that is edited."""


class Method(Generic[_H, _V, _R, _S]):
    """A verb as a method; `find` says what it is carried out on, `then` what comes of its result."""

    def __init__(
        self,
        verb: Callable[Concatenate[ExactEditor, _V, ...], _R],
        find: Callable[[_H, ExactEditor], _V],
        then: Callable[[_H, _R], _S],
    ) -> None:
        self._verb = verb
        self._find = find
        self._then = then

    def __get__(self, handle: _H | None, owner: type) -> object:
        return self if handle is None else MethodType(self, handle)

    def __call__(self, handle: _H, *arguments: object, **options: object) -> _S:
        """Carry the verb out."""

        def verb(edit: ExactEditor) -> _R:
            return self._verb(edit, self._find(handle, edit), *arguments, **options)

        return self._then(handle, handle.document.edit(verb))

    @property
    def __wrapped__(self) -> Callable[..., object]:
        """The verb."""
        return self._verb.function if isinstance(self._verb, LateFunction) else self._verb

    @property
    def __name__(self) -> str:
        return self.__wrapped__.__name__

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]  # that of a class is a text
        return self.__wrapped__.__doc__

    @property
    def __signature__(self) -> inspect.Signature:
        """The verb's, with the handle in place of the editor and of what is edited."""
        found, then = inspect.signature(self.__wrapped__), inspect.signature(self._then)
        _, _, *rest = found.parameters.values()
        handle = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        is_own = then.return_annotation == "_R"  # it gives back what the verb gives
        result = found.return_annotation if is_own else then.return_annotation
        return found.replace(parameters=[handle, *rest], return_annotation=result)


def method(
    verb: Callable[Concatenate[ExactEditor, _V, _P], _R],
    find: Callable[[_H, ExactEditor], _V],
    then: Callable[[_H, _R], _S],
) -> Callable[Concatenate[_H, _P], _S]:
    """A verb as a method of a class of handles."""
    return cast("Callable[Concatenate[_H, _P], _S]", Method(verb, find, then))


class LateFunction:
    """A function of a module that is imported when it is first called."""

    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name

    @cached_property
    def function(self) -> Callable[..., object]:
        """The function itself."""
        found: Callable[..., object] = getattr(importlib.import_module(self._module), self._name)
        return found

    def __call__(self, *arguments: object, **options: object) -> object:
        """Call the function."""
        return self.function(*arguments, **options)


class LateModule:
    """A module whose functions are imported when they are first called.

    PERF: the graphics take half of the time that importing all verbs takes, and most edits have nothing to do with
    them.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> LateFunction:
        return LateFunction(self._name, name)
