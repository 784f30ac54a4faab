"""Our speed and memory against other parsers, measured in one run on the same files: `make bench`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import attrs

# Started as a script; its parts are `benchmarks.…` for type checkers and for child processes alike.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import edits, memory, ours, startup
from benchmarks.corpus import LibraryMissingError, SourceFile, find_library, sample, total_size
from benchmarks.fingerprint import fingerprint
from benchmarks.peers import PEERS, Comparison, compare
from benchmarks.report import Results, bar_table, bars, comparison_table, own_table
from benchmarks.timing import Method, Progress, in_fresh_process

_DESCRIPTION = """\
Measure modelica_ast on the Modelica Standard Library 4.1.0, next to stock Lark with the same grammar, rumoca,
modelica-builder and pymoca. Prints a table of speeds, one of our own numbers, and PASS or FAIL for each bar.

Times are CPU seconds, the mean of all rounds. Contenders take turns on the same files, in a fresh process for each
comparison, so that other load hits them alike: trust the ratios, not the MB/s. A ratio of 20x means: the other one
takes 20 times as long as we do on exactly the files that it can parse. Parsers that a bar names run on the whole
library, the others on a fixed sample of files of all sizes, whose ratios can be 15 % off."""

_EPILOG = """\
examples:
  python benchmarks/bench.py                           about nine minutes
  python benchmarks/bench.py --quick --sample-mb 0.5   a first impression in two
  python benchmarks/bench.py --full --json out.json    every parser on every file, in about fifteen

The library is looked for in the folders of MODELICAPATH, then in ~/.openmodelica/libraries.
Exit code: 0 if all bars are cleared, 1 if not, 2 if the library is not there."""

_LARGE = 10e6  # bytes


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it all; the exit code says whether all bars are cleared."""
    options = _parse_arguments(arguments)
    tell = Progress(shown=options.verbose or sys.stderr.isatty())
    try:
        folder, files = find_library()
    except LibraryMissingError as error:
        print(f"bench.py: {error}", file=sys.stderr)
        return 2
    chosen = files if options.full else sample(files, options.sample_mb * 1e6)
    method = Method(1 if options.quick else options.rounds, options.gc == "on", tell)
    measured_code = fingerprint()
    setting = {
        "code": measured_code,
        "python": f"{platform.python_implementation()} {platform.python_version()}, {platform.system()}, "
        f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start",
        "library": f"{folder}: {_describe(files)}",
        "sample": _describe(chosen),
        "method": "CPU time, mean of all rounds, in turns after some warming up",
        "garbage collection": "on, but our parser switches it off while it runs"
        if method.collecting
        else "off for all while they run; a full collection, untimed, before every turn",
    }
    for name, value in setting.items():
        print(f"{name}: {value}")
    print(flush=True)

    results = Results(
        setting,
        speed=in_fresh_process(ours.measure, files, method),
        comparisons=_compare_all(chosen if options.quick else files, chosen, method),
        lazy_memory=in_fresh_process(memory.measure, files, eager=False),
        eager_memory=in_fresh_process(memory.measure, files, eager=True),
        start_up=startup.measure(tell),
        edits=in_fresh_process(edits.measure, files),
    )
    promises = bars(results)
    print(comparison_table(results), own_table(results), sep="\n\n")
    if method.rounds > 1:
        noise = max([results.speed.spread, *(c.spread for c in results.comparisons)])
        print(f"\nnoise: the slower rounds took up to {noise:.0%} longer than the faster ones")
    if fingerprint() != measured_code:
        print("\nWARNING: modelica_ast was edited during this run: its numbers are of a mixture")
    print("", bar_table(promises), sep="\n", flush=True)
    if options.json is not None:
        record = attrs.asdict(results) | {"bars": [attrs.asdict(bar) for bar in promises]}
        options.json.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return 1 if any(bar.kept is False for bar in promises) else 0


def _compare_all(whole: Sequence[SourceFile], chosen: Sequence[SourceFile], method: Method) -> list[Comparison]:
    comparisons = []
    for peer in PEERS:
        if peer.version() is None:
            print(f"{peer.package} is not installed, so not compared: pip install '.[bench]'", flush=True)
            continue
        files = whole if peer.has_bar else chosen
        # On the whole library one round is many turns over a long time, and noise averages out.
        rounds = 1 if total_size(files) > _LARGE else method.rounds
        comparisons.append(in_fresh_process(compare, peer, files, attrs.evolve(method, rounds=rounds)))
    return comparisons


def _describe(files: Sequence[SourceFile]) -> str:
    return f"{len(files)} files, {total_size(files) / 1e6:.2f} MB"


def _parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--sample-mb", type=_positive, default=3.0, metavar="MB", help="size of the sample (default: %(default)s)")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--full", action="store_true", help="no sample: every parser on every file")
    scope.add_argument("--quick", action="store_true", help="every other parser on the sample only, and one round")
    add(
        "--rounds",
        type=_count,
        default=2,
        metavar="N",
        help="rounds on a sample (default: %(default)s)",
    )
    add("--gc", choices=("off", "on"), default="off", help="garbage collector while parsing (default: %(default)s)")
    add("--json", type=Path, metavar="FILE", help="write all numbers there as well")
    add("--verbose", action="store_true", help="progress on stderr even if that is not a terminal")
    return parser.parse_args(arguments)


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"a number above 0 is needed, not {text!r}")
    return value


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a whole number above 0 is needed, not {text!r}")
    return int(text)


# Child processes import this file too.
if __name__ == "__main__":
    sys.exit(main())
