"""The twin type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.models.tla.values import identifier

if TYPE_CHECKING:
    from enum import Enum

    from remit.models.explore.model import State

# why a promise of operations on a store is left to the explorer
FAIRNESS = "TLC asks of every pair of states which fair action it was, and goes through the operation each time: minutes, not seconds"


def by_name(kind: type[Enum]) -> dict[str, Enum]:
    """A constant for each member: `Pending` for `PENDING`."""
    return {identifier(member.name.lower().replace("_", " ")): member for member in kind}


def fields(state: State) -> Mapping[str, Any]:
    """A state whose fields are the variables of the twin, by their names."""
    found: Mapping[str, Any] = state._asdict()
    return found


class Twin(NamedTuple):
    """The link of a TLA+ protocol to the code: its numbers, names and tables, and the projection of a model state onto
    its variables.

    A name in TLA+ is that of the model, as `values.identifier` writes it: of actions and invariants. A mutant is `Bug = "…"` with the
    name of the mutant.
    """

    constants: Callable[[], Mapping[str, Any]]
    seen: Callable[[State], Mapping[str, Any]] = fields
    # invariants and promises of the model of which the twin says nothing, or that none of its mutants is for: why
    left_out: Mapping[str, str] = {}
