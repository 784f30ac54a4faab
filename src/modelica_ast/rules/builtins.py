"""Functions and names that every class sees without declaring or importing them (sections 3.7, 9.3, 10.3, 16, 17)."""

from __future__ import annotations

from typing import Final

BUILTIN_FUNCTIONS: Final = frozenset(
    """
    abs acos activeState actualStream array asin assert atan atan2 backSample cardinality cat ceil change cos cosh
    cross delay der diagonal div edge exp fill firstTick floor getInstanceName hold homotopy identity inStream initial
    initialState integer interval linspace log log10 matrix max min mod ndims noClock noEvent ones outerProduct pre
    previous product pure reinit rem rooted sample scalar semiLinear shiftSample sign sin sinh size skew smooth
    spatialDistribution sqrt subSample sum superSample symmetric tan tanh terminal terminate ticksInState timeInState
    transition transpose vector zeros
    Boolean Clock Integer Real String Connections Subtask
    """.split()
)

# Not in the specification, but tools know them: they are not judged.
TOOL_FUNCTIONS: Final = frozenset(
    """
    DynamicSelect classDirectory constrain createDirectory directoryExists exist exit fileExists fullPathName
    getErrorString isPresent isRoot loadFile loadModel loadResource loadString openModel plot plotArray plotArrays
    potentialRoot print promote readMatrix readMatrixSize readTrajectory root rooted sampleWithTime savelog
    simulateExtendedModel simulateModel system translateModel branch writeMatrix writeTrajectory
    """.split()
)

# What stands only where time goes on (section 12.2): a function has no events and no derivatives.
NOT_IN_FUNCTIONS: Final = frozenset(
    """
    der initial terminal sample pre edge change reinit delay cardinality inStream actualStream
    previous hold subSample superSample shiftSample backSample noClock firstTick interval
    transition initialState activeState ticksInState timeInState
    """.split()
)
