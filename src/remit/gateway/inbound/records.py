"""Audit log entries of the inbound gateway. Users' texts are not logged; tool calls are, redacted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from remit.audit.entry import ALARM, Entry, Outcome, RecordKind
from remit.policy.dlp.scan import redact

if TYPE_CHECKING:
    from remit.audit.log import Log
    from remit.gateway.inbound.agent.turn import AgentCall, TurnOrigin
    from remit.gateway.inbound.events import Event
    from remit.gateway.inbound.intake import Fate
    from remit.gateway.inbound.laws import LawViolation

_HOST = "gateway"
_LONGEST = 500  # characters


class Journal:
    """The log of a running gateway; entries noted at the same time are written together."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._noted: tuple[list[Entry], asyncio.Future[None]] | None = None

    def append(self, *entries: Entry) -> None:
        """Write entries."""
        self._log.append(*entries)

    async def note(self, entry: Entry) -> None:
        """Write an entry together with others of the same moment; returns when it is written."""
        if self._noted is None:
            loop = asyncio.get_running_loop()
            self._noted = [], loop.create_future()
            loop.call_soon(self._write)
        entries, done = self._noted
        entries.append(entry)
        await asyncio.shield(done)

    def _write(self) -> None:
        assert self._noted is not None
        (entries, done), self._noted = self._noted, None
        try:
            self._log.append(*entries)
        except Exception as error:  # noqa: BLE001  all waiting callers get the error
            done.set_exception(error)
            done.exception()  # mark as retrieved, if no caller waits any more
        else:
            done.set_result(None)


def heard(event: Event, fate: Fate) -> Entry:
    """Return the entry for an event and its result."""
    place = event.place
    told = {"channel": place.channel, "peer": place.peer, "what": str(event.what), "fate": str(fate.heard)}
    return Entry(
        kind=RecordKind.ENVELOPE, host=_HOST, event="heard", session=fate.session, call=event.event or event.message,
        arguments=told, reason=fate.reason,
    )  # fmt: skip


def refused(channel: str, reason: str, times: int) -> Entry:
    """Return the entry for refused requests to a channel."""
    return Entry(
        kind=RecordKind.DECISION, host=_HOST, event="request", op="receive", arguments={"channel": channel, "times": times},
        reason=reason, outcome=Outcome.DENY,
    )  # fmt: skip


def disconnected(channel: str, reason: str) -> Entry:
    """Return the entry for a connection that ended or could not be opened."""
    return Entry(
        kind=RecordKind.ENVELOPE, host=_HOST, event="connection", arguments={"channel": channel}, reason=reason[:_LONGEST],
    )  # fmt: skip


def called(about: TurnOrigin, call: AgentCall, refused: str) -> Entry:
    """Return the entry for a tool call that is about to run, or is refused."""
    return _of_call(about, call, RecordKind.DECISION, refused, Outcome.DENY if refused else Outcome.ADMIT)


def ended(about: TurnOrigin, call: AgentCall, how: str) -> Entry:
    """Return the entry for the result of a tool call."""
    return _of_call(about, call, RecordKind.EFFECT, how, Outcome.EXECUTED if how == "done" else Outcome.FAILED)


def interrupted(session: str, call: str) -> Entry:
    """Return the entry for an interrupted turn or sending, whose outcome is unknown."""
    return Entry(kind=RecordKind.EFFECT, host=_HOST, event="turn", session=session, call=call, outcome=Outcome.UNKNOWN)


def reloaded(fault: str) -> Entry:
    """Return the entry for changed settings, and the fault if they were rejected."""
    outcome = Outcome.DENY if fault else Outcome.ADMIT
    return Entry(
        kind=RecordKind.DECISION, host=_HOST, event="settings", op="reload", outcome=outcome, reason=fault[:_LONGEST]
    )


def alarm(broken: LawViolation) -> Entry:
    """Return the entry for a broken law."""
    return Entry(
        kind=RecordKind.ENVELOPE, host=_HOST, event=ALARM, op=broken.law.id, session=broken.session, call=broken.key[:_LONGEST],
        reason=broken.law.says,
    )  # fmt: skip


def answered(what: str, name: str, who: str, *, yes: bool) -> Entry:
    """Return the entry for a person's answer to a pairing or a command."""
    outcome = Outcome.PERSON_APPROVED if yes else Outcome.PERSON_DENIED
    return Entry(
        kind=RecordKind.DECISION,
        host=_HOST,
        event=what,
        op="answer",
        call=name,
        arguments={"who": who},
        outcome=outcome,
    )


def _of_call(about: TurnOrigin, call: AgentCall, kind: RecordKind, reason: str, outcome: Outcome) -> Entry:
    return Entry(
        kind=kind, host=_HOST, event="call", session=about.session, call=f"{about.key}/{call.id}", tool=call.tool,
        principal=about.agent, arguments={"arguments": redact(call.arguments)[:_LONGEST]}, reason=reason[:_LONGEST],
        outcome=outcome,
    )  # fmt: skip
