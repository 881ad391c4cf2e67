"""Rate limits: a bucket that refills with time, and the buckets of all speakers.

Whole numbers only, so that model states are comparable. A flood delays only its sender and does not grow the log or the
store. Events that a platform does not repeat are stored until their speaker may say more, also over a restart.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.events import speaker_of
from remit.gateway.inbound.routing import Identity
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Write, listed
from remit.gateway.inbound.stores.serialization import key_of

if TYPE_CHECKING:
    from remit.gateway.inbound.events import Event
    from remit.gateway.inbound.service import Inbound
    from remit.gateway.inbound.settings.values import Settings


class Limit(NamedTuple):
    """At most `most` at once, and one more every `seconds`."""

    most: int
    seconds: int


class Bucket(NamedTuple):
    """What is left, and since when."""

    left: int
    since: int


def take(known: Bucket | None, limit: Limit, now: int) -> tuple[Bucket, bool]:
    """Take one; return the new bucket and whether it was allowed. A clock that goes backwards adds nothing."""
    left, since = known or (limit.most, now)
    gained = max(0, now - since) // limit.seconds
    if left + gained >= limit.most:
        left, since = limit.most, now
    else:
        left, since = left + gained, since + gained * limit.seconds
    return (Bucket(left - 1, since), True) if left > 0 else (Bucket(left, since), False)


TOO_OFTEN, LATE = "TOO_OFTEN", "late"
_KEPT = 24 * 3600  # seconds
MOST_LATE, MOST_LATE_SPEAKERS = 60, 100  # waiting events of one speaker, and speakers with waiting events
MOST = 20_000  # remembered speakers; the longest silent one is dropped first, when its bucket is full anyway


def sender_of(event: Event) -> Identity:
    """Return the sender; for a program that may not speak for a person, the program."""
    return Identity(event.place.channel, speaker_of(event) or event.place.peer)


class Senders:
    """The buckets of all speakers."""

    def __init__(self) -> None:
        self._known: OrderedDict[Identity, Bucket] = OrderedDict()
        self._late: dict[Identity, deque[tuple[str, Event]]] = {}  # with their keys in the store

    def may_speak(self, settings: Settings, event: Event, now: int) -> bool:
        """Return whether an event is within its speaker's limit.

        Operators are exempt: they must be able to stop a flood.
        """
        who, channel = sender_of(event), settings.channels.get(event.place.channel)
        if channel is not None and who.peer in channel.gate.operators:
            return True
        return who not in self._late and self.may(who, Limit(settings.limits.burst, settings.limits.seconds), now)

    async def wait(self, inbound: Inbound, event: Event) -> None:
        """Store an event above the limit that the platform will not repeat, unless too many wait."""
        who = sender_of(event)
        if who in self._late or len(self._late) < MOST_LATE_SPEAKERS:
            waiting = self._late.setdefault(who, deque())
            if len(waiting) < MOST_LATE:
                key = key_of((f"{time.time_ns():020}", *who))  # sorts by time
                waiting.append((key, event))
                await inbound.kept(_write(key, event, inbound.now() + _KEPT))

    async def hear_late(self, inbound: Inbound) -> None:
        """Handle waiting events until cancelled, those from before a restart first.

        Duplicates are dropped later (intake.py).
        """
        for key, event in sorted(await inbound.kept(listed(LATE)), reverse=True):
            waiting = self._late.setdefault(sender_of(event), deque())
            if (key, event) not in waiting:
                waiting.appendleft((key, event))
        while True:
            for key, event in self._due(inbound.settings, inbound.now()):
                await inbound.hear(event, waited=True)
                await inbound.kept(_write(key, None, None))
            await asyncio.sleep(1)

    def _due(self, settings: Settings, now: int) -> Iterator[tuple[str, Event]]:
        """Yield events that have waited long enough, in order for each speaker."""
        limit = Limit(settings.limits.burst, settings.limits.seconds)
        for who, waiting in tuple(self._late.items()):
            while waiting and self.may(who, limit, now):
                yield waiting.popleft()
            if not waiting:
                del self._late[who]

    def may(self, who: Identity, limit: Limit, now: int) -> bool:
        """Count one more event of a speaker; return whether it is within the limit."""
        self._known[who], fine = take(self._known.get(who), limit, now)
        self._known.move_to_end(who)
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        return fine


def _write(key: str, event: Event | None, until: int | None) -> Operation[None]:
    """Store an event under a key; with None, delete it."""
    yield Begin()
    yield Write(LATE, key, event, until=until)
    yield Commit()
