"""Comparison of TLC's states and transitions with those of the code that runs. One different transition is a failure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from remit.models.explore.liveness import graph_of
from remit.models.explore.model import Patch, all_spoiled
from remit.models.tla.output_parser import Drawn, Edge, State
from remit.models.tla.values import identifier, sequence, told

if TYPE_CHECKING:
    from remit.models.explore.model import Model
    from remit.models.explore.model import State as World
    from remit.models.tla.twin import Twin

_SHOWN = 3  # examples of each kind of difference


def explored(model: Model, twin: Twin) -> tuple[Drawn, int]:
    """Return all states and transitions of the code, in the variables of the twin; and the number of states of the code."""
    graph = graph_of(model._replace(canonical=None))
    with all_spoiled(model.constants):  # a twin may play an operation again to see how far it is
        names = tuple(sorted(twin.seen(graph.states[0])))
        texts = _Texts()
        states = [texts.state(twin, state) for state in graph.states]
    actions = [identifier(action.name) for action in graph.actions]
    edges = {
        (states[place], actions[way.action], states[way.to]) for place, ways in enumerate(graph.ways) for way in ways
    }
    found = Drawn(names, frozenset(states[: graph.initial]), frozenset(states), frozenset(edges))
    return found, len(graph.states)


class _Texts:
    """Texts of values, kept: most come again and again. What cannot be a key is known by the object that it is."""

    def __init__(self) -> None:
        self._equal: dict[object, str] = {}
        self._objects: dict[
            int, tuple[object, str]
        ] = {}  # with the object: as long as it is here, nothing else has its number

    def state(self, twin: Twin, state: World) -> State:
        """The texts of its variables, in the order of their names."""
        seen = twin.seen(state)
        return tuple(self._text(name, seen[name]) for name in sorted(seen))

    def _text(self, name: str, value: object) -> str:
        key = (name, type(value), value)
        try:
            found = self._equal.get(key)
        except TypeError:
            return sequence(self._text(name, one) for one in value) if type(value) is tuple else self._object(value)
        if found is None:
            found = self._equal[key] = told(value)
        return found

    def _object(self, value: object) -> str:
        if id(value) not in self._objects:
            self._objects[id(value)] = value, told(value)
        return self._objects[id(value)][1]


def differences(code: Drawn, tlc: Drawn) -> list[str]:
    """Return what one has and the other lacks. Equal initial states and equal successors of every state mean equality."""
    names = code.variables
    if names != tlc.variables:
        return [f"the twin has the variables {', '.join(tlc.variables)}, and the code {', '.join(names)}"]
    known = code.states & tlc.states
    faults = []
    for who, one, other in (("the code", code, tlc), ("the twin", tlc, code)):
        begun = [_state(names, state) for state in sorted(one.initial - other.initial)]
        faults += _examples(f"{who} alone begins with", begun)
        steps = sorted(edge for edge in one.edges - other.edges if edge[0] in known)
        faults += _examples(f"{who} alone goes", [_step(names, edge) for edge in steps])
    return faults


def replayed(model: Model, twin: Twin, patch: Patch, trace: Sequence[State]) -> str:
    """Return what is wrong with a trace of TLC: each step must be a move of the patched code."""
    with all_spoiled((*model.constants, patch)):
        actions, texts = model.actions(), _Texts()
        here = {world for world in model.initial if trace and texts.state(twin, world) == trace[0]}
        for number, state in enumerate(trace[1:], 1):
            if state == trace[number - 1]:
                continue
            nexts = {moved for world in here for action in actions for _, moved in action.moves(world)}
            here = {world for world in nexts if texts.state(twin, world) == state}
            if not here:
                return f"step {number} of TLC's story is no move of the spoiled code"
    return "" if here else "TLC's story does not begin as the code does"


def _examples(what: str, found: Collection[str]) -> list[str]:
    more = [f"and {len(found) - _SHOWN} more like this"] if len(found) > _SHOWN else []
    return [f"{what} {one}" for one in list(found)[:_SHOWN]] + more


def _state(names: Sequence[str], state: State) -> str:
    return ", ".join(f"{name} = {value}" for name, value in zip(names, state, strict=True))


def _step(names: Sequence[str], edge: Edge) -> str:
    before, action, after = edge
    changed = [f"{name} = {new}" for name, old, new in zip(names, before, after, strict=True) if old != new]
    return f"by {action} from {_state(names, before)} to {', '.join(changed)}"
