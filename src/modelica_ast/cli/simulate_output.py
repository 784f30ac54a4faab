"""The table that `modelica-patch simulate` shows: the last values of some variables."""

from __future__ import annotations

from typing import Final

from modelica_ast.simulation.result import Result

_ROWS: Final = 20  # of a table that nobody has asked for in particular


def shown_names(result: Result, states: list[str], *, is_chosen: bool) -> list[str]:
    """The variables that tell most: those that were chosen; else the states, else the outermost ones."""
    if is_chosen:
        return result.names
    main = [name for name in states if name in result] or sorted(result.names, key=lambda name: name.count("."))
    return main[:_ROWS]


def table(result: Result, names: list[str]) -> str:
    """A line for each variable: name, value at the end, unit."""
    width = max(map(len, names), default=0)
    lines = [f"{result.model} at {result.times[-1]:g} s"] if len(result) else []
    for name in names:
        unit = result.units.get(name, "")
        lines.append(f"  {name:<{width}}  {result.last(name): .6g} {unit}".rstrip())
    left = len(result.names) - len(names)
    if left:
        lines.append(f"  … and {left:,} more: choose with --variables, keep all with -o FILE.csv")
    return "".join(f"{line}\n" for line in lines)
