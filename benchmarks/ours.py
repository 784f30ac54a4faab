"""Our own speed on the whole library: parsing, building all views, rendering."""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import median, quantiles

import attrs
from benchmarks.corpus import SourceFile, total_size
from benchmarks.timing import Contender, Method, race

from modelica_ast import parse, render, walk
from modelica_ast.tree import StoredDefinition


@attrs.frozen
class Latency:
    """Seconds for one file, parsed lazily."""

    median: float
    percentile_99: float
    slowest: float
    slowest_file: str


@attrs.frozen
class OwnSpeed:
    """CPU seconds for the whole library."""

    size: int
    first_lazy_parse: float
    lazy_parse: float
    eager_parse: float
    lazy_views: float
    eager_views: float
    opening_views: float
    lazy_render: float
    eager_render: float
    spread: float
    latency: Latency


def measure(files: Sequence[SourceFile], method: Method) -> OwnSpeed:
    """Measure all of it. To be called in a fresh process."""
    texts = [file.text() for file in files]
    method.tell("first lazy parse of everything, nothing remembered yet")
    start = time.process_time()
    for text in texts:
        parse(text)
    first = time.process_time() - start
    timings = race(
        texts,
        [
            Contender("lazy parse", parse),
            Contender("eager parse", _parse_eagerly),
            Contender("views, annotations unread", _build_views_outside_annotations, parse),
            Contender("views of the eager tree", _build_views, _parse_eagerly),
            # The memo of opened annotations is smaller than the library, so a later round finds little in it.
            Contender("views, annotations opened", _build_views, parse),
            Contender("render lazy", render, parse),
            Contender("render eager", render, _parse_eagerly),
        ],
        method,
    )
    for timing in timings.values():
        for at, why in timing.failures.items():
            raise RuntimeError(f"{files[at].path}: {why}")
    return OwnSpeed(
        size=total_size(files),
        first_lazy_parse=first,
        lazy_parse=timings["lazy parse"].seconds(),
        eager_parse=timings["eager parse"].seconds(),
        lazy_views=timings["views, annotations unread"].seconds(),
        eager_views=timings["views of the eager tree"].seconds(),
        opening_views=timings["views, annotations opened"].seconds(),
        lazy_render=timings["render lazy"].seconds(),
        eager_render=timings["render eager"].seconds(),
        spread=max(timing.spread() for timing in timings.values()),
        latency=_latency(timings["lazy parse"].per_file(), files),
    )


def _latency(seconds: list[float], files: Sequence[SourceFile]) -> Latency:
    slowest = max(range(len(files)), key=seconds.__getitem__)
    name = f"{files[slowest].path.name}, {files[slowest].size / 1000:.0f} kB"
    return Latency(median(seconds), quantiles(seconds, n=100)[98], seconds[slowest], name)


def _parse_eagerly(text: str) -> StoredDefinition:
    return parse(text, strict=True)


def _build_views(tree: StoredDefinition) -> None:
    for _view in walk(tree):
        pass


def _build_views_outside_annotations(tree: StoredDefinition) -> None:
    for _view in walk(tree, annotations=False):
        pass
