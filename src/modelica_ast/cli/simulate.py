"""`modelica-patch simulate`: compile a model, run it, and keep what it computes."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, EXIT_UNREADABLE, EXIT_USAGE, CommandError, writing
from modelica_ast.cli.progress import Elapsed
from modelica_ast.cli.searches import settle
from modelica_ast.cli.simulate_output import shown_names, table
from modelica_ast.cli.terminal import count, tell, write_json
from modelica_ast.cli.words import modifiers_of
from modelica_ast.edit.working import split_name
from modelica_ast.files import read_regular
from modelica_ast.literals import LiteralError, evaluate
from modelica_ast.simulation import (
    CompiledModel,
    Experiment,
    FmuModel,
    MissingBackendError,
    MissingLibraryError,
    Result,
    SimulationError,
    Simulator,
    UnreadableFmuError,
)

DESCRIPTION = """\
Compile a class of a library and run it. The compiler is rumoca, in a process of its own (pip install
'modelica-ast[sim]'), or OpenModelica with --backend omc. Libraries are looked for in the FOLDERs (the current folder
without), among those that packages bring, in MODELICAPATH and in ~/.openmodelica/libraries. Start, stop, step and
tolerance are those of the class's experiment annotation where you say nothing else.

-o keeps all values as CSV, --plot draws them. Without -o the last values of the states are shown. A .fmu file is run
with FMPy (pip install 'modelica-ast[fmi]'); --fmu writes one, for which OpenModelica is needed.

A model that can't be compiled or run is exit code 1, a library that is missing or can't be read is 4.
"""

EXAMPLES = """\
  modelica-patch simulate Lib.Arm.ArmTest -o result.csv            a class of a library in this folder
  modelica-patch simulate Lib.Arm.ArmTest libraries/ --stop 2      a library in another folder
  modelica-patch simulate Lib.Arm.ArmTest --set robot.elbow.q_start=0.5 --set robot.base.m=2
  modelica-patch simulate Lib.Arm.ArmTest --variables 'robot.*.phi' --plot angles.png
  modelica-patch simulate Pendulum.mo::Pendulum --json             a model in a file of its own
  modelica-patch simulate Lib.Arm.ArmTest --backend omc --fmu arm.fmu
  modelica-patch simulate arm.fmu --stop 2 -o result.csv           an FMU, with the same options
"""

_DEFAULT_STOP = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `simulate`."""
    parser.add_argument("model", metavar="CLASS", help="the full name of a class, FILE.mo::CLASS, or a .fmu file")
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="where libraries are, or a library itself")
    parser.add_argument("--path", action="append", default=[], metavar="DIR", help="the same as FOLDER; repeatable")
    run = parser.add_argument_group("the run")
    run.add_argument("--start", type=float, metavar="T", help="the start time (0)")
    run.add_argument("--stop", type=float, metavar="T", help="the stop time (1)")
    run.add_argument("--step", type=float, metavar="DT", help="the time between two values (a 500th of the run)")
    run.add_argument("--tolerance", type=float, metavar="TOL", help="relative, for each step (1e-8)")
    run.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="a parameter; repeatable")
    run.add_argument("--backend", choices=["rumoca", "omc"], default="rumoca", help="what compiles (rumoca)")
    run.add_argument("--solver", metavar="NAME", help="rumoca: rk-like (default), bdf, auto; omc: dassl, cvode, …")
    run.add_argument("--timeout", type=float, metavar="S", help="seconds for the compilation, and again for the run")
    run.add_argument("--no-cache", action="store_true", help="keep nothing for the next time")
    output = parser.add_argument_group("what comes of it")
    output.add_argument("--variables", nargs="+", metavar="GLOB", help="only these: 'robot.*.phi', 'body.r_0[1]'")
    output.add_argument("-o", "--output", metavar="FILE.csv", help="write all values")
    output.add_argument("--plot", metavar="FILE", help="draw them: .png, .svg or .pdf")
    output.add_argument("--fmu", metavar="FILE.fmu", help="write the model as an FMU, and do not run it")
    output.add_argument("--json", action="store_true", help="what was done and the last values, for programs")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress and no words about files")


def run(options: argparse.Namespace) -> int:
    """Run it; the exit code."""
    try:
        return _run(options)
    except MissingBackendError as error:
        raise CommandError(str(error), EXIT_USAGE) from None
    except (MissingLibraryError, UnreadableFmuError) as error:
        raise CommandError(str(error), EXIT_UNREADABLE) from None
    except SimulationError as error:
        raise CommandError(str(error), EXIT_FOUND) from None


def _run(options: argparse.Namespace) -> int:
    for name in (options.output, options.plot, options.fmu):
        if name is not None and not Path(name).resolve().parent.is_dir():
            raise CommandError(f"{name}: there is no folder {Path(name).parent}", EXIT_UNREADABLE)
    values = {path: _plain(value) for path, value in modifiers_of(options.set).items()}
    if options.model.endswith(".fmu") and "::" not in options.model:
        return _run_fmu(options, values)
    with Elapsed(quiet=options.quiet) as elapsed, _simulator(options, elapsed) as simulator:
        began = time.monotonic()
        if options.fmu is not None:
            return _export(options, simulator, values)
        model = _compiled(options, simulator)
        compiled = time.monotonic()
        result = _result(options, model, model.experiment, values)
        names = shown_names(result, model.state_names, is_chosen=options.variables is not None)
        result.units.update(model.units(names))
        seconds = {"compiling": compiled - began, "simulating": time.monotonic() - compiled}
    for note in simulator.notes:
        tell(f"note: {note}", quiet=options.quiet)
    facts = {
        "model": model.name,
        "backend": options.backend,
        "equations": model.equations,
        "unknowns": model.unknowns,
        "states": model.states,
        "notes": simulator.notes,
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
    }
    return _finish(options, result, facts, names)


def _simulator(options: argparse.Namespace, elapsed: Elapsed) -> Simulator:
    folders = [*options.folders, *options.path]
    place = options.model.rpartition("::")[0]
    if place and Path(place).is_dir():
        folders.insert(0, place)
    return Simulator(
        [Path(folder) for folder in folders or ["."]],
        backend=options.backend,
        progress=elapsed,
        timeout=options.timeout,
        cache=not options.no_cache,
    )


def _compiled(options: argparse.Namespace, simulator: Simulator) -> CompiledModel:
    place, _, name = options.model.rpartition("::")
    if place and not Path(place).is_dir():
        text = _text(place)
        settle(simulator.shelf.places(simulator.shelf.mentioned_in(text)))
        return simulator.compile_text(text, name)
    settle(simulator.shelf.places([split_name(name)[0]]))
    return simulator.compile(name)


def _text(place: str) -> str:
    try:
        return (sys.stdin.buffer.read() if place == "-" else read_regular(place)).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{place}: it is no text in UTF-8", EXIT_UNREADABLE) from None


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


def _export(options: argparse.Namespace, simulator: Simulator, values: dict[str, Any]) -> int:
    if options.backend != "omc":
        raise CommandError("rumoca writes no FMU: say --backend omc, for which OpenModelica must be installed")
    if "::" in options.model:
        raise CommandError("an FMU is made of a class of a library: name it by its full name")
    settle(simulator.shelf.places([split_name(options.model)[0]]))
    with writing():
        simulator.export_fmu(options.model, Path(options.fmu), values)
    tell(f"{options.fmu} written", quiet=options.quiet)
    return EXIT_OK


def _run_fmu(options: argparse.Namespace, values: dict[str, Any]) -> int:
    if options.fmu is not None:
        raise CommandError(f"{options.model} is an FMU already")
    with Elapsed(quiet=options.quiet) as elapsed:
        model = FmuModel(Path(options.model), timeout=options.timeout, progress=elapsed)
        result = _result(options, model, model.experiment, values)
    names = shown_names(result, model.state_names, is_chosen=options.variables is not None)
    return _finish(options, result, {"model": model.name, "backend": "fmpy"}, names)


def _finish(options: argparse.Namespace, result: Result, facts: dict[str, Any], shown: list[str]) -> int:
    """Write what is asked for, and show the rest."""
    if result.ended:
        tell(f"note: the run has ended by itself at {result.times[-1]:g} s: {result.ended}", quiet=options.quiet)
    written = []
    if options.output is not None:
        with writing():
            result.write_csv(options.output)
        written.append(options.output)
    if options.plot is not None:
        from modelica_ast.simulation.plotting import plot  # noqa: PLC0415  (an optional package)

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
        tell(
            f"{name} written: {count(len(result.names), 'variable')} at {count(len(result), 'time')}",
            quiet=options.quiet,
        )
    return EXIT_OK
