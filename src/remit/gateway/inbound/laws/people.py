"""Laws of pairing: who waits on a channel, and who is admitted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.gateway.inbound.laws.law import Law

if TYPE_CHECKING:
    from remit.gateway.inbound.pairing.state_machine import Channel, Rules, Waiting

CAP = Law("pairing.cap", "no more than the cap wait on a channel at a time")
ONE_REQUEST = Law("pairing.one-request-each", "nobody waits twice")
ONE_CODE = Law("pairing.one-code-each", "a code is one person's")
ONE_ENTRY = Law("pairing.one-entry", "who is let in stands there once")
NOT_BOTH = Law("pairing.let-in-does-not-wait", "who is let in asks no more")
BY_CODE = Law(
    "pairing.approved-in-time", "nobody is let in but by a code that the operator approved while its time lasted"
)
_LATE = 60  # seconds by which an operation may be older than its check


def within_cap(rules: Rules, waiting: Sequence[Waiting]) -> bool:
    """Return whether not more than the cap wait."""
    return len(waiting) <= rules.most


def one_request_each(channel: Channel) -> bool:
    """Return whether each sender waits once."""
    return len({one.sender for one in channel.waiting}) == len(channel.waiting)


def one_code_each(channel: Channel) -> bool:
    """Return whether each code belongs to one sender."""
    return len({one.code for one in channel.waiting}) == len(channel.waiting)


def one_entry_each(channel: Channel) -> bool:
    """Return whether each admitted sender is listed once."""
    return len(set(channel.allowed)) == len(channel.allowed)


def waits_or_is_in(channel: Channel) -> bool:
    """Return whether no admitted sender waits."""
    return not {one.sender for one in channel.waiting} & set(channel.allowed)


def let_in_by_code(before: Channel, after: Channel, now: int) -> bool:
    """Return whether each newly admitted sender waited with a valid code."""
    waited = {one.sender for one in before.waiting if now < one.until}
    return set(after.allowed) <= {*before.allowed, *waited}


def broken(rules: Rules, before: Channel, after: Channel, now: int) -> Iterator[Law]:
    """Yield the laws that a change of a channel breaks.

    A cap lowered below the number that already waits is no violation.
    """
    live = [one for one in after.waiting if now < one.until]
    if not within_cap(rules, live) and len(live) > len([one for one in before.waiting if now < one.until]):
        yield CAP
    for law, holds in ((ONE_REQUEST, one_request_each), (ONE_CODE, one_code_each), (ONE_ENTRY, one_entry_each), (NOT_BOTH, waits_or_is_in)):  # fmt: skip
        if not holds(after):
            yield law
    if not let_in_by_code(before, after, now - _LATE):
        yield BY_CODE
