"""Laws of tools that a model is offered, and that run."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from remit.gateway.inbound.laws.law import Law

if TYPE_CHECKING:
    from remit.gateway.inbound.tools.layers import Policy
    from remit.gateway.inbound.tools.names import Names

NOT_SHOWN = Law("tool-calls.denied-is-not-shown", "a model is never shown a tool that is denied")
OF_NOW = Law(
    "tool-calls.by-the-policy-of-now", "nothing runs that the policy denies when it runs, whatever it said before"
)
DENY_WINS = Law("tool-policy.deny-wins", "what any of the eight layers denies, under whatever spelling, is not allowed")


def denied_is_not_shown(shown: AbstractSet[str], allowed: AbstractSet[str]) -> bool:
    """Return whether all offered tools are allowed."""
    return shown <= allowed


def by_the_policy(tool: str, allowed: AbstractSet[str]) -> bool:
    """Return whether a running tool is allowed."""
    return tool in allowed


def deny_wins(denied: AbstractSet[str], allowed: AbstractSet[str]) -> bool:
    """Return whether no denied tool is allowed."""
    return not denied & allowed


def denied_by(names: Names, policy: Policy) -> frozenset[str]:
    """Return the tools that any single layer denies."""
    tools = frozenset(map(names.tool, policy.tools))
    return frozenset().union(*(names.tools(layer.deny, tools) for layer in policy.layers.values()))
