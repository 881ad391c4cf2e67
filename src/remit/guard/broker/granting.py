"""The end of what was granted: in the log with who ended it, and then it holds no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.audit.entry import ANSWER, Entry
from remit.audit.entry import Kind as RecordKind
from remit.audit.entry import Outcome as Ended
from remit.guard.store import revoke_grant

if TYPE_CHECKING:
    from remit.audit import Log
    from remit.guard.store import Grant, Store


def revoke(store: Store, log: Log, name: str, *, who: str, now: int) -> Grant:
    """End a grant. It ends first: a right that is written down as gone must be gone."""
    gone = revoke_grant(store, name, now=now)
    scope = gone.entry.get("scope", "")
    log.append(
        Entry(
            kind=RecordKind.DECISION,
            host="remit",
            event="revoke",
            op=ANSWER,
            capability=str(gone.entry.get("capability", "")),
            scope=scope if isinstance(scope, str) else " ".join(scope),
            principal=gone.principal,
            policy=f"grant:{gone.id}",
            reason=f"{who}: no more",
            outcome=Ended.PERSON_DENIED,
        ),
        sync=True,
    )
    return gone
