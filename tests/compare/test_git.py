"""Real repositories, real branches, a real `git merge`: with this merge driver, and without it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from modelica_ast.compare.three_way.git import GitError, install, labels_from_git, uninstall

BASE = """\
package P
  model Arm
    Body upper(m = 2.0, r = 1);
    Body lower(m = 1.5);
  equation
    connect(upper.b, lower.a);
  end Arm;

  model Tool
    Real x = 1;
  end Tool;
end P;
"""
TOOL = "  model Tool\n    Real x = 1;\n  end Tool;\n"
CASES = {
    "two parameters of one component": (("m = 2.0", "m = 2.5"), ("r = 1", "r = 3")),
    "a component added next to an edited one": (
        ("m = 1.5", "m = 1.6"),
        ("lower(m = 1.5);\n", "lower(m = 1.5);\n    Body hand;\n"),
    ),
    "a class moved, and edited": (
        ("\n" + TOOL, ""),
        ("Real x = 1", "Real x = 2"),
    ),
    "one value changed twice": (("m = 2.0", "m = 2.5"), ("m = 2.0", "m = 3.0")),
}


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    names = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    own = {"HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", "PATH": f"{Path(sys.executable).parent}{os.pathsep}"}
    environment = {**os.environ, **names, **own, "PATH": own["PATH"] + os.environ["PATH"], "LC_ALL": "C"}
    return subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    return folder


def branches(folder: Path, base: str, ours: str, theirs: str, name: str = "P.mo") -> None:
    """Two branches that both changed a file: `main`, which is checked out, and `other`."""
    for branch, text in (("main", base), ("other", theirs), ("main", ours)):
        git(folder, "checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        (folder / name).write_bytes(text.encode())
        git(folder, "add", "-A")
        assert git(folder, "commit", "-q", "-m", branch).returncode == 0


def changed(case: str) -> tuple[str, str]:
    ours, theirs = (BASE.replace(*change, 1) for change in CASES[case])
    if case == "a class moved, and edited":
        ours = ours.replace("package P\n", f"package P\n{TOOL}\n")
    return ours, theirs


def merged_by_git(folder: Path, case: str) -> tuple[int, str]:
    branches(folder, BASE, *changed(case))
    done = git(folder, "merge", "-q", "-m", "merge", "other")
    return done.returncode, (folder / "P.mo").read_bytes().decode()


@pytest.mark.parametrize("case", [case for case in CASES if case != "one value changed twice"])
def test_git_merges_by_meaning(repository: Path, case: str) -> None:
    install("local", repository)
    code, text = merged_by_git(repository, case)
    ours, _ = changed(case)
    (old, new) = CASES[case][1]
    expected = (
        ours.replace("lower(m = 1.6);\n", "lower(m = 1.6);\n    Body hand;\n")
        if "hand" in new
        else ours.replace(old, new)
    )
    assert (code, text) == (0, expected)


@pytest.mark.parametrize("case", list(CASES))
def test_plain_git_has_conflicts_in_the_same_cases(repository: Path, case: str) -> None:
    code, text = merged_by_git(repository, case)
    assert code == 1
    assert "<<<<<<< HEAD" in text


def test_a_conflict_leaves_markers_around_the_component(repository: Path) -> None:
    install("local", repository)
    code, text = merged_by_git(repository, "one value changed twice")
    assert code == 1
    marked = """\
<<<<<<< HEAD
    Body upper(m = 2.5, r = 1);
||||||| base
    Body upper(m = 2.0, r = 1);
=======
    Body upper(m = 3.0, r = 1);
>>>>>>> other
"""
    text = re.sub(r"(?m)^(\|{7}) .*", r"\1 base", text)  # git from 2.44 on says which commit that is
    assert text == BASE.replace("    Body upper(m = 2.0, r = 1);\n", marked)
    assert git(repository, "diff", "--name-only", "--diff-filter=U").stdout == "P.mo\n"


@pytest.mark.parametrize(
    ("given", "environment", "ours_base_theirs"),
    [
        (["HEAD", "1a2b3c", "feature/arm"], {}, ("HEAD", "1a2b3c", "feature/arm")),
        (["%X", "%S", "%Y"], {"GITHEAD_1a2b": "feature/arm"}, ("HEAD", "base", "feature/arm")),
        (["%X", "%S", "%Y"], {"GITHEAD_1": "one", "GITHEAD_2": "two"}, ("ours", "base", "theirs")),
        (["HEAD", "", "feature"], {}, ("HEAD", "base", "feature")),
        ([], {}, ("ours", "base", "theirs")),
        (["mine"], {}, ("mine", "base", "theirs")),
    ],
)
def test_markers_have_the_names_that_git_knows(
    given: list[str], environment: dict[str, str], ours_base_theirs: tuple[str, ...]
) -> None:
    labels = labels_from_git(given, environment)
    assert (labels.ours, labels.base, labels.theirs) == ours_base_theirs


def test_what_is_not_modelica_is_merged_as_text_and_said(repository: Path) -> None:
    install("local", repository)
    lines = "\n".join(f"line {number} (" for number in range(9))
    branches(repository, lines, lines.replace("line 1", "ours"), lines.replace("line 7", "theirs"))
    done = git(repository, "merge", "-m", "merge", "other")
    assert done.returncode == 0
    assert "P.mo: merged as plain text instead" in done.stderr
    assert (repository / "P.mo").read_text() == lines.replace("line 1", "ours").replace("line 7", "theirs")


def test_package_order_is_merged_as_a_list(repository: Path) -> None:
    install("local", repository)
    branches(repository, "A\nB\n", "A\nOurs\nB\n", "A\nTheirs\nB\n", "package.order")
    assert git(repository, "merge", "-q", "-m", "merge", "other").returncode == 0
    assert (repository / "package.order").read_text() == "A\nOurs\nTheirs\nB\n"


def test_git_diff_speaks_of_meaning(repository: Path) -> None:
    install("local", repository)
    branches(repository, BASE, BASE.replace("m = 2.0", "m=2.5"), BASE + "// other\n")
    assert git(repository, "diff", "HEAD~1", "--", "P.mo").stdout == (
        "diff P.mo\nP.Arm\n  ~ modifier upper.m: 2.0 -> 2.5\n"
    )


def test_installing_twice_does_nothing_and_uninstalling_takes_all_back(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.bin binary")
    before = git(repository, "config", "--local", "--list").stdout
    planned = install("local", repository, dry_run=True)
    assert (repository / ".gitattributes").read_text() == "*.bin binary"
    assert install("local", repository) == planned
    assert install("local", repository) == []
    assert (repository / ".gitattributes").read_text() == (
        "*.bin binary\n*.mo merge=modelica diff=modelica\npackage.order merge=modelica\n"
    )
    assert len(uninstall("local", repository)) == 4
    assert uninstall("local", repository) == []
    assert (repository / ".gitattributes").read_text() == "*.bin binary\n"
    assert git(repository, "config", "--local", "--list").stdout == before


def test_global_settings_are_the_users(repository: Path) -> None:
    assert install("global", repository)
    assert "merge=modelica" in (repository.parent / ".config" / "git" / "attributes").read_text()
    assert "modelica" in (repository.parent / ".gitconfig").read_text()
    assert not (repository / ".gitattributes").exists()


def test_a_folder_without_a_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="is not in a git repository"):
        install("local", tmp_path)
