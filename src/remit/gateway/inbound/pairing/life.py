"""Who waits to be let in on a channel, and who is let in, as a pure step.

    stranger --ask--> waiting, with a code --approve--> let in
                      waiting --ask--> waiting, with the same code and a new end
                      waiting --deny, or its time--> stranger

The code goes to the stranger, who tells it to the operator by another way. At most `most` wait at a time, so that nobody can flood
the operator; who already waits may always ask again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.gateway.inbound.limits import Bucket, Limit, take

LIFETIME = 3600  # seconds from asking to approving
MOST = 3  # that wait on a channel
OFTEN = Limit(20, 180)  # new requests of a channel


class Rules(NamedTuple):
    """What a channel is set to."""

    lifetime: int = LIFETIME
    most: int = MOST
    often: Limit = OFTEN


class Waiting(NamedTuple):
    """One who asked."""

    sender: str
    code: str
    until: int


class Channel(NamedTuple):
    """All of one channel. Both are sorted by the sender, so that one set of people is one state."""

    waiting: tuple[Waiting, ...] = ()
    allowed: tuple[str, ...] = ()
    asked: Bucket | None = None


class Ask(NamedTuple):
    """A stranger spoke. `code` was made for it and is used if it is new."""

    sender: str
    code: str


class Approve(NamedTuple):
    """The operator lets in whoever has this code."""

    code: str


class Deny(NamedTuple):
    """The operator does not."""

    code: str


class Remove(NamedTuple):
    """The operator takes it back."""

    sender: str


Event: TypeAlias = "Ask | Approve | Deny | Remove"


class Outcome(StrEnum):
    """What came of it."""

    KNOWN = "known"  # is let in already
    ASKED = "asked"
    AGAIN = "again"
    FULL = "full"
    OFTEN = "often"
    CODE_USED = "code-used"  # somebody has that code: another is made
    APPROVED = "approved"
    DENIED = "denied"
    REMOVED = "removed"
    UNKNOWN = "unknown"  # no such code or sender, or its time is over


def live(channel: Channel, now: int) -> Channel:
    """Without those whose time is over."""
    return channel._replace(waiting=tuple(one for one in channel.waiting if now < one.until))


def step(rules: Rules, known: Channel, event: Event, now: int) -> tuple[Channel, Outcome]:
    """What is there after an event, and what came of it."""
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


def _asked(rules: Rules, channel: Channel, event: Ask, now: int) -> tuple[Channel, Outcome]:
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


def _answered(channel: Channel, code: str, *, let_in: bool) -> tuple[Channel, Outcome]:
    found = next((one for one in channel.waiting if one.code == code), None)
    if found is None:
        return channel, Outcome.UNKNOWN
    rest = channel._replace(waiting=tuple(one for one in channel.waiting if one != found))
    if not let_in:
        return rest, Outcome.DENIED
    return rest._replace(allowed=tuple(sorted({*rest.allowed, found.sender}))), Outcome.APPROVED
