"""The parser of TLC's output: number of states, violations with traces, and all states and transitions from its graph
dump.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from remit.core.errors import DataError
from remit.models.tla.values import same

State: TypeAlias = tuple[str, ...]  # texts of the variables, in the order of their names
Edge: TypeAlias = tuple[State, str, State]  # a state, the action and the state after it

_MESSAGE = re.compile(r"@!@!@STARTMSG (\d+):(\d+) @!@!@\n(.*?)\n?@!@!@ENDMSG \1 @!@!@", re.DOTALL)
_COUNT = re.compile(r"([\d,]+) distinct states found")
_VIOLATED = re.compile(r"(?:Invariant|Temporal properties) (?:(\w+) (?:is|was)|were) violated")
_STATES, _STEP = "2199", "2217"  # numbers of messages
_ERRORS = "12"  # how grave a message is
_NODE = re.compile(r'^(-?\d+) \[label="(.*)"(,style = filled)?\];?$', re.MULTILINE)  # one line each
_EDGE = re.compile(r'^(-?\d+) -> (-?\d+) \[label="(\w+)"', re.MULTILINE)
_BACKSLASH = "\\"
_AND = "/\\ "  # before each variable, at the beginning of a line, where there are several


class TlcOutput(NamedTuple):
    """The output of a run."""

    states: int | None  # distinct ones
    violated: str  # the invariant, if one was
    trace: tuple[State, ...]  # how it came to that
    words: str  # errors as TLC tells them


class Drawn(NamedTuple):
    """All states and transitions."""

    variables: tuple[str, ...]
    initial: frozenset[State]
    states: frozenset[State]
    edges: frozenset[Edge]  # those that change something


def said(output: str) -> TlcOutput:
    """Parse TLC's tool-mode output."""
    messages = _MESSAGE.findall(output)
    counts = [found[1] for number, _, text in messages if number == _STATES and (found := _COUNT.search(text))]
    violated = _VIOLATED.search(output)
    trace = tuple(_state(text.split("\n", 1)[1])[1] for number, _, text in messages if number == _STEP and "\n" in text)
    errors = [text for _, grave, text in messages if grave in _ERRORS]
    return TlcOutput(
        int(counts[-1].replace(",", "")) if counts else None, (violated[1] or "") if violated else "", trace, "\n".join(errors)
    )  # fmt: skip


def drawn(dump: str) -> Drawn:
    """Parse all states and transitions."""
    nodes: dict[str, State] = {}
    initial: set[State] = set()
    variables: tuple[str, ...] = ()
    for number, label, first in _NODE.findall(dump):
        variables, state = _state(_plain(label))
        nodes[number] = state
        initial |= {state} if first else set()
    edges = {(nodes[one], action, nodes[other]) for one, other, action in _EDGE.findall(dump) if one != other}
    if len(set(nodes.values())) != len(nodes):
        raise DataError("two states of TLC have one text", "TLC prints something else than this version knows")
    return Drawn(variables, frozenset(initial), frozenset(nodes.values()), frozenset(edges))


def _plain(label: str) -> str:
    """What was written in a label with backslashes."""
    parts = label.split(_BACKSLASH * 2)
    return _BACKSLASH.join(part.replace(_BACKSLASH + "n", "\n").replace(_BACKSLASH + '"', '"') for part in parts)


def _state(text: str) -> tuple[tuple[str, ...], State]:
    parts = (part.partition(" = ") for part in text.removeprefix(_AND).split("\n" + _AND))
    values = {name: _same(value) for name, _, value in parts}
    names = tuple(sorted(values))
    return names, tuple(values[name] for name in names)


_same = lru_cache(maxsize=100_000)(same)
