"""Journals that no save of ours has written: they are reported and left alone, and move no file.

A library comes from anywhere, and so does what is called `.modelica-save.journal` in it. Every attack here is a good
journal with one thing wrong, and all that it names is there: whoever believed it would do harm.
"""

from __future__ import annotations

import hashlib
import json
import os
import pwd
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from conftest import crossed
from files.kills import JOURNAL, PLAN, Runner, differences, runner, snapshot, tree
from modelica_ast.cli import main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, owners and pipes")

OLD: Final = b"within Lib;\nmodel A\n  parameter Real x = 1;\nend A;\n"
NEW: Final = b"within Lib;\nmodel A\n  parameter Real x = 2;\nend A;\n"
VICTIM: Final = b"within Lib;\nmodel Secret\nend Secret;\n"  # what somebody else needs
TEMPORARY: Final = ".modelica-save-0123456789ab.tmp"
BACKUP: Final = ".modelica-save-ba9876543210.old"
ROOT: Final = "/"  # what an attack writes for the folder that all is in: only the test knows it
NOBODY: Final = 65534

SWEPT: Final = r"Lib/(Sub/)?\.modelica-save-[0-9a-f]{12}\.(tmp|old)"

Journal = dict[str, Any]
Looks = dict[bytes, list[tuple[int, str]]]  # exit codes and outputs, by the content of A.mo


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def make_library(root: Path) -> None:
    """A library, and around it what must not be touched."""
    files = {
        "Lib/package.mo": b"package Lib\nend Lib;\n",
        "Lib/package.order": b"A\nB\nSecret\nSub\n",
        "Lib/A.mo": OLD,
        "Lib/B.mo": b"within Lib;\nmodel B\n  parameter Real y = 1;\n  A a(x=3);\nend B;\n",
        "Lib/Secret.mo": VICTIM,
        "Lib/Sub/package.mo": b"within Lib;\npackage Sub\nend Sub;\n",
        "Lib/Sub/package.order": b"",
        "Lib/.git/hooks/pre-commit": VICTIM,
        "outside/Victim.mo": VICTIM,
        "Other/package.mo": b"package Lib\n  model A\n  end A;\nend Lib;\n",
    }
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    for name in ("outside/Empty", "Lib/.git/Empty", "Lib/Sub/Empty"):
        (root / name).mkdir()
    (root / "Lib" / "link").symlink_to("../outside")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_library(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def journal() -> Journal:
    """A good journal, of a save of A.mo."""
    entry = {"file": "A.mo", "temporary": TEMPORARY, "backup": BACKUP, "old": digest(OLD), "new": digest(NEW)}
    return {"modelica_save": 2, "folders": [], "emptied": [], "files": [entry]}


def put(library: Path, name: str, data: Journal | bytes) -> None:
    """A journal or plan, with what a good one has beside its file."""
    (library / TEMPORARY).write_bytes(NEW)
    (library / BACKUP).write_bytes(OLD)
    (library / name).write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())


# ---------------------------------------------------------------- commands

LOOKS: Final = [
    ["get", "Lib::Lib.B.y"],
    ["set", "Lib::Lib.B.y", "7"],
    ["show", "Lib"],
    ["check", "--no-library", "Lib"],
    ["grep", "parameter Real $p = $v", "Lib"],
    ["references", "Lib::Lib.A"],
    ["draw", "--no-library", "Lib::Lib.B"],
    ["diff", "Lib", "Other"],
    ["rename", "Lib::Lib.A", "C"],
    ["set", "Lib/B.mo::B.y", "7", "--in-place", "--dry-run"],
]
WRITES: Final = [["set", "Lib::Lib.B.y", "7", "-i"], ["set", "Lib/B.mo::B.y", "8", "-i"]]
RECOVERIES: Final = [["recover", "Lib"], ["recover", "--take-back", "Lib"], ["recover", "--force", "Lib"]]


class Said(NamedTuple):
    code: int
    out: str
    err: str


Calling = Callable[[list[str]], Said]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Calling:
    """A command in this process, where a warning is an error."""

    def called(words: list[str]) -> Said:
        capsys.readouterr()
        code = main(words)
        return Said(code, *capsys.readouterr())

    return called


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    root = tmp_path_factory.mktemp("warm")
    make_library(root)
    with runner() as found:
        for words in (*LOOKS, *WRITES):
            found.run(root, words, warm_up=True)
        yield found


@pytest.fixture(scope="module")
def usual(running: Runner, tmp_path_factory: pytest.TempPathFactory) -> Looks:
    """What looks see where nothing is wrong, by the content of A.mo."""
    found = {}
    for data in (OLD, NEW):
        root = tmp_path_factory.mktemp("usual")
        make_library(root)
        (root / "Lib" / "A.mo").write_bytes(data)
        found[data] = [(ran.code, ran.out) for ran in (running.run(root, words) for words in LOOKS)]
    assert found[OLD] != found[NEW]
    assert {code for code, _ in found[OLD]} == {0, 1}  # 1 is what diff has found
    return found


def wrong_with_looks(
    root: Path, call: Calling, usual: list[tuple[int, str]], name: str, *, apart_from: str = ""
) -> list[str]:
    """Looks see the usual, say that there is something, and write nothing."""
    problems = []
    before = snapshot(root)
    looks = list(zip(LOOKS, usual, strict=True))
    for words, expected in looks if name == JOURNAL else looks[:3]:
        said = call(words)
        if (said.code, expected[1] if words[0] == apart_from else said.out) != expected:
            problems.append(f"{words}: {said} where {expected} is usual")
        if "save" not in said.err or "Traceback" in said.err or "Warning" in said.err:
            problems.append(f"{words} says {said.err!r}")
    changed = differences(snapshot(root), before)
    return problems + [f"a look has written: {changed}"] * bool(changed)


def wrong_with_writes(root: Path, call: Calling, *, may_go: tuple[str, ...] = ()) -> list[str]:
    """Who writes is refused, or writes what was asked for and nothing else; who recovers is refused."""
    problems = []
    for words in [*RECOVERIES, *WRITES]:
        before = tree(root)
        said = call(words)
        after = tree(root)
        if "Traceback" in said.err or "Warning" in said.err:
            problems.append(f"{words} says {said.err!r}")
        if said.code == 4 and "save" not in said.err:
            problems.append(f"{words} does not say what is wrong: {said.err!r}")
        touched = {name for name in before.keys() | after.keys() if before.get(name, 0) != after.get(name, 0)}
        if words in WRITES and said.code == 0:  # it may sweep out what our saves have left in the library, too
            touched = {name for name in touched if name != "Lib/B.mo" and not re.fullmatch(SWEPT, name)}
        if touched - set(may_go):
            problems.append(f"{words} has touched {sorted(touched)}")
        if said.code not in ({0, 4} if words in WRITES or may_go else {4}):
            problems.append(f"{words}: {said}")
    return problems


# ---------------------------------------------------------------- good ones, to compare with


def test_a_good_journal_is_finished_by_who_writes(root: Path, call: Calling, usual: Looks) -> None:
    put(root / "Lib", JOURNAL, journal())
    assert wrong_with_looks(root, call, usual[NEW], JOURNAL) == []
    before = tree(root)
    assert call(WRITES[0]).code == 0
    assert (root / "Lib" / "A.mo").read_bytes() == NEW
    gone = {f"Lib/{name}" for name in (JOURNAL, TEMPORARY, BACKUP)}
    assert before.keys() - tree(root).keys() == gone


def test_a_good_plan_is_taken_back_by_who_writes(root: Path, call: Calling, usual: Looks) -> None:
    put(root / "Lib", PLAN, journal())
    assert wrong_with_looks(root, call, usual[OLD], PLAN) == []
    before = tree(root)
    assert call(WRITES[1]).code == 0
    assert (root / "Lib" / "A.mo").read_bytes() == OLD
    gone = {f"Lib/{name}" for name in (PLAN, TEMPORARY, BACKUP)}
    assert before.keys() - tree(root).keys() == gone


@pytest.mark.parametrize(("name", "content"), [(JOURNAL, NEW), (PLAN, OLD)])
def test_a_journal_of_the_first_version_is_known(root: Path, call: Calling, name: str, content: bytes) -> None:
    data = journal()
    del data["emptied"], data["files"][0]["backup"]
    data["modelica_save"] = 1
    put(root / "Lib", name, data)
    (root / "Lib" / BACKUP).unlink()  # the first version had none
    said = call(["recover", "Lib"])
    assert said.code == 0, said
    assert said.out + said.err
    assert (root / "Lib" / "A.mo").read_bytes() == content
    assert not {name, TEMPORARY} & {path.name for path in (root / "Lib").iterdir()}


def test_a_decided_save_can_be_taken_back(root: Path, call: Calling) -> None:
    before = tree(root)
    put(root / "Lib", JOURNAL, journal())
    (root / "Lib" / TEMPORARY).replace(root / "Lib" / "A.mo")  # it had come so far
    said = call(["recover", "Lib", "--take-back"])
    assert said.code == 0, said
    assert tree(root) == before


# ---------------------------------------------------------------- one thing wrong

NOT_JOURNALS: Final[dict[str, bytes]] = {
    "the first version without files": b'{"modelica_save":1}',
    "the second version without files": b'{"modelica_save": 2}',
    "a list": b"[]",
    "a number": b"5",
    "null": b"null",
    "a string": b'"modelica_save"',
    "not a number": b'{"modelica_save": NaN, "folders": [], "emptied": [], "files": []}',
    "true for a version": b'{"modelica_save": true, "folders": [], "emptied": [], "files": []}',
    "a later version": b'{"modelica_save": 3, "folders": [], "emptied": [], "files": []}',
    "nesting": b"[" * 10_000_000,
    "nesting of objects": b'{"modelica_save":' * 500_000,
}
# What a kill could leave of a plan, too; then it may go.
TORN: Final[dict[str, bytes]] = {
    "nothing": b"",
    "broken JSON": b'{"modelica_save": 2, "folders": [',
    "no JSON": b"please remove me",
    "not UTF-8": b'{"modelica_save": 2, "folders": ["\xff\xfe"], "emptied": [], "files": []}',
    "zeros": bytes(5_000_000),
}


def with_entry(**fields: Any) -> Journal:
    data = journal()
    data["files"][0].update(fields)
    return data


def replacing(file: str) -> Journal:
    """A file that a new content waits for, beside it and well named."""
    temporary, backup = (str(Path(file).parent / name) for name in (TEMPORARY, BACKUP))
    return with_entry(file=file, temporary=temporary, backup=backup, old=digest(VICTIM))


def removing(file: str) -> Journal:
    return with_entry(file=file, temporary=None, backup=None, old=digest(VICTIM), new=None)


def taking(temporary: str) -> Journal:
    """A new content from somewhere, with the digest that it has there."""
    data = {"A.mo": OLD}.get(temporary, NEW if TEMPORARY[:20] in temporary else VICTIM)
    return with_entry(temporary=temporary, new=digest(data))


_PLACES: Final = {
    "above": "../outside/",
    "absolute": ROOT + "outside/",
    "through a link": "link/",
    "of git": ".git/hooks/",
    "up and down": "Sub/../../outside/",
    "up and down inside": "Sub/../",
}
_VICTIMS: Final = {"of git": "pre-commit", "up and down inside": "Secret.mo"}
_FILES: Final = {where: place + _VICTIMS.get(where, "Victim.mo") for where, place in _PLACES.items()}
_FOLDERS: Final = {
    where: place.removesuffix("hooks/") + ("Sub/Empty" if where == "up and down inside" else "Empty")
    for where, place in _PLACES.items()
}
_FOREIGN: Final = {
    **_FILES,
    "a file of the user": "Secret.mo",
    "not beside": f"Sub/{TEMPORARY}",
    "nearly ours": ".modelica-save-0123456789aX.tmp",
    "ours with more": f"{TEMPORARY}~",
    "the file itself": "A.mo",
    "the journal itself": JOURNAL,
}
_WRONG: Final[dict[str, Journal]] = {
    "files are a number": {**journal(), "files": 5},
    "files are null": {**journal(), "files": None},
    "files are an object": {**journal(), "files": {"file": "A.mo"}},
    "an entry is null": {**journal(), "files": [None]},
    "an entry is a list": {**journal(), "files": [["A.mo", TEMPORARY]]},
    "an entry is a string": {**journal(), "files": ["A.mo"]},
    "a file is a number": with_entry(file=3),
    "a file is null": with_entry(file=None),
    "a file is empty": with_entry(file=""),
    "a file is the folder": with_entry(file="."),
    "a file has a zero": with_entry(file="A\0.mo"),
    "a file has half a letter": with_entry(file="\ud800.mo"),
    "a temporary is a number": with_entry(temporary=3),
    "a temporary has a zero": with_entry(temporary=TEMPORARY + "\0"),
    "a temporary has half a letter": with_entry(temporary="\udfff"),
    "a backup is a list": with_entry(backup=[BACKUP]),
    "a backup has a zero": with_entry(backup="\0"),
    "an old digest is a list": with_entry(old=[]),
    "an old digest is a word": with_entry(old="old"),
    "a new digest is a number": with_entry(new=5),
    "folders are a number": {**journal(), "folders": 5},
    "a folder is a number": {**journal(), "folders": [3]},
    "a folder has a zero": {**journal(), "folders": ["\0"]},
    "a folder has half a letter": {**journal(), "folders": ["\ud800"]},
    "emptied is a string": {**journal(), "emptied": "Sub"},
    "an emptied one is null": {**journal(), "emptied": [None]},
}
ATTACKS: Final[dict[str, Journal | bytes]] = {
    **NOT_JOURNALS,
    **_WRONG,
    **{f"replaces a file {where}": replacing(file) for where, file in _FILES.items()},
    **{f"removes a file {where}": removing(file) for where, file in _FILES.items()},
    **{f"a temporary: {where}": taking(file) for where, file in _FOREIGN.items()},
    **{f"a backup: {where}": with_entry(backup=file) for where, file in _FOREIGN.items()},
    **{f"a made folder {where}": {**journal(), "folders": [name]} for where, name in _FOLDERS.items()},
    **{f"an emptied folder {where}": {**journal(), "emptied": [name]} for where, name in _FOLDERS.items()},
}


def aimed(data: Any, root: Path) -> Any:
    """An attack with the paths of this test in it."""
    if isinstance(data, dict):
        return {name: aimed(value, root) for name, value in data.items()}
    if isinstance(data, list):
        return [aimed(value, root) for value in data]
    return str(root / data[1:]) if isinstance(data, str) and data.startswith(ROOT) else data


def lay(root: Path, name: str, attack: Journal | bytes) -> None:
    """Put an attack there, with all that it needs to do harm."""
    library = root / "Lib"
    put(library, name, aimed(attack, root))
    for folder in ("outside", "Lib/.git/hooks", "Lib/Sub"):
        (root / folder / TEMPORARY).write_bytes(NEW)
        (root / folder / BACKUP).write_bytes(VICTIM)
    for place in _FOREIGN.values():
        if place.startswith(".modelica-save-"):
            (library / place).write_bytes(NEW)


@pytest.mark.parametrize(("attack", "name"), crossed(ATTACKS, [JOURNAL, PLAN]))
def test_what_is_no_journal_of_ours_is_reported_and_left(
    root: Path,
    call: Calling,
    usual: Looks,
    name: str,
    attack: str,
) -> None:
    lay(root, name, ATTACKS[attack])
    problems = [*wrong_with_looks(root, call, usual[OLD], name), *wrong_with_writes(root, call)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("name", [JOURNAL, PLAN])
@pytest.mark.parametrize("attack", TORN.values(), ids=TORN.keys())
def test_what_is_torn_is_reported(root: Path, call: Calling, usual: Looks, name: str, attack: bytes) -> None:
    put(root / "Lib", name, attack)
    problems = wrong_with_looks(root, call, usual[OLD], name)
    # A plan that was not written to its end has decided nothing: it may go, and what it named with it.
    left = (f"Lib/{PLAN}", f"Lib/{TEMPORARY}", f"Lib/{BACKUP}") if name == PLAN else ()
    problems += wrong_with_writes(root, call, may_go=left)
    assert not problems, "\n".join(problems)


def test_a_new_content_that_is_a_link_is_not_put_in_place(root: Path, call: Calling, usual: Looks) -> None:
    put(root / "Lib", JOURNAL, with_entry(new=digest(VICTIM)))
    (root / "Lib" / TEMPORARY).unlink()
    (root / "Lib" / TEMPORARY).symlink_to("../outside/Victim.mo")
    problems = [*wrong_with_looks(root, call, usual[OLD], JOURNAL), *wrong_with_writes(root, call)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "fields",
    [{"old": digest(b"before")}, {"new": digest(b"after")}, {"new": digest(b"after"), "backup": None}],
    ids=["the file has changed since", "the new content is another", "the new content is another, no backup"],
)
def test_digests_that_do_not_fit(root: Path, call: Calling, usual: Looks, fields: Journal) -> None:
    """Nobody knows what was meant, so it is left to people: only they may force it."""
    put(root / "Lib", JOURNAL, with_entry(**fields))
    assert wrong_with_looks(root, call, usual[OLD], JOURNAL) == []
    before = tree(root)
    assert call(["recover", "Lib"]).code == 4
    assert tree(root) == before
    for words in WRITES:
        said = call(words)
        assert said.code in {0, 4}
        assert "save" in said.err
    after = tree(root)
    assert {name for name in before if before[name] != after.get(name, 0)} <= {"Lib/B.mo"}


def test_a_plan_and_a_journal(root: Path, call: Calling, usual: Looks) -> None:
    """No save leaves both. Whatever is done about it, files are old or new, and nothing else is touched."""
    put(root / "Lib", JOURNAL, journal())
    put(root / "Lib", PLAN, journal())
    before = snapshot(root)
    seen = [call(words) for words in LOOKS]
    assert [(said.code, said.out) for said in seen] in (usual[OLD], usual[NEW])
    assert all("save" in said.err and "Traceback" not in said.err for said in seen)
    assert snapshot(root) == before
    first = tree(root)
    for words in [*RECOVERIES, *WRITES]:
        said = call(words)
        assert said.code in {0, 4}, said
        assert "Traceback" not in said.err
        assert (root / "Lib" / "A.mo").read_bytes() in {OLD, NEW}
    after = tree(root)
    touched = {name for name in first.keys() | after.keys() if first.get(name, 0) != after.get(name, 0)}
    ours = {f"Lib/{name}" for name in ("A.mo", "B.mo", JOURNAL, PLAN, TEMPORARY, BACKUP)}
    assert touched <= ours


# ---------------------------------------------------------------- orphans

ORPHANS: Final = [f"{folder}/{name}" for folder in ("Lib", "Lib/Sub") for name in (TEMPORARY, BACKUP)]
NOT_OURS: Final = [
    "Lib/.modelica-save-0123456789aX.tmp",
    "Lib/.modelica-save-0123456789ab.tmp.mo~",
    "Lib/.modelica-save-0123456789abcd.tmp",
    "Lib/modelica-save-0123456789ab.tmp",
    f"Lib/.git/hooks/{TEMPORARY}",
    f"outside/{TEMPORARY}",
]


def lay_orphans(root: Path) -> None:
    for name in (*ORPHANS, *NOT_OURS):
        (root / name).write_bytes(NEW)


def test_recover_removes_orphans_and_nothing_else(root: Path, call: Calling) -> None:
    before = tree(root)
    lay_orphans(root)
    (root / "Lib" / ".modelica-save-aaaaaaaaaaaa.tmp").mkdir()  # of somebody's, whatever its name
    said = call(["recover", "Lib"])
    assert said.code == 0, said
    kept = {**dict.fromkeys(NOT_OURS, NEW), "Lib/.modelica-save-aaaaaaaaaaaa.tmp": None}
    assert differences(tree(root), {**before, **kept}) == []
    assert call(["recover", "Lib"]).code == 0  # of nothing


@pytest.mark.parametrize("words", WRITES, ids=["a library", "a file"])
def test_a_save_removes_orphans_of_its_folder_and_nothing_else(root: Path, call: Calling, words: list[str]) -> None:
    lay_orphans(root)
    before = tree(root)
    for look in LOOKS:
        call(look)
    assert tree(root) == before
    assert call(words).code == 0
    after = tree(root)
    gone = before.keys() - after.keys()
    assert {name for name in ORPHANS if "Sub" not in name} <= gone <= set(ORPHANS)
    assert {name for name in after if before.get(name, 0) != after[name]} == {"Lib/B.mo"}


# ---------------------------------------------------------------- of another user


@pytest.fixture
def foreign(root: Path) -> Callable[[str, Journal], str]:
    """Lay a journal that belongs to another user; their name."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")

    def laid(name: str, data: Journal) -> str:
        put(root / "Lib", name, data)
        os.chown(root / "Lib" / name, NOBODY, -1)
        return pwd.getpwuid(NOBODY).pw_name

    return laid


@pytest.mark.parametrize("name", [JOURNAL, PLAN])
def test_a_journal_of_another_user_is_left(
    root: Path, call: Calling, usual: Looks, foreign: Callable[[str, Journal], str], name: str
) -> None:
    owner = foreign(name, journal())
    before = snapshot(root)
    seen = [call(words) for words in LOOKS]
    assert [(said.code, said.out) for said in seen] in (usual[OLD], usual[NEW])
    assert all(owner in said.err for said in seen)
    assert snapshot(root) == before
    said = call(["recover", "Lib"])
    assert said.code == 4
    assert owner in said.err
    assert snapshot(root) == before
    for words in WRITES:
        said = call(words)
        assert said.code in {0, 4}
        assert owner in said.err
    assert (root / "Lib" / "A.mo").read_bytes() == OLD
    assert (root / "Lib" / name).read_bytes() == json.dumps(journal()).encode()
    assert (root / "Lib" / TEMPORARY).read_bytes() == NEW


@pytest.mark.parametrize(("name", "content"), [(JOURNAL, NEW), (PLAN, OLD)])
def test_a_journal_of_another_user_can_be_forced(
    root: Path, call: Calling, foreign: Callable[[str, Journal], str], name: str, content: bytes
) -> None:
    before = tree(root)
    foreign(name, journal())
    said = call(["recover", "--force", "Lib"])
    assert said.code == 0, said
    assert tree(root) == {**before, "Lib/A.mo": content}


@pytest.mark.parametrize(
    "attack", ["replaces a file above", "a temporary: a file of the user", "removes a file of git"]
)
def test_force_keeps_the_rules(root: Path, call: Calling, foreign: Callable[[str, Journal], str], attack: str) -> None:
    data = ATTACKS[attack]
    lay(root, JOURNAL, data)
    assert isinstance(data, dict)
    foreign(JOURNAL, data)
    before = tree(root)
    assert call(["recover", "--force", "Lib"]).code == 4
    assert tree(root) == before


# ---------------------------------------------------------------- what is not a file


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_folder(path: Path) -> None:
    path.mkdir()
    (path / "note.txt").write_bytes(VICTIM)


def make_link(path: Path) -> None:
    target = path.parents[1] / "outside" / "journal.json"
    target.write_text(json.dumps(journal()))
    path.symlink_to(target)


def make_dangling_link(path: Path) -> None:
    path.symlink_to("nowhere")


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize("name", [JOURNAL, PLAN])
@pytest.mark.parametrize("make", [make_pipe, make_folder, make_link, make_dangling_link, make_loop])
def test_what_is_no_file_is_left(
    root: Path, running: Runner, usual: Looks, name: str, make: Callable[[Path], None]
) -> None:
    put(root / "Lib", "nothing", b"")
    (root / "Lib" / "nothing").unlink()
    make(root / "Lib" / name)

    def in_time(words: list[str]) -> Said:
        ran = running.run(root, words, seconds=20)
        assert ran.code != -signal.SIGALRM, f"{words} hangs"
        return Said(ran.code, ran.out, ran.err)

    # `check` may say by itself that a link in a library leads nowhere.
    problems = wrong_with_looks(root, in_time, usual[OLD], name, apart_from="check")
    problems += wrong_with_writes(root, in_time)
    assert not problems, "\n".join(problems)
