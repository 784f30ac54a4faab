"""What questions about a whole library cost, in multiples of a lazy parse of the same files.

    python benchmarks/libraries.py
    python benchmarks/libraries.py --rounds 1   # a first impression

Everything is CPU time of one process on the Standard Library. Cores differ, and the same core does from minute to
minute, so a lazy parse of the same texts is measured before and after each row, and the ratio is to the mean of both.
The median of all rounds is shown. What is asked for the first time is asked of libraries that were just opened. To open
them, which looks through their folders and parses a few files, is a row of its own.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final
from unittest.mock import patch

# Started as a script; its parts are `benchmarks.…` for type checkers.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from attrs import frozen
from benchmarks.corpus import LibraryMissingError, find_library

from modelica_ast import Source, parse
from modelica_ast.compare import compare, merge
from modelica_ast.library import Libraries, instance, open_with_uses, references
from modelica_ast.refactor import rename
from modelica_ast.rules import check_libraries

_ROUNDS: Final = 3
_NAMES: Final = (
    "Modelica.Units.SI.Length",
    "Modelica.Mechanics.MultiBody.Parts.Body",
    "Modelica.Blocks.Interfaces.RealInput",
)
_FILES: Final = ("Units.mo", "Blocks/Continuous.mo", "Fluid/Vessels.mo")
_VERSIONS_OF: Final = "Media/R134a.mo"
_NUMBER: Final = re.compile(r"= *(\d+\.\d+)")
_RUNS_OF_A_MERGE: Final = 5
_PARSES_OF_A_FILE: Final = 20  # of one file, which takes a few milliseconds


@frozen
class Row:
    """Something to measure: `prepare` makes what `run` is timed on; `texts` are what a lazy parse is of."""

    name: str
    prepare: Callable[[], Any]
    run: Callable[[Any], object]
    texts: Sequence[str]
    goal: float | None = None
    repeats: int = 1  # of the lazy parse, and of what is done
    remark: str = ""


def main() -> int:
    """Print a line for each thing that is measured."""
    parser = argparse.ArgumentParser(description="questions about a whole library, in lazy parses of it")
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help="the median of so many is shown")
    options = parser.parse_args()
    try:
        folder, _ = find_library()
    except LibraryMissingError as error:
        print(f"left out: {error}")
        return 0
    path = next(part for part in sorted(folder.iterdir()) if part.is_dir() and part.name.split()[0] == "Modelica")
    print(f"{path.name}: lazy parses of the same files, median of {options.rounds}")
    print(f"{'what':58}{'CPU s':>9}{'lazy parses':>13}{'goal':>7}")
    for row in _rows(path):
        seconds, ratio = _measured(row, options.rounds)
        goal = "" if row.goal is None else f"{row.goal:g}"
        print(f"{row.name:58}{seconds:9.3f}{ratio:13.2f}{goal:>7}  {row.remark}".rstrip(), flush=True)
    return 0


# ---------------------------------------------------------------- rows


def _rows(path: Path) -> Iterator[Row]:
    def opened() -> Libraries:
        return open_with_uses([path])

    libraries = opened()
    texts = [Source.read(entry.path).text for _, entry in libraries.files()]
    classes = list(libraries["Modelica"].classes())
    yield Row("open", lambda: None, lambda _: opened(), texts, remark=f"{len(texts):,} files")
    yield Row(
        "all instances", opened, lambda found: _instances(found, classes), texts, remark=f"{len(classes):,} classes"
    )
    yield Row(
        "all instances, type names of all components", opened, lambda found: _type_names(found, classes), texts, 10
    )
    yield Row("check", opened, check_libraries, texts, 18)
    for name in _FILES:
        yield from _one_file(opened, path / name, name)
    for name in _NAMES:
        yield from _one_name(opened, name, texts)
    yield from _versions(path / _VERSIONS_OF, _VERSIONS_OF)


def _one_name(opened: Callable[[], Libraries], name: str, texts: Sequence[str]) -> Iterator[Row]:
    def ask(found: Libraries) -> object:
        return references(found, name)

    def asked() -> Libraries:
        found = opened()
        ask(found)
        return found

    last = name.rpartition(".")[2]
    remark = f"{len(references(opened(), name)):,} found"
    yield Row(f"references of {last}, first", opened, ask, texts, 1.3, remark=remark)
    yield Row(f"references of {last}, again", asked, ask, texts, 0.2)
    yield Row(f"rename {last}", opened, lambda found: rename(found, name, f"{last}Renamed"), texts, 1.6)


def _versions(path: Path, name: str) -> Iterator[Row]:
    """Versions of one file, with another number in a third and in two thirds of it."""
    base = Source.read(path).text
    numbers = list(_NUMBER.finditer(base))
    ours, theirs = (
        f"{base[: found.start(1)]}77.5{base[found.end(1) :]}"
        for found in (numbers[len(numbers) // 3 * n] for n in (1, 2))
    )
    both = ours.replace("77.5", "88.5")
    rows: list[tuple[str, Callable[[], object], float | None, str]] = [
        ("diff", partial(compare, base, ours), None, "one value"),
        ("merge", partial(merge, base, ours, theirs), 5, "one value on each side"),
        ("merge, with a conflict,", partial(merge, base, ours, both), None, "one value on both sides"),
    ]
    for what, run, goal, remark in rows:
        yield Row(f"{what} {name}", lambda: None, partial(_called, run), [base], goal, _RUNS_OF_A_MERGE, remark)


def _called(run: Callable[[], object], _: None) -> object:
    return run()


def _one_file(opened: Callable[[], Libraries], path: Path, name: str) -> Iterator[Row]:
    def check(found: Libraries) -> object:
        return check_libraries(found, files={path})

    def checked() -> Libraries:
        found = opened()
        check(found)
        return found

    def edited() -> Libraries:
        found = checked()
        entry = found.entry_at(path)
        assert entry is not None
        found.find_class(entry.full_name).set_description("edited")
        return found

    text = Source.read(path).text
    with _parsed_files() as files:
        checked()
    remark = f"{len(text) / 1e3:.0f} kB, {len(files):,} files are parsed"
    yield Row(f"check {name}, first", opened, check, [text], remark=remark)
    yield Row(f"check {name}, again", checked, check, [text], 10, repeats=_PARSES_OF_A_FILE)
    yield Row(f"check {name}, after an edit of it", edited, check, [text])


def _instances(libraries: Libraries, names: Sequence[str]) -> None:
    for name in names:
        instance(libraries, name)


def _type_names(libraries: Libraries, names: Sequence[str]) -> None:
    for name in names:
        for component in instance(libraries, name).components.values():
            component.type_name  # noqa: B018  (it is looked up)


@contextmanager
def _parsed_files() -> Iterator[set[Path]]:
    """The files that are parsed meanwhile."""
    module = importlib.import_module("modelica_ast.tree.roots")  # the package has a function of that name
    read = module.read
    files: set[Path] = set()

    def counted(source: Source, **options: bool) -> object:
        if source.path is not None:
            files.add(Path(source.path))
        return read(source, **options)

    with patch.object(module, "read", counted):
        yield files


# ---------------------------------------------------------------- time


def _measured(row: Row, rounds: int) -> tuple[float, float]:
    """CPU seconds, and how many lazy parses that is; medians."""
    seconds: list[float] = []
    ratios: list[float] = []
    for _ in range(rounds):
        before = _lazy_parse(row)
        prepared = row.prepare()
        spent = _cpu(partial(row.run, prepared), row.repeats)
        del prepared
        seconds.append(spent)
        ratios.append(2 * spent / (before + _lazy_parse(row)))
    return median(seconds), median(ratios)


def _lazy_parse(row: Row) -> float:
    repeats = _PARSES_OF_A_FILE if len(row.texts) == 1 else 1
    return _cpu(lambda: [parse(text) for text in row.texts] and None, repeats)


def _cpu(run: Callable[[], object], repeats: int) -> float:
    gc.collect()  # nobody pays for what others left
    start = time.process_time()
    for _ in range(repeats):
        run()
    return (time.process_time() - start) / repeats


if __name__ == "__main__":
    sys.exit(main())
