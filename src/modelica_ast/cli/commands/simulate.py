"""`modelica-patch simulate`: compile a model, run it, and keep what it computes."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli.address import STANDARD_STREAM, refuse_old_spelling
from modelica_ast.cli.exits import EXIT_OK, EXIT_UNREADABLE, CommandError, writing
from modelica_ast.cli.places import add_library_option, settle, shortened
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import EARLIER, Elapsed, count, tell, write_json
from modelica_ast.cli.words import modifiers_of
from modelica_ast.foundation import Record, read_regular, split_name
from modelica_ast.library import LibraryError, full_name_at, library_around
from modelica_ast.simulation import CompiledModel, Experiment, FmuModel, Result, Simulator
from modelica_ast.tree import LiteralError, evaluate, parse

# ---------------------------------------------------------------- simulate output
# The table that `modelica-patch simulate` shows: the last values of some variables.

_ROWS: Final = 20  # of a table that nobody has asked for in particular


def shown_names(result: Result, states: list[str], *, is_chosen: bool) -> list[str]:
    """The variables that tell most: those that were chosen; else the states, else the outermost ones."""
    if is_chosen:
        return result.names
    main = [name for name in states if name in result] or sorted(result.names, key=lambda name: name.count("."))
    return main[:_ROWS]


def table(result: Result, names: list[str]) -> str:
    """A line for each variable: name, value at the end, unit."""
    width = max(map(len, names), default=0)
    lines = [f"{result.model} at {result.times[-1]:g} s"] if len(result) else []
    for name in names:
        unit = result.units.get(name, "")
        lines.append(f"  {name:<{width}}  {result.last(name): .6g} {unit}".rstrip())
    left = len(result.names) - len(names)
    if left:
        lines.append(f"  … and {left:,} more: choose with --variables, keep all with -o FILE.csv")
    return "".join(f"{line}\n" for line in lines)


# ---------------------------------------------------------------- simulate

DESCRIPTION = """\
Compile a class and run it. The compiler is rumoca, in a process of its own (pip install 'modelica-ast[sim]'), or
OpenModelica with --backend omc. Start, stop, step and tolerance are those of the class's experiment annotation unless
you give others. 'modelica-patch help libraries' says where the libraries are looked for that the class uses.

-o keeps all values as CSV, --plot draws them. Without -o the last values of the states are shown. A .fmu file is run
with FMPy (pip install 'modelica-ast[fmi]'); --fmu writes one, for which OpenModelica is needed.

The same model with the same options is not run twice: the result of the earlier run is used, and a note says so.

The exit code is 1 if the model can't be compiled or run, and 4 if a library is missing or can't be read.
"""

EXAMPLES = """\
  modelica-patch simulate Lib.Arm.ArmTest -o result.csv            a class of a library in this folder
  modelica-patch simulate libraries/::Lib.Arm.ArmTest --stop 2     a library in another folder
  modelica-patch simulate Lib.Arm.ArmTest --set robot.elbow.q_start=0.5 --set robot.base.m=2
  modelica-patch simulate Lib.Arm.ArmTest --variables 'robot.*.phi' --plot angles.png
  modelica-patch simulate Pendulum.mo::Pendulum --json             a model in a file of its own
  modelica-patch simulate Lib.Arm.ArmTest --backend omc --fmu arm.fmu
  modelica-patch simulate arm.fmu --stop 2 -o result.csv           an FMU, with the same options
"""

_DEFAULT_STOP = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `simulate`."""
    parser.add_argument(
        "address", metavar="ADDRESS", help="a class: FILE.mo::Class, FOLDER::Name, or its full name; or a .fmu file"
    )
    parser.add_argument("old_folders", nargs="*", help=argparse.SUPPRESS)
    add_library_option(parser, "--path")
    run = parser.add_argument_group("the run")
    run.add_argument("--start", type=float, metavar="T", help="the start time (0)")
    run.add_argument("--stop", type=float, metavar="T", help="the stop time (1)")
    run.add_argument("--step", type=float, metavar="DT", help="the time between two values (a 500th of the run)")
    run.add_argument("--tolerance", type=float, metavar="TOL", help="relative, of each step (1e-8)")
    run.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="a parameter; repeatable")
    run.add_argument("--backend", choices=["rumoca", "omc"], default="rumoca", help="the compiler (rumoca)")
    run.add_argument("--solver", metavar="NAME", help="rumoca: rk-like (default), bdf, auto; omc: dassl, cvode, …")
    run.add_argument(
        "--timeout", type=float, metavar="S", help="time limit in seconds, for the compilation and again for the run"
    )
    run.add_argument(
        "--no-cache", action="store_true", help="use nothing of earlier runs, and keep nothing of this one"
    )
    output = parser.add_argument_group("the results")
    output.add_argument("--variables", nargs="+", metavar="GLOB", help="only these: 'robot.*.phi', 'body.r_0[1]'")
    output.add_argument("-o", "--output", metavar="FILE.csv", help="write all values")
    output.add_argument("--plot", metavar="FILE", help="draw them: .png, .svg or .pdf")
    output.add_argument("--fmu", metavar="FILE.fmu", help="write the model as an FMU, and do not run it")
    output.add_argument("--json", action="store_true", help="the result and the last values, for programs")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no messages about files")


def run(options: argparse.Namespace) -> int:
    """Run it; the exit code."""
    for name in (options.output, options.plot, options.fmu):
        if name is not None and not Path(name).resolve().parent.is_dir():
            raise CommandError(f"{name}: there is no folder {Path(name).parent}", EXIT_UNREADABLE)
    values = {path: _plain(value) for path, value in modifiers_of(options.set).items()}
    if options.address.endswith(".fmu"):
        return _run_fmu(options, values)
    target = _target(options)
    with Elapsed(quiet=options.quiet) as elapsed, _simulator(options, target, elapsed) as simulator:
        began = time.monotonic()
        if options.fmu is not None:
            return _export(options, target, simulator, values)
        model = _compiled(target, simulator)
        compiled = time.monotonic()
        result = _result(options, model, model.experiment, values)
        names = shown_names(result, model.state_names, is_chosen=options.variables is not None)
        result.units.update(model.units(names))
        seconds = {"compiling": compiled - began, "simulating": time.monotonic() - compiled}
    for note in simulator.notes:
        tell(f"note: {shortened(note)}", quiet=options.quiet)
    facts = {
        "model": model.name,
        "backend": options.backend,
        **({"equations": model.equations, "unknowns": model.unknowns} if options.json else {}),
        "states": model.states,
        "notes": simulator.notes,
        "reused": result.is_earlier,
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
    }
    if result.is_earlier:
        tell(EARLIER, quiet=options.quiet)
    return _finish(options, result, facts, names)


class _Target(Record):
    """What is run: a class of a library, or one of the text of a file that stands alone."""

    name: str
    text: str | None
    folders: list[Path]  # the library itself
    around: Path


def _target(options: argparse.Namespace) -> _Target:
    if options.old_folders:
        first, *more = options.old_folders
        rest = "".join(f" --library {shlex.quote(each)}" for each in more)
        refuse_old_spelling(" ".join([options.address, *options.old_folders]), first, options.address, rest)
    session = Session(libraries=options.library)
    _refuse_file_of_another_name(options)
    address = session.address(options.address)
    if address.annotation is not None:
        raise CommandError(f"'{address}' is not a class")
    if address.is_bare:
        return _Target(address.name, None, [], Path())
    place = Path(address.place)
    library = None if address.place == STANDARD_STREAM else library_around(place)
    if library is None and not place.is_dir():
        text = _text(address.place)
        only = _only_class(text, address.place, name=address.name)
        return _Target(only, text, [], place)
    name = full_name_at(place, address.name or None)
    return _Target(name, None, [library or place], place)


def _refuse_file_of_another_name(options: argparse.Namespace) -> None:
    """CommandError if a file that is named as a library has the class, and is not called so: no library is in it."""
    name = split_name(options.address)[0]
    for each in map(Path, options.library):
        if each.suffix != ".mo" or each.stem in (name, "package") or not each.is_file():
            continue
        if any(found.name == name for found in parse(_text(str(each)), path=each).classes):
            address = shlex.quote(f"{each}::{options.address}")
            raise CommandError(
                f"{name} is in {each}, which is called otherwise, so it is not the library {name}: write {address}"
            )


def _only_class(text: str, place: str, *, name: str) -> str:
    """The class that is named, or the one of the file; what is wrong with the file is said with its name."""
    names = [each.name for each in parse(text, path=None if place == STANDARD_STREAM else place).classes]
    if name:
        return name
    if len(names) != 1:
        there = ", ".join(names) or "no class"
        raise CommandError(f"{place} has {len(names)} classes: write {place}::NAME with one of them ({there})")
    return names[0]


def _simulator(options: argparse.Namespace, target: _Target, elapsed: Elapsed) -> Simulator:
    return Simulator(
        [*target.folders, *map(Path, options.library)],
        around=[target.around],
        backend=options.backend,
        progress=elapsed,
        timeout=options.timeout,
        cache=not options.no_cache,
        count=options.json,
    )


def _compiled(target: _Target, simulator: Simulator) -> CompiledModel:
    if target.text is not None:
        settle(simulator.shelf.places(simulator.shelf.mentioned_in(target.text)))
        path = None if str(target.around) == STANDARD_STREAM else target.around
        return simulator.compile_text(target.text, target.name, path=path)
    settle(simulator.shelf.places([split_name(target.name)[0]]))
    return simulator.compile(target.name)


def _text(place: str) -> str:
    try:
        return (sys.stdin.buffer.read() if place == STANDARD_STREAM else read_regular(place)).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{place}: it is not UTF-8 text", EXIT_UNREADABLE) from None


def _plain(value: Any) -> Any:
    """A number or truth value as such; an expression stays one."""
    try:
        return evaluate(value)
    except LiteralError:
        return value


def _result(
    options: argparse.Namespace, model: CompiledModel | FmuModel, experiment: Experiment, values: dict[str, Any]
) -> Result:
    start = _first(options.start, experiment.start, 0.0)
    result = model.run(
        stop=_first(options.stop, experiment.stop, start + _DEFAULT_STOP),
        start=start,
        step=options.step if options.step is not None else experiment.step,
        tolerance=_first(options.tolerance, experiment.tolerance, 1e-8),
        parameters=values,
        solver=options.solver,
    )
    return result if options.variables is None else result.only(result.matching(options.variables))


def _first(*values: float | None) -> float:
    return next(value for value in values if value is not None)


def _export(options: argparse.Namespace, target: _Target, simulator: Simulator, values: dict[str, Any]) -> int:
    if options.backend != "omc":
        raise CommandError("rumoca does not write FMUs: use --backend omc, for which OpenModelica must be installed")
    if target.text is not None:
        try:
            full_name_at(target.around, target.name)
        except (LibraryError, OSError) as error:
            raise CommandError(f"an FMU is made from a class of a library: {error}") from None
    settle(simulator.shelf.places([split_name(target.name)[0]]))
    with writing():
        simulator.export_fmu(target.name, Path(options.fmu), values)
    tell(f"{options.fmu} written", quiet=options.quiet)
    return EXIT_OK


def _run_fmu(options: argparse.Namespace, values: dict[str, Any]) -> int:
    if options.fmu is not None:
        raise CommandError(f"{options.address} is already an FMU")
    with Elapsed(quiet=options.quiet) as elapsed:
        model = FmuModel(Path(options.address), timeout=options.timeout, progress=elapsed)
        result = _result(options, model, model.experiment, values)
    names = shown_names(result, model.state_names, is_chosen=options.variables is not None)
    return _finish(options, result, {"model": model.name, "backend": "fmpy"}, names)


def _finish(options: argparse.Namespace, result: Result, facts: dict[str, Any], shown: list[str]) -> int:
    """Write what is asked for, and show the rest."""
    if result.ended:
        tell(f"note: the run ended on its own at {result.times[-1]:g} s: {result.ended}", quiet=options.quiet)
    written = []
    if options.output is not None:
        with writing():
            result.write_csv(options.output)
        written.append(options.output)
    if options.plot is not None:
        from modelica_ast.simulation import plot  # noqa: PLC0415  (an optional package)

        with writing():
            plot(result, shown, Path(options.plot), title=result.model)
        written.append(options.plot)
    if options.json:
        times = result.times
        more = {
            "start": times[0],
            "stop": times[-1],
            "points": len(times),
            "ended": result.ended,
            "files": written,
            "last": {name: result.last(name) for name in shown},
        }
        write_json({**facts, **more})
        return EXIT_OK
    if options.output is None:
        sys.stdout.write(table(result, shown))
    for name in written:
        kept = shown if name == options.plot else result.names
        tell(f"{name} written: {count(len(kept), 'variable')} at {count(len(result), 'time')}", quiet=options.quiet)
    return EXIT_OK
