"""Test your own transforms of Modelica: texts at random, and the laws that an edit keeps. Needs Hypothesis.

    @given(documents())
    def test_mine(text):
        check_all(my_transform, text)

`pip install 'modelica-ast[testing]'`
"""

try:
    import hypothesis as _hypothesis  # noqa: F401  (only to say what is missing)
except ImportError as error:
    raise ImportError("modelica_ast.testing needs Hypothesis: pip install 'modelica-ast[testing]'") from error

from modelica_ast.testing.changes import edits, patches
from modelica_ast.testing.derivations import (
    classes,
    components,
    definitions,
    equations,
    expressions,
    fragments,
    statements,
)
from modelica_ast.testing.laws import (
    check_all,
    check_idempotence,
    check_identity,
    check_inverse,
    check_locality,
    check_parses,
    check_refusal,
    check_remove_of_add,
    check_round_trip,
    on_text,
)
from modelica_ast.testing.subjects import dotted_names, json_values, names, trivia, values
from modelica_ast.testing.texts import documents, library_classes

__all__ = [
    "check_all",
    "check_idempotence",
    "check_identity",
    "check_inverse",
    "check_locality",
    "check_parses",
    "check_refusal",
    "check_remove_of_add",
    "check_round_trip",
    "classes",
    "components",
    "definitions",
    "documents",
    "dotted_names",
    "edits",
    "equations",
    "expressions",
    "fragments",
    "json_values",
    "library_classes",
    "names",
    "on_text",
    "patches",
    "statements",
    "trivia",
    "values",
]
