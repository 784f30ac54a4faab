"""What all rooms stand on: errors, texts with their places, names, values, YAML of strangers, ordinary files.

Start with `errors` (one base, whose `cause` decides about exit codes) and `source` (a text with its file, encoding
and lines). `doors` has the one mechanism by which rooms import late, and finds modules by their old names; `values`
has the small immutable values of rooms that must start fast, `regular` the one way to read a file that somebody
names. Absent on purpose: anything about Modelica but how its identifiers are written.
"""

from typing import TYPE_CHECKING, Final

from modelica_ast.foundation.doors import MOVED as MOVED, Moved as Moved, accept as accept, late_names as late_names

VERSION: Final = "0.1.0"  # PERF: `importlib.metadata` takes longer to import than all of this package

if TYPE_CHECKING:
    from modelica_ast.foundation.errors import (
        AmbiguousError as AmbiguousError,
        Cause as Cause,
        EditError as EditError,
        ModelicaError as ModelicaError,
        ModelicaSyntaxError as ModelicaSyntaxError,
        NotFoundError as NotFoundError,
    )
    from modelica_ast.foundation.identifiers import (
        closest as closest,
        did_you_mean as did_you_mean,
        like as like,
        nearest as nearest,
        quoted as quoted,
        split_name as split_name,
        suggestion as suggestion,
    )
    from modelica_ast.foundation.regular import (
        LARGEST as LARGEST,
        WAITING as WAITING,
        FilesError as FilesError,
        RecoveryWarning as RecoveryWarning,
        Waiting as Waiting,
        actual_place as actual_place,
        fault_of_file_name as fault_of_file_name,
        folded as folded,
        open_regular as open_regular,
        read_regular as read_regular,
        shown as shown,
        unprintable_in as unprintable_in,
    )
    from modelica_ast.foundation.source import Position as Position, Source as Source, Span as Span
    from modelica_ast.foundation.values import Record as Record
    from modelica_ast.foundation.yaml import (
        Lines as Lines,
        YamlValue as YamlValue,
        load_yaml as load_yaml,
        read_yaml as read_yaml,
        yaml_events as yaml_events,
    )

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "errors": "AmbiguousError Cause EditError ModelicaError ModelicaSyntaxError NotFoundError",
            "identifiers": "closest did_you_mean like nearest quoted split_name suggestion",
            "regular": (
                "FilesError LARGEST RecoveryWarning WAITING Waiting actual_place fault_of_file_name "
                "folded open_regular read_regular shown unprintable_in"
            ),
            "source": "Position Source Span",
            "values": "Record",
            "yaml": "Lines YamlValue load_yaml read_yaml yaml_events",
        },
    )
