"""Calls that a killed daemon let through and whose end was not recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.audit.biconditional import unfinished
from remit.audit.entry import ADMITTED, Outcome, RecordKind
from remit.audit.queries import Filter

if TYPE_CHECKING:
    from remit.audit.log import Log
    from remit.guard.daemon.dispatch import Mine
    from remit.guard.event import Event

LOOKED_BACK = 2000  # records: calls under way when a daemon died are among the last


def any_session(_host: str, _session: str) -> bool:
    """Accept every session: for a single process that decides for all."""
    return True


def reconcile(log: Log, mine: Mine) -> None:
    """Record calls of our sessions that were let through and whose end was not recorded as `unknown`. Calls of another
    worker may be under way.
    """
    found = unfinished(log.records(Filter(newest=LOOKED_BACK)))
    lost = [entry for entry in found if mine(entry.host, entry.session)]
    if lost:
        log.append(*lost)


def let_through_before(log: Log, event: Event, ran: str) -> bool:
    """Whether another daemon let this very call through, or had its user asked, and died before it ended."""
    if not event.call:
        return False
    wanted = Filter(session=event.session, call=event.call, kind=RecordKind.DECISION, newest=1)
    return any(
        record.entry.host == event.host
        and record.entry.judged == ran
        and record.entry.outcome in (*ADMITTED, Outcome.ASKED)
        for record in log.records(wanted)
    )
