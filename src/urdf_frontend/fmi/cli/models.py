"""The model that a call is about, by its address, with the libraries that it uses."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from modelica_ast.cli.address import refuse_old_spelling
from modelica_ast.cli.searches import add_library_option
from modelica_ast.cli.session import Session

if TYPE_CHECKING:
    from urdf_frontend.fmi.opening import OpenModel


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ADDRESS and --library."""
    parser.add_argument(
        "address", metavar="ADDRESS", help="a class: FILE.mo, FILE.mo::Class, FOLDER::Name, or its full name"
    )
    parser.add_argument("--model", dest="old_model", help=argparse.SUPPRESS)
    add_library_option(parser)


def given_model(options: argparse.Namespace) -> OpenModel:
    """The model that the arguments name."""
    from urdf_frontend.fmi.opening import STANDARD_LIBRARY, OpenModel  # noqa: PLC0415  (PERF: help does without)

    if options.old_model is not None:
        refuse_old_spelling(f"{options.address} --model {options.old_model}", options.address, options.old_model)
    session = Session(libraries=options.library)
    quiet = getattr(options, "quiet", False)
    libraries, name = session.open_class(options.address, names=[STANDARD_LIBRARY], quiet=quiet)
    if getattr(options, "in_place", False):
        session.refuse_installed()
    return OpenModel(libraries, name)
