"""Conversion scripts on libraries of users: fixtures before and after, byte for byte."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from conftest import FIXTURES, examples
from modelica_ast import parse_expression, parse_file
from modelica_ast.cli import main
from modelica_ast.edit.verbs.renames import Opened, occurrences, text_around
from modelica_ast.foundation.errors import EditError
from modelica_ast.library import Libraries, LibraryError
from modelica_ast.library.class_files import lookup_of
from modelica_ast.refactor import (
    ConvertClass,
    ConvertElement,
    ConvertModifiers,
    OldModifier,
    Report,
    Rules,
    ScriptError,
    conversion_entry,
    convert,
    element_entry,
    migrate,
    parse_script,
    read_script,
    upgrade,
    write_conversion,
)
from modelica_ast.refactor.conversion.library_version import migration_to
from modelica_ast.refactor.conversion.modifiers import simplified
from modelica_ast.refactor.conversion.script import statements
from modelica_ast.semantics.lookup import Lookup
from modelica_ast.syntax.green import render
from modelica_ast.tree import ComponentReference, Name
from modelica_ast.tree.traverse import walk

CONVERSION = FIXTURES / "conversion"
KINDS = sorted(path.name for path in CONVERSION.iterdir() if (path / "rules.mos").is_file())
MSL_SCRIPT = "Resources/Scripts/Conversion/ConvertModelica_from_3.2.3_to_4.0.0.mos"


def texts(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copied(case: str, to: Path) -> Path:
    shutil.copytree(CONVERSION / case / "before", to, dirs_exist_ok=True)
    return to


def library(folder: Path, text: str) -> Libraries:
    (folder / "App.mo").write_text(text, encoding="utf-8")
    return Libraries([folder / "App.mo"])


def text_of(libraries: Libraries, name: str = "App") -> str:
    return libraries.document(libraries[name].root).text


# ---------------------------------------------------------------- rules


@pytest.mark.parametrize("case", KINDS)
def test_every_kind_of_rule(case: str, tmp_path: Path) -> None:
    libraries = Libraries([copied(case, tmp_path) / "App.mo"])
    rules = CONVERSION / case / "rules.mos"
    report = convert(libraries, read_script(rules), "Parts", "2.0.0")
    libraries.save()
    assert texts(tmp_path) == texts(CONVERSION / case / "after")
    notes = "".join(f"{note}\n" for note in report.notes).replace(f"{tmp_path}/", "").replace(f"{rules.parent}/", "")
    assert notes == (CONVERSION / case / "notes.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", KINDS)
def test_a_second_run_changes_nothing(case: str, tmp_path: Path) -> None:
    libraries = Libraries([copied(case, tmp_path) / "App.mo"])
    rules = read_script(CONVERSION / case / "rules.mos")
    convert(libraries, rules, "Parts", "2.0.0")
    before = text_of(libraries)
    assert convert(libraries, rules, "Parts", "2.0.0") == Report()
    assert text_of(libraries) == before


def test_a_conversion_is_one_step(tmp_path: Path) -> None:
    libraries = Libraries([copied("element", tmp_path) / "App.mo"])
    before = text_of(libraries)
    convert(libraries, read_script(CONVERSION / "element" / "rules.mos"), "Parts", "2.0.0")
    assert text_of(libraries) != before
    libraries.undo()
    assert text_of(libraries) == before


def test_line_ends_and_encoding_stay(tmp_path: Path) -> None:
    text = 'package App "fünf"\r\n  Parts.A a ;\t// ä\r\n\r\n  annotation(uses(Parts(version="1")));\r\nend App;'
    (tmp_path / "App.mo").write_bytes(text.encode("latin-1"))
    libraries = Libraries([tmp_path / "App.mo"])
    convert(libraries, parse_script('convertClass("Parts.A", "Parts.B");'), "Parts", "2")
    libraries.save()
    expected = text.replace("Parts.A", "Parts.B").replace('"1"', '"2"')
    assert (tmp_path / "App.mo").read_bytes() == expected.encode("latin-1")


def test_without_uses_the_version_is_written_down(tmp_path: Path) -> None:
    libraries = library(tmp_path, "package App\n  Parts.A a;\nend App;\n")
    convert(libraries, parse_script('convertClass("Parts.A", "Parts.B");'), "Parts", "2")
    assert text_of(libraries) == 'package App\n  Parts.B a;\n  annotation (uses(Parts(version="2")));\nend App;\n'


def test_what_does_not_use_the_library_is_left_alone(tmp_path: Path) -> None:
    text = "package App\n  Other.A a(c=1);\n  Real Parts;\n  Real x = Parts.A;\nend App;\n"
    libraries = library(tmp_path, text)
    report = convert(libraries, parse_script('convertClass("Parts.A", "Parts.B");'), "Parts", "2")
    assert text_of(libraries) == text
    assert report.changes == ()


def test_derived_classes_in_other_libraries(tmp_path: Path) -> None:
    (tmp_path / "Base.mo").write_text("package Base\n  model B\n    extends Parts.Spring;\n  end B;\nend Base;\n")
    (tmp_path / "App.mo").write_text("model App\n  Base.B b(c=1);\n  Real x = b.c;\nend App;\n")
    libraries = Libraries([tmp_path / "App.mo"], read_only=[tmp_path / "Base.mo"])
    convert(libraries, parse_script('convertElement("Parts.Spring", "c", "k");'), "Parts", "2")
    assert "Base.B b(k=1);\n  Real x = b.k;" in text_of(libraries)


def test_a_refused_conversion_changes_nothing(tmp_path: Path) -> None:
    text = "package App\n  Parts.A a(k=1);\n  Parts.B b;\nend App;\n"
    libraries = library(tmp_path, text)
    wrong = ConvertModifiers(0, ("Parts", "A"), (OldModifier(("k",), ""),), ("m=",))
    rules = Rules([ConvertClass(0, ("Parts", "B"), ("Parts", "C")), wrong])
    with pytest.raises(EditError, match="'m=' is not a modifier"):
        convert(libraries, rules, "Parts", "2")
    assert text_of(libraries) == text


def test_a_read_only_library_is_refused(tmp_path: Path) -> None:
    (tmp_path / "App.mo").write_text("package App\nend App;\n")
    libraries = Libraries([], read_only=[tmp_path / "App.mo"])
    with pytest.raises(LibraryError, match="'App' is read-only"):
        convert(libraries, parse_script(""), "Parts", "2", only=["App"])


# ---------------------------------------------------------------- the report


def test_the_report_says_what_was_done_where(tmp_path: Path) -> None:
    libraries = library(tmp_path, "package App\n  // here\n  Parts.A a;\n  Parts.C c;\nend App;\n")
    script = '\nconvertClass("Parts.A", "Parts.B");\nconvertMessage("Parts.C", "by hand");\n'
    report = convert(libraries, parse_script(script), "Parts", "2", only=["App"])
    file = str(tmp_path / "App.mo")
    assert json.loads(report.json_text()) == {
        "changes": [
            {
                "file": file,
                "line": 3,
                "rule": 'convertClass("Parts.A", "Parts.B")',
                "rule_line": 2,
                "before": "Parts.A",
                "after": "Parts.B",
            },
            {
                "file": file,
                "line": 5,
                "rule": "",
                "rule_line": 0,
                "before": "",
                "after": 'uses(Parts(version="2"))',
            },
        ],
        "notes": [
            {
                "file": file,
                "line": 4,
                "rule": 'convertMessage("Parts.C", "by hand")',
                "class_name": "Parts.C",
                "text": "by hand",
            }
        ],
    }
    assert str(report) == (
        f"2 converted\n  {file}:3: Parts.A -> Parts.B\n"
        f'  {file}:5:  -> uses(Parts(version="2"))\n'
        f"1 for a person\n  {file}:4: Parts.C: by hand\n"
    )


# ---------------------------------------------------------------- scripts


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("\nopenModel(1);", "s.mos:2: 'openModel' is not a conversion rule; there are convertClass"),
        ('convertClass("A");', "s.mos:1: 'convertClass.\"A\".' has the wrong arguments for convertClass"),
        ('convertClass({"A", "B"}, {"C"});', "s.mos:1: .* has the wrong arguments for convertClass"),
        ('\n\nconvertClass("A" "B");', "s.mos:3: expected ',' or '\\)'"),
        ("x := 1;", "s.mos:1: 'x := 1' is not a conversion rule"),
        ('convertClass(a + 1, "B");', "s.mos:1: 'a \\+ 1' is not a literal"),
        ('convertClass("A..B", "C");', "s.mos:1: .* has the wrong arguments"),
    ],
)
def test_a_script_that_is_none(script: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        parse_script(script, "s.mos")


@pytest.mark.parametrize(
    "pieces",
    [
        ['convertClass("A", "B")', "\nclear", "\n"],
        ["\ufeffclear", '\nconvertClass("A", "B") ;', ";", ""],
        ["f(1;", ' convertClass("A", "B")', ' convertClass("A", "B");', " "],
        ['convertClass("A", "B', '\n  convertClass ("A",\n "B");', "// )"],
        ['convertClass("A", {"B"', '\nconvertClass("A", "B")', "\nlimit := [1; 2]", "\nclear", ""],
        ["convertClass('A')", " /* open;\nconvertClass();", ""],
    ],
)
def test_where_statements_end(pieces: list[str]) -> None:
    assert [piece.whole for piece in statements("".join(pieces))] == pieces


_WORDS = ["convertClass", 'convertClass("A","B")', "clear", "x", "'q'", '"A"', *"(){}[],;\n'\"\\é", "/*", "*/", "//"]


@given(st.lists(st.sampled_from(_WORDS)))
@settings(max_examples=examples(300))
def test_nothing_of_a_script_is_lost(words: list[str]) -> None:
    text = " ".join(words)
    pieces = statements(text)
    assert "".join(piece.whole for piece in pieces) == text
    before = 0
    for piece in pieces:
        before += len(piece.before)
        assert piece.line == text.count("\n", 0, before) + 1
        before += len(piece.text + piece.end)
    with contextlib.suppress(ScriptError):
        parse_script(text)


@given(st.lists(st.sampled_from([word for word in _WORDS if "*" not in word])))
@settings(max_examples=examples(300))
def test_a_rule_is_found_behind_anything(words: list[str]) -> None:
    rules = parse_script(" ".join(words) + '\nconvertClass("C", "D");')
    assert rules.all[-1] == ConvertClass(" ".join(words).count("\n") + 2, ("C",), ("D",))


def test_a_shipped_script_that_has_no_rule(tmp_path: Path) -> None:
    """Of a script that somebody names, something must be a rule; that of a library is the right one anyway."""
    libraries = parts_and_app(tmp_path, "2.0.0")
    script = tmp_path / "Parts" / "Resources" / "two.mos"
    script.write_text('\nconvertModel("Parts.Old", "Parts.A");\n')
    with pytest.raises(ScriptError, match=r"two.mos:2: 'convertModel' is not a conversion rule"):
        read_script(script)
    report = upgrade(libraries, "Parts")
    assert 'version="3.0.0"' in text_of(libraries)
    assert [str(note)[:40] for note in report.notes] == [f"{script}:2: 'convertModel' is not"[:40]]


def test_lines_of_rules() -> None:
    rules = parse_script('// a\nconvertClass("A", "B");\n\n/* c */\nconvertElement({"A",\n "C"}, {"x"}, {"y"});\n')
    assert [rule.line for rule in rules.all] == [2, 5, 5]
    assert rules.all[2] == ConvertElement(5, ("C",), ("x",), ("y",))


def test_the_script_of_the_standard_library(msl: Path) -> None:
    rules = read_script(msl / MSL_SCRIPT)
    assert rules.roots == {"Modelica", "Modelica_Synchronous"}
    assert next(rule.line for rule in rules.all if isinstance(rule, ConvertClass)) == 4
    assert rules.convert(("Modelica", "SIunits", "Conversions", "NonSIunits", "Time_day")).new == (
        "Modelica",
        "Units",
        "NonSI",
        "Time_day",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("0*x + y", "y"),
        ("1*(a + b)", "a + b"),
        ("x*1 - 0", "x"),
        ("not true or a", "a"),
        ("if 1 == 1.0 then a else b", "a"),
        ("if Kind.a == Kind.b then 1 elseif n > 1 then 2 else 3", "if n > 1 then 2 else 3"),
        ("if p == q then 1 else 2", "if p == q then 1 else 2"),
    ],
)
def test_simplifications(before: str, after: str) -> None:
    assert render(simplified(parse_expression(before).green)) == after


# ---------------------------------------------------------------- annotations


NEW_PARTS = """package Parts
  model A
  end A;
  annotation (version="3.0.0", conversion(noneFromVersion="2.1.0",
    from(version={"1.0.0", "1.1.0"}, to="2.0.0", change={convertClass("Parts.X", "Parts.Y"), convertClear(),
      convertClass("Parts.Old", "Parts.Mid")}),
    from(version="2.0.0", script="modelica://Parts/Resources/two.mos")));
end Parts;
"""


def parts_and_app(folder: Path, version: str) -> Libraries:
    (folder / "Parts" / "Resources").mkdir(parents=True)
    (folder / "Parts" / "package.mo").write_text(NEW_PARTS)
    (folder / "Parts" / "Resources" / "two.mos").write_text('convertClass("Parts.Mid", "Parts.A");\n')
    (folder / "App.mo").write_text(
        f'model App\n  Parts.Old a;\n  Parts.X x;\n  annotation (uses(Parts(version="{version}")));\nend App;\n'
    )
    return Libraries([folder / "App.mo"], read_only=[folder / "Parts"])


@pytest.mark.parametrize(
    ("version", "type_"), [("1.1.0", "Parts.A"), ("2.0.0", "Parts.Old"), ("2.1.0", "Parts.Old"), ("3.0.0", "Parts.Old")]
)
def test_from_version_to_version(version: str, type_: str, tmp_path: Path) -> None:
    libraries = parts_and_app(tmp_path, version)
    upgrade(libraries, "Parts")
    assert text_of(libraries) == (
        f'model App\n  {type_} a;\n  Parts.X x;\n  annotation (uses(Parts(version="3.0.0")));\nend App;\n'
    )


def test_an_annotation_inside_itself(tmp_path: Path) -> None:
    """Some libraries have `conversion(conversion(…))`, and one rule that is in no braces."""
    libraries = parts_and_app(tmp_path, "1.0.0")
    (tmp_path / "Parts" / "package.mo").write_text(
        'package Parts annotation (version="3.0.0", conversion(noneFromVersion="2.1.0", conversion('
        'from(version="1.0.0", to="2.1.0", change=convertClass("Parts.Old", "Parts.A"))))); end Parts;'
    )
    upgrade(libraries, "Parts")
    assert text_of(libraries) == (
        'model App\n  Parts.A a;\n  Parts.X x;\n  annotation (uses(Parts(version="3.0.0")));\nend App;\n'
    )


def test_a_version_without_a_way(tmp_path: Path) -> None:
    libraries = parts_and_app(tmp_path, "0.9")
    with pytest.raises(LibraryError, match=r"'App' uses Parts 0\.9, and Parts 3\.0\.0 has no conversion from it"):
        upgrade(libraries, "Parts")


def test_a_way_that_ends_too_early(tmp_path: Path) -> None:
    libraries = parts_and_app(tmp_path, "1.0.0")
    (tmp_path / "Parts" / "package.mo").write_text(
        NEW_PARTS.replace('version="2.0.0", script', 'version="2.5.0", script')
    )
    report = upgrade(libraries, "Parts")
    assert text_of(libraries) == (
        'model App\n  Parts.Mid a;\n  Parts.X x;\n  annotation (uses(Parts(version="2.0.0")));\nend App;\n'
    )
    assert [note.text for note in report.notes] == [
        "'App' uses Parts 2.0.0, and Parts 3.0.0 has no conversion from it: it stays there"
    ]
    with pytest.raises(LibraryError, match=r"'App' uses Parts 2\.0\.0, and Parts 3\.0\.0 has no conversion"):
        upgrade(libraries, "Parts")


def test_a_library_that_does_not_say_what_it_uses(tmp_path: Path) -> None:
    libraries = parts_and_app(tmp_path, "1.0.0")
    text = "model App\n  Parts.Old a;\nend App;\n"
    (tmp_path / "App.mo").write_text(text)
    report = upgrade(libraries, "Parts")
    assert text_of(libraries) == text
    assert [note.text for note in report.notes] == [
        "it does not say which version of 'Parts' it uses: add 'uses(…)', or convert it with a script"
    ]


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    libraries = parts_and_app(tmp_path, "2.0.0")
    (tmp_path / "Parts" / "Resources" / "two.mos").unlink()
    with pytest.raises(LibraryError, match="names the conversion script 'modelica://Parts/Resources/two"):
        upgrade(libraries, "Parts")


# ---------------------------------------------------------------- the Standard Library


def standard(msl: Path) -> list[Path]:
    version = msl.name.removeprefix("Modelica").strip()
    services, numbers = msl.parent / f"ModelicaServices {version}", msl.parent / f"Complex {version}.mo"
    return [path for path in (msl, services, numbers) if path.exists()]


def test_a_library_for_the_old_standard_library(msl: Path, tmp_path: Path) -> None:
    libraries = Libraries([copied("msl", tmp_path) / "Plant"], read_only=standard(msl))
    report = upgrade(libraries, "Modelica")
    libraries.save()
    assert texts(tmp_path) == texts(CONVERSION / "msl" / "after")
    assert "".join(f"{note}\n".replace(f"{tmp_path}/", "") for note in report.notes) == (
        "Plant/Machines.mo:4: 'Modelica.Electrical.Machines.BasicMachines.AsynchronousInductionMachines' is not in the"
        " new library, and no rule says what became of it\n"
        "Plant/Machines.mo:11: Modelica.Electrical.Spice3.Internal.BJT: No support of automatic conversion for"
        " internal classes.\n"
        "Plant/Machines.mo:10: the library 'ObsoleteModelica4' is needed now: add it to 'uses'\n"
    )
    assert upgrade(Libraries([tmp_path / "Plant"], read_only=standard(msl)), "Modelica") == Report()


def test_without_the_new_library_the_result_is_the_same(msl: Path, tmp_path: Path) -> None:
    libraries = Libraries([copied("msl", tmp_path) / "Plant"])
    convert(libraries, read_script(msl / MSL_SCRIPT), "Modelica", "4.1.0")
    libraries.save()
    assert texts(tmp_path) == texts(CONVERSION / "msl" / "after")


def after_and_standard(msl: Path) -> Lookup:
    return lookup_of(Libraries([], read_only=[CONVERSION / "msl" / "after" / "Plant", *standard(msl)]))


def test_all_converted_names_are_in_the_new_library(msl: Path) -> None:
    lookup = after_and_standard(msl)
    unknown = set()
    for file in (CONVERSION / "msl" / "after").rglob("*.mo"):
        for view in walk(parse_file(file), annotations=False):
            parts = view.parts if isinstance(view, Name | ComponentReference) else ("",)
            if parts[0] == "Modelica" and lookup.resolve(None, parts, is_global=True)[-1] is None:
                unknown.add(".".join(parts))
    # What the report leaves to a person, and a class to which the script leads and which does not exist.
    assert unknown == {
        "Modelica.Electrical.Machines.BasicMachines.AsynchronousInductionMachines",
        "Modelica.Electrical.Spice3.Internal.BJT",
    }


RENAMED = frozenset("f mu_pos R_s lambda nu stray nIn nOut number significantDigits useHeatPort numberPort".split())


def test_all_renamed_elements_are_in_the_new_library(msl: Path) -> None:
    lookup = after_and_standard(msl)
    unknown = set()
    for file in (CONVERSION / "msl" / "after").rglob("*.mo"):
        root = lookup.classes.files.root(file)
        meant = occurrences(lookup, root, file, Opened(root, RENAMED, file).places)
        assert meant or file.name == "package.mo", file
        unknown |= {text_around(root, path) for path, target in meant.items() if target is None}
    assert not unknown


# ---------------------------------------------------------------- writing a conversion


def versioned(folder: Path, annotation: str) -> Libraries:
    (folder / "Lib").mkdir()
    (folder / "Lib" / "package.mo").write_text(f"package Lib\n  annotation ({annotation});\nend Lib;\n")
    return Libraries([folder / "Lib"])


def test_renames_are_written_down(tmp_path: Path) -> None:
    libraries = versioned(tmp_path, 'version="2.0.0"')
    entries: list[ConvertClass | ConvertElement] = [
        conversion_entry("Lib.A", "Lib.B"),
        element_entry("Lib.C", "x", "y"),
    ]
    script = write_conversion(libraries, "Lib", "1.0.0", entries)
    write_conversion(libraries, "Lib", "1.0.0", entries)
    libraries.save()
    assert script == tmp_path / "Lib/Resources/Scripts/Conversion/ConvertLib_from_1.0.0_to_2.0.0.mos"
    assert script.read_text() == (
        '// From Lib 1.0.0 to 2.0.0\nconvertClass("Lib.A", "Lib.B");\nconvertElement("Lib.C", "x", "y");\n'
    )
    assert (tmp_path / "Lib" / "package.mo").read_text() == (
        'package Lib\n  annotation (version="2.0.0", conversion(from(version="1.0.0", '
        'script="modelica://Lib/Resources/Scripts/Conversion/ConvertLib_from_1.0.0_to_2.0.0.mos")));\nend Lib;\n'
    )


def test_what_is_renamed_twice_is_one_rule(tmp_path: Path) -> None:
    libraries = versioned(tmp_path, 'version="2.0.0"')
    for entry in (
        conversion_entry("Lib.A", "Lib.B"),
        conversion_entry("Lib.B", "Lib.P.C"),
        conversion_entry("Lib.P", "Lib.Q"),
        conversion_entry("Lib.Q.D", "Lib.Q.E"),
        element_entry("Lib.Q.E", "x", "y"),
        element_entry("Lib.Q.E", "y", "z"),
    ):
        script = write_conversion(libraries, "Lib", "1.0.0", [entry])
    libraries.save()
    assert script.read_text().splitlines()[1:] == [
        'convertClass("Lib.A", "Lib.Q.C");',
        'convertClass("Lib.P", "Lib.Q");',
        'convertClass("Lib.P.D", "Lib.Q.E");',
        'convertElement("Lib.P.D", "x", "z");',
    ]


def test_the_script_that_is_named_is_continued(tmp_path: Path) -> None:
    libraries = versioned(
        tmp_path, 'version="2.0.0", conversion(from(version={"0.9", "1.0.0"}, script="modelica://Lib/own.mos"))'
    )
    (tmp_path / "Lib" / "own.mos").write_bytes(b'// mine\r\nconvertClass("Lib.X", "Lib.Y");')
    before = text_of(libraries, "Lib")
    write_conversion(libraries, "Lib", "1.0.0", [conversion_entry("Lib.A", "Lib.B")])
    libraries.save()
    assert text_of(libraries, "Lib") == before
    assert (tmp_path / "Lib" / "own.mos").read_bytes() == (
        b'// mine\r\nconvertClass("Lib.X", "Lib.Y");\r\nconvertClass("Lib.A", "Lib.B");\r\n'
    )


def test_one_more_version_to_come_from(tmp_path: Path) -> None:
    libraries = versioned(tmp_path, 'version="2.0.0", conversion(from(version="0.9", script="a.mos"))')
    write_conversion(libraries, "Lib", "1.0.0", [conversion_entry("Lib.A", "Lib.B")])
    assert text_of(libraries, "Lib") == (
        'package Lib\n  annotation (version="2.0.0", conversion(from(version="0.9", script="a.mos"), '
        'from(version="1.0.0", script="modelica://Lib/Resources/Scripts/Conversion/'
        'ConvertLib_from_1.0.0_to_2.0.0.mos")));\nend Lib;\n'
    )
    libraries.undo()
    assert not libraries.workspace or not libraries.workspace.is_changed


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ('version="1.0.0"', "'Lib' still has version 1.0.0: give it a new one"),
        ('version="2.0.0", conversion(from(version="1.0.0", change={convertClear()}))', "are in its annotation"),
    ],
)
def test_conversions_that_are_not_written(annotation: str, message: str, tmp_path: Path) -> None:
    libraries = versioned(tmp_path, annotation)
    with pytest.raises(LibraryError, match=message):
        write_conversion(libraries, "Lib", "1.0.0", [conversion_entry("Lib.A", "Lib.B")])


def test_what_is_written_down_converts(tmp_path: Path) -> None:
    libraries = versioned(tmp_path, 'version="2.0.0"')
    write_conversion(libraries, "Lib", "1.0.0", [conversion_entry("Lib.A", "Lib.B")])
    libraries.save()
    (tmp_path / "App.mo").write_text('model App\n  Lib.A a;\n  annotation (uses(Lib(version="1.0.0")));\nend App;\n')
    both = Libraries([tmp_path / "App.mo"], read_only=[tmp_path / "Lib"])
    upgrade(both, "Lib")
    assert text_of(both) == 'model App\n  Lib.B a;\n  annotation (uses(Lib(version="2.0.0")));\nend App;\n'


# ------------------------------------------------------------ migration

OLD = """model Old "an actuator of yesterday"
  Modelica.Electrical.Analog.Basic.EMF emf(k = 1e-3); // motor
  annotation(
    uses(Modelica(version = "3.2.2")));
end Old;
"""


@pytest.mark.usefixtures("msl")
def test_a_version_that_nobody_ships() -> None:
    with pytest.raises(LibraryError, match=r"no Modelica 9\.9\.9 .*the conversion rules come with the library"):
        migration_to("Modelica", "9.9.9")
    with pytest.raises(LibraryError, match="'new' is not a version of Modelica"):
        migration_to("Modelica", "new")


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODELICAPATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    for version in (None, "4.0.0"):
        with pytest.raises(LibraryError, match=r"there is no library Modelica .*the conversion rules come with"):
            migration_to("Modelica", version)


@pytest.mark.usefixtures("msl")
def test_a_newer_library_brings_users_to_an_older_version_too(tmp_path: Path) -> None:
    (tmp_path / "Old.mo").write_text(OLD, encoding="utf-8")
    migration = migration_to("Modelica", "4.0.0")
    libraries = Libraries([tmp_path / "Old.mo"], read_only=[migration.library])
    assert migrate(libraries, migration).changes
    assert libraries.document_at(tmp_path / "Old.mo").text == OLD.replace("Basic.EMF", "Basic.RotationalEMF").replace(
        "3.2.2", "4.0.0"
    )
    assert main(["convert", str(tmp_path / "Old.mo"), "--uses", "Modelica", "--version", "4.0.0", "-i", "-q"]) == 0
    assert 'version = "4.0.0"' in (tmp_path / "Old.mo").read_text(encoding="utf-8")
