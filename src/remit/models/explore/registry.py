"""The registry of models. A file in `worlds` that is not listed here fails the check."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import UsageError

if TYPE_CHECKING:
    from remit.models.explore.model import Model

_WORLDS = Path(__file__).with_name("worlds")
_FILES = """
    acceptance transactions handles declassification approvals guard_decisions session_grants audit_chain
    admission inbound.exposure inbound.proxies inbound.audit inbound.connection inbound.pairing
    inbound.pairing_store inbound.limits inbound.gate inbound.ingress inbound.about inbound.hearing
    inbound.sessions inbound.links inbound.agents inbound.turns inbound.turn_lines inbound.delivery
    inbound.tool_policy inbound.node_commands inbound.node_runs inbound.pipeline
"""
# name of the model: its file
MODELS = {file.removeprefix("inbound.").replace("_", "-"): file for file in _FILES.split()}


def models(names: Iterable[str] = ()) -> tuple[Model, ...]:
    """The models of these names; all of them without a name."""
    wanted = tuple(dict.fromkeys(names)) or tuple(MODELS)
    for name in wanted:
        if name not in MODELS:
            raise UsageError(f"`{name}` is not a model", "`remit models list` shows them")
    return tuple(import_module(f"{__package__}.worlds.{MODELS[name]}").model() for name in wanted)


def lying(folder: Path = _WORLDS) -> tuple[str, ...]:
    """Return the model names of the files in the folder."""
    named = {file: name for name, file in MODELS.items()}
    files = [".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("[!_]*.py")]
    return tuple(sorted(named.get(file, file) for file in files))
