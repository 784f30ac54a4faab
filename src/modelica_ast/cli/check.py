"""`modelica-patch check`: is it Modelica?"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from modelica_ast import ModelicaSyntaxError, notes, parse_file
from modelica_ast.cli.terminal import (
    EXIT_OK,
    EXIT_PROBLEMS,
    EXIT_USAGE,
    complain,
    modelica_files,
    styled,
    with_progress,
)

_DESCRIPTION = """\
Check the syntax of Modelica files, annotations included. Every broken class is reported, not only the first.
Syntax that old files contain and today's specification does not allow is a warning.
"""


def add_command(commands: Any) -> None:
    """Add `check` to the command line."""
    parser = commands.add_parser("check", help="check the syntax of files and folders", description=_DESCRIPTION)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a .mo file, or a folder with all that is below it")
    parser.add_argument("--json", action="store_true", help="one JSON object for all files, for programs")
    parser.add_argument("--no-warnings", action="store_true", help="errors only")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check all files; the exit code."""
    files, complaints = modelica_files(options.paths)
    findings: list[dict[str, Any]] = []
    for path in with_progress(files, "checking"):
        try:
            found = _check(path, warnings=not options.no_warnings)
        except OSError as error:
            complaints.append(f"{path}: {error.strerror or error}")
            continue
        findings += found
        if not options.json:
            _print(found)
    errors = sum(finding["severity"] == "error" for finding in findings)
    if options.json:
        json.dump({"files": len(files), "findings": [_plain(f) for f in findings]}, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        warnings = len(findings) - errors
        sys.stdout.write(f"{_count(len(files), 'file')}, {_count(errors, 'error')}, {_count(warnings, 'warning')}\n")
    for complaint in complaints:
        complain(complaint)
    return EXIT_USAGE if complaints else EXIT_PROBLEMS if errors else EXIT_OK


def _check(path: Path, *, warnings: bool) -> list[dict[str, Any]]:
    tree = parse_file(path, recover=True)
    found = [_finding("error", path, error) for error in tree.errors]
    if warnings:
        for note in notes(tree):
            shown = ModelicaSyntaxError(note.message, tree.source, note.position.offset)
            found.append(_finding("warning", path, shown))
    return sorted(found, key=lambda finding: (finding["line"], finding["column"]))


def _finding(severity: str, path: Path, error: ModelicaSyntaxError) -> dict[str, Any]:
    return {
        "severity": severity,
        "file": str(path),
        "line": error.line,
        "column": error.column,
        "message": error.message,
        "hint": error.hint,
        "text": str(error),
    }


def _plain(finding: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in finding.items() if key != "text"}


def _print(findings: list[dict[str, Any]]) -> None:
    for finding in findings:
        style = str(finding["severity"])
        headline, *rest = str(finding["text"]).splitlines()
        place = f"{finding['file']}:{finding['line']}:{finding['column']}: "
        message = headline.removeprefix(place)
        sys.stdout.write(f"{place}{styled(style, style, sys.stdout)}: {message}\n")
        sys.stdout.writelines(line + "\n" for line in rest)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
