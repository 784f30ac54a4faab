"""`modelica-patch constraints add`: put an object on a frame of a model."""

from __future__ import annotations

import argparse
from typing import Final

from modelica_ast.cli import EXIT_FOUND, CommandError, add_write_options, finish, tell
from urdf_frontend.constraints.cli.output import (
    add_model_arguments,
    as_json,
    complain_about,
    given_model,
    tell_networks,
)
from urdf_frontend.constraints.objects import Role
from urdf_frontend.constraints.synchronisation import NewObject, Style, add

DESCRIPTION: Final = """
Add a collision object or a constrained object to a model, connect it with a frame, and number all objects as sync
does. A collision object of mode Control needs the Boolean signal that closes it; one of mode Passive always binds.
The exit code is 1 if some objects are not in order then, as with sync, and 2 if the object can't be added.
"""
EXAMPLES: Final = """
  modelica-patch constraints add Cell.mo --collision robot1.flange --closed grip1.y --radius 0.06
  modelica-patch constraints add Cell.mo --collision table.frame_b --mode Passive --shape Rectangle --length 0.5
  modelica-patch constraints add Cell.mo --constrained tool1.frame_a --radius 0.03 --name tool1_grip --in-place
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_model_arguments(parser)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--collision", metavar="FRAME", help="a collision object on this frame")
    which.add_argument("--constrained", metavar="FRAME", help="a constrained object on this frame")
    parser.add_argument("--name", help="what it is called; without it, after its frame")
    parser.add_argument("--mode", choices=["Control", "Passive"], help="when a collision object binds (Control)")
    parser.add_argument("--closed", metavar="SIGNAL", help="the Boolean signal of mode Control")
    parser.add_argument("--shape", choices=["Sphere", "Rectangle"], help="of a collision object (Sphere)")
    for name, meaning in _NUMBERS.items():
        parser.add_argument(f"--{name}", type=float, metavar="M", help=meaning)
    parser.add_argument("--use-offset", action="store_true", help="a constrained object is bound where it touches")
    parser.add_argument("--style", choices=[style.value for style in Style], help="with a collector, or connected")
    add_write_options(parser)


_NUMBERS: Final = {
    "radius": "of a sphere, in metres",
    "length": "half of a rectangle's extent along x",
    "width": "half of a rectangle's extent along y",
}


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
