"""Compile and run models, by an embedded compiler or by OpenModelica; results as columns of numbers."""

from modelica_ast.simulation.errors import (
    CompileError,
    CompilerCrashError,
    DivergedError,
    MissingBackendError,
    MissingLibraryError,
    SimulationError,
    SimulationTimeoutError,
    SourcePlace,
    UnbalancedModelError,
    UnreadableFmuError,
)
from modelica_ast.simulation.experiment import Experiment
from modelica_ast.simulation.fmu import FmuModel
from modelica_ast.simulation.mat_files import read_mat, read_result
from modelica_ast.simulation.result import Result
from modelica_ast.simulation.simulator import CompiledModel, Simulator

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
    "read_mat",
    "read_result",
]
