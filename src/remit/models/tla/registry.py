"""The twins, listed by hand: a file in `twins` that stands in no line here fails a test. docs/models.md says which models have none."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from remit.core.errors import UsageError
from remit.models.tla.running import TWINS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from remit.models.tla.twin import Twin

# name of the model: the module in TLA+, and the file beside it with what it needs of the code
MODELS = {
    "acceptance": "acceptance",
    "server-actions": "server_actions",
    "transactions": "transactions",
    "handles": "handles",
    "declassification": "declassification",
    "approvals": "approvals",
    "connection": "connection",
    "pairing": "pairing",
    "pairing-store": "pairing_store",
    "limits": "limits",
    "ingress": "ingress",
    "about": "about",
    "hearing": "hearing",
    "turns": "turns",
    "delivery": "delivery",
    "tool-calls": "tool_calls",
    "node-runs": "node_runs",
}


def twins(names: Iterable[str] = ()) -> dict[str, Twin]:
    """The twins of these models; all of them without a name."""
    wanted = tuple(dict.fromkeys(names)) or tuple(MODELS)
    for name in wanted:
        if name not in MODELS:
            raise UsageError(f"`{name}` is not a model that has a twin in TLA+", f"those are: {', '.join(MODELS)}")
    return {name: import_module(f"{__package__}.twins.{MODELS[name]}").TWIN for name in wanted}


def lying(folder: Path = TWINS) -> tuple[str, ...]:
    """What the files in the folder would be called."""
    named = {file: name for name, file in MODELS.items()}
    return tuple(sorted(named.get(path.stem, path.stem) for path in folder.glob("[!_]*.tla")))
