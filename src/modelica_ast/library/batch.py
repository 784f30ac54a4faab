"""The same work on many files, spread over threads, processes or machines by any executor."""

from __future__ import annotations

import os
import secrets
import traceback
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from modelica_ast.edit import Document, Workspace
from modelica_ast.foundation import EditError, ModelicaError, ModelicaSyntaxError, Record
from modelica_ast.library.errors import Problem, Progress

V = TypeVar("V")

Transform = Callable[[Document], object] | Iterable[Mapping[str, Any]]


class Result(Record, Generic[V]):
    """What came of one file: a value, or an error and no value."""

    path: Path
    value: V | None = None
    error: Problem | None = None
    traceback: str = ""  # of an error that this library does not raise on purpose


class Edited(Record):
    """The text of a file before and after its edit. Nothing has been written."""

    before: str
    text: str

    @property
    def is_changed(self) -> bool:
        """Do the two differ?"""
        return self.before != self.text


def map_files(
    function: Callable[[Path], V],
    paths: Iterable[str | os.PathLike[str]],
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
    chunksize: int = 1,
) -> list[Result[V]]:
    """Call a function with the absolute path of each file; the results have the order of the paths.

    Without an executor all is done here, one by one. For processes and machines the function and its values must be
    picklable. What it raises becomes the error of that file, and the others go on. `progress(done, total, path)` is
    called in this thread for each file that is done. An interrupt here cancels what has not begun.

    A worker gets `chunksize` files at a time. More of them save time where the work on a file is short, and share
    their fate if a worker dies or a value can't be pickled.
    """
    if chunksize < 1:
        raise ValueError(f"a chunk must have at least one file, not {chunksize}")
    names = [Path(path) for path in paths]
    if executor is None:
        return _one_by_one(function, names, progress)
    # A Dask cluster takes equal calls for one and may answer with an old result, but files change: so no call is
    # equal to another.
    batch = secrets.token_hex(8)
    results: dict[int, Result[V]] = {}
    starts: dict[Future[list[Result[V]]], int] = {}
    try:
        for start in range(0, len(names), chunksize):
            starts[_submit(executor, function, names[start : start + chunksize], f"{batch}-{start}")] = start
        for future in as_completed(starts):
            start = starts[future]
            for number, result in enumerate(_outcome(future, names[start : start + chunksize]), start):
                results[number] = result
                if progress is not None:
                    progress(len(results), len(names), result.path)
    except BaseException:
        for future in starts:
            future.cancel()
        raise
    return [results[number] for number in range(len(names))]


def edit_files(
    transform: Transform,
    paths: Iterable[str | os.PathLike[str]],
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
    chunksize: int = 1,
) -> list[Result[Edited]]:
    """Edit each file with a function of its document, or with a patch; nothing is written.

    The results are the new texts and the refusals, in the order of the paths. `apply_edits` takes them over into a
    workspace, which saves all of them or none. For the rest see `map_files`.
    """
    edit = partial(_edited, transform if callable(transform) else list(transform))
    return map_files(edit, paths, executor=executor, progress=progress, chunksize=chunksize)


def apply_edits(results: Iterable[Result[Edited]], workspace: Workspace) -> None:
    """Take over the new texts of all files as one step of a workspace, whose `save` then writes every file or none.

    EditError, and nothing has changed, if a file was refused, appears twice, or has another text by now.
    """
    taken = list(results)
    refused = [result.error for result in taken if result.error is not None]
    if refused:
        raise EditError(
            f"{len(refused)} of {len(taken)} files were refused, so none is changed; the first is {refused[0]}"
        )
    seen: set[int] = set()
    with workspace.transaction():
        for result in taken:
            edited = result.value
            if edited is None or not edited.is_changed:
                continue
            # The folder of a workspace is known by its real name; a link inside of it keeps its own.
            document = workspace.open(result.path.parent.resolve() / result.path.name)
            if id(document) in seen:
                raise EditError(f"{result.path} appears twice: edit each file once")
            seen.add(id(document))
            if document.text != edited.before:
                raise EditError(f"{result.path} has changed since it was edited: edit it again")
            whole = {"line": 1, "old": edited.before, "new": edited.text}
            document.apply([{"op": "replace_text", "replacements": [whole]}])


def _edited(transform: Callable[[Document], object] | list[Mapping[str, Any]], path: Path) -> Edited:
    document = Document.open(path)
    before = document.text
    if callable(transform):
        transform(document)
    else:
        document.apply(transform)
    return Edited(before, document.text)


# ---------------------------------------------------------------- calls


def _one_by_one(function: Callable[[Path], V], names: list[Path], progress: Progress | None) -> list[Result[V]]:
    results: list[Result[V]] = []
    for name in names:
        results.append(_call(function, name, _absolute(name)))
        if progress is not None:
            progress(len(results), len(names), name)
    return results


def _absolute(name: Path) -> Path:
    """Workers may have another working folder."""
    return Path(os.path.abspath(name))  # noqa: PTH100  (`a/../b` without asking the disk about links)


def _submit(executor: Executor, function: Callable[[Path], V], names: list[Path], call: str) -> Future[list[Result[V]]]:
    try:
        return executor.submit(_call_all, function, names, list(map(_absolute, names)), call)
    except BrokenExecutor as error:  # a worker has died meanwhile: no file gets a result any more, each says so
        failed: Future[list[Result[V]]] = Future()
        failed.set_exception(error)
        return failed


def _call_all(function: Callable[[Path], V], names: list[Path], places: list[Path], _call_name: str) -> list[Result[V]]:
    """In the worker. The name makes the call differ from all others."""
    return [_call(function, name, place) for name, place in zip(names, places, strict=True)]


def _call(function: Callable[[Path], V], name: Path, place: Path) -> Result[V]:
    """The result for one file. Errors are returned as data, because many exceptions can't be pickled."""
    try:
        return Result(name, function(place))
    except Exception as error:  # noqa: BLE001  (a user's function may raise anything, and the other files go on)
        is_expected = isinstance(error, ModelicaError | OSError)
        return Result(name, None, _problem(name, place, error), "" if is_expected else traceback.format_exc())


def _problem(name: Path, place: Path, error: Exception) -> Problem:
    """What was raised as a sentence about the file."""
    if isinstance(error, ModelicaSyntaxError):
        if error.path == place:
            return Problem(name, error.line, error.message)
        return Problem(name, 0, error.headline)
    if isinstance(error, ModelicaError):
        return Problem(name, 0, str(error))
    if isinstance(error, OSError) and error.filename is not None and Path(os.fsdecode(error.filename)) == place:
        return Problem(name, 0, f"it can't be read: {error.strerror}")
    return Problem(name, 0, f"{type(error).__name__}: {error}")


def _outcome(future: Future[list[Result[V]]], names: list[Path]) -> list[Result[V]]:
    """The results of a call; an error for each of its files if the executor lost it on the way."""
    try:
        return future.result()
    except CancelledError:
        message, details = "it was cancelled before it had a result", ""
    except Exception as error:  # noqa: BLE001  (what can't be pickled, a worker that died: executors differ)
        message = f"the worker returned no result: {type(error).__name__}: {error}"
        details = "".join(traceback.format_exception(error))
    return [Result(name, None, Problem(name, 0, message), details) for name in names]
