"""The commands about one model: `sync`, `check`, `add` and `pairs`, and what they say of networks and findings."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli import (
    EXIT_FOUND,
    EXIT_OK,
    EXIT_UNREADABLE,
    CommandError,
    Finding as Shown,
    Session,
    add_format_option,
    add_library_option,
    add_write_options,
    complain,
    count,
    finding_json,
    finish,
    printable,
    refuse_old_spelling,
    tell,
    write_findings,
    write_json,
)
from modelica_ast.foundation import shown
from modelica_ast.library import Libraries
from urdf_frontend.constraints.inspection import CODES, check
from urdf_frontend.constraints.networks import NEEDED, Finding, NetworkCount
from urdf_frontend.constraints.objects import Role
from urdf_frontend.constraints.synchronisation import NewObject, Style, add, count_networks, sync

# ---------------------------------------------------------------- networks and findings


def as_shown(finding: Finding) -> Shown:
    """A finding for people and programs."""
    return Shown(
        finding.severity,
        shown(finding.file),
        finding.line,
        finding.column,
        finding.message,
        finding.code,
        finding.hint,
    )


def as_json(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings for programs, as `check` writes them."""
    return [finding_json(as_shown(finding)) for finding in findings]


def complain_about(findings: Iterable[Finding], *, quiet: bool) -> None:
    """Findings on standard error; with `quiet` only errors."""
    for finding in findings:
        if finding.severity == "error" or not quiet:
            hint = f" ({finding.hint})" if finding.hint else ""
            place = f"{shown(finding.file)}:{finding.line}:{finding.column}"
            complain(f"{place}: {finding.severity}: {finding.message}{hint} [{finding.code}]")


def tell_networks(networks: Iterable[NetworkCount], *, quiet: bool) -> None:
    """One line for each collector."""
    for network in networks:
        objects = [count(network.collisions, "collision object"), count(network.constrained, "constrained object")]
        name = f"{network.name}: " if network.name else ""
        tell(f"{name}{' and '.join(objects)}, {count(network.pairs, 'pair')}", quiet=quiet)


# ---------------------------------------------------------------- models
# The model that a call is about, by its address, with the libraries that it uses.


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ADDRESS and --library."""
    parser.add_argument(
        "address", metavar="ADDRESS", help="a model: FILE.mo, FILE.mo::Class, FOLDER::Name, or its full name"
    )
    parser.add_argument("--model", dest="old_model", help=argparse.SUPPRESS)
    add_library_option(parser)


def given_model(options: argparse.Namespace) -> tuple[Session, Libraries, str]:
    """What writes the changes, the libraries with the model's own among them, and the full name of the model."""
    if options.old_model is not None:
        refuse_old_spelling(f"{options.address} --model {options.old_model}", options.address, options.old_model)
    session = Session(libraries=options.library)
    libraries, name = session.open_class(options.address, names=NEEDED, quiet=getattr(options, "quiet", False))
    own = [library.path for library in libraries if not library.read_only]
    for problem in libraries.problems:
        if any(Path(problem.path).is_relative_to(path) for path in own):
            raise CommandError(f"{problem.path}: {problem.message}", EXIT_UNREADABLE)
    return session, libraries, name


# ---------------------------------------------------------------- sync


class Sync:
    """`modelica-patch constraints sync`: number the objects of a model."""

    DESCRIPTION: Final = """
Give the objects of DynamicConstraints in a model what Modelica can't: a unique ID for each, and their number for the
collector and for every object that needs it. Objects are found wherever they are: in components of components, in
arrays, inherited, redeclared. All is written as modifiers of the model itself; other classes stay as they are. A
missing collector is added.

IDs that are valid and unique stay, only the others change; a second call changes nothing. IDs that are expressions are
checked, and left to you. What is still not in order is listed, and the exit code is 1; the rest is numbered all the
same. A model that can't be numbered at all is exit code 2, and nothing changes.

--style connect makes connections of all pairs in place of IDs and a collector, --style outer goes back.
"""
    EXAMPLES: Final = """
  modelica-patch constraints sync Cell.mo                        see what would change
  modelica-patch constraints sync Cell.mo --in-place             write it
  modelica-patch constraints sync Plant::Plant.Cell -i           a model of a library
  modelica-patch constraints sync Cell.mo --renumber             IDs in the order of the declarations
  modelica-patch constraints sync Cell.mo --style connect        connections in place of a collector
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_model_arguments(parser)
        parser.add_argument(
            "--style", choices=[style.value for style in Style], help="rewire objects of the other style"
        )
        parser.add_argument("--renumber", action="store_true", help="renumber all, in the order of their declarations")
        parser.add_argument("--collector", metavar="PATH", help="only the objects of this collector")
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Sync it; the exit code."""
        if options.output is not None:
            raise CommandError("--output is for commands that know one file: use --in-place")
        session, libraries, model = given_model(options)
        report = sync(libraries, model, style=options.style, renumber=options.renumber, collector=options.collector)
        complain_about(report.findings, quiet=options.quiet)
        code = finish(session, options, **report.as_json(), findings=as_json(report.findings))
        if not options.json:
            tell_networks(report.networks, quiet=options.quiet)
        if report.errors:
            tell("some objects are not in order: see above", quiet=options.quiet)
            return EXIT_FOUND
        return code


# ---------------------------------------------------------------- check


class Check:
    """`modelica-patch constraints check`: what is wrong with the objects of a model."""

    DESCRIPTION: Final = """
Look at the objects of DynamicConstraints in a model: IDs that are missing, used twice or out of range, wrong counts,
no collector, a pair that is not connected, an input closed without a source, a frame that is connected with nothing.
Values are computed where they can be, through modifiers, inheritance and arrays.

The exit code is 1 if there is an error; warnings don't change it. sync repairs what it can.
"""
    EXAMPLES: Final = """
  modelica-patch constraints check Cell.mo                       all that is wrong
  modelica-patch constraints check Plant::Plant.Cell             a model of a library
  modelica-patch constraints check Cell.mo --format sarif        for the reviews of a code host
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_model_arguments(parser)
        add_format_option(parser)
        parser.add_argument("-q", "--quiet", action="store_true", help="no summary")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Check it; the exit code."""
        _, libraries, model = given_model(options)
        findings = check(libraries, model)
        files = len({finding.file for finding in findings}) or 1
        told = [as_shown(finding) for finding in findings]
        write_findings(told, options.format, files=files, rules=CODES, summary=not options.quiet, model=model)
        return EXIT_FOUND if any(finding.severity == "error" for finding in findings) else EXIT_OK


# ---------------------------------------------------------------- add

_NUMBERS: Final = {
    "radius": "of a sphere, in metres",
    "length": "half of a rectangle's extent along x",
    "width": "half of a rectangle's extent along y",
}


class Add:
    """`modelica-patch constraints add`: put an object on a frame of a model."""

    DESCRIPTION: Final = """
Add a collision object or a constrained object to a model, connect it with a frame, and number all objects as sync
does. A collision object of mode Control needs the Boolean signal that closes it; one of mode Passive always binds. As
with sync, the exit code is 1 if some objects are still not in order, and 2 if the object can't be added.
"""
    EXAMPLES: Final = """
  modelica-patch constraints add Cell.mo --collision robot1.flange --closed grip1.y --radius 0.06
  modelica-patch constraints add Cell.mo --collision table.frame_b --mode Passive --shape Rectangle --length 0.5
  modelica-patch constraints add Cell.mo --constrained tool1.frame_a --radius 0.03 --name tool1_grip --in-place
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_model_arguments(parser)
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--collision", metavar="FRAME", help="a collision object on this frame")
        which.add_argument("--constrained", metavar="FRAME", help="a constrained object on this frame")
        parser.add_argument("--name", help="its name; without it, named after its frame")
        parser.add_argument("--mode", choices=["Control", "Passive"], help="when a collision object binds (Control)")
        parser.add_argument("--closed", metavar="SIGNAL", help="the Boolean signal of mode Control")
        parser.add_argument("--shape", choices=["Sphere", "Rectangle"], help="of a collision object (Sphere)")
        for name, meaning in _NUMBERS.items():
            parser.add_argument(f"--{name}", type=float, metavar="M", help=meaning)
        parser.add_argument("--use-offset", action="store_true", help="a constrained object is bound where it touches")
        parser.add_argument("--style", choices=[style.value for style in Style], help="with a collector, or connected")
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Add it; the exit code."""
        if options.output is not None:
            raise CommandError("--output is for commands that know one file: use --in-place")
        session, libraries, model = given_model(options)
        report = add(libraries, model, _new_object(options), style=options.style)
        complain_about(report.findings, quiet=options.quiet)
        code = finish(session, options, **report.as_json(), findings=as_json(report.findings))
        if not options.json:
            tell_networks(report.networks, quiet=options.quiet)
        if report.errors:
            tell("some objects are not in order: see above", quiet=options.quiet)
            return EXIT_FOUND
        return code


def _new_object(options: argparse.Namespace) -> NewObject:
    numbers = {name: getattr(options, name) for name in _NUMBERS if getattr(options, name) is not None}
    if options.constrained is not None:
        wrong = [name for name in ("mode", "closed", "shape", "length", "width") if getattr(options, name) is not None]
        if wrong:
            raise CommandError(f"--{wrong[0]} is for collision objects; a constrained object is always a sphere")
        parameters = {**numbers, **({"useOffset": True} if options.use_offset else {})}
        return NewObject(role=Role.CONSTRAINED, frame=options.constrained, name=options.name, parameters=parameters)
    if options.use_offset:
        raise CommandError("--use-offset is for constrained objects")
    return NewObject(
        role=Role.COLLISION,
        frame=options.collision,
        name=options.name,
        mode=options.mode,
        shape=options.shape,
        closed=options.closed,
        parameters=numbers,
    )


# ---------------------------------------------------------------- pairs

_HEAD: Final = ("collector", "n", "m", "n*m", "N(N-1)/2")


class Pairs:
    """`modelica-patch constraints pairs`: how many pairs of objects are looked at."""

    DESCRIPTION: Final = """
Count the objects of each collector of a model. A compiler has to look at n*m pairs, of a collision object and a
constrained object each; all objects among each other would be N(N-1)/2.
"""
    EXAMPLES: Final = """
  modelica-patch constraints pairs Cell.mo                       a line for each collector
  modelica-patch constraints pairs Plant::Plant.Cell             a model of a library
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_model_arguments(parser)
        parser.add_argument("--json", action="store_true", help="the same, for programs")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Count; the exit code."""
        _, libraries, model = given_model(options)
        networks = count_networks(libraries, model)
        if options.json:
            data = {"model": model, "networks": [network.as_json() for network in networks]}
            write_json(data)
            return EXIT_OK
        rows = [
            (each.name or "(connected)", each.collisions, each.constrained, each.pairs, each.all_pairs)
            for each in networks
        ]
        table = [_HEAD, *(tuple(map(str, row)) for row in rows)]
        widths = [max(len(row[column]) for row in table) for column in range(len(_HEAD))]
        for row in table:
            first, *rest = (f"{row[0]:<{widths[0]}}", *(f"{row[i]:>{widths[i]}}" for i in range(1, len(row))))
            sys.stdout.write("  ".join([printable(first), *rest]) + "\n")
        return EXIT_OK
