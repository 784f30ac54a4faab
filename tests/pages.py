"""Pages of the documentation as they are played: whoever copies one into an empty folder gets what it shows.

What the blocks of a page are, in order:

- ```python runs, with the names of the blocks before it. A block directly after it is what it prints.
- ```console has commands after `$ ` (a line that ends in `\\` goes on) and, below a command, what it says. A command
  below which nothing is may say anything. It ends with 0, unless the last line is `[exit N]`, or its remark
  (`# …`) says `exit code N`.
- `…` in an output stands for anything: alone on a line for any lines.
- Comments before a block say what else it is:
  `<!-- file: Arm.mo -->` a file that the reader saves; the text above has to name it,
  `<!-- shows: Arm.mo -->` a piece of a file that is there by now,
  `<!-- slow: compiles -->` played with `-m slow` only, and never needed by a block that is not slow,
  `<!-- needs: Modelica -->` played where the Standard Library is installed, which no other block sees,
  `<!-- numbers vary: why -->` any number stands for any other in its outputs,
  `<!-- not run: why -->` not played.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from unittest import mock

import attrs

from conftest import standard_library
from modelica_ast.cli import main
from served_command import program

_COMMENT: Final = re.compile(r"<!-- (file|shows|slow|needs|numbers vary|not run): (.+) -->")
_REMARK: Final = re.compile(r"\s+# .*$")
_EXIT: Final = re.compile(r"\[exit (\d+)\]")
_EXIT_IN_REMARK: Final = re.compile(r"# .*exit code (\d+)")
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"$`]*\"")
_NUMBER: Final = re.compile(r"\d[\d.]*(?:e[+-]\d+)?")
_PROMPT: Final = "$ "
ANYTHING: Final = "…"


@attrs.frozen
class Block:
    """What is between two fences."""

    language: str
    text: str
    line: int
    about: Mapping[str, str]  # what the comments before it say
    is_output: bool  # of the Python block directly before it


def blocks(page: str) -> list[Block]:
    """All blocks of a page."""
    found: list[Block] = []
    between: list[str] = []  # the lines that are not blank, since the last block
    lines = enumerate(page.splitlines(keepends=True), 1)
    for number, line in lines:
        if not line.startswith("```"):
            between += [line.strip()] if line.strip() else []
            continue
        body = "".join(text for _, text in itertools.takewhile(lambda each: each[1] != "```\n", lines))
        said = itertools.takewhile(lambda match: match is not None, map(_COMMENT.fullmatch, reversed(between)))
        about = {match[1]: match[2] for match in said if match is not None}
        follows = bool(found) and found[-1].language == "python" and not between
        found.append(Block(line[3:].strip(), body, number + 1, about, follows))
        between = []
    return found


@attrs.frozen
class Step:
    """A command of a console block."""

    command: str
    output: str | None  # None if the page does not show it
    code: int
    line: int


def steps(block: Block) -> Iterator[Step]:
    """The commands of a block, with what they are to say."""
    lines = block.text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith(_PROMPT)]
    assert starts[:1] == [0], f"line {block.line}: the block has to start with a command: {_PROMPT}…"
    for start, end in itertools.pairwise([*starts, len(lines)]):
        rest = iter(lines[start:end])
        written = [next(rest)]
        while written[-1].endswith("\\"):
            written.append(next(rest))
        command = "\n".join(written).removeprefix(_PROMPT)
        shown = list(rest)
        code = _EXIT.fullmatch(shown[-1]) if shown else _EXIT_IN_REMARK.search(command)
        if code is not None and shown:
            shown.pop()
        yield Step(command, "\n".join(shown) if shown else None, int(code[1]) if code else 0, block.line + start)


def fits(happened: str, shown: str) -> bool:
    """Whether an output is what a page shows. Blanks and blank lines at ends are noise in a page."""
    pattern = re.escape(_tidied(shown)).replace("\\\n", "\n")
    pattern = pattern.replace(f"\n{ANYTHING}\n", "\n(?s:.*\n)?").replace(ANYTHING, "(?s:.*)")
    return re.fullmatch(pattern, _tidied(happened)) is not None


def _tidied(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


# ---------------------------------------------------------------- running


def environment(home: Path, patch: str | None = None) -> dict[str, str]:
    """What commands see of the machine: nothing of it, so that they say the same on all machines."""
    own = (Path(patch or program()).parent, Path(sys.executable).parent)
    return {
        "PATH": os.pathsep.join([*map(str, own), os.environ["PATH"]]),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "100",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        # Where the code is that is tested, if it is not what is installed.
        **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
    }


def run_in_shell(command: str, folder: Path, seen: Mapping[str, str], *, errors: int = subprocess.PIPE) -> Any:
    """A command in a real shell, as a completed process."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=dict(seen),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        check=False,
        timeout=600,
    )


def is_plain(command: str) -> bool:
    """Whether it is a call of ours in which a shell would do nothing but take quotes off."""
    return command.startswith("modelica-patch ") and not re.search(r"[|<>&;*?$`()~#!{}]", _QUOTED.sub("", command))


def stream() -> io.TextIOWrapper:
    """What a command can write to."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", write_through=True)


def text_in(written: io.TextIOWrapper) -> str:
    """What was written to a stream."""
    written.seek(0)
    return written.read()


def words_of(command: str) -> list[str]:
    """The words of a plain call, without the name of the program."""
    return shlex.split(command.replace("\\\n", " "))[1:]


def call(words: Sequence[str], out: io.TextIOWrapper, err: io.TextIOWrapper) -> int:
    """Run a command in this process; its exit code."""
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            return main(list(words))
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1


def run(command: str, folder: Path, seen: Mapping[str, str]) -> tuple[str, int]:
    """What a command says, on either stream, and its exit code."""
    command = _REMARK.sub("", command)
    if not is_plain(command):
        ran = run_in_shell(command, folder, seen, errors=subprocess.STDOUT)
        return ran.stdout.decode("utf-8", "backslashreplace"), ran.returncode
    said = stream()
    code = call(words_of(command), said, said)
    return text_in(said), code


def run_python(code: str, names: dict[str, Any], where: str, line: int) -> str:
    """Run an example, its lines numbered as in its page; what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (line - 1) + code, where, "exec"), names)  # noqa: S102
    return printed.getvalue()


# ---------------------------------------------------------------- playing


@attrs.frozen
class Player:
    """Plays a page in a folder that starts empty."""

    page: str
    text: str
    folder: Path
    home: Path
    is_slow: bool

    def play(self) -> None:
        """Play all blocks, and compare what happens with what the page shows."""
        seen = environment(self.home)
        names: dict[str, Any] = {"__name__": self.page.partition(".")[0]}
        found = blocks(self.text)
        with contextlib.chdir(self.folder):
            for block, following in itertools.zip_longest(found, found[1:]):
                own = self._surroundings(block, seen)
                if own is None or block.is_output:
                    continue
                with mock.patch.dict(os.environ, own, clear=True):
                    self._play(block, following if following is not None and following.is_output else None, names, own)

    def _surroundings(self, block: Block, seen: dict[str, str]) -> dict[str, str] | None:
        """What the block sees of the machine; None for one that is not to be played now."""
        if "not run" in block.about or ("slow" in block.about and not self.is_slow):
            return None
        if "needs" not in block.about:
            return seen
        assert block.about["needs"] == "Modelica", "what else may be needed has no name yet"
        library = standard_library()
        return None if library is None else {**seen, "MODELICAPATH": str(library.parent)}

    def _play(self, block: Block, output: Block | None, names: dict[str, Any], seen: Mapping[str, str]) -> None:
        place = f"{self.page}:{block.line}"
        if "file" in block.about:
            self._save(block)
        elif "shows" in block.about:
            there = Path(block.about["shows"]).read_text(encoding="utf-8")
            assert block.text in there, f"{place}\n--- what is there\n{there}"
        elif block.language == "python":
            printed = run_python(block.text, names, self.page, block.line)
            self._compare(printed, "" if output is None else output.text, block, place)
        else:
            assert block.language == "console", f"{place}: neither played nor a file, and no comment says why not"
            for step in steps(block):
                said, code = run(step.command, self.folder, seen)
                assert code == step.code, f"{self.page}:{step.line}: exit {code}\n{said}"
                if step.output is not None:
                    self._compare(said, step.output, block, f"{self.page}:{step.line}")

    def _save(self, block: Block) -> None:
        name = block.about["file"]
        above = "".join(self.text.splitlines(keepends=True)[: block.line - 1])
        assert f"`{name}`" in re.sub(r"<!--.*?-->", "", above), (
            f"{self.page}:{block.line}: the text does not name {name}"
        )
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8", newline="")

    def _compare(self, happened: str, shown: str, block: Block, place: str) -> None:
        if "numbers vary" in block.about:
            happened, shown = (_NUMBER.sub("0", text) for text in (happened, shown))
        assert fits(happened, shown), f"{place}\n--- the page shows\n{shown}\n--- what happens\n{happened}"
