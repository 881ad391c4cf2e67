"""How much one speaker may say: a bucket for each that fills again with time. Whoever floods holds up itself, and neither log nor disk grows by it."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from remit.gateway.inbound.ingress.gate import speaker_of
from remit.gateway.inbound.limits import Limit, take
from remit.gateway.inbound.routing.message import Identity

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event
    from remit.gateway.inbound.limits import Bucket
    from remit.gateway.inbound.settings.values import Settings

TOO_OFTEN = "TOO_OFTEN"
MOST = 20_000  # speakers that are remembered; who has been silent for longest is forgotten first, and its bucket is full by then


class Senders:
    """Buckets by speaker."""

    def __init__(self) -> None:
        self._known: OrderedDict[Identity, Bucket] = OrderedDict()

    def may_speak(self, settings: Settings, event: Event, now: int) -> bool:
        """Whether an event is heard by how often its speaker spoke. Operators always may: what stops a flood must come through it."""
        channel, speaker = settings.channels.get(event.place.channel), speaker_of(event) or event.place.peer
        if channel is not None and speaker in channel.gate.operators:
            return True
        limit = Limit(settings.limits.burst, settings.limits.seconds)
        return self.may(Identity(event.place.channel, speaker), limit, now)

    def may(self, who: Identity, limit: Limit, now: int) -> bool:
        """Whether this one may say one more thing now."""
        self._known[who], fine = take(self._known.get(who), limit, now)
        self._known.move_to_end(who)
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        return fine
