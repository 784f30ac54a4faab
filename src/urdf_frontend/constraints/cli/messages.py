"""What commands say about networks and findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from modelica_ast.cli.changes import shown
from modelica_ast.cli.findings import Finding as Shown
from modelica_ast.cli.terminal import complain, count, tell
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
