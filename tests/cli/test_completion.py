"""The tab key in real shells: commands, options, and the names after FILE.mo::, whatever is in them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from cli.shells import Terminal, open_shell
from conftest import FIXTURES, needs
from served_command import INSTALLED

FILES = FIXTURES / "cli" / "topics" / "files"
SHELLS = ("bash", "zsh", "fish")

# Names that a shell would run or expand, each with a value to get by completing it. No name starts like another one.
HOSTILE = {
    "`": ("'a\\'`>PWN`'", 4101),
    "$()": ("'b\\'$(>PWN)'", 4102),
    "${}": ("'c${PWN:=$(>PWN)}'", 4103),
    ";": ("'d; >PWN; '", 4104),
    "|&": ("'e | >PWN & '", 4105),
    "!": ("'f!! !ls'", 4106),
    '"': ("'g\" >PWN \"'", 4107),
    "*": ("'h*[a-z]?~{x,y}'", 4108),
    "#": ("'i # >PWN'", 4109),
    "\\": ("'j\\\\`>PWN`\\n'", 4110),
    ".": ("'k.l::m@n'", 4111),
    "()": ("'o(>PWN)<(>PWN)=(>PWN)'", 4112),
    "%": ("'p%s ^q~ r$s'", 4113),
}
SIMPLE = ("plainName", 4200)


def script(shell: str) -> str:
    return subprocess.run(
        [INSTALLED, "completion", shell], capture_output=True, text=True, check=True, timeout=300
    ).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with good names and with evil ones, and the scripts of all shells."""
    place = tmp_path_factory.mktemp("completion")
    shutil.copytree(FILES, place, dirs_exist_ok=True)
    (place / "scripts").mkdir()
    for shell in SHELLS:
        (place / "scripts" / shell).write_text(script(shell))
    names = [*HOSTILE.values(), SIMPLE]
    lines = [f"  parameter Integer {name} = {value};\n" for name, value in names]
    evil = "".join(["model M\n", *lines, "end M;\n"])
    (place / "evil.mo").write_text(evil)
    (place / "a $(>PWN) `>PWN`.mo").write_text(evil)
    return place


@pytest.fixture(scope="module")
def terminals(folder: Path) -> Iterator[Callable[[str], Terminal]]:
    """The shell of a name with completion, opened once."""
    opened: dict[str, Terminal] = {}
    with ExitStack() as stack:

        def terminal(shell: str) -> Terminal:
            needs(shell)
            if shell not in opened:
                opened[shell] = stack.enter_context(open_shell(shell, folder))
                opened[shell].run(f"source scripts/{shell}")
            return opened[shell]

        yield terminal


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, terminals: Callable[[str], Terminal]) -> Terminal:
    return terminals(request.param)


def assert_nothing_ran(folder: Path) -> None:
    assert sorted(path.name for path in folder.rglob("*PWN*") if path.suffix != ".mo") == []


# ---------------------------------------------------------------- names


def value_of_completed(shell: Terminal, start: str, quote: str = "") -> list[str]:
    """The words that are shown when the address that Tab completed is got."""
    line = shell.complete(f"modelica-patch get {quote}{start}")
    assert len(line.rstrip()) > len(f"modelica-patch get {quote}{start}")
    return shell.run("" if line.rstrip().endswith(quote) else quote)


@pytest.mark.parametrize(("name", "value"), HOSTILE.values(), ids=HOSTILE)
def test_a_name_is_inserted_and_never_run(shell: Terminal, folder: Path, name: str, value: int) -> None:
    assert str(value) in value_of_completed(shell, f"evil.mo::M.\\{name[:2]}")
    assert_nothing_ran(folder)


@pytest.mark.parametrize("case", ["`", "$()", "!", '"', "\\"])
def test_a_name_is_inserted_between_quotes_and_never_run(shell: Terminal, folder: Path, case: str) -> None:
    name, value = HOSTILE[case]
    assert str(value) in value_of_completed(shell, f"evil.mo::M.{name[:2]}", '"')
    assert_nothing_ran(folder)


def test_bash_goes_on_inside_single_quotes(terminals: Callable[[str], Terminal], folder: Path) -> None:
    terminal = terminals("bash")
    assert terminal.complete("modelica-patch get 'evil.mo::M.pl") == "modelica-patch get 'evil.mo::M.plainName'"
    terminal.discard()
    (folder / "lone.mo").write_text("model M\n  parameter Integer 'a`>PWN`' = 7777;\nend M;\n")
    assert "7777" in value_of_completed(terminal, "lone.mo::M.", "'")
    assert_nothing_ran(folder)


def test_all_names_are_offered_and_none_is_run(shell: Terminal, folder: Path) -> None:
    assert "plainName" in shell.offered("modelica-patch get evil.mo::M.")
    assert_nothing_ran(folder)


def test_the_name_of_a_file_is_never_run(shell: Terminal, folder: Path) -> None:
    assert "4200" in value_of_completed(shell, "a\\ \\$\\(\\>PWN\\)\\ \\`\\>PWN\\`.mo::M.pl")
    assert_nothing_ran(folder)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("Arm.mo::", "Arm.mo::Arm"),
        ("Arm.mo::Arm.b", "Arm.mo::Arm.body"),
        ("Lib::", "Lib::Lib"),
        ("Lib::Lib.P", "Lib::Lib.Parts"),
        ("Lib::Lib.Robot.l", "Lib::Lib.Robot.left"),
        ("Arm.mo::Nothing.x", "Arm.mo::Nothing.x"),
        ("Missing.mo::A", "Missing.mo::A"),
        (".::Li", ".::Lib"),
        (".::Lib.Robot.l", ".::Lib.Robot.left"),
        ("Lib.P", "Lib.Parts"),
        ("Lib.Robot.l", "Lib.Robot.left"),
        ("UrdfRobots.Link", "UrdfRobots.Links"),
        ("Nothing.x", "Nothing.x"),
        ("Arm.m", "Arm.mo"),  # a file, as the shell itself completes it
    ],
)
def test_names(shell: Terminal, start: str, end: str) -> None:
    assert shell.complete(f"modelica-patch get {start}").rstrip() == f"modelica-patch get {end}"
    shell.discard()


def test_what_cannot_be_shown_is_not_offered(tmp_path: Path) -> None:
    (tmp_path / "odd.mo").write_text("model M\n  Real '\x1b]0;PWN\x07', 'a\x9bb', 'tab\there', fine;\nend M;\n")
    (tmp_path / "two\nlines.mo").write_text("model M\n  Real fine;\nend M;\n")
    for start, offered in (("odd.mo::M.", "odd.mo::M.fine\n"), ("two\nlines.mo::M.", "")):
        ran = subprocess.run(
            [INSTALLED, "completion", "names", "--", start], capture_output=True, text=True, check=True, cwd=tmp_path
        )
        assert ran.stdout == offered


def test_standard_input_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "-").write_text("model M\nend M;\n")
    call = [INSTALLED, "completion", "names", "--", "-::"]
    ran = subprocess.run(call, capture_output=True, timeout=300, check=True, cwd=tmp_path)
    assert ran.stdout == b""


# ---------------------------------------------------------------- commands and options


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("ren", "rename"),
        ("show --dep", "show --depth"),
        ("urdf bui", "urdf build"),
        ("urdf build --station", "urdf build --stationary"),
        ("fmi ros", "fmi ros-params"),
        ("fmi sdf --he", "fmi sdf --help"),
        ("constraints from", "constraints from-urdf"),
        ("constraints from-urdf --pref", "constraints from-urdf --prefer"),
        ("recipe te", "recipe test"),
        ("urdf check Arm.m", "urdf check Arm.mo"),
    ],
)
def test_commands_and_options(shell: Terminal, start: str, end: str) -> None:
    assert shell.complete(f"modelica-patch {start}").rstrip() == f"modelica-patch {end}"
    shell.discard()


def test_commands_are_offered_and_no_files(shell: Terminal) -> None:
    shown = shell.offered("modelica-patch re")
    assert [word for word in ("references", "remove", "rename", "rewrite", "recipe") if word not in shown] == []
    shown = shell.offered("modelica-patch urdf ")
    assert [word for word in ("assemble", "build", "check", "verify") if word not in shown] == []
    assert [word for word in ("Arm.mo", "show", "--help") if word in shown] == []


# ---------------------------------------------------------------- the user's bash


@pytest.mark.parametrize("breaks", ["", "COMP_WORDBREAKS=' <>'", "COMP_WORDBREAKS+='.'"])
def test_the_word_breaks_of_bash_are_left_alone(folder: Path, breaks: str) -> None:
    with open_shell("bash", folder) as terminal:
        terminal.run(breaks)
        terminal.run("before=$COMP_WORDBREAKS")
        terminal.run("source scripts/bash")
        assert "4200" in value_of_completed(terminal, "evil.mo::M.pl")
        assert "same-yes" in terminal.run('[[ $before == "$COMP_WORDBREAKS" ]] && printf "%s-%s\\n" same yes')


@pytest.mark.parametrize("line", ["cd . && X=1 modelica-patch get", "  modelica-patch   get", "modelica-patch 'get'"])
def test_bash_finds_the_word_wherever_it_stands(terminals: Callable[[str], Terminal], line: str) -> None:
    terminal = terminals("bash")
    assert terminal.complete(f"{line} evil.mo::M.pl") == f"{line} evil.mo::M.plainName"
    assert "4200" in terminal.run("")
