"""What people and programs see: colour on a terminal only, one line per complaint, JSON; whatever files are called."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TextIO

_STYLES: Final = {
    "error": "31;1",
    "warning": "33",
    "note": "36",
    "name": "1",
    "dim": "2",
    "added": "32",
    "removed": "31",
    "changed": "33",
    "place": "36",
    "header": "1",
}
# Python has the bytes of a file name that are no UTF-8 as lone surrogates, which no stream takes.
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BYTES: Final = range(0xDC80, 0xDD00)
_ERRORS: Final = "modelica-patch"  # what Python calls our way to write what can't be written


def _escape(character: str) -> str:
    r"""`\xff` for a byte of a file name, and what Python writes for all else."""
    code = ord(character)
    return f"\\x{code & 0xFF:02x}" if code in _BYTES else character.encode("ascii", "backslashreplace").decode()


def _escaped(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(_escape, error.object[error.start : error.end])), error.end


codecs.register_error(_ERRORS, _escaped)


def open_missing_streams() -> None:
    """Give a program that was started with closed streams (`>&-`) some: what is written there is lost, as was meant.

    Python has None in their place, and the next file that is opened would get their number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  (open to the end)


def write_all_characters() -> None:
    """Let standard output and standard error take every text, whatever their encoding is and files are called."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


def write_json(data: Any) -> None:
    r"""JSON on standard output. Its texts are Unicode, so a byte of a file name that is none is `\xff` in them."""
    import json  # noqa: PLC0415  (PERF: most calls write none)

    text = json.dumps(data, indent=2, ensure_ascii=False)
    text = _SURROGATE.sub(lambda found: json.dumps(_escape(found[0]))[1:-1], text)
    if codecs.lookup(sys.stdout.encoding or "utf-8").name != "utf-8":
        text = json.dumps(json.loads(text), indent=2)
    sys.stdout.write(f"{text}\n")


def has_colour(stream: TextIO) -> bool:
    """Is it a terminal that shows colours? NO_COLOR turns them off."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def styled(text: str, style: str, stream: TextIO) -> str:
    """Text in colour on a terminal, plain everywhere else."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if has_colour(stream) else text


def complain(message: str) -> None:
    """One message on standard error."""
    sys.stderr.write(f"modelica-patch: {message}\n")


def tell(message: str, *, quiet: bool) -> None:
    """Something good to know, on standard error, so that results can be piped."""
    if not quiet:
        sys.stderr.write(f"{message}\n")


def styled_diff(diff: str, stream: TextIO) -> Iterator[str]:
    """The lines of a unified diff, coloured."""
    for line in diff.splitlines(keepends=True):
        style = _diff_style(line)
        if style is None or not has_colour(stream):
            yield line
        else:
            body = line.rstrip("\r\n")
            yield styled(body, style, stream) + line[len(body) :]


def _diff_style(line: str) -> str | None:
    if line.startswith(("---", "+++")):
        return "header"
    return {"+": "added", "-": "removed", "@": "place"}.get(line[:1])


def count(number: int, noun: str, nouns: str | None = None) -> str:
    """`1 file`, `2 files`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
