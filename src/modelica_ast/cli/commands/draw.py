"""`modelica-patch draw`: the icon or the diagram of a class as SVG."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modelica_ast.cli.address import refuse_old_spelling
from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, write_result
from modelica_ast.cli.places import add_library_option
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import complain, count, tell, write_json
from modelica_ast.foundation import shown
from modelica_ast.library import Problem

if TYPE_CHECKING:
    from modelica_ast.drawing import Box, Drawing
    from modelica_ast.library import Libraries

DESCRIPTION = """
Draw a class as its annotations say: its graphics and those that it inherits, its components as the icons of their
classes, and the lines of its connections. The result is a single SVG file that opens in any browser. Every component
is a group with data-component and data-class, every line one with data-from and data-to.

Classes of other libraries are looked for in those that the library uses (see 'modelica-patch help libraries'). What
can't be drawn is reported on standard error and does not stop the rest: a class that is not found becomes a crossed
box.
"""
EXAMPLES = """
  modelica-patch draw Arm.mo -o arm.svg                        the diagram of a class in a file
  modelica-patch draw Lib/::Lib.Arm --layer icon -o icon.svg   the icon of a class of a library
  modelica-patch draw Lib/::Lib.Arm --grid > arm.svg           with the grid of its coordinates
  modelica-patch draw Modelica.Blocks.Continuous.PID -o pid.svg
  modelica-patch draw Lib/::Lib.Arm -o arm.svg --json          what is drawn where, for programs
"""
USAGE = "modelica-patch draw ADDRESS [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `draw` takes."""
    parser.add_argument("address", metavar="ADDRESS", help="a class: FILE.mo::Class, FOLDER::Name, or its full name")
    parser.add_argument("old_places", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the drawing there, not to standard output")
    parser.add_argument("--layer", choices=("diagram", "icon"), default="diagram", help="what to draw (diagram)")
    parser.add_argument("--name", default="%name", metavar="NAME", help="what %%name in the class's own texts becomes")
    parser.add_argument("--grid", action="store_true", help="show the grid and the frame of the coordinate system")
    add_library_option(parser)
    parser.add_argument("--no-library", action="store_true", help="do not look for the libraries that are used")
    parser.add_argument("--strict", action="store_true", help="exit code 1 if something can't be drawn")
    parser.add_argument("--json", action="store_true", help="components, lines, texts and problems as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="no summary")


def run(options: argparse.Namespace) -> int:
    """Draw the class; the exit code."""
    from modelica_ast.drawing import draw  # noqa: PLC0415  (PERF: only here)

    libraries, class_name = _open(options)
    drawing = draw(libraries, class_name, layer=options.layer, name=options.name, grid=options.grid)
    if options.output is not None:
        write_result(options.output, drawing.svg.encode())
    if options.json:
        write_json(_data(drawing))
    elif options.output is None:
        sys.stdout.buffer.write(drawing.svg.encode())
    for problem in drawing.problems:
        complain(_shown(problem))
    if options.output is not None:
        what = f"{count(len(drawing.components), 'component')}, {count(len(drawing.lines), 'line')}"
        tell(f"{options.output}: the {drawing.layer} of {drawing.class_name}, {what}", quiet=options.quiet)
    return EXIT_FOUND if options.strict and drawing.problems else EXIT_OK


def _open(options: argparse.Namespace) -> tuple[Libraries, str]:
    """The library of the class with those that it uses, and the full name of the class."""
    if options.old_places:
        first, *more = options.old_places
        rest = "".join(f" --library {shlex.quote(each)}" for each in more)
        refuse_old_spelling(" ".join([options.address, *options.old_places]), first, options.address, rest)
    session = Session(libraries=options.library)
    libraries, name = session.open_class(options.address, search=not options.no_library, quiet=options.quiet)
    for problem in libraries.problems:
        complain(_shown(problem))
    return libraries, name


def _shown(problem: Problem) -> str:
    """A problem with its file as a person would write it from here."""
    return str(Problem(Path(shown(problem.path)), problem.line, problem.message))


def _data(drawing: Drawing) -> dict[str, Any]:
    return {
        "class": drawing.class_name,
        "layer": drawing.layer,
        "box": _corners(drawing.box),
        "components": [
            {
                "name": each.name,
                "class": each.class_name,
                "box": _corners(each.box),
                "connector": each.is_connector,
                "present": each.is_present,
            }
            for each in drawing.components
        ],
        "lines": [
            {"from": each.left, "to": each.right, "points": [list(map(_short, point)) for point in each.points]}
            for each in drawing.lines
        ],
        "texts": [{"text": each.text, "owner": each.owner, "box": _corners(each.box)} for each in drawing.text_boxes],
        "problems": [_shown(problem) for problem in drawing.problems],
    }


def _corners(box: Box) -> list[list[float]]:
    return [[_short(box.left), _short(box.bottom)], [_short(box.right), _short(box.top)]]


def _short(value: float) -> float:
    """A coordinate with the digits that a drawing has."""
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded
