"""Admission of new people: a person asks, gets a code, and the operator approves the code.

    unknown --ask--> waiting, with a code --approve--> admitted
                     waiting --ask--> waiting, with the same code and a new expiry
                     waiting --deny, or expiry--> unknown

The code is sent to the person, who passes it to the operator by another way. At most `most` people wait at a time, so
that no attacker can flood the operator; those who already wait can always ask again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.gateway.inbound.limits import Bucket, Limit, take
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write

LIFETIME = 3600  # seconds from request to approval
MOST = 3  # waiting people on a channel
OFTEN = Limit(20, 180)  # limit on new requests of a channel


class Rules(NamedTuple):
    """The settings of a channel."""

    lifetime: int = LIFETIME
    most: int = MOST
    often: Limit = OFTEN


class Waiting(NamedTuple):
    """A waiting person."""

    sender: str
    code: str
    until: int


class ChannelPairings(NamedTuple):
    """The state of a channel. Both lists are sorted, so that equal sets of people are equal states."""

    waiting: tuple[Waiting, ...] = ()
    allowed: tuple[str, ...] = ()
    asked: Bucket | None = None


class Ask(NamedTuple):
    """An unknown person wrote. `code` is used if a new one is needed."""

    sender: str
    code: str


class Approve(NamedTuple):
    """The operator admits the person with this code."""

    code: str


class Deny(NamedTuple):
    """The operator refuses the person with this code."""

    code: str


class Remove(NamedTuple):
    """The operator removes an admitted person."""

    sender: str


PairingEvent: TypeAlias = "Ask | Approve | Deny | Remove"


class Outcome(StrEnum):
    """The result of an event."""

    KNOWN = "known"  # already admitted
    ASKED = "asked"
    AGAIN = "again"
    FULL = "full"
    OFTEN = "often"
    CODE_USED = "code-used"  # the code is taken: the caller makes another
    APPROVED = "approved"
    DENIED = "denied"
    REMOVED = "removed"
    UNKNOWN = "unknown"  # no such code or sender, or it has expired


def live(channel: ChannelPairings, now: int) -> ChannelPairings:
    """Return the channel without expired requests."""
    return channel._replace(waiting=tuple(one for one in channel.waiting if now < one.until))


def step(rules: Rules, known: ChannelPairings, event: PairingEvent, now: int) -> tuple[ChannelPairings, Outcome]:
    """Return the channel after an event, and the result."""
    channel = live(known, now)
    match event:
        case Ask():
            return _asked(rules, channel, event, now)
        case Approve(code) | Deny(code):
            return _answered(channel, code, let_in=isinstance(event, Approve))
        case Remove(sender):
            if sender not in channel.allowed:
                return channel, Outcome.UNKNOWN
            return channel._replace(allowed=tuple(one for one in channel.allowed if one != sender)), Outcome.REMOVED


def _asked(rules: Rules, channel: ChannelPairings, event: Ask, now: int) -> tuple[ChannelPairings, Outcome]:
    if event.sender in channel.allowed:
        return channel, Outcome.KNOWN
    until = now + rules.lifetime
    if any(one.sender == event.sender for one in channel.waiting):
        renewed = (one._replace(until=until) if one.sender == event.sender else one for one in channel.waiting)
        return channel._replace(waiting=tuple(renewed)), Outcome.AGAIN
    if len(channel.waiting) >= rules.most:
        return channel, Outcome.FULL
    if any(one.code == event.code for one in channel.waiting):
        return channel, Outcome.CODE_USED
    asked, left = take(channel.asked, rules.often, now)
    if not left:
        return channel._replace(asked=asked), Outcome.OFTEN
    waiting = tuple(sorted((*channel.waiting, Waiting(event.sender, event.code, until))))
    return channel._replace(waiting=waiting, asked=asked), Outcome.ASKED


def _answered(channel: ChannelPairings, code: str, *, let_in: bool) -> tuple[ChannelPairings, Outcome]:
    found = next((one for one in channel.waiting if one.code == code), None)
    if found is None:
        return channel, Outcome.UNKNOWN
    rest = channel._replace(waiting=tuple(one for one in channel.waiting if one != found))
    if not let_in:
        return rest, Outcome.DENIED
    return rest._replace(allowed=tuple(sorted({*rest.allowed, found.sender}))), Outcome.APPROVED


TABLE = "pairing"


def apply(rules: Rules, channel: str, event: PairingEvent, now: int) -> Operation[Outcome]:
    """Apply an event to a channel and return the result."""
    yield Begin()
    known: ChannelPairings = (yield Read(TABLE, channel)) or ChannelPairings()
    after, outcome = step(rules, known, event, now)
    if after != known:
        yield Write(TABLE, channel, after)
    yield Commit()
    return outcome


def let_in(channel: str, sender: str) -> Operation[bool]:
    """Return whether a sender is admitted now."""
    known: ChannelPairings | None = yield Read(TABLE, channel)
    return known is not None and sender in known.allowed
