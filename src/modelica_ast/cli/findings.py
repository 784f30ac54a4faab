"""What checks find, as text, as JSON, and as SARIF for code hosts."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli.terminal import count, printable, styled, write_json
from modelica_ast.foundation import VERSION, Record

_SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {"error": "error", "warning": "warning", "note": "note"}


class Finding(Record):
    """Something that a check found. `shown` are lines of the file that a person looks at, with a mark below them."""

    severity: str  # error, warning or note
    file: str
    line: int
    column: int
    message: str
    code: str
    hint: str | None = None
    shown: tuple[str, ...] = ()
    more: Mapping[str, Any] = {}  # further keys of the JSON form


def add_format_option(parser: argparse.ArgumentParser) -> None:
    """Add `--format`, and `--json` for short."""
    parser.add_argument(
        "--format", choices=["text", "json", "sarif"], default="text", help="sarif is for reviews on code hosts"
    )
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")


def write_findings(
    findings: Sequence[Finding], form: str, *, files: int, rules: Mapping[str, str], summary: bool = True, **more: Any
) -> None:
    """Write all findings to standard output. `rules` says in a sentence what each code means."""
    if form == "json":
        write_json({"files": files, "findings": [finding_json(finding) for finding in findings], **more})
    elif form == "sarif":
        write_json(_sarif(findings, rules))
    else:
        for finding in findings:
            write_finding(finding)
        if summary:
            sys.stdout.write(summary_of(findings, files) + "\n")


def write_finding(finding: Finding) -> None:
    """One finding for people."""
    severity = styled(finding.severity, finding.severity, sys.stdout)
    place = printable(f"{finding.file}:{finding.line}:{finding.column}")
    sys.stdout.write(f"{place}: {severity}: {printable(finding.message)}")
    sys.stdout.write(f" [{finding.code}]\n" if finding.code else "\n")
    sys.stdout.writelines(printable(line) + "\n" for line in finding.shown)
    if finding.hint:
        sys.stdout.write(f"  {styled('hint', 'note', sys.stdout)}: {printable(finding.hint)}\n")


def summary_of(findings: Sequence[Finding], files: int) -> str:
    """`3 files, 1 error, 0 warnings`."""
    numbers = {level: sum(finding.severity == level for finding in findings) for level in _LEVELS}
    parts = [count(files, "file"), count(numbers["error"], "error"), count(numbers["warning"], "warning")]
    return ", ".join(parts + [count(numbers["note"], "note")] * bool(numbers["note"]))


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding for programs."""
    return {
        "severity": finding.severity,
        "code": finding.code,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "hint": finding.hint,
        **finding.more,
    }


def _address(file: str) -> str:
    """A relative address, in which what is special in addresses is escaped, and bytes that are not UTF-8 are."""
    from urllib.parse import quote  # noqa: PLC0415  (PERF: only here)

    return quote(os.fsencode(Path(file).as_posix()))


def _sarif(findings: Sequence[Finding], rules: Mapping[str, str]) -> dict[str, Any]:
    used = sorted({finding.code for finding in findings})
    driver = {
        "name": "modelica-patch",
        "version": VERSION,
        "rules": [{"id": code, "shortDescription": {"text": rules.get(code, code)}} for code in used],
    }
    results = [
        {
            "ruleId": finding.code,
            "ruleIndex": used.index(finding.code),
            "level": _LEVELS[finding.severity],
            "message": {"text": finding.message + (f" ({finding.hint})" if finding.hint else "")},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _address(finding.file)},
                        "region": {"startLine": max(finding.line, 1), "startColumn": max(finding.column, 1)},
                    }
                }
            ],
        }
        for finding in findings
    ]
    return {"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
