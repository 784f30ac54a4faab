"""Does the time grow with the input and no faster? Two sizes of each case in one run, and their times for a unit.

A ratio near 1 is linear; four times the input would have 4 where the time is quadratic. CPU time of single runs on a
machine that does other things as well: up to 1.5 is noise.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from modelica_ast import parse
from modelica_ast.edit import Document
from modelica_ast.library import Libraries, references
from modelica_ast.patterns import Pattern, PatternError
from modelica_ast.patterns.where import RegularExpression
from modelica_ast.refactor import rename
from modelica_ast.rules import check_libraries
from urdf_frontend import read
from urdf_frontend.package import BuildOptions, build

_FACTOR = 4


@frozen
class Case:
    """Something to do with an input of a size; what `prepare` does is not timed."""

    name: str
    unit: str
    size: int  # the smaller one
    prepare: Callable[[int, Path], Callable[[], object]]


def _broken_classes(size: int, _: Path) -> Callable[[], object]:
    text = "".join(f"model M{i}\n  Real x = ;\nend M{i};\n" for i in range(size))
    return lambda: parse(text, recover=True)


def _broken_strings(size: int, _: Path) -> Callable[[], object]:
    text = "".join(f'model M{i}\n  Real x "about x;\n  Real y "about y";\nend M{i};\n' for i in range(size))
    return lambda: parse(text, recover=True)


def _broken_array(size: int, _: Path) -> Callable[[], object]:
    text = f"model M\n  Real x[:] = {{{'1.5,-2,' * size} x;\nend M;\n"
    return lambda: parse(text, recover=True)


def _broken_rows(size: int, _: Path) -> Callable[[], object]:
    text = f"model M\n  Real x[:,:] = {{{'{1.5,-2},' * size}{{3}};\nend M;\n"
    return lambda: parse(text, recover=True)


def _attributes(size: int, _: Path) -> Callable[[], object]:
    attributes = " ".join(f"a{i}='1'" for i in range(size))
    text = f"<robot name='r'><link name='l' {attributes}/></robot>"
    return lambda: read(text)


def _comments(size: int, _: Path) -> Callable[[], object]:
    document = Document(f"model M\n  Real x; {'/* c */ ' * size}\nend M;\n")
    return lambda: document.find_class("M").add_component("Real", "y")


def _sum(size: int, _: Path) -> Callable[[], object]:
    tree = parse(f"model M\n  Real y = {' + '.join(f'x{i}' for i in range(size))};\nend M;\n")
    pattern = Pattern.compile("$a + $a")
    return lambda: pattern.find(tree)


def _chain(size: int, folder: Path, *, is_cycle: bool = False) -> Libraries:
    last = f"extends A{size - 1};" if is_cycle else "Real x;"
    classes = (f"  model A{i}\n    extends A{i - 1};\n    Real y{i} = x;\n  end A{i};\n" for i in range(1, size))
    text = f"package P\n  model A0\n    {last}\n  end A0;\n{''.join(classes)}end P;\n"
    (folder / "P.mo").write_text(text, encoding="utf-8")
    return Libraries([folder / "P.mo"])


def _renamed(size: int, folder: Path) -> Callable[[], object]:
    libraries = _chain(size, folder)
    return lambda: rename(libraries, "P.A0.x", "z")


def _referenced(size: int, folder: Path) -> Callable[[], object]:
    libraries = _chain(size, folder)
    return lambda: references(libraries, "P.A0.x")


def _shown(size: int, folder: Path) -> Callable[[], object]:
    libraries = _chain(size, folder)
    rename(libraries, "P.A0.x", "z")
    return libraries.diff


def _checked(size: int, folder: Path) -> Callable[[], object]:
    libraries = _chain(size, folder)
    return lambda: check_libraries(libraries)


def _checked_cycle(size: int, folder: Path) -> Callable[[], object]:
    libraries = _chain(size, folder, is_cycle=True)
    return lambda: check_libraries(libraries)


def _expressions(size: int, _: Path) -> Callable[[], object]:
    expressions = [RegularExpression("(a|a)*$") for _ in range(size)]

    def search() -> None:
        for expression in expressions:
            try:
                expression.finds("a" * 60 + "b")
            except PatternError:
                continue

    return search


def _boxes(size: int, _: Path) -> Callable[[], object]:
    box = "<visual><origin xyz='0 0 {n}'/><geometry><box size='1 1 1'/></geometry></visual>"
    link = f"<link name='base'>{''.join(box.format(n=n) for n in range(size))}</link>"
    robot = read(f"<robot name='boxes'>{link}</robot>").usable_robot()
    return lambda: build(robot, BuildOptions())


CASES = (
    Case("recovery of broken classes", "class", 2_500, _broken_classes),
    Case("recovery of classes with open strings", "class", 2_500, _broken_strings),
    Case("array of numbers that ends badly", "pair", 25_000, _broken_array),
    Case("array of rows that never closes", "row", 25_000, _broken_rows),
    Case("attributes of one XML element", "attribute", 12_500, _attributes),
    Case("add a component after comments", "comment", 50_000, _comments),
    Case("$a + $a on one sum", "term", 1_000, _sum),
    Case("rename along a chain of extends", "class", 750, _renamed),
    Case("references along a chain of extends", "class", 750, _referenced),
    Case("diff of that rename", "class", 750, _shown),
    Case("check a chain of extends", "class", 750, _checked),
    Case("check a cycle of extends", "class", 750, _checked_cycle),
    Case("build a link of boxes", "box", 50, _boxes),
    Case("stop an expression that never ends", "expression", 1, _expressions),
)


@contextmanager
def _timed(spent: list[float]) -> Iterator[None]:
    start = time.process_time()
    yield
    spent.append(time.process_time() - start)


def main() -> None:
    """Print a table; names of cases as arguments choose among them."""
    wanted = sys.argv[1:]
    print(f"{'case':40}{'size':>9}{'s':>8}{'size':>9}{'s':>8}   time for a unit, larger to smaller")
    for case in CASES:
        if wanted and not any(word in case.name for word in wanted):
            continue
        sizes = (case.size, case.size * _FACTOR)
        spent: list[float] = []
        with tempfile.TemporaryDirectory() as folder:
            case.prepare(max(case.size // 20, 1), Path(folder))()  # what is learned once is not timed
            for size in sizes:
                work = case.prepare(size, Path(folder))
                with _timed(spent):
                    work()
        small, large = spent
        row = f"{case.name:40}{sizes[0]:9,}{small:8.2f}{sizes[1]:9,}{large:8.2f}"
        print(f"{row}   {large / small / _FACTOR:.2f} for a {case.unit}", flush=True)


if __name__ == "__main__":
    main()
