"""Python's garbage collector, which rests while trees are made.

PERF: a parse makes many objects and no cycles; collecting in between costs 5 to 14 %, and a third for a tree that is
loaded. The collector is one for all threads: the first one that comes switches it off, the last one that leaves puts
it back as it was. Each on its own would find it off, leave it off, or switch it on under the others.
"""

from __future__ import annotations

import gc
import os
from _thread import allocate_lock  # PERF: `threading`, which has the same lock, takes longer to import
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from itertools import accumulate
from typing import Any

from modelica_ast.foundation import ModelicaSyntaxError, Record, Source
from modelica_ast.syntax.checks import BY_PRODUCTION, UNDECIDED, complaints_that_count
from modelica_ast.syntax.green import Offsets, first_leaf
from modelica_ast.syntax.lalr import Complaint, Green, Language, Machine, Node, Refused, Token, run
from modelica_ast.syntax.lexer import BUILDERS, ILLEGAL, lex, trivia_length
from modelica_ast.syntax.tables import FRAGMENTS, KINDS, SPECIAL, start_states

# ---------------------------------------------------------------- garbage


class _Rest:
    """`with REST:` the collector is off."""

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._inside = 0
        self._was_on = False

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._was_on = gc.isenabled()
                gc.disable()
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside and self._was_on:
                gc.enable()

    def forget_threads(self) -> None:
        """After a fork: the threads that were inside are not in this process, and nobody else would wake it."""
        self._lock = allocate_lock()
        if self._inside and self._was_on:
            gc.enable()
        self._inside = 0


REST = _Rest()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=REST.forget_threads)


# Starts that may be the inside of an annotation, where `{}` is allowed, or of an extends clause.
_MAY_BE_ANNOTATION = frozenset({"annotation_clause", "modification", "class_modification", "_argument", "expression"})
_SECTION_TO_RESUME = {
    "equation_section": SPECIAL.resumed_equations,
    "algorithm_section": SPECIAL.resumed_statements,
}


class Reading(Record):
    """A green tree with its tail, and the errors that recovery went around."""

    green: Node
    errors: tuple[ModelicaSyntaxError, ...] = ()


def read(source: Source, *, start: str = "stored_definition", lazy: bool = True, recover: bool = False) -> Reading:
    """Parse a source; ModelicaSyntaxError unless `recover`, which keeps what does not parse as opaque nodes."""
    with REST:
        return _read(source, start, lazy=lazy, recover=recover)


def _read(source: Source, start: str, *, lazy: bool, recover: bool) -> Reading:
    errors: list[ModelicaSyntaxError] = []
    try:
        machine, root = _run_phrases(source.text, start, lazy=lazy)
    except Refused:
        # Rarely something is wrong with a phrase alone (`a.b [1]`): token by token is the way that decides.
        machine = new_machine(start, lex(source.text, lazy=lazy))
        try:
            root = run(machine)
        except Refused:
            if not recover:
                raise _first_error(source, machine) from None
            from modelica_ast.syntax import recovery  # noqa: PLC0415  (start-up time: rarely needed)

            tools = recovery.Tools(new_machine, _explained, _errors_at)
            machine, root, errors = recovery.recover(source, tools, lazy=lazy)
    complaints = _complaints(machine.complaints, root, start)
    errors += _complaint_errors(source, machine, complaints)
    if errors and not recover:
        raise min(errors, key=lambda error: error.offset)
    tail = machine.tokens[machine.at][0]
    whole = (*root, tail) if start == "stored_definition" else (FRAGMENTS[start], root, tail)
    return Reading(whole, tuple(sorted(errors, key=lambda error: error.offset)))


def _run_phrases(text: str, start: str, *, lazy: bool) -> tuple[Machine, Green]:
    """The fast way, for texts without errors."""
    machine = new_machine(start, lex(text, lazy=lazy, phrases=True))
    return machine, run(machine)


def new_machine(start: str, tokens: list[Token]) -> Machine:
    """The machine for a start rule, before its first token."""
    return Machine(_LANGUAGE, tokens, *start_states(start))


def _resumes(values: list[Any]) -> int:
    """The virtual terminal that continues what came before a class annotation, or -1, by the last three values.

    Old files have a class annotation in the middle of their equations or declarations. When the token after it
    fits nothing else, these go on.
    """
    sections = values[0] if len(values) > 2 and type(values[0]) is list else []  # noqa: PLR2004
    for section in reversed(sections):
        kind = KINDS[section[0]]
        if kind in _SECTION_TO_RESUME:
            return _SECTION_TO_RESUME[kind]
        if kind == "external_clause":
            return -1
        if kind != "class_annotation":
            break
    return SPECIAL.resumed_elements


_LANGUAGE = Language(special=SPECIAL, checks=BY_PRODUCTION, resumes=_resumes, phrases=BUILDERS)


def _complaints(found: list[Complaint], root: Green, start: str) -> list[Complaint]:
    if found and start not in _MAY_BE_ANNOTATION:
        return complaints_that_count(found, root)
    return [c for c in found if KINDS[c.node[0]] not in UNDECIDED]


def _first_error(source: Source, machine: Machine) -> ModelicaSyntaxError:
    """The refusal, or a complaint about something before it."""
    at = machine.at
    refusal = _explained(source, machine.at_start(), at, sum(len(leaf) for leaf, _ in machine.tokens[:at]))
    complaints = [c for c in machine.complaints if KINDS[c.node[0]] not in UNDECIDED]
    return min([refusal, *_complaint_errors(source, machine, complaints)], key=lambda error: error.offset)


def _explained(source: Source, machine: Machine, at: int, behind: int) -> ModelicaSyntaxError:
    """Why the leaf `at` was refused, by a machine that comes before it and runs up to it.

    An LALR table may reduce once more before it refuses a token, and then knows less of what could have been
    there. So the machine runs again, with a token in that place that brings no reduction.
    """
    from modelica_ast.syntax.messages import explain  # noqa: PLC0415  (start-up time: rarely needed)

    leaf, kind = machine.tokens[at]
    if machine.at < at:
        machine.tokens[at] = (leaf, ILLEGAL)
        with suppress(Refused):
            run(machine)
        machine.tokens[at] = (leaf, kind)
    return explain(source, machine, behind)


def _complaint_errors(source: Source, machine: Machine, complaints: list[Complaint]) -> list[ModelicaSyntaxError]:
    if not complaints:
        return []
    return _errors_at(source, list(accumulate((len(leaf) for leaf, _ in machine.tokens), initial=0)), complaints)


def _errors_at(source: Source, starts: list[int], complaints: list[Complaint]) -> list[ModelicaSyntaxError]:
    """Complaints as errors; `starts` has the offset of every leaf."""
    offsets = Offsets()
    errors = []
    for complaint in complaints:
        node: Any = complaint.node
        offset = starts[complaint.before] - offsets.width(node)
        for place in complaint.path:
            offset += offsets.before(node, place)
            node = node[place]
        offset += trivia_length(first_leaf(node))
        errors.append(ModelicaSyntaxError(complaint.message, source, offset, hint=complaint.hint))
    return errors


def open_annotation(leaf: str, place: Callable[[], tuple[Source, int]]) -> Node:
    """The node of an annotation that was kept as one leaf; `place` tells where it is if it does not parse."""
    found = _open(leaf)
    if found is None:
        around, offset = place()
        # Once more, for the message; it does not come back.
        read(Source(leaf, around=around, starts_at=offset), start="annotation_clause", lazy=False)
        raise AssertionError("an annotation that was refused was taken")
    return found


# PERF: views are made again at every look, so what was opened is remembered by its text: 30 µs become 0.5.
@lru_cache(maxsize=1024)
def _open(leaf: str) -> Node | None:
    """The node of an annotation, or None if something is wrong with it."""
    try:
        machine, root = _run_phrases(leaf, "annotation_clause", lazy=False)
    except Refused:
        machine = new_machine("annotation_clause", lex(leaf, lazy=False))
        try:
            root = run(machine)
        except Refused:
            return None
    assert type(root) is tuple
    return root if not _complaints(machine.complaints, root, "annotation_clause") else None
