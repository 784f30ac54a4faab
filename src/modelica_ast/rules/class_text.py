"""What is written in a class itself, sorted by what rules ask about: one walk for all of them.

Classes inside have texts of their own. Annotations are collected and not looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

from modelica_ast.graphics import GraphicEnumeration
from modelica_ast.semantics import BUILTIN_FUNCTIONS, Definition
from modelica_ast.syntax import kind_of
from modelica_ast.tree import (
    LEAF_PLACES,
    NODE_CLASSES,
    Annotation,
    Arguments,
    ArrayComprehension,
    Assignment,
    Call,
    CallArguments,
    ClassDefinition,
    ComponentClause,
    ComponentClause1,
    ComponentReference,
    ConnectEquation,
    ConstrainingClause,
    Description,
    ElementModification,
    ExtendsClause,
    ForEquation,
    ForStatement,
    ImportClause,
    InheritanceModification,
    LongClassSpecifier,
    Modification,
    MultipleAssignment,
    Name,
    NamedArgument,
    PartialApplication,
    ReductionArguments,
    ShortClassSpecifier,
    View,
    WhenStatement,
)

Locals = frozenset[str]
_NONE: Locals = frozenset()


class Reference(NamedTuple):
    """A name in an expression, and the indices of the loops around it."""

    view: ComponentReference
    locals: Locals
    is_argument: bool  # it is all of an argument of a call, where a function may be


class CallPlace(NamedTuple):
    """A call, and the indices of the loops around it."""

    view: Call
    locals: Locals


class ClassText:
    """The parts of a class's own text."""

    def __init__(self, definition: Definition) -> None:
        self.types: list[Name] = []  # of components and of classes in modifiers
        self.applied: list[Name] = []  # after `function`
        self.references: list[Reference] = []
        self.calls: list[CallPlace] = []
        self.connections: list[ConnectEquation] = []
        self.assigned: list[ComponentReference] = []
        self.whens: list[WhenStatement] = []
        self.arguments: list[Arguments] = []  # the outermost; those inside them belong to them
        self.annotations: list[Annotation] = []
        self._collect(definition)

    def _collect(self, definition: Definition) -> None:
        todo: list[tuple[View, Locals]] = [(part, _NONE) for part in _parts_backwards(definition.view)]
        while todo:
            view, names = todo.pop()
            cls = type(view)
            take = _TAKE.get(cls)
            if take is not None:
                take(self, view, names)
            if type(view.green) is str:
                continue
            if cls in _LOOPS:
                names = names | {index.name for index in view.indices.items}  # type: ignore[attr-defined]
            look_into = _LOOK_INTO.get(cls, _parts_backwards)
            todo += [(part, names) for part in look_into(view)]

    def take_reference(self, view: ComponentReference, names: Locals) -> None:
        """A name in an expression."""
        self.references.append(Reference(view, names, view.parent is not None and _is_arguments(view.parent)))

    def take_arguments(self, view: Arguments, _: Locals) -> None:
        """Modifiers; those inside others belong to these."""
        if not _is_inner(view):
            self.arguments.append(view)

    def take_short_class(self, view: ShortClassSpecifier, _: Locals) -> None:
        """A class in a modifier. One that is an element has a text of its own."""
        if not isinstance(view.parent, ClassDefinition):
            self.types.append(view.type)

    def take_targets(self, view: MultipleAssignment, _: Locals) -> None:
        """The left side of `(a, b) := f(x)`."""
        self.assigned += [item for item in view.targets.items if isinstance(item, ComponentReference)]


# What is done with a view of a class; there is nothing to do with most.
_TAKE: Final[dict[type[View], Callable[[ClassText, Any, Locals], None]]] = {
    ComponentReference: ClassText.take_reference,
    Call: lambda text, view, names: text.calls.append(CallPlace(view, names)),
    ConnectEquation: lambda text, view, _: text.connections.append(view),
    Assignment: lambda text, view, _: text.assigned.append(view.target),
    MultipleAssignment: ClassText.take_targets,
    WhenStatement: lambda text, view, _: text.whens.append(view),
    ComponentClause: lambda text, view, _: text.types.append(view.type),
    ComponentClause1: lambda text, view, _: text.types.append(view.type),
    ConstrainingClause: lambda text, view, _: text.types.append(view.type),
    ShortClassSpecifier: ClassText.take_short_class,
    PartialApplication: lambda text, view, _: text.applied.append(view.function),
    Arguments: ClassText.take_arguments,
    Annotation: lambda text, view, _: text.annotations.append(view),
}
_LOOPS: Final = frozenset({ForEquation, ForStatement, ArrayComprehension, ReductionArguments})
_NAMED_LEAVES: Final[frozenset[type[View]]] = frozenset({ComponentReference, Annotation})
_LEFT_ALONE: Final[frozenset[type[View]]] = frozenset(
    {Name, Description, ImportClause, InheritanceModification, ClassDefinition}
)


def _parts_backwards(view: View) -> list[View]:
    """The children to look into, the last one first.

    PERF: views are made of these only. A leaf is nothing to look at unless it is a name or an annotation.
    """
    node = view.green
    if isinstance(node, str):
        return []
    size = len(node)
    leaves = LEAF_PLACES[node[0]]
    front, back, classes = leaves.front, leaves.back, leaves.classes
    found: list[View] = []
    for index in range(size - 1, 0, -1):
        green = node[index]
        if type(green) is tuple:
            cls = NODE_CLASSES[green[0]]
            if cls not in _LEFT_ALONE:
                found.append(cls(green, view, index))
            continue
        at_place = classes[index if index <= front else index - size if size - index <= back else 0]
        if at_place is not None:
            cls = at_place[kind_of(green)]  # type: ignore[arg-type]  # what is not a node is a leaf
            if cls in _NAMED_LEAVES:
                found.append(cls(green, view, index))  # type: ignore[arg-type]  # the same
    return found


def _parts_of_connection(view: ConnectEquation) -> list[View]:
    """The subscripts of the ends, which are not references themselves, and the annotation."""
    annotations = [part for part in _parts_backwards(view) if isinstance(part, Annotation)]
    return annotations + _parts_backwards(view.right) + _parts_backwards(view.left)


# Where something else is looked into than all children.
_LOOK_INTO: Final[dict[type[View], Callable[[Any], list[View]]]] = {
    Annotation: lambda _: [],
    Call: lambda view: [view.arguments],
    ConnectEquation: _parts_of_connection,
}


def _is_arguments(view: View) -> bool:
    return isinstance(view, CallArguments | NamedArgument)


def _is_inner(arguments: Arguments) -> bool:
    around = arguments.parent
    return isinstance(around, Modification) and isinstance(around.parent, ElementModification)


def holder_of(arguments: Arguments) -> View:
    """What the outermost arguments belong to: a declaration, a clause or a class specifier."""
    around = arguments.parent
    if isinstance(around, Modification):
        around = around.parent
    assert around is not None, "arguments are part of something"
    assert not isinstance(around, ElementModification), "inner arguments belong to outer ones"
    return around


def type_of_holder(holder: View) -> Name | None:
    """The type that arguments modify; None where that is an inherited class (`model extends M(…)`)."""
    match holder:
        case ExtendsClause() | ConstrainingClause() | ShortClassSpecifier():
            return holder.type
        case LongClassSpecifier():
            return None
        case _:
            clause = holder.parent
            return clause.type if isinstance(clause, ComponentClause | ComponentClause1) else None


# ---------------------------------------------------------------- builtins
# Functions and names that every class sees without declaring or importing them (sections 3.7, 9.3, 10.3, 16, 17).

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


# What is only where time goes on (section 12.2): a function has no events and no derivatives.
NOT_IN_FUNCTIONS: Final = frozenset(
    """
    der initial terminal sample pre edge change reinit delay cardinality inStream actualStream
    previous hold subSample superSample shiftSample backSample noClock firstTick interval
    transition initialState activeState ticksInState timeInState
    """.split()
)
