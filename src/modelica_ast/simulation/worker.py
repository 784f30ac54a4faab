"""The process that rumoca runs in. It is run as a script, so that it does not import the rest of this package.

It reads one request per line from standard input and answers each with one line, both JSON. Columns of numbers go to a
file that the request names. A panic of the compiler is an answer too; after it the process ends, because nobody knows
what state the compiler is in.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
from array import array
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

Answer = dict[str, Any]


class Worker:
    """The sessions and models of one process."""

    def __init__(self, rumoca: Any) -> None:
        self._rumoca = rumoca
        self._roots: list[str] | None = None
        self._session: Any = None
        self._models: dict[int, Any] = {}

    def answer(self, request: Answer) -> Answer:
        """What comes of a request; an error is an answer."""
        try:
            return self._compile(request) if request["what"] == "compile" else self._run(request)
        except KeyError as error:  # rumoca's word for a parameter that is not there
            return {"error": "KeyError", "message": str(error.args[0]) if error.args else ""}
        except Exception as error:  # noqa: BLE001  (whatever rumoca raises is told to the process that asked)
            return {"error": type(error).__name__, "message": str(error)}

    def _compile(self, request: Answer) -> Answer:
        if self._session is None or self._roots != request["roots"]:
            # Only one session is kept: each holds the trees of its libraries.
            self._session = None
            self._roots = list(request["roots"])
            self._session = self._rumoca.Session(roots=self._roots)
        model = self._session.loads(request["source"], model=request["model"])
        self._models[request["id"]] = model
        return _described(model, is_counted=request["count"])

    def _run(self, request: Answer) -> Answer:
        model = self._models[request["id"]]
        config = self._rumoca.SimConfig(
            solver=request["solver"], rtol=request["tolerance"], atol=request["tolerance"], max_wall_seconds=None
        )
        try:
            result = model.simulate(
                t=(request["start"], request["stop"]), dt=request["step"], config=config, params=request["parameters"]
            )
        except Exception as error:  # whatever rumoca raises
            if "structurally singular" not in str(error):
                raise
            answer: Answer = {"error": type(error).__name__, "message": str(error)}
            with contextlib.suppress(LookupError, TypeError, ValueError):  # its trees are nothing that it promises
                answer["structure"] = _Structure(model.to_dict()).told()
            return answer
        kept = result.names if request["variables"] is None else request["variables"]
        missing = [name for name in kept if name not in result]
        if missing:
            return {"error": "NoVariable", "message": missing[0], "names": list(result.names)}
        with Path(request["output"]).open("wb") as file:
            array("d", result.time).tofile(file)
            for name in kept:
                array("d", result[name]).tofile(file)
        return {"names": list(kept), "points": len(result.time), "ended": result.termination or ""}


def _described(model: Any, *, is_counted: bool) -> Answer:
    # PERF: counting takes as long as compiling. One that is not balanced is not compiled.
    structure = model.structure() if is_counted else None
    variables = [*model.states, *model.algebraics, *model.outputs]
    return {
        "equations": None if structure is None else structure.n_equations,
        "unknowns": None if structure is None else structure.n_unknowns,
        "states": len(model.states),
        "is_balanced": structure is None or structure.is_balanced,
        "parameters": {each.name: each.value for each in model.parameters if each.value is not None},
        "names": [each.name for each in model.parameters],
        "settable": [each.name for each in model.parameters if each.kind == "tunable" and not each.dims],
        "variables": list(dict.fromkeys(name for each in variables for name in _scalars(each))),
        "state_names": [name for each in model.states for name in _scalars(each)],
        # The compiler tells the outputs of blocks inside too.
        "inputs": [each.name for each in model.inputs if "." not in each.name],
        "outputs": [each.name for each in model.outputs if "." not in each.name],
        "units": {name: each.unit for each in variables if each.unit for name in _scalars(each)},
    }


class _Structure:
    """Which unknowns are in which equation, out of the tree of a compiled model."""

    def __init__(self, tree: Answer) -> None:
        storage = tree["storage"]
        self._nodes = storage["expressions"]["nodes"]
        self._operations = storage["continuous_equation_operations"]
        self._files = {number: (name, text) for number, name, text in tree["source_map"]["files"]}
        self._unknowns: list[str] = []
        self._numbers: dict[int, list[int]] = {}  # of a variable: those of its elements
        self._states: set[int] = set()
        for number, each in enumerate(storage["variables"]):
            if each["role"] in ("algebraic", "output", "state"):
                sizes = storage["value_types"][each["value_type"]]["dimensions"]
                first = len(self._unknowns)
                self._unknowns += _names_of(each["name"], sizes)
                self._numbers[number] = list(range(first, len(self._unknowns)))
                if each["role"] == "state":
                    self._states.add(number)
        # What a call has in its parentheses, and what is in brackets, are in lists of their own, in this order.
        self._operands = self._dealt(storage["expressions"]["operands"], "operand_count")
        self._indices = self._dealt(storage["expressions"]["subscripts"], "subscript_count")

    def _dealt(self, items: list[Any], counter: str) -> dict[int, list[Any]]:
        found, start = {}, 0
        for number, node in enumerate(self._nodes):
            payload = next(iter(node.values())) if isinstance(node, dict) else None
            count = payload.get(counter, 0) if isinstance(payload, dict) else 0
            found[number] = items[start : start + count]
            start += count
        return found

    def told(self) -> Answer:
        """The unknowns and the equations, in numbers."""
        equations = []
        for each in self._operations:
            ((kind, operation),) = each.items()
            roots = [operation["residual"]] if kind == "residual" else operation["bodies"]
            provenance = operation["provenance"]
            about = {
                "place": self._place(provenance["span"]),
                "generated": provenance["origin"] != "source",
            }
            rows = max((len(each) for each in self._widths(roots)), default=1) if kind != "residual" else 1
            for row in range(rows):
                unknowns: set[int] = set()
                states: set[int] = set()
                for root in roots:
                    self._collect(root, unknowns, states, (row, rows))
                equations.append({"unknowns": sorted(unknowns), "states": sorted(states), **about})
        return {"unknowns": self._unknowns, "equations": equations}

    def _widths(self, roots: list[int]) -> Iterator[list[int]]:
        """The elements of the arrays in a structured equation: it stands for as many scalar ones."""
        todo = list(roots)
        while todo:
            number = todo.pop()
            node = self._nodes[number]
            found = node.get("coordinate") if isinstance(node, dict) else None
            if isinstance(found, dict):
                yield self._numbers.get(next(iter(found.values())), []) if _is_variable(found) else []
            todo += self._children(number)

    def _collect(self, root: int, unknowns: set[int], states: set[int], row: tuple[int, int]) -> None:
        """What is in one row of an equation: of arrays with as many elements as it has rows, the one of the row."""
        todo = [root]
        while todo:
            number = todo.pop()
            node = self._nodes[number]
            if not isinstance(node, dict):
                continue
            ((kind, payload),) = node.items()
            if kind == "index":
                element = self._element(number, payload)
                if element is not None:
                    variable, place = element
                    if variable in self._numbers and place < len(self._numbers[variable]):
                        target = states if variable in self._states else unknowns
                        target.add(self._numbers[variable][place])
                        continue
            if kind == "coordinate" and isinstance(payload, dict) and _is_variable(payload):
                ((word, variable),) = payload.items()
                is_state = variable in self._states and word != "derivative"
                numbers = self._numbers.get(variable, [])
                if row[1] > 1 and len(numbers) == row[1]:
                    numbers = numbers[row[0] : row[0] + 1]
                (states if is_state else unknowns).update(numbers)
            todo += self._children(number)

    def _element(self, number: int, payload: Answer) -> tuple[int, int] | None:
        """The variable and the place in it, of an element of a vector that is named by a number."""
        base = self._nodes[payload["base"]].get("coordinate")
        indices = self._indices[number]
        if not isinstance(base, dict) or len(indices) != 1 or not _is_variable(base):
            return None
        at = indices[0]["kind"].get("index")
        literal = self._nodes[at].get("literal") if isinstance(at, int) else None
        if not isinstance(literal, dict) or "integer" not in literal:
            return None
        return next(iter(base.values())), literal["integer"] - 1

    def _children(self, number: int) -> Iterator[int]:
        node = self._nodes[number]
        payload = next(iter(node.values())) if isinstance(node, dict) else None
        if not isinstance(payload, dict) or "coordinate" in node or "literal" in node:
            return
        yield from self._operands[number]
        for key, value in payload.items():
            if isinstance(value, int) and not isinstance(value, bool) and key not in _NO_EXPRESSIONS:
                yield value
            elif isinstance(value, list):
                yield from (each for each in value if isinstance(each, int))

    def _place(self, span: Answer) -> tuple[str, int, int]:
        if span["source"] not in self._files:
            return "", 0, 0
        name, text = self._files[span["source"]]
        before = text.encode()[: span["start"]].decode(errors="replace")
        return name, before.count("\n") + 1, len(before) - before.rfind("\n")


_NO_EXPRESSIONS = frozenset("operand_count subscript_count owner function output derivative ordinal domain".split())


def _is_variable(coordinate: Answer) -> bool:
    ((word, number),) = coordinate.items()
    return word != "function_parameter" and isinstance(number, int)


def _names_of(name: str, sizes: list[int]) -> list[str]:
    if not sizes:
        return [name]
    return [f"{name}[{','.join(map(str, at))}]" for at in product(*(range(1, size + 1) for size in sizes))]


def _scalars(variable: Any) -> Iterator[str]:
    """The names of the elements of an array, as results have them."""
    yield from _names_of(variable.name, variable.dims)


def _end_with_parent() -> None:
    """Let this process end when the one that asks is gone, even in the midst of a long compilation.

    The compiler does not let other threads run, so a second process looks: standard input is closed at its far end.
    """
    if not hasattr(os, "fork") or not hasattr(select, "poll"):
        return
    worker = os.getpid()
    if os.fork():
        return
    for number in (1, 2):
        os.close(number)
    closed = select.poll()
    closed.register(0, 0)  # nothing but the end is of interest
    closed.poll()
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)
    os._exit(0)


def main() -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks decides what an interrupt means
    _end_with_parent()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever rumoca prints is not an answer
    try:
        import rumoca  # noqa: PLC0415  (an optional package)
    except ImportError as error:
        answers.write(json.dumps({"error": "ImportError", "message": str(error)}) + "\n")
        answers.flush()
        return
    answers.write(json.dumps({"version": rumoca.version()}) + "\n")
    answers.flush()
    worker = Worker(rumoca)
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except BaseException as error:  # noqa: BLE001  (a panic of Rust is not an Exception)
            answer = {"crash": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if "crash" in answer:
            return


if __name__ == "__main__":
    main()
