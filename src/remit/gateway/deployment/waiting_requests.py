"""Requests at the gateway that wait for an approver.

For `remit approvals` and the console; empty if there is no gateway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.transactions import Waiting

SHORT = 8  # characters of a name that are shown


def gateway_folder(state: Path) -> Path:
    """Return the folder in which `remit up` keeps its parties."""
    return state / "authority"


def waiting_there(folder: Path) -> tuple[Waiting, ...]:
    """Return the requests that wait at the gateway of a folder."""
    if not (folder / "state" / "gateway").is_dir():
        return ()
    from remit.gateway.deployment.operator_actions import waiting  # noqa: PLC0415  only where there is a gateway

    return waiting(folder)


def named_there(folder: Path, name: str) -> Waiting | None:
    """Return the only waiting request whose name has this prefix, or None."""
    found = [one for one in waiting_there(folder) if len(name) >= SHORT and one.id.startswith(name)]
    return found[0] if len(found) == 1 else None


def confirm_there(folder: Path, one: Waiting, who: str) -> None:
    """Confirm a request with the approver's key."""
    from remit.gateway.deployment.operator_actions import confirm_one  # noqa: PLC0415

    confirm_one(folder, one.id, who)


def refuse_there(folder: Path, one: Waiting, who: str) -> None:
    """Refuse a request."""
    from remit.gateway.deployment.operator_actions import refuse_one  # noqa: PLC0415

    refuse_one(folder, one.id, who)
