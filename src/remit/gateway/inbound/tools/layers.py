"""Layers of the tool policy. Each layer keeps what it allows and removes what it denies; nothing comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.tools.names import Names

# in the order of application; since each only removes tools, the order affects messages alone
LAYERS = ("profile", "provider-profile", "global", "global-provider", "agent", "agent-provider", "channel", "session")
SHARED = frozenset({"memory"})  # groups that are denied in sessions shared by several people


class Layer(NamedTuple):
    """One layer; `allow` None does not restrict."""

    allow: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()


class Caller(NamedTuple):
    """The caller's rights."""

    elevated: bool = False  # requests tools with the operator's own rights
    shared: bool = False  # several people are in the session
    sender_elevated: bool = False  # the operator grants them to this sender


class Policy(NamedTuple):
    """All layers, the known tools, and those that act with the operator's own rights."""

    tools: frozenset[str]
    layers: Mapping[str, Layer]
    elevated: frozenset[str] = frozenset()
    elevated_global: bool = False
    elevated_agent: bool = False


def apply_layer(names: Names, tools: frozenset[str], known: frozenset[str], layer: Layer) -> frozenset[str]:
    """Return the tools that a layer leaves."""
    kept = known if layer.allow is None else known & names.tools(layer.allow, tools)
    return kept - names.tools(layer.deny, tools)


def joined(names: Names, tools: frozenset[str], layers: Sequence[Layer]) -> Layer:
    """Combine layers that apply together: all of them must allow, and any of them can deny."""
    known = frozenset(map(names.tool, tools))
    said = [names.tools(one.allow, tools) for one in layers if one.allow is not None]
    allow = tuple(sorted(known.intersection(*said))) if said else None
    return Layer(allow, tuple(sorted({entry for one in layers for entry in one.deny})))


def allowed(names: Names, policy: Policy, caller: Caller) -> frozenset[str]:
    """Return the tools that may be called."""
    known = frozenset(map(names.tool, policy.tools))
    tools = known
    for name in LAYERS:
        known = apply_layer(names, tools, known, policy.layers.get(name, Layer()))
    if caller.shared:
        known -= names.tools((f"group:{group}" for group in SHARED), tools)
    return known if may_elevate(policy, caller) else known - frozenset(map(names.tool, policy.elevated))


def may_elevate(policy: Policy, caller: Caller) -> bool:
    """Return whether tools with the operator's own rights are allowed: by the gateway, the agent and the sender."""
    return policy.elevated_global and policy.elevated_agent and caller.elevated and caller.sender_elevated
