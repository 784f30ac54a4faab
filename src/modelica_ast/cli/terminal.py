"""What people and programs see: colour on a terminal only, one line per complaint, JSON; whatever files are called."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TextIO, TypeVar

if TYPE_CHECKING:
    from modelica_ast.foundation import ModelicaSyntaxError


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
# Python has the bytes of a file name that are not UTF-8 as lone surrogates, which no stream takes.
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BYTES: Final = range(0xDC80, 0xDD00)
# What moves the cursor, starts a line or turns the writing round: C0 but the tab, DEL, C1, line and bidi controls.
_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_PREFIX: Final = "modelica-patch: "
EARLIER: Final = "note: the same run was done before and its result was kept; --no-cache does it again"
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
    r"""JSON on standard output. Its texts are Unicode, so a byte of a file name that is not is `\xff` in them."""
    import json  # noqa: PLC0415  (PERF: most calls write none)

    text = json.dumps(data, indent=2, ensure_ascii=False)
    text = _SURROGATE.sub(lambda found: json.dumps(_escape(found[0]))[1:-1], text)
    if codecs.lookup(sys.stdout.encoding or "utf-8").name != "utf-8":
        text = json.dumps(json.loads(text), indent=2)
    sys.stdout.write(f"{text}\n")


def write_error(message: str, code: int, details: Mapping[str, object]) -> None:
    """What ended a command, as the one document that a program gets with `--json`."""
    write_json({"error": message, "exit_code": code, **details})


def has_colour(stream: TextIO) -> bool:
    """Is it a terminal that shows colours? NO_COLOR turns them off."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def printable(text: str) -> str:
    r"""A name or a sentence with names, on one line: what is not a character to look at is `\x1b`, `\n`, `\u202e`.

    Files and classes are called what strangers call them. Such a name could clear the terminal, or look like a line
    of ours.
    """
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def printable_error(error: ModelicaSyntaxError) -> str:
    """A syntax error with the lines below it; its file's name stays on the first of them."""
    return printable(error.headline) + str(error)[len(error.headline) :]


def source_text(text: str, stream: TextIO) -> str:
    """Text of a file as it is; on a terminal, what would act on that is escaped."""
    if not stream.isatty():
        return text
    ends = re.split(r"(\r?\n)", text)
    return "".join(printable(part) if number % 2 == 0 else part for number, part in enumerate(ends))


def styled(text: str, style: str, stream: TextIO) -> str:
    """Text in colour on a terminal, plain everywhere else; printable on both."""
    text = printable(text)
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if has_colour(stream) else text


def complain(message: str) -> None:
    """One message on standard error."""
    sys.stderr.write(f"{_PREFIX}{_lines(message)}\n")


def tell(message: str, *, quiet: bool, place: str = "") -> None:
    """Something good to know, on standard error, so that results can be piped; `place` comes before it, in colour."""
    if not quiet:
        sys.stderr.write(f"{place and styled(place, 'warning', sys.stderr) + ': '}{_lines(message)}\n")


def write_line(text: str) -> None:
    """One line of a list on standard output."""
    sys.stdout.write(f"{printable(text)}\n")


def _lines(message: str) -> str:
    """A message of one line or more. None of ours has a line that begins as our messages do, so a name has it."""
    lines = [printable(line.removesuffix("\r")) for line in message.split("\n")]
    return "\n".join(lines).replace(f"\n{_PREFIX.rstrip()}", f"\\n{_PREFIX.rstrip()}")


def styled_diff(diff: str, stream: TextIO) -> Iterator[str]:
    """The lines of a unified diff, coloured."""
    for line in re.findall(r"[^\n]*\n|[^\n]+", diff):  # a form feed ends no line of a diff
        style = _diff_style(line)
        if style is None or not has_colour(stream):
            yield source_text(line, stream)
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


# ---------------------------------------------------------------- progress
# A bar on standard error for long work; nothing where that is not a terminal.

_Item = TypeVar("_Item")

_SHOWN_AFTER: Final = 0.5  # seconds: short work shows nothing
_WIDTH: Final = 30
_EVERY: Final = 0.1  # seconds between two drawings


class Progress:
    """A bar while something runs: `with Progress("checking") as progress: … progress(done, total)`."""

    def __init__(self, label: str, *, quiet: bool = False) -> None:
        self._label = label
        self._is_on = not quiet and sys.stderr.isatty()
        self._start = self._last = time.monotonic()
        self._drawn = False

    def __call__(self, done: int, total: int, path: Path | None = None) -> None:
        """So much of the work is done; the last file was this."""
        del path  # names that flicker tell nobody anything
        now = time.monotonic()
        if not self._is_on or now - self._start < _SHOWN_AFTER or (now - self._last < _EVERY and done < total):
            return
        self._last = now
        filled = _WIDTH * done // max(total, 1)
        bar = "#" * filled + "-" * (_WIDTH - filled)
        sys.stderr.write(f"\r\x1b[K{self._label} [{bar}] {done:,}/{total:,}")
        sys.stderr.flush()
        self._drawn = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the bar away, so that a message can be there."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._drawn = False

    def over(self, items: Sequence[_Item] | Iterable[_Item]) -> Iterator[_Item]:
        """The items one by one, counted."""
        listed = list(items)
        for number, item in enumerate(listed):
            self(number, len(listed))
            yield item
        self.clear()


class Elapsed:
    """What is under way, and the seconds that it has taken: `with Elapsed() as elapsed: elapsed("compiling", 3.2)`."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._is_on = not quiet and sys.stderr.isatty()
        self._drawn = False

    def __call__(self, label: str, seconds: float) -> None:
        """This is how long it has taken."""
        if self._is_on and seconds >= _SHOWN_AFTER:
            sys.stderr.write(f"\r\x1b[K{label} … {seconds:.0f} s")
            sys.stderr.flush()
            self._drawn = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
