"""What names stand for: the project's answers and those of a second, slow look-up are the same.

Each difference is one line: where the identifier is, what it is by `slow_lookup`, and what the project says.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from conftest import FIXTURES, ROOT, examples
from modelica_ast import ModelicaSyntaxError, parse_file, walk
from modelica_ast.library import Libraries, instance
from semantics.slow_comparison import Comparison
from semantics.slow_lookup import Found
from semantics.slow_packages import packages
from semantics.slow_reading import Declaration, offset_of

LIBRARIES = sorted(path for path in (FIXTURES / "libraries").iterdir() if path.suffix in {"", ".mo"})
TRICKY = sorted((ROOT.parent / "shared" / "oracle" / "tricky").glob("*.mo"))
QUESTIONS = ("references", "check", "instances")

# A bit of everything: functions, media full of redeclarations, inner and outer, records, operators, buses.
SAMPLE = """
Complex
Modelica.ComplexMath
Modelica.Electrical.Analog.Basic.OpAmpDetailed
Modelica.Fluid.System
Modelica.Fluid.Vessels
Modelica.Math.BooleanVectors
Modelica.Math.Nonlinear
Modelica.Mechanics.MultiBody.Joints.Prismatic
Modelica.Media.Air.DryAirNasa
Modelica.Media.Air.SimpleAir
""".split()
SMALL_SAMPLE = ["Complex", "Modelica.ComplexMath", "Modelica.Fluid.System"]
LARGE_SAMPLE = """
Modelica.Blocks.Continuous
Modelica.Blocks.Sources
Modelica.Clocked
Modelica.Electrical.Analog.Semiconductors
Modelica.Fluid.Pipes
Modelica.Media
Modelica.Media.Air.MoistAir
Modelica.Media.IdealGases.Common
Modelica.StateGraph
""".split()
# Names that few files use: `references` looks through all files that have the word.
SAMPLE_NAMES = """
Complex.'constructor'.fromReal
Modelica.ComplexMath.sin
Modelica.Fluid.System.use_eps_Re
Modelica.Fluid.Vessels.BaseClasses.VesselPortsData.zeta_out
Modelica.Fluid.Vessels.BaseClasses.PartialLumpedVessel.vessel_ps_static
Modelica.Math.Nonlinear.quadratureLobatto
Modelica.Mechanics.MultiBody.Joints.Prismatic.useAxisFlange
""".split()

NEW_CLASS = (
    "package P package B replaceable model X end X; end B; "
    "package D extends B; redeclare model X Real k; end X; end D; model M D.X x(k = 1); end M; end P;"
)
EXTENDED_CLASS = (
    "package P package B replaceable model X Real a; end X; end B; "
    "package D extends B; redeclare model extends X(a = 1) Real k = a; end X; end D; end P;"
)
# What is not a matter of names: an outer class is the inner one of an instance (5.4), and of two equal elements, one of
# them inherited, the compiler keeps the first (7.1).
OTHER_MATTERS = {("InOutClass.M", "user.t1"), ("InOutClass.M", "user.t1.id"), ("DoubleInherit.M2", "a")}


def single_files() -> list[Path]:
    """Fixtures that are one class on its own: cases of rules and of edits, and files about the syntax."""
    folders = [FIXTURES / "rules", FIXTURES / "edits"]
    found = [path for folder in folders for path in sorted(folder.glob("*/before.mo"))]
    return [*found, *sorted((FIXTURES / "modelica").glob("*.mo"))]


def differences(comparison: Comparison, question: str) -> list[str]:
    found: list[str] = getattr(comparison, question)()
    return found


def report(found: list[str]) -> None:
    assert not found, f"{len(found)} differences:\n" + "\n".join(found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_small_libraries(question: str) -> None:
    report(differences(Comparison(*LIBRARIES), question))


@pytest.mark.parametrize("question", QUESTIONS)
def test_single_files(question: str, tmp_path: Path) -> None:
    found = []
    for number, path in enumerate(single_files()):
        try:
            tree = parse_file(path)
        except ModelicaSyntaxError:
            continue
        if len(tree.classes) != 1 or tree.within:
            continue
        copy = tmp_path / str(number) / f"{tree.classes[0].name}.mo"
        copy.parent.mkdir()
        shutil.copy(path, copy)
        name = path.relative_to(FIXTURES)
        found += [f"{name}: {line}" for line in differences(Comparison(copy), question)]
    report(found)


@pytest.mark.skipif(not TRICKY, reason="there are no facts about names in ../shared/oracle")
@pytest.mark.parametrize("question", QUESTIONS)
def test_tricky_packages(question: str) -> None:
    report([line for path in TRICKY for line in differences(Comparison(path), question)])


@settings(max_examples=examples(40))
@given(text=packages())
@pytest.mark.parametrize("question", QUESTIONS)
def test_random_packages(question: str, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "P.mo"
        path.write_text(text)
        found = differences(Comparison(path), question)
    assert not found, "\n".join([*found, text])


@settings(max_examples=examples(25))
@given(text=packages())
def test_every_identifier_outside_annotations_has_a_meaning(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "P.mo"
        path.write_text(text)
        comparison = Comparison(path)
        meanings = comparison.meanings_in(("P",))
        tokens = [view for view in walk(comparison.files[("P",)], tokens=True) if view.kind == "IDENT"]
    assert sorted(meanings) == sorted(offset_of(token) for token in tokens)
    assert not [meaning for meaning in meanings.values() if "no rule is about it" in meaning.doubts]


def standard_comparison(msl: Path, sample: list[str]) -> Comparison:
    """Some files of the Standard Library, in their place there."""
    version = msl.name.removeprefix("Modelica")
    others = [msl.parent / f"Complex{version}.mo", msl.parent / f"ModelicaServices{version}"]
    if not all(path.exists() for path in others):
        pytest.skip("Complex and ModelicaServices are not beside the Modelica Standard Library")
    return Comparison(msl, *others, chosen=[tuple(name.split(".")) for name in sample])


samples = pytest.mark.parametrize("sample", [SMALL_SAMPLE, pytest.param(SAMPLE, marks=pytest.mark.slow)], ids=len)


@samples
@pytest.mark.parametrize("question", QUESTIONS)
def test_sample_of_the_standard_library(question: str, sample: list[str], msl: Path) -> None:
    comparison = standard_comparison(msl, sample)
    names = SAMPLE_NAMES[: len(sample)]
    report(comparison.references(names) if question == "references" else differences(comparison, question))


@pytest.mark.corpus
@pytest.mark.parametrize("question", ["check", "instances"])
def test_large_sample_of_the_standard_library(question: str, msl: Path) -> None:
    report(differences(standard_comparison(msl, LARGE_SAMPLE), question))


@samples
def test_the_standard_library_lacks_no_name(sample: list[str], msl: Path) -> None:
    comparison = standard_comparison(msl, sample)
    missing = [
        comparison.at(file, offset)
        for file in comparison.chosen
        for offset, meaning in comparison.meanings_in(file).items()
        if meaning.what == "missing" or meaning.errors
    ]
    assert not missing


@pytest.mark.skipif(not TRICKY, reason="there are no facts about names in ../shared/oracle")
@pytest.mark.parametrize("path", TRICKY, ids=lambda path: path.stem)
def test_the_slow_look_up_says_what_a_compiler_says(path: Path) -> None:
    """Of every component down to three levels: the class that declares it, and its type."""
    comparison = Comparison(path)
    lookup = comparison.lookup
    found = []
    for fact in json.loads(path.with_suffix(".json").read_text())["facts"]:
        names = split_name(fact["class"])
        for name, component in fact["components"].items():
            if (fact["class"], name) in OTHER_MATTERS:
                continue
            answer = lookup.path(None, tuple(names), is_global=True)[-1]
            for part in split_name(name):
                answer = lookup.part(answer, part)
            if not isinstance(answer, Found):
                found.append(f"{fact['class']} {name}: {answer}")
                continue
            declared_in = answer.declaration.full_name.removesuffix(f".{answer.declaration.name}")
            type_name = comparison.type_name(lookup.class_of(answer))
            if (declared_in, type_name) != (component["from"], component["type"]):
                found.append(
                    f"{fact['class']} {name}: {type_name} from {declared_in}, "
                    f"for the compiler {component['type']} from {component['from']}"
                )
    report(found)


def split_name(name: str) -> list[str]:
    """The parts of a full name; one in quotes may have dots."""
    return re.findall(r"'(?:[^'\\\\]|\\\\.)*'|[^.]+", name)


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        # A binding may name what it binds, though it is of no use.
        ("package P model M Real x = x; end M; end P;", [("P.M.x", [28])]),
        # 7.1: what is inherited does not hide the class that it comes from.
        ("package P model C model C end C; end C; model M extends C; end M; end P;", [("P.C", [57]), ("P.C.C", [])]),
        # 4.6.1: a short class is looked up around it, and so are its modifiers.
        ("package P model C model C end C; end C; model M = C; end P;", [("P.C", [51]), ("P.C.C", [])]),
        (
            "package P constant Real x = 1; model C Real x, y; end C; model M = C(y = x); end P;",
            [("P.x", [74]), ("P.C.x", [])],
        ),
        # 7.3: what a redeclared class has is its own.
        (
            NEW_CLASS,
            [("P.D.X.k", [130])],
        ),
        # 7.3.1: so is what it adds to the one that it extends.
        (
            EXTENDED_CLASS,
            [("P.B.X.a", [110, 126]), ("P.D.X.k", [])],
        ),
    ],
)
def test_rules_that_are_easy_to_miss(tmp_path: Path, text: str, uses: list[tuple[str, list[int]]]) -> None:
    path = tmp_path / "P.mo"
    path.write_text(text)
    comparison = Comparison(path)
    for name, columns in uses:
        mine = [
            offset + 1
            for offset, meaning in sorted(comparison.meanings_in(("P",)).items())
            if isinstance(meaning.what, Declaration) and meaning.what.full_name == name and meaning.role == "use"
        ]
        assert mine == columns, name
    report(comparison.references())


CIRCLES = [
    "package P package C extends C.B; end C; end P;",
    "package P package C extends C.B.B; end C; end P;",
    "package P model A extends B; end A; model B extends A; end B; end P;",
    "package P package C = C.B; model M C.B x; end M; end P;",
    "package P import P.B.*; package B = P.B; model M A x; end M; end P;",
    "package P model M x.A x; end M; end P;",
    "package P package A extends B.X; end A; package B extends A.X; end B; end P;",
    "package P model B replaceable model T end T; end B;model M extends B(redeclare model T=T); T t; end M; end P;",
]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("text", CIRCLES)
def test_names_that_lead_in_a_circle_have_an_end(tmp_path: Path, text: str, question: str) -> None:
    path = tmp_path / "P.mo"
    path.write_text(text)
    report(differences(Comparison(path), question))


@pytest.mark.parametrize("text", CIRCLES)
def test_classes_that_lead_in_a_circle_have_instances(tmp_path: Path, text: str) -> None:
    path = tmp_path / "P.mo"
    path.write_text(text)
    libraries = Libraries([path])
    for library, _ in libraries.files():
        for full_name in library.classes():
            for name, component in instance(libraries, full_name).components.items():
                assert component.name == name
                assert component.type_name != ""
