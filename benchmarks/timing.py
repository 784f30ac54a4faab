"""CPU time of several contenders on the same files, taken in turns."""

from __future__ import annotations

import gc
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from statistics import mean
from typing import Any, ParamSpec, TypeVar

import attrs

_P = ParamSpec("_P")
_T = TypeVar("_T")

# Contenders take turns after this much text: often enough that a change in the load of the machine hits all of
# them, rarely enough that each one runs with warm processor caches most of the time.
_CHUNK_CHARACTERS = 200_000
# All contenders learn as they go: ANTLR its automata, we the leaves of files. Every tenth file once, untimed, and
# they have learned most of it.
_WARM_UP_STEP = 10


@attrs.frozen
class Contender:
    """Something to measure: `run` on what `prepare` makes of a text; only `run` is timed.

    A fast contender runs several times in each of its turns, or it would be measured in a few milliseconds here
    and there.
    """

    name: str
    run: Callable[[Any], object]
    prepare: Callable[[str], Any] = str
    repeats: int = 1


@attrs.frozen
class Timing:
    """CPU seconds of one contender in every round for every file, and why it failed on some."""

    rounds: list[list[float]]
    failures: dict[int, str]

    def per_file(self) -> list[float]:
        """The mean time for each file.

        Not the best: a short run finds a quiet moment of the machine more easily than a long one, so the best
        times of a fast and a slow contender have a ratio that flatters the fast one. As contenders take turns,
        noise adds to all of them alike.
        """
        return [mean(times) for times in zip(*self.rounds, strict=True)]

    def seconds(self, *, without: Iterable[int] = ()) -> float:
        """The sum of the times of all files but some."""
        left_out = set(without)
        return sum(seconds for number, seconds in enumerate(self.per_file()) if number not in left_out)

    def spread(self) -> float:
        """How much slower the slowest round was than the fastest: 0.1 is 10 %."""
        totals = [sum(times) for times in self.rounds]
        return max(totals) / min(totals) - 1


@attrs.frozen
class Progress:
    """Says on stderr what is being measured; a class, so that it can be sent to child processes."""

    shown: bool
    started: float = attrs.field(factory=time.time)

    def __call__(self, message: str) -> None:
        """Show a line."""
        if self.shown:
            print(f"[{time.time() - self.started:4.0f} s] {message}", file=sys.stderr, flush=True)


@attrs.frozen
class Method:
    """How to measure: `collecting` is whether Python's cyclic garbage collector is on in the timed parts.

    It is the same for all contenders only if it is off, because our parser switches it off for itself while it
    runs. Off is kind to contenders that make cycles: these are freed between the turns, in nobody's time.
    """

    rounds: int
    collecting: bool
    tell: Progress


def race(texts: Sequence[str], contenders: Sequence[Contender], method: Method) -> dict[str, Timing]:
    """Time all contenders on all texts.

    What a contender returns is dropped at once, and freeing it counts: whoever makes a tree has to free it.
    """
    for contender in contenders:
        method.tell(f"{contender.name}: warming up")
        _turn(contender, texts[::_WARM_UP_STEP], method)
    timings = {contender.name: Timing([], {}) for contender in contenders}
    for number in range(method.rounds):
        method.tell(f"{', '.join(timings)}: round {number + 1} of {method.rounds}")
        for timing in timings.values():
            timing.rounds.append([])
        for first, chunk in _chunks(texts):
            for contender in contenders:
                times, failures = _turn(contender, chunk, method)
                timing = timings[contender.name]
                timing.rounds[-1] += times
                timing.failures.update({first + place: why for place, why in failures.items()})
    return timings


def _turn(contender: Contender, chunk: Sequence[str], method: Method) -> tuple[list[float], dict[int, str]]:
    """The time for each text, and why it failed on some."""
    prepared = [contender.prepare(text) for text in chunk]
    spent = [0.0] * len(chunk)
    failures: dict[int, str] = {}
    run, now = contender.run, time.process_time
    for _ in range(contender.repeats):
        gc.collect()
        if not method.collecting:
            gc.disable()
        for place, item in enumerate(prepared):
            start = now()
            try:
                run(item)
            except Exception as error:  # noqa: BLE001  (a contender may fail in any way; it is counted)
                failures[place] = f"{type(error).__name__}: {error}"
            spent[place] += now() - start
        gc.enable()
    return [seconds / contender.repeats for seconds in spent], failures


def _chunks(texts: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """(number of the first text, texts)."""
    chunk: list[str] = []
    for number, text in enumerate(texts):
        chunk.append(text)
        if sum(map(len, chunk)) >= _CHUNK_CHARACTERS or number == len(texts) - 1:
            yield number + 1 - len(chunk), chunk
            chunk = []


def in_fresh_process(function: Callable[_P, _T], *args: _P.args, **options: _P.kwargs) -> _T:
    """Call it in a new process, so that neither memory nor memos of other measurements are there."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *args, **options).result()
