"""Golden sessions: what people type, what they see, what is in the files afterwards.

A session is `fixtures/cli/NAME/session.txt`. It runs in a temporary folder that starts as a copy of
`fixtures/cli/NAME/files`. The worked examples of `modelica-patch help TOPIC` are checked likewise: in them commands and
what they say are indented by two blanks. `pytest --update-expected tests/cli/test_sessions.py` writes down what happens
now; `-k NAME` does so for one. Read it before you keep it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from unittest import mock

import pytest

from conftest import Expected
from modelica_ast.cli.catalogue import OWN_COMMANDS, Command, load, parser_of, plugins
from pages import call, environment, is_plain, run_in_shell, stream, text_in, words_of
from served_command import INSTALLED, program

ROOT = Path(__file__).parents[2]
SESSIONS = ROOT / "fixtures" / "cli"
TOPICS = ROOT / "src" / "modelica_ast" / "cli" / "commands" / "topics"
NAMES = sorted(path.parent.name for path in SESSIONS.glob("*/session.txt"))
TOPIC_NAMES = sorted(path.stem for path in TOPICS.glob("*.txt"))
PROMPT = "$ "
INDENTED_PROMPT = "  $ "


def commands(session: str) -> list[str]:
    return [line.removeprefix(PROMPT) for line in session.splitlines() if line.startswith(PROMPT)]


def comments_before(session: str) -> dict[int, list[str]]:
    """The lines that start with `# `, by the number of the command that they come before."""
    found: dict[int, list[str]] = {}
    number = 0
    for line in session.splitlines():
        number += line.startswith(PROMPT)
        if line.startswith("# "):
            found.setdefault(number, []).append(line)
    return found


def play(name: str, patch: str) -> str:
    """Run the commands of a session, in a real shell where they need one; the session as it happened."""
    told = (SESSIONS / name / "session.txt").read_text(encoding="utf-8")
    remarks = comments_before(told)
    with tempfile.TemporaryDirectory() as folder:
        files = SESSIONS / name / "files"
        if files.is_dir():
            shutil.copytree(files, folder, dirs_exist_ok=True, symlinks=True)
        happened = []
        for number, command in enumerate(commands(told)):
            happened += remarks.get(number, [])
            happened += [PROMPT + command, *run(command, folder, patch)]
        happened += remarks.get(len(commands(told)), [])
        return "\n".join(happened) + "\n"


def play_topic(name: str, patch: str) -> str:
    """The text of a topic with what its commands say now."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(SESSIONS / "topics" / "files", folder, dirs_exist_ok=True)
        lines: list[str] = []
        is_output = False
        for line in (TOPICS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith(INDENTED_PROMPT):
                told = run(line.removeprefix(INDENTED_PROMPT), folder, patch)
                lines += [line, *(f"  {each.removeprefix('! ')}".rstrip() for each in told)]
                is_output = True
            elif not is_output or not line.startswith("  "):
                is_output = False
                lines.append(line)
        return "\n".join(lines) + "\n"


def run(command: str, folder: str, patch: str) -> list[str]:
    """The lines of a command: what it says, what it complains about, how it ends."""
    seen = environment(Path(folder), patch)
    before = None if is_plain(command) and may_write(words_of(command)) else files_in(Path(folder))
    if patch != INSTALLED and is_plain(command):  # PERF: not a process for each
        streams = (stream(), stream())
        with contextlib.chdir(folder), mock.patch.dict(os.environ, seen, clear=True):
            code = call(words_of(command), *streams)
        said = [text_in(each) for each in streams]
    else:
        ran = run_in_shell(command, Path(folder), seen)
        said = [data.decode("utf-8", "backslashreplace") for data in (ran.stdout, ran.stderr)]
        code = ran.returncode
    if is_plain(command) and before is not None:
        assert files_in(Path(folder)) == before, f"{command} has written files"
    out, err = (text.replace(folder, "FOLDER") for text in said)
    lines = out.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines.append("\\ no newline at the end")
    lines += [f"! {line}" for line in err.splitlines()]
    return [*lines, f"[exit {code}]"] if code else lines


# ---------------------------------------------------------------- one rule for writing
# Some commands make files, and have `--dry-run`. All others write nothing without `--in-place`, but for results and
# pages where the user wants them. Every command of every session keeps to it.

MAKING = [
    *("urdf build", "urdf record", "urdf update", "urdf adopt", "urdf assemble", "urdf split"),
    *("urdf export", "urdf types", "constraints from-urdf", "library install", "library uninstall"),
    *("git-setup", "recover"),
]
PAGES = [
    "urdf animate",
    "urdf plot",
    "urdf report",
    "simulate",
    "draw",
    "recipe test",
]  # what they make, without -o too


def every_command() -> dict[str, set[str]]:
    """The long options of each command, by its words."""
    found: dict[str, set[str]] = {}
    todo: list[tuple[str, Command]] = [*OWN_COMMANDS.items(), *plugins().items()]
    for words, command in todo:
        loaded = load(command)
        if hasattr(loaded, "COMMANDS") and not hasattr(loaded, "run"):
            todo += [(f"{words} {name}", each) for name, each in loaded.COMMANDS.items()]
        else:
            parser = parser_of(loaded, words)
            found[words] = {option for action in parser._actions for option in action.option_strings}
    return found


def name_of(words: list[str]) -> str:
    return next((name for name in (" ".join(words[:2]), words[0]) if name in COMMANDS), "") if words else ""


def may_write(words: list[str]) -> bool:
    """May this call write files? Folders and files that begin with a dot are no part of that: the cache is one."""
    name = name_of(words)
    flags = {flag for word in words if word.startswith("-") for flag in ([word] if word[1:2] == "-" else word[1:])}
    if flags & {"--dry-run", "n", "--check", "--json-schema"}:
        return False
    is_asked_for = flags & {"--in-place", "i", "--output", "o", "--into", "--plot", "--fmu", "--git"}
    return bool(is_asked_for) or name in MAKING or name in PAGES


def files_in(folder: Path) -> dict[str, bytes | None]:
    paths = (
        path for path in folder.rglob("*") if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    return {str(path): path.read_bytes() if path.is_file() else None for path in paths}


COMMANDS = every_command()


def test_what_makes_files_has_a_dry_run_and_what_edits_them_previews() -> None:
    made = {name for name, options in COMMANDS.items() if "--dry-run" in options and "--in-place" not in options}
    assert made == set(MAKING)
    edits = {name for name, options in COMMANDS.items() if "--in-place" in options}
    assert edits >= {"set", "rename", "format", "merge", "constraints sync", "fmi shell", "fmi sdf"}
    # What neither makes nor edits writes nothing but what -o names, and pages.
    others = COMMANDS.keys() - made - edits
    assert {name for name in others if "--output" in COMMANDS[name]} <= set(PAGES)


def test_the_rule_is_told() -> None:
    topic = (TOPICS / "writing.txt").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in MAKING:
        assert name.split()[-1] in topic
        if name.startswith("urdf "):
            assert f"`{name}`" in readme or f"`{name.split()[-1]}`" in readme


@pytest.mark.parametrize("name", NAMES)
def test_session(name: str, expected: Expected) -> None:
    expected.file(SESSIONS / name / "session.txt", play(name, program()))


@pytest.mark.parametrize("name", TOPIC_NAMES)
def test_topic(name: str, expected: Expected) -> None:
    expected.file(TOPICS / f"{name}.txt", play_topic(name, program()))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_session_of_the_installed_command(name: str) -> None:
    assert play(name, INSTALLED) == (SESSIONS / name / "session.txt").read_text(encoding="utf-8")


def test_no_session_ends_in_a_traceback() -> None:
    assert NAMES
    assert TOPIC_NAMES
    for name in NAMES:
        assert "Traceback" not in (SESSIONS / name / "session.txt").read_text(encoding="utf-8"), name
