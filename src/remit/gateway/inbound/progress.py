"""Progress of an answer as users see it: a typing indicator, and the text so far in one message that is edited.

Progress is not stored. The answer itself is sent as a piece, once, and replaces that message; after a crash the message
still ends with a mark that it is unfinished.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from remit.gateway.inbound.channels.interface import Channel, Showing, Went
from remit.gateway.inbound.channels.texts import EDITED, LONGEST, shortened
from remit.gateway.inbound.delivery.state_machine import Piece, Route

if TYPE_CHECKING:
    from remit.gateway.inbound.settings.values import Platform

PAUSE = 3.0  # seconds between updates: Telegram allows twenty edits a minute in a group
UNFINISHED = " …"


class Progress:
    """The progress of one turn."""

    def __init__(self, channel: Channel, kind: Platform, route: Route, trace: str) -> None:
        self._channel, self._kind, self._route, self._trace = channel, kind, route, trace
        self._alone = asyncio.Lock()
        self._text = self._shown = self._message = ""
        self._edits, self._over = kind in EDITED, False

    async def says(self, text: str) -> None:
        """Set the text so far."""
        self._text = text
        if isinstance(self._channel, Showing):
            await self._channel.show(self._route, self._trace, text)

    async def run(self) -> None:
        """Update until cancelled."""
        while not self._over:
            await self._channel.typing(self._route)
            await self.step()
            await asyncio.sleep(PAUSE)

    async def step(self) -> None:
        """Show new text."""
        async with self._alone:
            text = shortened(self._text, LONGEST[self._kind] - len(UNFINISHED))
            if self._over or not self._edits or not text.strip() or text == self._shown:
                return
            piece = Piece("", self._route, text + UNFINISHED, "", replaces=self._message)
            sent = await self._channel.send(piece)
            self._shown, self._message = text, self._message or sent.message
            self._edits = sent.went is Went.SENT and bool(self._message)  # no retry: the answer will come

    async def ended(self) -> str:
        """Stop updates; return the message that the answer replaces, or an empty string."""
        self._over = True
        async with self._alone:
            return self._message
