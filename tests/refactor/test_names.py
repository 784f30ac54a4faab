"""One meaning for every name: what the look-up says, `references`, `rename` and `move_class` do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT
from modelica_ast.edit import Document
from modelica_ast.foundation import EditError
from modelica_ast.foundation.identifiers import split_name
from modelica_ast.library import Libraries, LibraryError, instance, references
from modelica_ast.library.layout import class_names
from modelica_ast.library.shelf import Shelf
from modelica_ast.refactor import move_class, rename

TRICKY = sorted((ROOT.parent / "shared" / "oracle" / "tricky").glob("*.mo"))
CYCLES = {"ExtendsCycle"}  # what a class in a cycle inherits, nobody knows
Opened = Callable[[str], Libraries]


@pytest.fixture
def library(tmp_path: Path) -> Opened:
    def opened(text: str) -> Libraries:
        (tmp_path / "P.mo").write_text(f"package P\n{text}\nend P;\n", encoding="utf-8")
        return Libraries([tmp_path / "P.mo"])

    return opened


def text_of(libraries: Libraries) -> str:
    (_, entry), *_ = libraries.files()
    return libraries.text_of(entry).removeprefix("package P\n").removesuffix("\nend P;\n")


# What is renamed, and all that has its name because of it: (text, name, new name, text after it).
RENAMED = {
    "a qualified import goes before those of all names": (
        (
            "package A model X end X; end A; package B model X end X; end B;\n"
            "model M import P.B.*; import P.A.X; X c; end M;"
        ),
        ("P.A.X", "Y"),
        (
            "package A model Y end Y; end A; package B model X end X; end B;\n"
            "model M import P.B.*; import P.A.Y; Y c; end M;"
        ),
    ),
    "inner and outer components have one name": (
        "model W end W; model C outer W w; Real x = w.y; end C; model D inner W w; C c; end D; model E Real w; end E;",
        ("P.D.w", "world"),
        (
            "model W end W; model C outer W world; Real x = world.y; end C; model D inner W world; C c; end D; "
            "model E Real w; end E;"
        ),
    ),
    "of inner and outer those of other types are others": (
        (
            "model V end V; model W end W; model C outer W w; end C; model D inner W w; C c; end D; "
            "model E inner V w; end E;"
        ),
        ("P.C.w", "world"),
        (
            "model V end V; model W end W; model C outer W world; end C; model D inner W world; C c; end D; "
            "model E inner V w; end E;"
        ),
    ),
    "inner and outer classes have one name": (
        "model C outer model T Real x; end T; T t; end C; model D inner model T Real x; end T; C c; end D;",
        ("P.D.T", "U"),
        "model C outer model U Real x; end U; U t; end C; model D inner model U Real x; end U; C c; end D;",
    ),
    "modifiers of a class that extends the inherited one": (
        (
            "package Base replaceable model T parameter Real a = 1; end T; end Base;\n"
            "package Der extends Base; redeclare model extends T(a = 2) Real b = a; end T; end Der;"
        ),
        ("P.Base.T.a", "z"),
        (
            "package Base replaceable model T parameter Real z = 1; end T; end Base;\n"
            "package Der extends Base; redeclare model extends T(z = 2) Real b = z; end T; end Der;"
        ),
    ),
    "an element of a class that takes the place of another": (
        (
            "package Base replaceable model X constant Real k = 1; end X; end Base;\n"
            "package D extends Base; redeclare model X constant Real k = 2; Real m; end X; end D;"
            "model M D.X x(m = 1); end M;"
        ),
        ("P.D.X.m", "n"),
        (
            "package Base replaceable model X constant Real k = 1; end X; end Base;\n"
            "package D extends Base; redeclare model X constant Real k = 2; Real n; end X; end D;"
            "model M D.X x(n = 1); end M;"
        ),
    ),
    "modifiers through a component that was redeclared": (
        (
            "model A end A; model B extends A; Real q; end B; model L replaceable A a; end L;\n"
            "model L2 extends L(redeclare replaceable B a); end L2; model M extends L2(a(q = 9)); end M;"
        ),
        ("P.B.q", "r"),
        (
            "model A end A; model B extends A; Real r; end B; model L replaceable A a; end L;\n"
            "model L2 extends L(redeclare replaceable B a); end L2; model M extends L2(a(r = 9)); end M;"
        ),
    ),
    "arguments of a derivative": (
        (
            "function g input Real u; output Real y; algorithm y := u; end g;\n"
            "function dg = der(g, u); model M Real x = dg(u = 2); end M;"
        ),
        ("P.g.u", "v"),
        (
            "function g input Real v; output Real y; algorithm y := v; end g;\n"
            "function dg = der(g, v); model M Real x = dg(v = 2); end M;"
        ),
    ),
    "an import under the name that the class has": (
        "package Parts model Motor end Motor; end Parts; model M import Motor = P.Parts.Motor; Motor m; end M;",
        ("P.Parts.Motor", "Engine"),
        "package Parts model Engine end Engine; end Parts; model M import Motor = P.Parts.Engine; Motor m; end M;",
    ),
    "an element that a derived class repeats": (
        'model A Real x = 1; end A; model B extends A; Real x = 1 "again"; Real y = x; end B;',
        ("P.A.x", "z"),
        'model A Real z = 1; end A; model B extends A; Real z = 1 "again"; Real y = z; end B;',
    ),
    "a class of its own that hides an inherited one": (
        "model A model T Real x; end T; end A; model B extends A; model T Real y; end T; T t; end B;",
        ("P.B.T", "U"),
        "model A model T Real x; end T; end A; model B extends A; model U Real y; end U; U t; end B;",
    ),
    "an input that an annotation says how to find": (
        "function f input Real x; output Real y; annotation(inverse(x = g(y))); end f;",
        ("P.f.x", "u"),
        "function f input Real u; output Real y; annotation(inverse(u = g(y))); end f;",
    ),
    "a field of a record that has constructors": (
        (
            "operator record C Real re; encapsulated operator 'constructor' import P.C;\n"
            "function fromReal input Real re; output C c(re=re); end fromReal; end 'constructor'; end C;\n"
            "model M C c = C(re=1); end M;"
        ),
        ("P.C.re", "real"),
        (
            "operator record C Real real; encapsulated operator 'constructor' import P.C;\n"
            "function fromReal input Real re; output C c(real=re); end fromReal; end 'constructor'; end C;\n"
            "model M C c = C(re=1); end M;"
        ),
    ),
    "an input of a constructor": (
        (
            "operator record C Real re; encapsulated operator 'constructor' import P.C;\n"
            "function fromReal input Real re; output C c(re=re); end fromReal; end 'constructor'; end C;\n"
            "model M C c = C(re=1); end M;"
        ),
        ("P.C.'constructor'.fromReal.re", "x"),
        (
            "operator record C Real re; encapsulated operator 'constructor' import P.C;\n"
            "function fromReal input Real x; output C c(re=x); end fromReal; end 'constructor'; end C;\n"
            "model M C c = C(x=1); end M;"
        ),
    ),
}


@pytest.mark.parametrize("case", RENAMED)
def test_rename(case: str, library: Opened) -> None:
    before, (name, new), after = RENAMED[case]
    libraries = library(before)
    rename(libraries, name, new)
    assert text_of(libraries) == after


@pytest.mark.parametrize("case", RENAMED)
def test_a_document_renames_as_a_library_does(case: str) -> None:
    before, (name, new), after = RENAMED[case]
    document = Document(f"package P\n{before}\nend P;\n")
    around, _, last = name.rpartition(".")
    component = None if document.get_class(name) is not None else document.find_class(around).get_component(last)
    if document.get_class(name) is not None:
        document.find_class(name).rename(new)
    elif component is not None:
        component.rename(new)
    else:
        pytest.skip("documents have no handle for it")
    assert document.text == f"package P\n{after}\nend P;\n"


def test_an_outer_component_has_what_the_inner_one_has(library: Opened) -> None:
    found = instance(
        library(
            "model W parameter Real g = 9; end W; model C outer W w; parameter Real a = w.g; end C;\n"
            "model D inner W w(g=1); C c; end D; model E inner outer W w(g=5); C c; end E;\n"
            "model F inner W w(g=2); E e; end F; model Alone C c; end Alone;"
        ),
        "P.F",
    )
    classes = {path: found.find(path).value for path in ("w.g", "e.c.w.g", "e.c.a")}
    assert classes == {"w.g": 2, "e.c.w.g": 5, "e.c.a": 5}
    other = instance(library("model W parameter Real g = 9; end W; model C outer W w; end C;"), "P.C")
    assert other.find("w.g").value == 9, "nothing is around it"


def test_libraries_whose_names_have_blanks(tmp_path: Path) -> None:
    (tmp_path / "'a b' 1.0").mkdir()
    (tmp_path / "'a b' 1.0" / "package.mo").write_text("package 'a b' model M end M; end 'a b';", encoding="utf-8")
    (tmp_path / "'c.d'.mo").write_text("model 'c.d' 'a b'.M m; end 'c.d';", encoding="utf-8")
    shelf = Shelf([tmp_path], search=False)
    assert shelf.names() == ["'a b'", "'c.d'"]
    libraries = shelf.open([tmp_path / "'c.d'.mo"])
    assert {library.name for library in libraries} == {"'a b'", "'c.d'"}
    assert instance(libraries, "'c.d'").find("m").type_name == "'a b'.M"


REFUSED = {
    "a derived class has the new name": (
        "model Motor Real J; end Motor; model Arm extends Motor; Real inertia; end Arm;",
        ("P.Motor.J", "inertia"),
        r"'P\.Arm' inherits 'J' from 'P\.Motor' and has a 'inertia' already",
    ),
    "a class inherits both": (
        "model A Real x; end A; model B Real y; end B; model C extends A; extends B; end C;",
        ("P.A.x", "y"),
        r"'P\.C' inherits 'x' from 'P\.A' and has a 'y' already",
    ),
    "the language calls it": (
        (
            "class Table extends ExternalObject; function constructor output Table t; external; end constructor;\n"
            "function destructor input Table t; external; end destructor; end Table;"
        ),
        ("P.Table.constructor", "make"),
        "the language calls it by this name",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_renames_that_are_refused(case: str, library: Opened) -> None:
    before, (name, new), message = REFUSED[case]
    libraries = library(before)
    with pytest.raises((EditError, LibraryError), match=message):
        rename(libraries, name, new)
    assert text_of(libraries) == before


def test_names_that_two_imports_bring_are_nobodys(library: Opened) -> None:
    libraries = library(
        "package A model X end X; end A; package B model X end X; end B;\n"
        "model M import P.A.*; import P.B.*; X c; end M;"
    )
    assert not references(libraries, "P.A.X")
    assert instance(libraries, "P.M").find("c").type_name is None


def test_elements_of_classes_that_extend_inherited_ones_are_found(msl: Path) -> None:
    libraries = Libraries([], read_only=[msl])
    assert references(libraries, "Modelica.Media.Air.MoistAir.BaseProperties.x_water")


# ---------------------------------------------------------------- moves

# (text, class, package, why it stays)
STAYING = {
    "what is replaceable": (
        "package Base replaceable model T end T; end Base; model M package B = Base(redeclare model T = P.M); end M;",
        ("P.Base.T", "P"),
        "declared 'replaceable'",
    ),
    "what redeclares": (
        "package Base replaceable model T end T; end Base; package D extends Base; redeclare model T end T; end D;",
        ("P.D.T", "P"),
        "declared 'redeclare'",
    ),
    "what extends the inherited class": (
        "package Base replaceable model T end T; end Base; package D extends Base; model extends T end T; end D;",
        ("P.D.T", "P"),
        "extends the class that is inherited",
    ),
    "what uses constants that others change": (
        (
            "package Base constant Integer n = 1; model Y Real x[n]; end Y; end Base;\n"
            "package D extends Base(n = 2); end D;"
        ),
        ("P.Base.Y", "P"),
        r"uses 'P\.Base\.n', and 'P\.D', which inherits both",
    ),
    "what is declared again": (
        "package Base model T end T; end Base; package D extends Base; model T end T; end D;",
        ("P.Base.T", "P"),
        r"'P\.D', which inherits it, declares it again",
    ),
    "what inherits from its new package": (
        "package Base model T end T; end Base; package D extends Base; end D;",
        ("P.D", "P.Base"),
        r"it inherits from 'P\.Base'",
    ),
    "what would be found where nothing is": (
        "model X end X; encapsulated package E model M X x; end M; end E;",
        ("P.X", "P.E"),
        r"stands for nothing would stand for P\.E\.X",
    ),
}


@pytest.mark.parametrize("case", STAYING)
def test_moves_that_are_refused(case: str, library: Opened) -> None:
    before, (name, package), message = STAYING[case]
    libraries = library(before)
    with pytest.raises(LibraryError, match=message):
        move_class(libraries, name, package)
    assert text_of(libraries) == before


def facts(libraries: Libraries, renamed: Callable[[str], str]) -> dict[str, object]:
    """What the classes of a library are made of, as instances."""
    (library,) = libraries
    found: dict[str, object] = {}
    for name in class_names(libraries.text_of(library.root)):
        tree = instance(libraries, name)
        parts = [
            (part.path, renamed(part.type_name or ""), str(part.value), [size.size for size in part.dimensions])
            for part in tree.walk(3)
        ]
        found[renamed(name)] = (sorted(parts), len(tree.unresolved_bases))
    return found


@pytest.mark.skipif(not TRICKY, reason="there are no packages about names in ../shared/oracle")
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if number % 3 else [])
        for number, path in enumerate(path for path in TRICKY if path.stem not in CYCLES)
    ],
)
def test_every_move_that_is_not_refused_changes_nothing(path: Path) -> None:
    names = list(class_names(path.read_text()))
    before = facts(Libraries([path]), str)
    for name in names[1:]:
        for package in names:
            new = f"{package}.{split_name(name)[-1]}"
            libraries = Libraries([path])
            try:
                move_class(libraries, name, package)
            except (EditError, LibraryError):
                continue

            def back(found: str, old: str = name, new: str = new) -> str:
                return old + found[len(new) :] if f"{found}.".startswith(f"{new}.") else found

            assert facts(libraries, back) == before, f"{name} to {package}"
