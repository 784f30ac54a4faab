"""What commands say about networks and findings."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from modelica_ast.cli import (
    EXIT_UNREADABLE,
    CommandError,
    Finding as Shown,
    Session,
    add_library_option,
    complain,
    count,
    refuse_old_spelling,
    tell,
)
from modelica_ast.foundation import shown
from modelica_ast.library import Libraries
from urdf_frontend.constraints.networks import NEEDED
from urdf_frontend.constraints.report import Finding, NetworkCount


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
    return [
        {
            "severity": finding.severity,
            "code": finding.code,
            "file": shown(finding.file),
            "line": finding.line,
            "column": finding.column,
            "message": finding.message,
            "hint": finding.hint,
        }
        for finding in findings
    ]


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
