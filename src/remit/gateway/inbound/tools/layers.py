"""What is left after all layers. Each layer keeps what it allows and takes away what it denies; nothing comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.tools.names import Names

# in the order in which they are applied; since each only takes away, the order changes nothing but what is told
LAYERS = ("profile", "provider-profile", "global", "global-provider", "agent", "agent-provider", "channel", "session")
SHARED = frozenset({"memory"})  # groups that nobody has in a session which several people share


class Layer(NamedTuple):
    """What one layer says: `allow` None is no word about what is allowed."""

    allow: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()


class Caller(NamedTuple):
    """For whom tools are called."""

    elevated: bool = False  # wants tools that act with the operator's own rights
    shared: bool = False  # several people are in the session
    sender_elevated: bool = False  # the operator lets this sender have them


class Policy(NamedTuple):
    """All layers, the tools there are, and which of them act with the operator's own rights."""

    tools: frozenset[str]
    layers: Mapping[str, Layer]
    elevated: frozenset[str] = frozenset()
    elevated_global: bool = False
    elevated_agent: bool = False


def apply_layer(names: Names, tools: frozenset[str], known: frozenset[str], layer: Layer) -> frozenset[str]:
    """What a layer leaves of some tools."""
    kept = known if layer.allow is None else known & names.tools(layer.allow, tools)
    return kept - names.tools(layer.deny, tools)


def joined(names: Names, tools: frozenset[str], layers: Sequence[Layer]) -> Layer:
    """Layers that count at once as one: it allows what all of them allow, and denies what any of them denies."""
    known = frozenset(map(names.tool, tools))
    said = [names.tools(one.allow, tools) for one in layers if one.allow is not None]
    allow = tuple(sorted(known.intersection(*said))) if said else None
    return Layer(allow, tuple(sorted({entry for one in layers for entry in one.deny})))


def allowed(names: Names, policy: Policy, caller: Caller) -> frozenset[str]:
    """The tools that may be called."""
    known = frozenset(map(names.tool, policy.tools))
    tools = known
    for name in LAYERS:
        known = apply_layer(names, tools, known, policy.layers.get(name, Layer()))
    if caller.shared:
        known -= names.tools((f"group:{group}" for group in SHARED), tools)
    return known if may_elevate(policy, caller) else known - frozenset(map(names.tool, policy.elevated))


def may_elevate(policy: Policy, caller: Caller) -> bool:
    """Tools with the operator's own rights want the word of all: the gateway, the agent and the sender."""
    return policy.elevated_global and policy.elevated_agent and caller.elevated and caller.sender_elevated
