"""What waits at the gateway for an approver, as `remit approvals` shows and answers it. Where no gateway was started there is nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.report.gateway_view import SHORT
from remit.report.screen import visible

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.transactions.store import Waiting


def gateway_folder(state: Path) -> Path:
    """Where `remit up` keeps its parties."""
    return state / "authority"


def waiting_there(state: Path) -> tuple[Waiting, ...]:
    """What waits."""
    folder = gateway_folder(state)
    if not (folder / "state" / "gateway" / "transactions.db").exists():
        return ()
    from remit.gateway.deployment.operating import waiting  # noqa: PLC0415  only where there is a gateway

    return waiting(folder)


def named_there(state: Path, name: str) -> Waiting | None:
    """The one thing that waits under a name, or its beginning."""
    found = [one for one in waiting_there(state) if len(name) >= SHORT and one.id.startswith(name)]
    return found[0] if len(found) == 1 else None


def confirm_there(state: Path, one: Waiting, who: str) -> None:
    """Sign for it with the approver's key."""
    from remit.gateway.deployment.operating import confirm_one  # noqa: PLC0415

    confirm_one(gateway_folder(state), one.id, who)


def refuse_there(state: Path, one: Waiting, who: str) -> None:
    """Say no."""
    from remit.gateway.deployment.operating import refuse_one  # noqa: PLC0415

    refuse_one(gateway_folder(state), one.id, who)


def waiting_value(one: Waiting) -> dict[str, Any]:
    """As JSON."""
    told = one.transaction
    shows = {"shows": one.shows} if one.shows else {}
    changed = {"before": one.before, "changes": list(one.changes())} if one.before else {}
    return {
        "id": one.id, "intent": told.intent, "caller": told.caller, "session": told.session, "inputs": one.inputs,
        "until": told.until, **changed, **shows,
    }  # fmt: skip


def waiting_lines(one: Waiting) -> list[str]:
    """In short, as text; nothing in it steers the terminal, or looks like a line of ours."""
    told = one.transaction
    head = f"{one.id[:SHORT]}  {told.intent} for {told.caller} in session {told.session}"
    changed = [f"  changed by the policy: {', '.join(one.changes())}"] if one.changes() else []
    shows = [f"  the agent would see: {one.shows}"] if one.shows else []
    inputs = (f"  {name}: {value}" for name, value in one.inputs.items())
    return [visible(line) for line in (head, *inputs, *changed, *shows)]
