"""Dynamically constrained objects: unique IDs, counts and wiring of models that use the library DynamicConstraints.

Start with `synchronisation.sync`: IDs, counts and wiring of a model are brought in order by as few edits as possible.
`objects` finds the objects in the instance tree, `networks` those that meet. `cells/` makes models of robots that
change tools from a description, and keeps them up to date by `modelica_ast.generate`; `cells/cell_result` shows one in
motion. `urdf animate` is in a room below and names `cli.cells` as commands are named.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.constraints.inspection import CODES as CODES, check as check
    from urdf_frontend.constraints.networks import (
        Assignment as Assignment,
        ConstraintError as ConstraintError,
        Finding as Finding,
        NetworkCount as NetworkCount,
        Report as Report,
        open_libraries as open_libraries,
    )
    from urdf_frontend.constraints.synchronisation import (
        NewObject as NewObject,
        Style as Style,
        add as add,
        count_networks as count_networks,
        sync as sync,
    )

__all__ = [
    "CODES",
    "Assignment",
    "ConstraintError",
    "Finding",
    "NetworkCount",
    "NewObject",
    "Report",
    "Style",
    "add",
    "check",
    "count_networks",
    "open_libraries",
    "sync",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "inspection": "CODES check",
            "networks": "Assignment ConstraintError Finding NetworkCount Report open_libraries",
            "synchronisation": "NewObject Style add count_networks sync",
        },
    )
