"""The pieces that `documents` puts together. The plainest of each come first: there Hypothesis shrinks to."""

from __future__ import annotations

from typing import Final

COMPONENT_NAMES: Final = ("x", "y", "body", "joint1", "k", "frame_a", "'odd name'", "T_ref")
CLASS_NAMES: Final = ("M", "Arm", "Base", "Gripper2", "'Odd class'")
CLASS_KINDS: Final = ("model", "package", "partial model", "block", "record", "encapsulated model")
CLASS_DESCRIPTIONS: Final = ("", ' "described"', '\n  "described below"')
SHORT_CLASSES: Final = ("Real", "A.B(k=1)", 'input Real[3](each unit="m") "described"', 'enumeration(a, b "b")')
HEADS: Final = ("", "within;\n", "within Robots.Parts;\n", "// header\n\n", "/* licence */\nwithin A;\n")
TAILS: Final = ("", "// the end\n", "\n\n")

TYPES: Final = ("Real", "A.B", "Modelica.Units.SI.Mass", ".Modelica.Blocks.Sources.Step", "Inner")
PREFIXES: Final = ("", "parameter ", "final parameter ", "inner ", "replaceable ", "flow ", "constant ", "input ")
SUBSCRIPTS: Final = ("", "[3]", "[2, :]", "[n + 1]")
ARGUMENTS: Final = (
    "start=1",
    "k = 2",
    "each final min=0",
    "a(b=1, c(d=2))",
    "e.f=3",
    "redeclare G g(h=1)",
    "redeclare model N = P(q=1)",
    "replaceable record R = S constrainedby T",
    'unit="kg" "described"',
    "final fixed",
)
BETWEEN_ARGUMENTS: Final = (", ", ",", ",\n    ", ", // about it\n    ", " /* c */, ")
BINDINGS: Final = ("", " = 1", "=2.50", " = a + b", " = R(m=1, c={0, 1})", " = R(q=S(t=1), u = 2)", " = R(1, 2)")
CONDITIONS: Final = ("", "", " if useIt")
DESCRIPTIONS: Final = ("", ' "text"', ' "a" + "b"', '\n    "on its own line"', r' "with \"quotes\""')
ANNOTATIONS: Final = (
    "",
    " annotation (Placement(transformation(extent={{-10,-10},{10,10}})))",
    " annotation(Evaluate=true)",
    '\n    annotation (choices(choice=1), Dialog(group = "a"))',
)
IMPORTS: Final = ("A.B", "C = A.B", "A.B.*", "A.B.{C, D}", "Modelica.Units.SI")
EXTENDS: Final = ("Base", "A.B(k=1)", "Icons.Part(final k = 2, a(b=3))", "C(break d)")
EQUATIONS: Final = (
    "x = 1;",
    'der(x) = -k*x "described";',
    'assert(x > 0, "x");',
    "if b then\n    connect(a[1].c, d);\n  else\n    y = 2;\n  end if;",
    "for i in 1:n loop\n    connect(c[i].p, c[i + 1].n); // behind\n  end for;",
    "when x > 1 then\n    reinit(x, 0);\n  end when;",
)
ENDS: Final = ("a.frame_b", "b.frame_a", "body.p[1]", "world", "'odd name'.q")
STATEMENTS: Final = ("x := 1;", "(a, , b) := f(x);", "while x > 0 loop\n    x := x - 1;\n  end while;", "return;")
CLASS_ANNOTATIONS: Final = (
    'annotation (Documentation(info="<html>\n<p>Text</p>\n</html>"));',
    'annotation (experiment(StopTime=5, Tolerance = 1e-6), uses(Modelica(version="4.1.0")));',
    'annotation(Icon(graphics={Line(points={{0,0},{1,1}}), Text(textString="%name")}));',
)
# Comments and blanks behind a thing on its line, and on lines of their own above it.
BEHIND: Final = ("", "", "", " // behind", "  /* behind */", " ")
ABOVE: Final = ((), (), (), ("// above",), ("", "// set off", ""), ("",), ("/* above", "   in two lines */"))
