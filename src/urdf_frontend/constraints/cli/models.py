"""The model that a call is about, by its address, with the libraries that it uses."""

from __future__ import annotations

import argparse
from pathlib import Path

from modelica_ast.cli.address import refuse_old_spelling
from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError
from modelica_ast.cli.searches import add_library_option
from modelica_ast.cli.session import Session
from modelica_ast.library import Libraries
from urdf_frontend.constraints.opening import NEEDED


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
