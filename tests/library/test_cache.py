"""A cached tree is the tree of a parse, and nothing that happens to the folder changes what comes back."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conftest import FIXTURES, mostly_slow
from modelica_ast import ModelicaSyntaxError, parse, render
from modelica_ast.edit import ClassHandle
from modelica_ast.foundation import VERSION
from modelica_ast.foundation.source import Source
from modelica_ast.library import Libraries, ParseCache, cache
from modelica_ast.syntax.green import equal
from modelica_ast.tree.roots import StoredDefinition

TEXT = 'within A;\nmodel M "é"\n  Real x(start = 1) annotation(Dialog(tab="T")); // x\nend M;\n'
FILES = sorted(FIXTURES.rglob("*.mo"))

CODE = """
import sys
from pathlib import Path
from modelica_ast import render
from modelica_ast.library import ParseCache
from modelica_ast.foundation.source import Source
cache = ParseCache(sys.argv[1], limit=int(sys.argv[2]))
for path in sorted(Path(sys.argv[3]).glob("*.mo")) * 3:
    source = Source.read(path)
    assert render(cache.parse_source(source)) == source.text, path
"""


def forbid_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: Source) -> StoredDefinition:
        raise AssertionError(f"{source} was parsed")

    monkeypatch.setattr(cache, "parse_source", refuse)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.tree"))


def same(one: StoredDefinition, other: StoredDefinition) -> bool:
    about = [(tree.file, tree.encoding, tree.errors) for tree in (one, other)]
    return equal(one.green, other.green) and about[0] == about[1]


# ---------------------------------------------------------------- the same tree


@pytest.mark.parametrize("step", mostly_slow([5, 1], 5))
def test_fixtures_come_back_as_parsed(step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[tuple[str, Path, StoredDefinition]] = []
    for path in FILES[::step]:
        text = Source.read(path).text
        try:
            tree = parse(text, path=path)
        except ModelicaSyntaxError:
            continue
        parsed.append((text, path, tree))
        assert same(ParseCache(tmp_path).parse(text, path), tree)
    assert len(parsed) > 50
    forbid_parsing(monkeypatch)
    for text, path, tree in parsed:
        found = ParseCache(tmp_path).parse(text, path)
        assert same(found, tree)
        assert render(found) == text


def test_encoding_and_file_are_those_of_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ParseCache(tmp_path)
    kept.parse(TEXT)
    forbid_parsing(monkeypatch)
    tree = kept.parse_source(Source.from_bytes(TEXT.encode("latin-1"), Path("Old.mo")))
    assert (tree.file, tree.encoding, tree.errors) == (Path("Old.mo"), "latin-1", ())
    assert tree.classes[0].components[0].name == "x"


def test_errors_are_those_of_a_parse_and_are_not_kept(tmp_path: Path) -> None:
    text = "model M\n  Real x\nend M;\n"
    with pytest.raises(ModelicaSyntaxError) as expected:
        parse(text, path="M.mo")
    for _ in range(2):
        with pytest.raises(ModelicaSyntaxError) as found:
            ParseCache(tmp_path).parse(text, path="M.mo")
        assert str(found.value) == str(expected.value)
    assert entries(tmp_path) == []


@pytest.mark.parametrize("text", ["", "// \ud800\n", "\ufeffmodel M end M;", "model M\r\nend M;\r\n"])
def test_odd_texts(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ParseCache(tmp_path).parse(text)
    forbid_parsing(monkeypatch)
    assert render(ParseCache(tmp_path).parse(text)) == text


def test_what_is_nested_too_deeply_is_parsed_each_time(tmp_path: Path) -> None:
    text = f"model M\n  Real x = {'(' * 5000}1{')' * 5000};\nend M;\n"
    for _ in range(2):
        assert render(ParseCache(tmp_path).parse(text)) == text
    assert entries(tmp_path) == []


# ---------------------------------------------------------------- when an entry counts


def test_another_parser_has_other_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ParseCache(tmp_path).parse(TEXT)
    monkeypatch.setattr(cache, "fingerprint", lambda: b"another table")
    ParseCache(tmp_path).parse(TEXT)
    assert len(entries(tmp_path)) == 2


def test_the_fingerprint_follows_every_module_that_makes_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    fingerprint = cache.fingerprint.__wrapped__
    source_of = cache._source_of
    assert "PRODUCTIONS" in source_of("modelica_ast.syntax._table")
    assert VERSION not in map(source_of, cache._MAKERS)  # which counts where there is no source
    found = {fingerprint()}
    for changed in cache._MAKERS:
        monkeypatch.setattr(cache, "_source_of", lambda name, it=changed: source_of(name) + "#" * (name == it))
        found.add(fingerprint())
    assert len(found) == len(cache._MAKERS) + 1


def test_the_fingerprint_is_the_same_in_another_process() -> None:
    code = "from modelica_ast.library import cache; print(cache.fingerprint().hex())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == cache.fingerprint().hex()


@pytest.mark.parametrize("damage", ["empty", "short", "flipped", "another"])
def test_a_damaged_entry_is_replaced(tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ParseCache(tmp_path).parse(TEXT)
    (entry,) = entries(tmp_path)
    whole = entry.read_bytes()
    ParseCache(tmp_path / "other").parse("model Other end Other;")
    damaged = {
        "empty": b"",
        "short": whole[:-7],
        "flipped": whole[:60] + bytes([whole[60] ^ 1]) + whole[61:],
        "another": entries(tmp_path / "other")[0].read_bytes(),
    }
    entry.write_bytes(damaged[damage])
    assert render(ParseCache(tmp_path).parse(TEXT)) == TEXT
    assert entry.read_bytes() == whole
    forbid_parsing(monkeypatch)
    assert render(ParseCache(tmp_path).parse(TEXT)) == TEXT


@pytest.mark.skipif(os.name != "posix", reason="other systems say otherwise whose a file is")
@pytest.mark.parametrize("strange", ["owner", "writable", "link", "pipe", "folder"])
def test_a_file_of_a_stranger_is_no_entry(tmp_path: Path, strange: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """marshal may crash on what others have written, and nobody but the user may say what a text means."""
    ParseCache(tmp_path).parse(TEXT)
    (entry,) = entries(tmp_path)
    whole = entry.read_bytes()
    assert entry.stat().st_mode & 0o777 == 0o600
    if strange == "owner":
        monkeypatch.setattr(os, "geteuid", lambda: entry.stat().st_uid + 1)
    elif strange == "writable":
        entry.chmod(0o666)
    else:
        entry.unlink()
    if strange == "link":
        (tmp_path / "elsewhere").write_bytes(whole)
        entry.symlink_to(tmp_path / "elsewhere")
    elif strange == "pipe":
        os.mkfifo(entry)
    elif strange == "folder":
        entry.mkdir()
    forbid_parsing(monkeypatch)
    with pytest.raises(AssertionError, match="was parsed"):
        ParseCache(tmp_path).parse(TEXT)


# ---------------------------------------------------------------- the folder


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    assert render(ParseCache(tmp_path / "file" / "cache").parse(TEXT)) == TEXT


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not hold for this user")
def test_a_folder_for_reading_only_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ParseCache(tmp_path).parse(TEXT)
    tmp_path.chmod(0o500)
    ParseCache(tmp_path).parse("model Other end Other;")
    assert len(entries(tmp_path)) == 1
    forbid_parsing(monkeypatch)
    ParseCache(tmp_path).parse(TEXT)


def test_what_was_not_used_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = tmp_path / "notes.tree"
    foreign.write_bytes(b"-" * 100_000)
    texts = [f"model M{number:02} end M{number:02};" for number in range(40)]
    ParseCache(tmp_path).parse(texts[0])
    (first,) = set(entries(tmp_path)) - {foreign}
    limit = 20 * first.stat().st_size
    small = ParseCache(tmp_path, limit=limit)
    for age, text in enumerate(texts):
        before = set(entries(tmp_path))
        small.parse(text)
        for entry in set(entries(tmp_path)) - before:  # file systems with coarse times would leave the order open
            os.utime(entry, (age + 1, age + 1))
        small.parse(texts[0])  # in use all the time
        kept = set(entries(tmp_path)) - {foreign}
        assert sum(entry.stat().st_size for entry in kept) <= limit
    assert len(kept) >= 15
    assert foreign.exists()
    forbid_parsing(monkeypatch)
    for text in (texts[0], *texts[-10:]):
        small.parse(text)


def test_what_is_large_for_the_limit_is_not_kept(tmp_path: Path) -> None:
    assert render(ParseCache(tmp_path, limit=100).parse(TEXT)) == TEXT
    assert render(ParseCache(tmp_path, limit=0).parse(TEXT)) == TEXT
    assert entries(tmp_path) == []


def test_what_a_killed_process_left_goes_too(tmp_path: Path) -> None:
    left = tmp_path / f"{'0' * 64}.tree.{'0' * 12}.tmp"
    left.write_bytes(b"-" * 10_000)
    os.utime(left, (1, 1))
    ParseCache(tmp_path, limit=9_000).parse(TEXT)
    assert not left.exists()
    assert len(entries(tmp_path)) == 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the variable is for other platforms")
def test_the_folder_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    ParseCache().parse(TEXT)
    assert len(entries(tmp_path / "caches" / "modelica_ast")) == 1
    assert (tmp_path / "caches" / "modelica_ast").stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("MODELICA_AST_CACHE", str(tmp_path / "named"))
    ParseCache().parse(TEXT)
    assert len(entries(tmp_path / "named")) == 1
    monkeypatch.setenv("MODELICA_AST_CACHE", "not/absolute")
    assert ParseCache().folder == tmp_path / "caches" / "modelica_ast"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert ParseCache().folder == tmp_path / ".cache" / "modelica_ast"


def test_it_can_be_sent_to_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ParseCache(tmp_path).parse(TEXT)
    sent: ParseCache = pickle.loads(pickle.dumps(ParseCache(tmp_path, limit=1_000_000)))  # noqa: S301
    forbid_parsing(monkeypatch)
    assert (sent.limit, render(sent.parse(TEXT))) == (1_000_000, TEXT)


# ---------------------------------------------------------------- all at once


@pytest.mark.parametrize("limit", [100_000_000, 200_000])
def test_processes_share_a_folder(tmp_path: Path, limit: int) -> None:
    command = [sys.executable, "-c", CODE, str(tmp_path), str(limit), str(FIXTURES / "modelica")]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [(process.communicate(timeout=120)[1], process.returncode) for process in running] == [("", 0)] * 4
    assert entries(tmp_path)
    assert list(tmp_path.glob("*.tmp")) == []


def test_threads_share_a_cache(tmp_path: Path) -> None:
    shared = ParseCache(tmp_path, limit=200_000)
    texts = [Source.read(path).text for path in sorted((FIXTURES / "modelica").glob("*.mo"))] * 8

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(shared.parse, texts))
    assert [render(tree) for tree in found] == texts
    assert list(tmp_path.glob("*.tmp")) == []


def test_libraries_take_a_cache(tmp_path: Path) -> None:
    library = FIXTURES / "libraries" / "Arms"
    plain = [handle.view.text for handle in all_classes(Libraries([], read_only=[library]))]
    kept = ParseCache(tmp_path / "cache")
    for _ in range(2):
        cached = Libraries([], read_only=[library], cache=kept)
        assert [handle.view.text for handle in all_classes(cached)] == plain
    assert len(entries(tmp_path / "cache")) == len(cached["Arms"].files())


def all_classes(libraries: Libraries) -> list[ClassHandle]:
    return [libraries.find_class(entry.full_name) for library in libraries for entry in library.files()]
