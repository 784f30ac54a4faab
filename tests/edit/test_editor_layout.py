"""What the editor writes: comments go with what they are about, and nothing else moves."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES
from modelica_ast import (
    ModelicaSyntaxError,
    literal,
    parse,
    parse_argument,
    parse_element,
    parse_equation,
    parse_expression,
    parse_file,
    tree,
    walk,
)
from modelica_ast.edit import Document, Editor, Visitor
from modelica_ast.foundation import EditError
from modelica_ast.syntax.green import equal, leaves
from modelica_ast.syntax.lexer import lex, split_leaf
from modelica_ast.tree import Arguments, Description, ElseEquation, ForEquation, ForIndex, ForIndices, View
from modelica_ast.tree.base import Items
from modelica_ast.tree.construction import fields_of

BRANCHES = (
    "model M\nequation\n  if a then\n    x = 1; // 1\n  elseif b then\n    x = 2;\n  else\n    x = 3; // 3\n"
    "  end if;\nend M;\n"
)
LEADING = "model M\n  A a(\n    x=1 // one\n    , y=2 // two\n    , z=3 // three\n    );\nend M;\n"


def one(edit: Editor, number: int = 0) -> Any:
    return edit.tree.classes[number]


def arguments(edit: Editor) -> Any:
    return one(edit).components[0].arguments.items


def turned(edit: Editor) -> None:
    found = one(edit).components[0].arguments
    edit.change(found, items=found.items[::-1])


def equations_turned(edit: Editor) -> None:
    section = one(edit).composition.sections[0]
    edit.change(section, equations=section.equations[::-1])


def swapped(edit: Editor) -> None:
    first, second = one(edit).equations
    edit.replace(first, second)
    edit.replace(second, first)


def in_a_loop(edit: Editor) -> None:
    equations = one(edit).equations
    indices = ForIndices(items=[ForIndex(identifier="i", range=parse_expression("1:3"))])
    edit.insert_before(equations[0], ForEquation(indices=indices, equations=list(equations)))
    edit.remove(*equations)


# Name, text before, what is done, text after.
CASES: list[tuple[str, str, Any, str]] = [
    (
        "a change touches its field alone",
        "model M\n  G g(\n    k=1,\n    u=2);\nend M;\n",
        lambda e: e.change(one(e).components[0], identifier="h"),
        "model M\n  G h(\n    k=1,\n    u=2);\nend M;\n",
    ),
    (
        "a description before a nested body",
        "package P\n  model M\n    Real x;\n  end M;\nend P;\n",
        lambda e: e.change(one(e).classes[0].specifier, description=Description(text='"d"')),
        'package P\n  model M "d"\n    Real x;\n  end M;\nend P;\n',
    ),
    (
        "a description stays on its line",
        'model M\n  Real x\n    "d"\n    annotation (A=1);\nend M;\n',
        lambda e: e.change(one(e).components[0], description=Description(text='"new"')),
        'model M\n  Real x\n    "new"\n    annotation (A=1);\nend M;\n',
    ),
    (
        "what is made of things keeps their comments",
        "model M\nequation\n  x = 1; // x\n  /* y */ y = 2; // y\nend M;\n",
        in_a_loop,
        "model M\nequation\n  for i in 1:3 loop\n    x = 1; // x\n    /* y */ y = 2; // y\n  end for;\nend M;\n",
    ),
    (
        "into an empty body",
        "model A\n  // about x\n  Real x; // x\nend A;\nmodel B\nend B;\n",
        lambda e: (e.append(one(e, 1), one(e).elements[0]), e.remove(one(e).elements[0])),
        "model A\nend A;\nmodel B\n  // about x\n  Real x; // x\nend B;\n",
    ),
    (
        "into a new section",
        "model A\nequation\n  x = 1; // x\nend A;\nmodel B\nend B;\n",
        lambda e: (e.append(one(e, 1), one(e).equations[0]), e.remove(one(e).equations[0])),
        "model A\nend A;\nmodel B\nequation\n  // x\n  x = 1;\nend B;\n",
    ),
    (
        "arguments turned round",
        "model M\n  A a(\n    x=1,\n    y=2 // y\n  );\nend M;\n",
        turned,
        "model M\n  A a(\n    y=2, // y\n    x=1\n  );\nend M;\n",
    ),
    (
        "arguments turned round on one line",
        "model M\n  A a(x=1, /* c1 */ y=2, /* c2 */ z=3);\nend M;\n",
        turned,
        "model M\n  A a(/* c2 */ z=3, /* c1 */ y=2, x=1);\nend M;\n",
    ),
    (
        "arguments turned round with all kinds of comments",
        "model M\n  A a(x=1 /* 1 */, /* 2 */ y=2, z=3 // 3\n  );\nend M;\n",
        turned,
        "model M\n  A a(z=3, // 3\n    /* 2 */ y=2,\n    x=1 /* 1 */\n  );\nend M;\n",
    ),
    (
        "equations turned round that share a line",
        "model M\nequation\n  x = 0; y = 1; // c\nend M;\n",
        equations_turned,
        "model M\nequation\n  y = 1;\n  x = 0; // c\nend M;\n",
    ),
    (
        "equations turned round with a comment before one",
        "model M\nequation\n  x = 0;\n  /* c */ y = 1;\nend M;\n",
        equations_turned,
        "model M\nequation\n  /* c */ y = 1;\n  x = 0;\nend M;\n",
    ),
    (
        "what was inside keeps its comments",
        "model M\nequation\n  if c then\n    x = 1; // x\n    y = 2;\n  end if;\nend M;\n",
        lambda e: e.replace(one(e).equations[0], *one(e).equations[0].equations),
        "model M\nequation\n  x = 1; // x\n  y = 2;\nend M;\n",
    ),
    (
        "a branch goes by a change",
        BRANCHES,
        lambda e: e.change(one(e).equations[0], elseifs=[]),
        "model M\nequation\n  if a then\n    x = 1; // 1\n  else\n    x = 3; // 3\n  end if;\nend M;\n",
    ),
    (
        "the last branch goes by a change",
        BRANCHES,
        lambda e: e.change(one(e).equations[0], otherwise=None),
        "model M\nequation\n  if a then\n    x = 1; // 1\n  elseif b then\n    x = 2;\n  end if;\nend M;\n",
    ),
    (
        "a branch empties",
        BRANCHES,
        lambda e: e.change(one(e).equations[0], equations=[]),
        "model M\nequation\n  if a then\n  elseif b then\n    x = 2;\n  else\n    x = 3; // 3\n  end if;\nend M;\n",
    ),
    (
        "comments stay where something is replaced",
        "model M\nequation\n  // about x\n  x = 1; // bx\n  // about y\n  y = 2; // by\nend M;\n",
        swapped,
        "model M\nequation\n  // about x\n  y = 2; // bx\n  // about y\n  x = 1; // by\nend M;\n",
    ),
    (
        "a new branch is indented",
        "model M\nequation\n  if a then\n    x = 1;\n  end if;\nend M;\n",
        lambda e: e.change(one(e).equations[0], otherwise=ElseEquation(equations=[parse_equation("x = 2;")])),
        "model M\nequation\n  if a then\n    x = 1;\n  else\n    x = 2;\n  end if;\nend M;\n",
    ),
    (
        "a first equation is indented",
        "model M\nequation\n  for i in 1:2 loop\n  end for;\nend M;\n",
        lambda e: e.change(one(e).equations[0], equations=[parse_equation("x = 2;")]),
        "model M\nequation\n  for i in 1:2 loop\n    x = 2;\n  end for;\nend M;\n",
    ),
    (
        "after the second thing of a line",
        "model M\n  Real a; Real b;\nend M;\n",
        lambda e: e.append(one(e), parse_element("Real c;")),
        "model M\n  Real a; Real b;\n  Real c;\nend M;\n",
    ),
    (
        "an annotation in the middle of a line",
        (
            'model M\n  Real a\n    "d" annotation (\n      P(x=1));\n'
            '  Real b\n    "d" annotation (\n      P(x=2));\nend M;\n'
        ),
        lambda e: e.replace(one(e).components[1].annotation, one(e).components[0].annotation),
        (
            'model M\n  Real a\n    "d" annotation (\n      P(x=1));\n'
            '  Real b\n    "d" annotation (\n      P(x=1));\nend M;\n'
        ),
    ),
    (
        "neighbours in a list keep their lines",
        "model M\n  A a(g={\n        1,\n      2,\n    3});\nend M;\n",
        lambda e: e.insert_after(arguments(e)[0].modification.value.items[0], literal(9)),
        "model M\n  A a(g={\n        1,\n    9,\n      2,\n    3});\nend M;\n",
    ),
    (
        "a list that is filled up",
        "model M\n  Real x[:] = {1, 2, 3, 4,\n    5};\nend M;\n",
        lambda e: e.insert_before(one(e).components[0].binding.items[1], literal(9)),
        "model M\n  Real x[:] = {1, 9, 2, 3, 4,\n    5};\nend M;\n",
    ),
    (
        "an item goes with the comments around it",
        "model M\n  A a(x=1 /* 1 */, /* 2 */ y=2);\nend M;\n",
        lambda e: e.remove(arguments(e)[0]),
        "model M\n  A a(/* 2 */ y=2);\nend M;\n",
    ),
    (
        "an item goes with the comment after it",
        "model M\n  A a(x=0, y=1 /* c */, z=2);\nend M;\n",
        lambda e: e.remove(arguments(e)[1]),
        "model M\n  A a(x=0, z=2);\nend M;\n",
    ),
    (
        "an item before a line end",
        "model M\n  Real a, /* b */ b, // B\n    c;\nend M;\n",
        lambda e: e.remove(one(e).components[1]),
        "model M\n  Real a,\n    c;\nend M;\n",
    ),
    (
        "the last item of a clause",
        "model M\n  Real a, // A\n    b;\nend M;\n",
        lambda e: e.remove(one(e).components[1]),
        "model M\n  Real a; // A\nend M;\n",
    ),
    (
        "the first item of a list",
        "model M\n  A a(x=1,\n      y=2);\nend M;\n",
        lambda e: e.remove(arguments(e)[0]),
        "model M\n  A a(y=2);\nend M;\n",
    ),
    (
        "leading commas, the first goes",
        LEADING,
        lambda e: e.remove(arguments(e)[0]),
        "model M\n  A a(\n    y=2 // two\n    , z=3 // three\n    );\nend M;\n",
    ),
    (
        "leading commas, one goes",
        LEADING,
        lambda e: e.remove(arguments(e)[1]),
        "model M\n  A a(\n    x=1 // one\n    , z=3 // three\n    );\nend M;\n",
    ),
    (
        "leading commas, one comes",
        LEADING,
        lambda e: e.insert_before(arguments(e)[1], parse_argument("n=0")),
        "model M\n  A a(\n    x=1 // one\n    , n=0\n    , y=2 // two\n    , z=3 // three\n    );\nend M;\n",
    ),
    (
        "leading commas, the last comes",
        LEADING,
        lambda e: e.append(one(e).components[0].arguments, parse_argument("n=0")),
        "model M\n  A a(\n    x=1 // one\n    , y=2 // two\n    , z=3 // three\n    , n=0\n    );\nend M;\n",
    ),
    (
        "an emptied section goes with the comments of what was in it",
        "model M\nequation\n  x = 1; // x\nend M;\n",
        lambda e: e.remove(one(e).equations[0]),
        "model M\nend M;\n",
    ),
    (
        "a section with a comment of its own stays",
        "model M\nequation // of motion\n  x = 1;\nend M;\n",
        lambda e: e.remove(one(e).equations[0]),
        "model M\nequation // of motion\nend M;\n",
    ),
    (
        "within goes with its comment",
        "within A; // w\nmodel M\nend M;\n",
        lambda e: e.remove(e.tree.within_clause),
        "model M\nend M;\n",
    ),
    (
        "a list that empties",
        "model M\n  Real x(min=1) = 2;\nend M;\n",
        lambda e: e.change(one(e).components[0].arguments, items=[]),
        "model M\n  Real x = 2;\nend M;\n",
    ),
    (
        "modifiers before a value without blanks",
        "model M\n  Real x=1;\nend M;\n",
        lambda e: e.change(one(e).components[0].modification, arguments=Arguments(items=[parse_argument("min=0")])),
        "model M\n  Real x(min=0)=1;\nend M;\n",
    ),
    (
        "modifiers before a value with blanks",
        "model M\n  Real x = 1;\nend M;\n",
        lambda e: e.change(one(e).components[0].modification, arguments=Arguments(items=[parse_argument("min=0")])),
        "model M\n  Real x(min=0) = 1;\nend M;\n",
    ),
    (
        "an empty body by a change",
        "model M\nend M;\n",
        lambda e: e.change(one(e).composition, elements=[parse_element("Real x;")]),
        "model M\n  Real x;\nend M;\n",
    ),
    (
        "words that must not run together",
        "model M equation x=1;y=2;\nend M;\n",
        lambda e: e.remove(one(e).equations[0]),
        "model M equation y=2;\nend M;\n",
    ),
]


@pytest.mark.parametrize(("before", "edit", "after"), [each[1:] for each in CASES], ids=[each[0] for each in CASES])
def test_what_is_written(before: str, edit: Any, after: str) -> None:
    document = Document(before)
    with document.transaction() as editor:
        edit(editor)
    assert document.text == after
    assert equal(parse(after).green, document.tree.green)
    document.undo()
    assert document.text == before


def test_views_stay_good_when_something_around_them_is_changed() -> None:
    document = Document("model M\n  Real x(start=1);\nend M;\n")
    with document.transaction() as edit:
        component = one(edit).components[0]
        value = component.arguments.items[0].value
        edit.change(component, identifier="y")
        edit.replace(value, literal(2))
        assert edit.current(component) is not None
    assert document.text == "model M\n  Real y(start=2);\nend M;\n"


def test_an_annotation_that_does_not_parse() -> None:
    text = "model M\n  Real y annotation (B=1 2);\n  Real z = 1;\nend M;\n"
    with Document(text).transaction() as edit, pytest.raises(EditError, match="2:26: expected ',' or '\\)'"):
        edit.visit(Visitor())
    seen: list[str] = []

    class Seeing(Visitor):
        def enter(self, edit: Editor, view: View) -> None:
            del edit
            seen.append(view.text)

    with Document(text + "model", recover=True).transaction() as edit:
        edit.visit(Seeing())
    assert "z = 1" in seen


@pytest.mark.parametrize("given", ["Real z;", None, 3])
def test_what_is_not_a_view_is_told(given: Any) -> None:
    document = Document("model M\n  Real y;\nend M;\n")
    with document.transaction() as edit:
        for act in (edit.remove, lambda new: edit.append(one(edit), new), lambda new: edit.replace(one(edit), new)):
            with pytest.raises(TypeError, match="is not a view: parse_element"):
                act(given)
    assert not document.is_changed


# ---------------------------------------------------------------- comments at random

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def commented(path: Path, chooser: random.Random) -> str:
    """The text of a file with comments before, after and above some of its tokens; '' if it is not Modelica then."""
    parts: list[str] = []
    for number, leaf in enumerate(leaves(parse_file(path, strict=True).green)):
        prefix, token = split_leaf(leaf)
        if token and chooser.random() < 0.15:
            indentation = prefix.rpartition("\n")[2]
            above = f"{prefix}// {number}\n{indentation}" if "\n" in prefix else prefix
            behind = prefix.replace("\n", f" // {number}\n", 1) if "\n" in prefix else prefix
            prefix = chooser.choice([f"{prefix}/* {number} */ ", above, behind])
        parts.append(prefix + token)
    try:
        return parse("".join(parts), strict=True).text and "".join(parts)
    except ModelicaSyntaxError:  # `Types./* 1 */ Real` is none
        return ""


def comments_of(text: str) -> Counter[str]:
    return Counter(comment for leaf, _ in lex(text, lazy=False) for comment in COMMENT.findall(split_leaf(leaf)[0]))


def lists_in(document: Document) -> list[tuple[View, str]]:
    fields = {
        cls: [name for name, field in fields_of(cls).items() if isinstance(field, Items)] for cls in view_classes()
    }
    return [
        (view, name)
        for view in walk(document.tree, annotations=False)
        for name in fields.get(type(view), ())
        if len(getattr(view, name)) > 1
    ]


def view_classes() -> list[type[View]]:
    return [each for each in vars(tree).values() if isinstance(each, type) and issubclass(each, View)]


def _turned(holder: View, name: str, items: list[View], edit: Editor) -> None:
    edit.change(holder, **{name: items})


def _left(item: View, edit: Editor) -> None:
    edit.remove(item, comments="keep")


WITH_LISTS = [path for path in sorted((FIXTURES / "modelica").glob("*.mo")) if lists_in(Document.open(path))]


@pytest.mark.parametrize("path", WITH_LISTS, ids=lambda path: path.stem)
def test_no_comment_is_lost(path: Path) -> None:
    """Items that change places keep their comments, and what is removed leaves them behind if asked to."""
    chooser = random.Random(path.stem)  # noqa: S311  (a sample)
    done = 0
    for _ in range(4):
        text = commented(path, chooser)
        document = Document(text or path.read_text(encoding="utf-8"))
        before = comments_of(document.text)
        found = lists_in(document)
        for holder, name in chooser.sample(found, min(4, len(found))):
            items = getattr(holder, name)
            turned, item = chooser.sample(items, len(items)), chooser.choice(items)
            for change, expected in (
                (partial(_turned, holder, name, turned), before),
                (partial(_left, item), before - comments_of(item.text)),
            ):
                try:
                    with document.transaction() as edit:
                        change(edit)
                except EditError:  # the order of prefixes, and the like
                    continue
                assert comments_of(document.text) == expected
                done += 1
                if document.is_changed:
                    document.undo()
    assert done
