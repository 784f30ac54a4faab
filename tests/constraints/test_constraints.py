"""IDs, counts and wiring of constrained objects: what sync writes, what it leaves alone, what check finds.

`fixtures/constraints/sync` has a model before (`NAME.mo`), after (`NAME.after.mo`), and what check says about both
(`NAME.findings.txt`). `pytest --update-expected tests/constraints/test_constraints.py` writes down what happens now.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from conftest import FIXTURES, ROOT, Expected, examples
from modelica_ast import ModelicaError
from modelica_ast.compare import compare
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.library import Libraries, instance
from modelica_ast.simulation import Simulator
from urdf_frontend.constraints import CODES, ConstraintError, Finding, NewObject, add, check, count_networks, sync
from urdf_frontend.constraints.objects import Role

LIBRARY = ROOT / "src" / "urdf_frontend" / "library" / "DynamicConstraints"
CASES = FIXTURES / "constraints" / "sync"
NAMES = sorted(path.stem for path in CASES.glob("*.mo") if not path.stem.endswith(".after"))


def opened(folder: Path, text: str) -> tuple[Libraries, str]:
    """A library of one file, and the name of its model."""
    top = Document(text).classes[0].name
    path = folder / f"{top}.mo"
    path.write_bytes(text.encode())
    return Libraries([path], read_only=[LIBRARY]), top if top == "Cell" else f"{top}.Cell"


def text_of(libraries: Libraries) -> str:
    return libraries.document_at(next(iter(libraries)).path).text


def shown(findings: list[Finding] | tuple[Finding, ...]) -> list[str]:
    return [
        f"{each.line}:{each.column} {each.severity} {each.code}: {each.message}" + (f" ({each.hint})" * bool(each.hint))
        for each in findings
    ]


def play(name: str, folder: Path) -> tuple[str, str]:
    """(text after sync, what check says before and after) of a case."""
    text = (CASES / f"{name}.mo").read_bytes().decode()
    first = text.partition("\n")[0]
    options: dict[str, Any] = json.loads(first.removeprefix("// ")) if first.startswith("// {") else {}
    libraries, model = opened(folder, text)
    before = shown(check(libraries, model))
    sync(libraries, model, **options)
    after, text = shown(check(libraries, model)), text_of(libraries)
    assert not sync(libraries, model).is_changed, "a second run has nothing to do"
    assert text_of(libraries) == text
    return text, "\n".join(["before", *before, "after", *after]) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, tmp_path: Path, expected: Expected) -> None:
    after, findings = play(name, tmp_path)
    expected.file(CASES / f"{name}.after.mo", after)
    expected.file(CASES / f"{name}.findings.txt", findings)


def test_loose_frames_are_found_beside_the_standard_library_too(msl: Path, tmp_path: Path) -> None:
    """What its partial models say of `frame_a` connects nothing."""
    text = (CASES / "loose_ends.mo").read_text(encoding="utf-8")
    libraries, model = opened(tmp_path, text)
    with_standard = Libraries([tmp_path / "loose_ends.mo"], read_only=[LIBRARY, msl])
    assert shown(check(with_standard, model)) == shown(check(libraries, model)) != []


def test_every_code_has_a_case_and_is_in_the_docs() -> None:
    cases = "".join((CASES / f"{name}.findings.txt").read_text(encoding="utf-8") for name in NAMES)
    assert set(re.findall(r"constraints-[a-z-]+", cases)) == set(CODES)
    page = (ROOT / "docs" / "constraints.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(constraints-[a-z-]+)` \| (.+) \|$", page, re.MULTILINE) == [
        (code, sentence.rstrip(".")) for code, sentence in CODES.items()
    ]


# ---------------------------------------------------------------- reports, refusals


def test_a_report_says_what_was_done(tmp_path: Path) -> None:
    libraries, model = opened(tmp_path, (CASES / "duplicate_and_gap.mo").read_text(encoding="utf-8"))
    report = sync(libraries, model)
    assert [(each.parameter, each.old, each.new) for each in report.settings] == [
        ("c.id", "3", "2"),
        ("d.id", "9", "4"),
    ]
    assert (report.added, report.removed, report.findings) == ((), (), ())
    assert [network.as_json() for network in report.networks] == [
        {"collector": "collector", "n": 5, "m": 2, "pairs": 10, "all_pairs": 21}
    ]
    libraries.undo()
    assert text_of(libraries) == (CASES / "duplicate_and_gap.mo").read_text(encoding="utf-8")


def test_one_collector_of_several(tmp_path: Path) -> None:
    libraries, model = opened(tmp_path, (CASES / "two_networks.mo").read_text(encoding="utf-8"))
    report = sync(libraries, model, collector="station.collector")
    assert {each.parameter.partition(".")[0] for each in report.settings} == {"station"}
    assert [network.name for network in count_networks(libraries, model)] == [
        "station.collector",
        "line.collector",
        "collector",
    ]


PASSIVE = "mode=DynamicConstraints.Types.Mode.Passive"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("model Cell = Robot;", {}, "Cell is a short class, which has no elements"),
        ("model Cell\nend Cell;", {"collector": "hub"}, "there is no collector 'hub' in Cell; there is none"),
        (
            "model Cell\n  Real collector;\n  DynamicConstraints.ConstrainedObject t;\nend Cell;",
            {},
            "the collector must be called 'collector', but in Cell that is a Real",
        ),
        (
            (
                "model Cell\n  outer DynamicConstraints.CollisionCollector collector;\n"
                "  DynamicConstraints.ConstrainedObject t;\nend Cell;"
            ),
            {},
            "'collector' of Cell is outer: sync the model that has the collector",
        ),
        (
            "model Cell\n  model R\n    DynamicConstraints.ConstrainedObject t;\n  end R;\n  R r;\nend Cell;",
            {"style": "connect"},
            "'r.t' is not declared in Cell itself",
        ),
        (
            "model Cell\n  DynamicConstraints.Planar.ConstrainedObject t;\nend Cell;",
            {"style": "connect"},
            "DynamicConstraints.Planar has no connected objects",
        ),
        (
            (
                "model Cell\n  DynamicConstraints.Connected.CollisionObject c[2];\n"
                "  DynamicConstraints.Connected.ConstrainedObject t(n=2);\nequation\n"
                "  for i in 1:2 loop\n    connect(c[i].port[1], t.port[i]);\n  end for;\nend Cell;"
            ),
            {},
            "connect(c[i].port[1], t.port[i]) in line 6 is in a loop or connects arrays of ports",
        ),
        (
            (
                "model Cell\n  model R\n    DynamicConstraints.CollisionObject f;\n  end R;\n"
                "  R r[2](each f(radius=1));\nend Cell;"
            ),
            {},
            "'r.f.id' can't be set: 'each f(…)' in Cell gives all elements the same values",
        ),
    ],
)
def test_refused(text: str, options: dict[str, Any], message: str, tmp_path: Path) -> None:
    libraries, model = opened(tmp_path, text)
    with pytest.raises(ConstraintError) as refused:
        sync(libraries, model, **options)
    assert str(refused.value).startswith(message)
    assert text_of(libraries) == text


@pytest.mark.parametrize("ask", [check, sync, count_networks])
def test_a_package_is_no_model(ask: Callable[[Libraries, str], object], tmp_path: Path) -> None:
    """It has no objects, so nothing would be wrong with it."""
    model = "model {}\n  DynamicConstraints.ConstrainedObject t;\nend {};\n"
    text = f"package Plant\n{model.format('One', 'One')}{model.format('Two', 'Two')}package P\nend P;\nend Plant;"
    (tmp_path / "Plant.mo").write_text(text, encoding="utf-8")
    libraries = Libraries([tmp_path / "Plant.mo"], read_only=[LIBRARY])
    with pytest.raises(ConstraintError) as refused:
        ask(libraries, "Plant")
    told = "Plant is a package: name the model in it that has the objects"
    assert str(refused.value) == f"{told} (Plant.One, Plant.Two)"
    with pytest.raises(ConstraintError, match=r"Plant\.P is a package: name the model in it that has the objects$"):
        ask(libraries, "Plant.P")


def test_a_collector_that_is_not_inner_becomes_so(tmp_path: Path) -> None:
    objects = "DynamicConstraints.CollisionCollector collector;\n  DynamicConstraints.ConstrainedObject t;"
    text = f"model Cell\n  {objects}\nend Cell;"
    libraries, model = opened(tmp_path, text)
    sync(libraries, model)
    assert "inner DynamicConstraints.CollisionCollector collector(m=1);" in text_of(libraries)


def test_one_collector_is_rewired(tmp_path: Path) -> None:
    text = (CASES / "to_connect.mo").read_text(encoding="utf-8")
    libraries, model = opened(tmp_path, text)
    sync(libraries, model, style="connect", collector="collector")
    assert text_of(libraries) == (CASES / "to_connect.after.mo").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="'pipes' is not a valid Style"):
        sync(libraries, model, style="pipes")


@pytest.mark.parametrize(
    ("equations", "open_inputs"),
    [
        ("", ["c[1]", "c[2]"]),
        ("connect(b[1].y, c[1].closed);", ["c[2]"]),
        ("connect(b.y, c.closed);", []),
        ("c[2].closed = time > 1;", ["c[1]"]),
        ("for i in 1:2 loop c[i].closed = time > i; end for;", []),
    ],
)
def test_inputs_without_a_source(equations: str, open_inputs: list[str], tmp_path: Path) -> None:
    text = f"model Cell\n  DynamicConstraints.CollisionObject c[2];\nequation\n  {equations}\nend Cell;"
    libraries, model = opened(tmp_path, text)
    found = [each.message.split("'")[3] for each in check(libraries, model) if each.code == "constraints-closed"]
    assert found == open_inputs


# ---------------------------------------------------------------- objects that are added

WORKSHOP = """\
model Cell
  connector Frame = DynamicConstraints.Planar.Interfaces.Frame;
  connector Signal = output Boolean;
  model Arm
    Frame flange;
    Signal grip = time > 1;
    Boolean ready = time > 2;
    Arm2 arm;
  end Arm;
  model Arm2
    Frame tip;
  end Arm2;
  Arm robot annotation (Placement(transformation(extent={{-40,0},{-20,20}})));
  Real x;
end Cell;
"""


@pytest.mark.parametrize(
    ("options", "added"),
    [
        (
            {"role": Role.COLLISION, "frame": "robot.flange", "closed": "robot.grip", "parameters": {"radius": 0.06}},
            [
                (
                    "  DynamicConstraints.Planar.CollisionObject robot_flange_object(radius=0.06, id=1) annotation "
                    "(Placement(transformation(extent={{0,0},{20,20}})));"
                ),
                "equation",
                "  connect(robot.flange, robot_flange_object.frame_a) annotation (Line(points={{-20,10},{0,10}}));",
                (
                    "  connect(robot.grip, robot_flange_object.closed) annotation "
                    "(Line(points={{-20,10},{-10,10},{-10,2},{10,2}}));"
                ),
            ],
        ),
        (
            {"role": Role.COLLISION, "frame": "robot.flange", "closed": "robot.ready", "name": "hand"},
            [
                (
                    "  DynamicConstraints.Planar.CollisionObject hand(closed=robot.ready, id=1) annotation "
                    "(Placement(transformation(extent={{0,0},{20,20}})));"
                ),
                "equation",
                "  connect(robot.flange, hand.frame_a) annotation (Line(points={{-20,10},{0,10}}));",
            ],
        ),
        (
            {"role": Role.CONSTRAINED, "frame": "robot.flange", "name": "tool"},
            [
                (
                    "  DynamicConstraints.Planar.ConstrainedObject tool(id=1) annotation "
                    "(Placement(transformation(extent={{0,0},{20,20}})));"
                ),
                "equation",
                "  connect(robot.flange, tool.frame_a) annotation (Line(points={{-20,10},{0,10}}));",
            ],
        ),
    ],
)
def test_added(options: dict[str, Any], added: list[str], tmp_path: Path) -> None:
    libraries, model = opened(tmp_path, WORKSHOP)
    report = add(libraries, model, NewObject(**options))
    before = WORKSHOP.splitlines()
    assert [line for line in text_of(libraries).splitlines() if line not in before and "Collector" not in line] == added
    assert report.added[0].endswith(options.get("name", "robot_flange_object"))
    libraries.undo()
    assert text_of(libraries) == WORKSHOP


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"frame": "robot.flange"}, "'robot_flange_object' is of mode Control and binds while it is closed: name its"),
        ({"frame": "robot.flange", "closed": "x"}, "'x' is a Real, but the input closed is Boolean"),
        ({"frame": "robot.flang", "mode": "Passive"}, "no component 'flang' in 'robot'; did you mean 'flange'?"),
        ({"frame": "robot.arm.tip", "mode": "Passive"}, "'robot.arm.tip' is inside a component of a component"),
        ({"frame": "x", "mode": "Passive"}, "'x' is a Real, but an object needs a frame"),
        ({"frame": "robot.flange", "mode": "Passive", "name": "x"}, "there is a 'x' in Cell already"),
        ({"frame": "robot.flange", "mode": "Passive", "closed": "x"}, "'robot_flange_object' has no input closed"),
    ],
)
def test_not_added(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    libraries, model = opened(tmp_path, WORKSHOP)
    with pytest.raises(ModelicaError) as refused:
        add(libraries, model, NewObject(role=Role.COLLISION, **options))
    assert str(refused.value).startswith(message)
    assert text_of(libraries) == WORKSHOP


# ---------------------------------------------------------------- the library's own examples


def without_numbers(handle: ClassHandle) -> None:
    """Take away all that sync is there for."""
    for component in handle.components:
        if component.type.endswith(("CollisionCollector", "CollisionObject", "ConstrainedObject")):
            for name in ("id", "n", "m"):
                if component.get(name) is not None:
                    component.remove_modifier(name)
    for one, other in handle.connections:
        if ".port[" in one:
            handle.disconnect(one, other)


@pytest.mark.parametrize(
    "example",
    [
        "ToolChange",
        "Planar.ToolChange",
        "Connected.ToolChange",
        "SpringBorne",
        "FallingObject",
        "Connected.SpringBorne",
    ],
)
def test_examples_get_their_numbers_back(example: str, tmp_path: Path) -> None:
    folder = tmp_path / "DynamicConstraints"
    shutil.copytree(LIBRARY, folder)
    libraries = Libraries([folder])
    model = f"DynamicConstraints.Examples.{example}"
    handle = libraries.find_class(model)
    document = handle.document
    before = Document(libraries.document_at(Path(document.tree.file or "")).text)
    assert check(libraries, model) == []
    without_numbers(handle)
    assert check(libraries, model) != []
    report = sync(libraries, model)
    assert report.errors == []
    after = Document(libraries.document_at(Path(document.tree.file or "")).text)
    ports = [ends for ends in before.classes[0].connections if ".port[" in ends[0]]
    assert [ends for ends in after.classes[0].connections if ".port[" in ends[0]] == ports
    for changed in (before, after):  # the lines of connections that were away are drawn again
        for one, other in ports:
            changed.classes[0].disconnect(one, other)
    assert compare(before.text, after.text).changes == ()


# ---------------------------------------------------------------- random instance trees


@st.composite
def cells(draw: st.DrawFn) -> tuple[str, dict[Role, dict[str, list[int | None]]]]:
    """(a library, the IDs of its model's elements as they are written, by the paths of objects)."""
    kinds = {Role.COLLISION: "CollisionObject", Role.CONSTRAINED: "ConstrainedObject"}
    insides: dict[str, list[tuple[str, Role, int | None]]] = {}
    lines = ["package Lib // user's"]
    for number in range(draw(st.integers(0, 2))):
        name = f"Part{number}"
        insides[name] = []
        lines.append(f"  model {name}")
        for place in range(draw(st.integers(0, 3))):
            role, size = draw(st.sampled_from(Role)), draw(st.sampled_from([None, 1, 3]))
            insides[name].append((f"o{place}", role, size))
            mode = f"({'each ' * (size is not None)}{PASSIVE})" if role is Role.COLLISION else ""
            sizes = "" if size is None else f"[{size}]"
            lines.append(f"    DynamicConstraints.{kinds[role]} o{place}{sizes}{mode}; // {place}")
        lines.append(f"  end {name};")
    is_inherited = draw(st.booleans())
    lines.append("  model Base" if is_inherited else "  model Cell")
    found: dict[Role, dict[str, list[int | None]]] = {role: {} for role in Role}
    for number in range(draw(st.integers(0, 6))):
        if is_inherited and number == 3:
            lines += ["  end Base;", "  model Cell", "    extends Base; // some"]
            is_inherited = False
        size = draw(st.sampled_from([None, None, 2]))
        sizes = "" if size is None else f"[{size}]"
        kind = draw(st.sampled_from([*kinds.values(), *insides]))
        if kind in insides:
            lines.append(f'    {kind} c{number}{sizes} "part";')
            for name, role, inner in insides[kind]:
                found[role][f"c{number}.{name}"] = [None] * ((size or 1) * (inner or 1))
            continue
        role = Role.COLLISION if kind == kinds[Role.COLLISION] else Role.CONSTRAINED
        ids = draw(st.lists(st.integers(0, 6), min_size=size or 1, max_size=size or 1)) if draw(st.booleans()) else None
        found[role][f"c{number}"] = list(ids) if ids is not None else [None] * (size or 1)
        words = [f"{'each ' * (size is not None)}{PASSIVE}"] if role is Role.COLLISION else []
        if ids is not None:
            words.append(f"id={ids[0]}" if size is None else f"id={{{','.join(map(str, ids))}}}")
        arguments = f"({', '.join(words)})" if words else ""
        lines.append(f"    DynamicConstraints.{kind} c{number}{sizes}{arguments} /* c{number} */;")
    if is_inherited:
        lines += ["  end Base;", "  model Cell", "    extends Base; // all"]
    lines += ["  end Cell;", "end Lib;", ""]
    return "\n".join(lines), found


NUMBERS = re.compile(r"(?:each )?\b(?:id|n|m)=(?:\{[\d,{}]*\}|\d+)")


COMMENTS = re.compile(r"//.*|/\*.*?\*/")


def rest_of(line: str) -> tuple[str, str, list[str]]:
    """What sync may not touch in a line: its indentation, all but numbers and what they are nested in, comments."""
    indent = line[: len(line) - len(line.lstrip())]
    return indent, re.sub(r"[(), ]|\b[oc]\d\b", "", NUMBERS.sub("", line)), COMMENTS.findall(line)


def flat(value: Any) -> list[Any]:
    todo, found = [value], []
    while todo:
        item = todo.pop(0)
        if isinstance(item, list):
            todo = [*item, *todo]
        else:
            found.append(item)
    return found


@settings(max_examples=examples(25), deadline=None)
@given(cells())
def test_random_cells(case: tuple[str, dict[Role, dict[str, list[int | None]]]]) -> None:
    text, written = case
    with tempfile.TemporaryDirectory() as folder:
        libraries, model = opened(Path(folder), text)
        report = sync(libraries, model)
        after = text_of(libraries)
        tree = instance(libraries, model)
        for role, objects in written.items():
            count = sum(map(len, objects.values()))
            ids = [number for path in objects for number in flat(tree.find(f"{path}.id").value)]
            assert sorted(ids) == list(range(1, count + 1))
            old = [number for numbers in objects.values() for number in numbers]
            for before, now in zip(old, ids, strict=True):
                is_valid = before is not None and 1 <= before <= count and old.count(before) == 1
                assert now == before or not is_valid
            if count and tree.get("collector") is not None:
                assert tree.find(f"collector.{role.count}").value == count
        assert report.errors == []
        assert not sync(libraries, model).is_changed
        assert text_of(libraries) == after
    new = [line for line in after.split("\n") if "CollisionCollector" not in line]
    assert [rest_of(line) for line in new] == [rest_of(line) for line in text.split("\n")]


# ---------------------------------------------------------------- in a compiler


def test_a_synced_model_runs(msl: Path, tmp_path: Path) -> None:
    folder = tmp_path / "DynamicConstraints"
    shutil.copytree(LIBRARY, folder)
    libraries = Libraries([folder])
    model = "DynamicConstraints.Examples.Planar.SpringBorne"
    without_numbers(libraries.find_class(model))
    sync(libraries, model)
    libraries.save()
    with Simulator([tmp_path, msl.parent]) as simulator:
        result = simulator.compile(model).run(stop=1.2, step=0.1)
    partner = next(name for name in result.names if name.endswith(".partner"))
    assert [result[partner][0], result.last(partner)] == [1, 0]  # let go at 1 s
