"""Compile and run models, by an embedded compiler or by OpenModelica; results as columns of numbers.

Start with `simulator`. `closure` finds the classes that a model needs and lays them out for a compiler; `rumoca` and
`omc` are the compilers, each in a process of its own, because they may crash, hang or be interrupted (`child`). What
they say is told with the places in the user's files (`complaints`). `archive` has what earlier calls have compiled and
run.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.simulation.archive import (
        digest_of as digest_of,
        digest_of_libraries as digest_of_libraries,
    )
    from modelica_ast.simulation.errors import (
        CompileError as CompileError,
        CompilerCrashError as CompilerCrashError,
        DivergedError as DivergedError,
        MissingBackendError as MissingBackendError,
        MissingLibraryError as MissingLibraryError,
        SimulationError as SimulationError,
        SimulationTimeoutError as SimulationTimeoutError,
        SourcePlace as SourcePlace,
        UnbalancedModelError as UnbalancedModelError,
        UnreadableFmuError as UnreadableFmuError,
    )
    from modelica_ast.simulation.fmu import FmuModel as FmuModel
    from modelica_ast.simulation.result import (
        Result as Result,
        plot as plot,
        read_mat as read_mat,
        read_result as read_result,
    )
    from modelica_ast.simulation.simulator import CompiledModel as CompiledModel, Simulator as Simulator
    from modelica_ast.simulation.task import Experiment as Experiment

__all__ = [
    "CompileError",
    "CompiledModel",
    "CompilerCrashError",
    "DivergedError",
    "Experiment",
    "FmuModel",
    "MissingBackendError",
    "MissingLibraryError",
    "Result",
    "SimulationError",
    "SimulationTimeoutError",
    "Simulator",
    "SourcePlace",
    "UnbalancedModelError",
    "UnreadableFmuError",
    "plot",
    "read_mat",
    "read_result",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "archive": "digest_of digest_of_libraries",
            "errors": (
                "CompileError CompilerCrashError DivergedError MissingBackendError MissingLibraryError "
                "SimulationError SimulationTimeoutError SourcePlace UnbalancedModelError UnreadableFmuError"
            ),
            "fmu": "FmuModel",
            "result": "Result plot read_mat read_result",
            "simulator": "CompiledModel Simulator",
            "task": "Experiment",
        },
    )
