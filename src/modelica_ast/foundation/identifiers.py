"""Names as people write them: in parts, in quotes, and the one that was meant."""

from __future__ import annotations

from collections.abc import Iterable


def split_name(name: str) -> list[str]:
    """A dotted name in its parts; a dot inside quotes separates nothing."""
    parts = [""]
    quoted = escaped = False
    for character in name:
        if character == "." and not quoted:
            parts.append("")
            continue
        parts[-1] += character
        quoted = quoted != (character == "'" and not escaped)
        escaped = character == "\\" and not escaped
    return parts


def quoted(name: str) -> str:
    """A name in the quotes that it needs if it is not an identifier."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def like(name: str, names: Iterable[str], most: int, likeness: float = 0.6) -> list[str]:
    """The names that look like one, the closest first."""
    from difflib import get_close_matches  # noqa: PLC0415  (PERF: only for what is wrong)

    return get_close_matches(name, list(names), most, likeness)


def closest(name: str, names: Iterable[str], likeness: float = 0.6) -> str:
    """The name that was meant, '' if there is none like it."""
    return next(iter(like(name, names, 1, likeness)), "")


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """`did you mean 'mass'?`, '' if there is no name like it."""
    return suggestion(closest(name, names))


def suggestion(*names: str) -> str:
    """`did you mean 'mass' or 'm'?`, '' if there is no name."""
    meant = " or ".join(f"'{name}'" for name in names if name)
    return f"did you mean {meant}?" if meant else ""


def nearest(name: str, names: Iterable[str]) -> str:
    """`; did you mean 'mass'?`, or what there is, or nothing."""
    known = list(names)
    meant = did_you_mean(name, known)
    if meant:
        return f"; {meant}"
    few = 8
    return f" (there is {', '.join(known[:few])}{', …' if len(known) > few else ''})" if known else ""
