"""Names of links and joints may have any character that XML can: all commands go on understanding the package."""

from __future__ import annotations

import importlib.util
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from modelica_ast.cli.program import main
from package.older_packages import make_older
from urdf_frontend import read
from urdf_frontend.package import read_memory

NASTY = (
    "a\rb",
    "\rz",
    "c\r\nd",
    "e\nf",
    "z\n",
    "g\th",
    'i"j',
    "k'l",
    "m\\n",
    "m\\rn",
    "o\u2028p",
    "q\u0085r",
    "s\u2029t",
    "u😀v",
    " w ",
    "x ",
    "\ty",
)
BODY = (
    '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    '<visual><geometry><box size="1 1 1"/></geometry></visual>'
)


def robot(names: tuple[str, ...]) -> str:
    def written(name: str) -> str:
        return "".join(letter if letter.isalnum() else f"&#{ord(letter)};" for letter in escape(name))

    links = "".join(f'<link name="{written(name)}">{BODY}</link>\n' for name in names)
    joints = "".join(
        f'<joint name="j{written(child)}" type="revolute"><parent link="{written(parent)}"/>'
        f'<child link="{written(child)}"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>\n'
        for parent, child in pairwise(names)
    )
    return f'<robot name="arm">\n{links}{joints}</robot>\n'


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("arm.urdf").write_text(robot(NASTY), encoding="utf-8", newline="")
    assert [link.name for link in read(Path("arm.urdf")).usable_robot().links] == list(NASTY)
    assert main(["urdf", "build", "arm.urdf", "-q"]) == 0
    return tmp_path / "arm"


def test_names_come_back_from_the_side_cars(package: Path) -> None:
    path = package / "Resources" / "urdf" / "arm.json"
    found = read_memory(package).table
    assert list(found.links) == list(NASTY)
    assert list(found.joints) == [f"j{name}" for name in NASTY[1:]]
    # Nothing in the file looks like the end of a line to any program, but those that are.
    text = path.read_bytes().decode()
    assert "\r" not in text
    assert len(path.read_text(encoding="utf-8").split("\n")) == text.count("\n") + 1


@pytest.mark.slow
def test_every_command_understands_the_package(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        "status arm.urdf --package arm",
        "update arm.urdf --package arm",
        "types arm.urdf --package arm -o arm_types.py",
        "report arm.urdf --package arm -o arm.html",
        "export --package arm -o back.urdf",
    ):
        assert main(["urdf", *words.split()]) == 0, (words, capsys.readouterr().err)
    assert Path("back.urdf").read_bytes() == Path("arm.urdf").read_bytes()
    compile(Path("arm_types.py").read_text(encoding="utf-8"), "arm_types.py", "exec")
    # A change of the URDF comes in, and nothing else changes.
    before = {path: path.read_bytes() for path in package.rglob("*.mo")}
    text = Path("arm.urdf").read_text(encoding="utf-8").replace('mass value="1"', 'mass value="2"', 1)
    Path("arm.urdf").write_text(text, encoding="utf-8", newline="")
    assert main(["urdf", "update", "arm.urdf", "--package", "arm", "-q"]) == 0
    changed = [path.name for path, data in before.items() if path.read_bytes() != data]
    assert len(changed) == 1
    assert main(["urdf", "status", "arm.urdf", "--package", "arm"]) == 0


def test_a_package_that_was_built_before_is_read(package: Path) -> None:
    # Names were in a file of lines, in which git may have changed the line ends, and values with a bare one.
    table = read_memory(package).table
    folder = package / "Resources" / "urdf"
    make_older(folder, "arm")
    text = (folder / "arm.names").read_bytes() + b'value Links.aParams name "a\rb"\n'
    for data in (text, text.replace(b"\n", b"\r\n")):
        (folder / "arm.names").write_bytes(data)
        assert read_memory(package).table == table
    assert main(["urdf", "update", "arm.urdf", "--package", "arm", "-q"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["arm.json", "arm.urdf"]
    assert read_memory(package).table == table


@pytest.mark.skipif(importlib.util.find_spec("pinocchio") is None, reason="there is no Pinocchio")
@pytest.mark.skipif(importlib.util.find_spec("rumoca") is None, reason="there is no compiler")
@pytest.mark.slow
def test_the_package_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arm.urdf").write_text(robot(("base", "a\rb")), encoding="utf-8", newline="")
    assert main(["urdf", "build", "arm.urdf", "-q"]) == 0
    assert main(["urdf", "verify", "arm.urdf", "--package", "arm", "-q"]) == 0
