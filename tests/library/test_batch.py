"""The same work on many files gives the same results, whoever does it and in whatever order it is done."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from conftest import FIXTURES, ROOT
from modelica_ast import parse_file
from modelica_ast.edit import Document, Workspace
from modelica_ast.foundation import EditError
from modelica_ast.library import apply_edits, edit_files, map_files

NO_DASK = "distributed is not installed: pip install 'modelica-ast[dask]'"


# Workers of other processes import these from here.


def names_of_classes(path: Path) -> list[str]:
    return [found.name for found in parse_file(path).classes]


def describe(document: Document) -> None:
    for found in document.classes:
        found.set_description(f"This is {found.view.name}")


def first_letter(path: Path) -> str:
    return path.read_text(encoding="utf-8")[0]


def unpicklable_for_b(path: Path) -> object:
    return threading.Lock() if path.name == "b.mo" else path.name


def die_for_b(path: Path) -> str:
    if path.name == "b.mo":
        os._exit(1)
    return path.name


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    # Not by fork, which does not go with the threads of a cluster.
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    distributed = pytest.importorskip("distributed", reason=NO_DASK)
    with (
        # Port 0: test processes that run at once would all take the one of the dashboard.
        distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=":0") as local,
        distributed.Client(local) as client,
    ):
        yield client.get_executor()


@pytest.fixture(params=["here", "threads", "processes", "cluster"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor | None]:
    if request.param == "here":
        yield None
    elif request.param == "threads":
        with ThreadPoolExecutor(3) as pool:
            yield pool
    else:
        yield request.getfixturevalue(request.param)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Good files, among them one that is not Modelica, and one that refuses the edit; it is the working folder."""
    shutil.copytree(FIXTURES / "libraries" / "Arms", tmp_path / "Arms")
    (tmp_path / "Broken.mo").write_text("model Broken\n  Real x\nend Broken;\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(folder: Path, count: int) -> list[Path]:
    paths = [folder / f"{letter}.mo" for letter in "abcdefgh"[:count]]
    for path in paths:
        path.write_text(f"model {path.stem}\nend {path.stem};\n", encoding="utf-8")
    return paths


# ---------------------------------------------------------------- any executor


def test_results_are_those_of_a_loop(folder: Path, executor: Executor | None) -> None:
    good = sorted(path.relative_to(folder) for path in (folder / "Arms").rglob("*.mo"))
    paths = [*good[:2], Path("Broken.mo"), Path("Missing.mo"), *good[2:]]
    results = map_files(names_of_classes, paths, executor=executor)
    assert [result.path for result in results] == paths
    assert [result.value for result in results if result.path in good] == [names_of_classes(path) for path in good]
    errors = [str(result.error) for result in results if result.error is not None]
    assert errors == [
        "Broken.mo:2: expected ';' after component 'x', found 'end'",
        "Missing.mo: it can't be read: No such file or directory",
    ]
    assert not any(result.traceback for result in results)


def test_edits_are_made_there_and_saved_here(folder: Path, executor: Executor | None) -> None:
    paths = sorted((folder / "Arms").rglob("*.mo"))
    before = {path: path.read_bytes() for path in paths}
    results = edit_files(describe, paths, executor=executor)
    assert {path: path.read_bytes() for path in paths} == before
    workspace = Workspace(folder)
    apply_edits(results, workspace)
    workspace.save()
    for path in paths:
        expected = Document(before[path].decode())
        describe(expected)
        assert path.read_bytes().decode() == expected.text
        assert f'"This is {expected.tree.classes[0].name}"' in expected.text


def test_a_patch_is_a_transform_and_refusals_are_told(tmp_path: Path, executor: Executor | None) -> None:
    paths = texts(tmp_path, 2)
    patch = [{"op": "set_class_description", "class": "a", "text": "First"}]
    one, other = edit_files(iter(patch), paths, executor=executor)
    assert one.value is not None
    assert one.value.text == 'model a "First"\nend a;\n'
    assert other.value is None
    assert other.error is not None
    assert "no class 'a'" in other.error.message


def test_a_changed_file_is_read_again(tmp_path: Path, executor: Executor | None) -> None:
    paths = texts(tmp_path, 1)
    assert [result.value for result in map_files(first_letter, paths, executor=executor)] == ["m"]
    paths[0].write_text("package P end P;", encoding="utf-8")
    assert [result.value for result in map_files(first_letter, paths * 2, executor=executor)] == ["p", "p"]


def test_progress_is_told_in_this_thread(tmp_path: Path, executor: Executor | None) -> None:
    paths = texts(tmp_path, 4)
    told: list[tuple[int, int, Path]] = []
    threads: set[int] = set()

    def progress(done: int, total: int, path: Path) -> None:
        told.append((done, total, path))
        threads.add(threading.get_ident())

    map_files(first_letter, paths, executor=executor, progress=progress)
    assert [(done, total) for done, total, _ in told] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert sorted(path for _, _, path in told) == paths
    assert threads == {threading.get_ident()}


@pytest.mark.parametrize("chunksize", [2, 3, 100])
def test_chunks_change_nothing(folder: Path, executor: Executor | None, chunksize: int) -> None:
    paths = [*sorted((folder / "Arms").rglob("*.mo")), Path("Broken.mo"), *texts(folder, 3)]
    told: list[tuple[int, int, Path]] = []
    results = map_files(
        names_of_classes, paths, executor=executor, chunksize=chunksize, progress=lambda *news: told.append(news)
    )
    assert results == map_files(names_of_classes, paths)
    assert [result.error is None for result in results] == [path != Path("Broken.mo") for path in paths]
    assert [(done, total) for done, total, _ in told] == [(done + 1, len(paths)) for done in range(len(paths))]
    assert sorted(path for _, _, path in told) == sorted(paths)


def test_a_chunk_has_a_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one file, not 0"):
        map_files(first_letter, texts(tmp_path, 1), chunksize=0)


def test_nothing_to_do(executor: Executor | None) -> None:
    assert map_files(first_letter, [], executor=executor) == []


# ---------------------------------------------------------------- order, errors, interrupts


def test_order_is_that_of_the_paths_not_of_completion(tmp_path: Path) -> None:
    paths = texts(tmp_path, 2)
    second_is_told = threading.Event()
    told: list[Path] = []

    def wait_if_first(path: Path) -> str:
        if path == paths[0]:
            assert second_is_told.wait(300)
        return path.name

    def progress(_done: int, _total: int, path: Path) -> None:
        told.append(path)
        second_is_told.set()

    with ThreadPoolExecutor(2) as pool:
        results = map_files(wait_if_first, paths, executor=pool, progress=progress)
    assert told == [paths[1], paths[0]]
    assert [result.value for result in results] == ["a.mo", "b.mo"]


@pytest.mark.parametrize("count", [0, 1])
def test_an_interrupt_cancels_what_has_not_begun(tmp_path: Path, count: int) -> None:
    paths = texts(tmp_path, 8)
    is_over = threading.Event()
    begun: list[Path] = []

    def work(path: Path) -> None:
        begun.append(path)
        if count and path != paths[0]:
            assert is_over.wait(300)

    def progress(_done: int, _total: int, _path: Path) -> None:
        raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(KeyboardInterrupt):
            map_files(work, paths, executor=pool if count else None, progress=progress)
        is_over.set()
    assert paths[0] in begun
    assert set(begun) <= set(paths[: count + 1])


def test_an_error_of_the_function_keeps_its_traceback(tmp_path: Path) -> None:
    def look(path: Path) -> int:
        return {"a.mo": 1}[path.name]

    one, other = map_files(look, texts(tmp_path, 2))
    assert (one.value, one.error) == (1, None)
    assert other.error is not None
    assert other.error.message == "KeyError: 'b.mo'"
    assert "in look" in other.traceback


def test_an_error_about_another_file_names_it(tmp_path: Path) -> None:
    paths = texts(tmp_path, 1)
    (tmp_path / "Broken.mo").write_text("model Broken\n", encoding="utf-8")

    def parse_beside(path: Path) -> object:
        return parse_file(path.with_name("Broken.mo"))

    (result,) = map_files(parse_beside, paths)
    assert result.error is not None
    assert result.error.line == 0
    assert str(tmp_path / "Broken.mo") in result.error.message


def test_a_value_that_cannot_come_back_is_an_error_of_its_file(tmp_path: Path, processes: Executor) -> None:
    results = map_files(unpicklable_for_b, texts(tmp_path, 3), executor=processes)
    assert [result.value for result in results] == ["a.mo", None, "c.mo"]
    assert "the worker returned no result" in str(results[1].error)


def test_a_worker_that_dies_is_told_and_not_raised(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        results = map_files(die_for_b, texts(tmp_path, 4), executor=pool)
        again = map_files(die_for_b, texts(tmp_path, 1), executor=pool)
    assert all("BrokenProcessPool" in str(result.error) for result in [*results[1:], *again])


# ---------------------------------------------------------------- taking edits over


def test_one_refused_file_keeps_all_back(folder: Path) -> None:
    workspace = Workspace(folder)
    with pytest.raises(EditError, match=r"1 of 2 files were refused, so none is changed; the first is Broken\.mo:2"):
        apply_edits(edit_files(describe, ["Arms/package.mo", "Broken.mo"]), workspace)
    assert not workspace.is_changed


def test_a_text_that_has_changed_since_is_not_overwritten(tmp_path: Path) -> None:
    paths = texts(tmp_path, 2)
    results = edit_files(describe, paths)
    paths[1].write_text("model b\nend b;\n// more\n", encoding="utf-8")
    workspace = Workspace(tmp_path)
    with pytest.raises(EditError, match=r"b\.mo has changed since it was edited"):
        apply_edits(results, workspace)
    assert not workspace.is_changed


def test_a_file_given_twice_is_refused(tmp_path: Path) -> None:
    paths = texts(tmp_path, 1)
    workspace = Workspace(tmp_path)
    with pytest.raises(EditError, match=r"a\.mo appears twice"):
        apply_edits(edit_files(describe, paths * 2), workspace)
    assert not workspace.is_changed


def test_edits_are_one_step_and_unchanged_files_are_not_opened(tmp_path: Path) -> None:
    paths = texts(tmp_path, 3)

    def describe_all_but_c(document: Document) -> None:
        if document.get_class("c") is None:
            describe(document)

    workspace = Workspace(tmp_path)
    apply_edits(edit_files(describe_all_but_c, paths), workspace)
    assert [document.path for document in workspace.documents] == paths[:2]
    assert workspace.is_changed
    workspace.undo()
    assert not workspace.is_changed


# ---------------------------------------------------------------- the example


@pytest.mark.slow
def test_the_example_runs_on_a_cluster_of_its_own(folder: Path) -> None:
    pytest.importorskip("distributed", reason=NO_DASK)
    command = [sys.executable, str(ROOT / "examples" / "dask_cluster.py"), str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert "Broken.mo:2: expected ';' after component 'x', found 'end'" in ran.stdout
    count = len(list(folder.rglob("*.mo")))
    assert f"{count - 1} of {count} files" in ran.stdout
