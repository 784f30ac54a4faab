"""Functions and names that every class sees without declaring or importing them (sections 3.7, 9.3, 10.3, 16, 17)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from modelica_ast.graphics.enumerations import GraphicEnumeration
from modelica_ast.semantics.predefined import BUILTIN_FUNCTIONS as BUILTIN_FUNCTIONS  # noqa: PLC0414  (one of these)

# Enumeration -> its literals. The specification has them for annotations only (section 18.2); Dymola everywhere.
ANNOTATION_ENUMERATIONS: Final[Mapping[str, tuple[str, ...]]] = {
    **{each.__name__: tuple(literal.value for literal in each) for each in GraphicEnumeration.__subclasses__()},
    "Access": tuple(
        """
        hide icon documentation diagram nonPackageText nonPackageDuplicate packageText packageDuplicate
        """.split()
    ),
}

# Of scripts: a tool has them in functions too, and no other tool knows them.
_DYMOLA_FUNCTIONS: Final = frozenset(
    """
    DefaultModelicaVersion DymolaVersion DymolaVersionNumber DynamicSelect Execute ExportPlotAsImage GetDymolaCompiler
    RequestOption RunAnimation RunScript SetDymolaCompiler ShowComponent ShowMessageWindow
    animationColor animationPosition animationSetup branch calculateNumberPrecision cd checkModel classDirectory clear
    clearFlags clearPlot clearlog constrain createDirectory createPlot createTable directoryExists document
    eraseClasses erasePlot eraseSelectedSignals existTrajectoryNames exist exit experimentSetupOutput exportAnimation
    exportDiagram exportDocumentation exportEquations exportHTMLDirectory exportIcon exportInitial exportInitialDsin
    exportSSP exportWebGL fileExists fullPathName getExperiment getLastError getLastErrorLog importFMU importInitial
    importInitialResult importSSP initialized instantiateModel interpolateTrajectory isPresent isRoot linearizeModel
    list loadAnimation loadResource openModel openModelFile plot plotArray plotArrays plotDiscretized
    plotDocumentation plotExpression plotExternal plotHeading plotMovingAverage plotParametricCurve
    plotParametricCurves plotRowColumnLabels plotScatter plotSignalDifference plotSignalOperator
    plotSignalOperatorHarmonic plotText plotTitle plotWindow potentialRoot print printPlot printPlotArray promote
    readMatrix readMatrixSize readStringMatrix readTrajectory readTrajectoryNames readTrajectorySize removePlots
    removeResults rewriteResult root sampleWithTime saveEncryptedModel saveLog saveModel saveSettings saveTotalModel
    savelog setClassText setMaxRows signalOperatorValue simulateExtendedModel simulateModel
    simulateMultiExtendedModel simulateMultiResultsModel system trace translateModel translateModelExport
    translateModelFMU variables verifyCompiler visualize3dModel writeMatrix writeTrajectory
    """.split()
)
_DYMOLA_ENUMERATIONS: Final = frozenset({"MarkerStyle", "SignalOperator"})
_OPENMODELICA_FUNCTIONS: Final = frozenset(
    """
    buildModel buildModelFMU cd checkModel clear clearVariables compareSimulationResults diffSimulationResults exit
    getErrorString getVersion installPackage instantiateModel linearize list listFile loadFile loadFiles loadModel
    loadString plot plotAll plotParametric print readFile readSimulationResult readSimulationResultSize
    readSimulationResultVars regex regexBool regularFileExists runScript saveModel setCommandLineOptions simulate
    strtok system translateModel translateModelFMU val writeFile
    """.split()
)

# Tool -> the functions and types that it knows and the specification does not have, or has for annotations only.
TOOL_NAMES: Final[Mapping[str, frozenset[str]]] = {
    "dymola": _DYMOLA_FUNCTIONS | _DYMOLA_ENUMERATIONS | frozenset(ANNOTATION_ENUMERATIONS),
    "openmodelica": _OPENMODELICA_FUNCTIONS,
}


def builtin_names(tools: Collection[str] = ()) -> frozenset[str]:
    """The names that every class sees, with those that some tools know; ValueError for a tool that nobody knows."""
    unknown = sorted(set(tools) - set(TOOL_NAMES))
    if unknown:
        raise ValueError(f"there is no list of names for '{unknown[0]}'; there is {', '.join(TOOL_NAMES)}")
    return frozenset({"time"}).union(BUILTIN_FUNCTIONS, *(TOOL_NAMES[tool] for tool in tools))


def tool_hint(name: str) -> str:
    """Which tools know a name that the specification does not have; empty if none does."""
    tools = [tool for tool, names in TOOL_NAMES.items() if name in names]
    if not tools:
        return ""
    return f"not in Modelica, but {' and '.join(tools)} {'has' if len(tools) == 1 else 'have'} it: --tool {tools[0]}"


# What stands only where time goes on (section 12.2): a function has no events and no derivatives.
NOT_IN_FUNCTIONS: Final = frozenset(
    """
    der initial terminal sample pre edge change reinit delay cardinality inStream actualStream
    previous hold subSample superSample shiftSample backSample noClock firstTick interval
    transition initialState activeState ticksInState timeInState
    """.split()
)
