"""Asking the broker about a call that is denied for now, while its hook waits.

It runs in a thread of its own, never in the daemon's loop. Its only result is an answer in the store.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import Entry, RecordKind
from remit.core.errors import GuardError, RemitError
from remit.guard.approvals.answers import answer
from remit.guard.approvals.broker_config import Broker, BrokerKind, read_broker
from remit.guard.approvals.watchers import is_watched
from remit.guard.approvals.webhook import ask, question
from remit.guard.store import State, Store, approval

if TYPE_CHECKING:
    import threading

    from remit.audit import Log
    from remit.guard.state_folder import StateFolder

_LOOKS = 0.05  # seconds between two looks at the store


class ConsultationContext(NamedTuple):
    """What a consultation needs: the store, the broker, and the daemon's end."""

    store: Store
    log: Log
    places: StateFolder
    now: Callable[[], int]
    closed: threading.Event  # set when the daemon ends: the hook no longer waits


def consult(desk: ConsultationContext, name: str) -> bool:
    """Whether the question was answered, either way: the call is then decided again."""
    try:
        broker = read_broker(desk.places)
        if broker.sort is BrokerKind.INTERACTIVE:
            return _wait(desk, broker, name)
        return broker.sort is BrokerKind.WEBHOOK and _post(desk, broker, name)
    except (RemitError, OSError):
        return False  # the denial stands


def _wait(desk: ConsultationContext, broker: Broker, name: str) -> bool:
    if not is_watched(desk.places):
        return False
    end = time.monotonic() + broker.seconds
    while time.monotonic() < end and not desk.closed.wait(_LOOKS):
        found = approval(desk.store, name)
        if found is None or found.state is not State.PENDING:
            return found is not None
    return False


def _post(desk: ConsultationContext, broker: Broker, name: str) -> bool:
    found = approval(desk.store, name)
    if found is None or found.state is not State.PENDING:
        return found is not None
    try:
        said = ask(broker, question(name, secrets.token_hex(16), _public(found.shown), found.expires))
        answer(desk.store, desk.log, name, said.answer, who=f"webhook {said.who}".strip(), now=desk.now())
    except GuardError as error:
        failed = Entry(
            kind=RecordKind.ENVELOPE,
            host=found.host,
            event="webhook",
            session=found.session,
            tool=found.shown["tool"],
            principal=found.principal,
            reason=error.message,
        )
        desk.log.append(failed)
        return False
    return True


def _public(shown: object) -> dict[str, object]:
    """Return what a service is sent: what a person would see."""
    assert isinstance(shown, dict)
    return {name: value for name, value in shown.items() if name not in ("grants", "judged")}
