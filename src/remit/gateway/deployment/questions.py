"""What waits at the gateway for an approver, as `remit approvals` and the console ask for it. Where no gateway was started there is nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.transactions.store import Waiting

SHORT = 8  # characters of a name that are shown


def gateway_folder(state: Path) -> Path:
    """Where `remit up` keeps its parties."""
    return state / "authority"


def waiting_there(folder: Path) -> tuple[Waiting, ...]:
    """What waits at the gateway of a folder."""
    if not (folder / "state" / "gateway").is_dir():
        return ()
    from remit.gateway.deployment.operating import waiting  # noqa: PLC0415  only where there is a gateway

    return waiting(folder)


def named_there(folder: Path, name: str) -> Waiting | None:
    """The one thing that waits under a name, or its beginning."""
    found = [one for one in waiting_there(folder) if len(name) >= SHORT and one.id.startswith(name)]
    return found[0] if len(found) == 1 else None


def confirm_there(folder: Path, one: Waiting, who: str) -> None:
    """Sign for it with the approver's key."""
    from remit.gateway.deployment.operating import confirm_one  # noqa: PLC0415

    confirm_one(folder, one.id, who)


def refuse_there(folder: Path, one: Waiting, who: str) -> None:
    """Say no."""
    from remit.gateway.deployment.operating import refuse_one  # noqa: PLC0415

    refuse_one(folder, one.id, who)
