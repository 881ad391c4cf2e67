"""The models, listed by hand: a file in `worlds` that stands in no line here fails the check."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import UsageError

if TYPE_CHECKING:
    from remit.models.explore.model import Model

_WORLDS = Path(__file__).with_name("worlds")
# name of the model: its file
MODELS = {
    "acceptance": "acceptance",
    "transactions": "transactions",
    "handles": "handles",
    "declassification": "declassification",
    "approvals": "approvals",
    "guard-decisions": "guard_decisions",
    "session-grants": "session_grants",
    "audit-chain": "audit_chain",
    "admission": "admission",
    "exposure": "inbound.exposure",
    "proxies": "inbound.proxies",
    "audit": "inbound.audit",
    "connection": "inbound.connection",
    "pairing": "inbound.pairing",
    "pairing-store": "inbound.pairing_store",
    "limits": "inbound.limits",
    "gate": "inbound.gate",
    "ingress": "inbound.ingress",
    "about": "inbound.about",
    "hearing": "inbound.hearing",
    "sessions": "inbound.sessions",
    "links": "inbound.links",
    "agents": "inbound.agents",
    "turns": "inbound.turns",
    "turn-lines": "inbound.turn_lines",
    "delivery": "inbound.delivery",
    "tool-policy": "inbound.tool_policy",
    "tool-calls": "inbound.tool_calls",
    "node-commands": "inbound.node_commands",
    "node-runs": "inbound.node_runs",
    "pipeline": "inbound.pipeline",
}


def models(names: Iterable[str] = ()) -> tuple[Model, ...]:
    """The models of these names; all of them without a name."""
    wanted = tuple(dict.fromkeys(names)) or tuple(MODELS)
    for name in wanted:
        if name not in MODELS:
            raise UsageError(f"`{name}` is not a model", "`remit models list` shows them")
    return tuple(import_module(f"{__package__}.worlds.{MODELS[name]}").model() for name in wanted)


def lying(folder: Path = _WORLDS) -> tuple[str, ...]:
    """What the files in the folder would be called."""
    named = {file: name for name, file in MODELS.items()}
    files = [".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("[!_]*.py")]
    return tuple(sorted(named.get(file, file) for file in files))
