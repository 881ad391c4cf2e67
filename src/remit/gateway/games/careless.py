"""Gateways that hide less, for controls: what they leave out must be noticed by whoever tells real from simulated."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Self

from remit.authority.question.asking import questions
from remit.authority.question.layout import BUCKETS
from remit.authority.question.spoken import spoken
from remit.authority.values.action import new_action
from remit.authority.values.opening import BindingKey, open_for
from remit.authority.values.request import make_request
from remit.authority.wire.address import read_address
from remit.authority.wire.asking import Client
from remit.core.errors import AuthorityError
from remit.gateway.games.asking import layout_in
from remit.gateway.games.telling import numbers_of
from remit.gateway.parties.servers import Servers
from remit.policy.dlp.classes import classes

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from remit.authority.values.opening import Opening
    from remit.gateway.games.relays import Relays
    from remit.gateway.parties.shaping import Shaping

SETTLE = 0.01  # seconds for the last answer to pass


class Careless:
    """A gateway in this process, which asks the first server through the relay."""

    def __init__(self, folder: Path, taps: Relays, shaping: Shaping) -> None:
        self._taps = taps
        self._layout = layout_in(folder)
        self._binding = BindingKey((folder / "keys" / "binding.key").read_bytes())
        at = (f"unix:{taps.gateway}", f"unix:{folder}/run/p1.sock")
        self._clients = Client("p0", read_address(at[0]), None), Client("p1", read_address(at[1]), None)
        self._servers = Servers(self._layout, self._binding, self._clients, classes, shaping)

    async def timed(self, text: str, slot: float) -> list[float] | None:
        """What shows of a question, with the moment at which it leaves within a slot."""
        self._taps.taken()
        with contextlib.suppress(AuthorityError):
            await self._servers.evaluate(_opened(text))
        await asyncio.sleep(SETTLE)
        return numbers_of(self._taps.taken(), committed=False, slot=slot)

    async def bare(self, text: str) -> list[float] | None:
        """What shows of a question that leaves at once, without the look-ups that fill it up. The servers refuse it; it was seen."""
        opening = _opened(text)
        said = spoken(self._layout.program, opening.request, classes)
        asked = questions(self._layout, said, self._binding.question_seed(opening))
        head = bytes.fromhex(new_action(int(time.time()))) + self._binding.commitment(opening)
        self._taps.taken()
        needed = [one.body[: len(one.body) * len(text) // BUCKETS[one.bucket]] for one in asked]
        posts = [
            client.post("/evaluate", head + bytes((one.bucket,)) + body)
            for client, one, body in zip(self._clients, asked, needed, strict=True)
        ]
        await asyncio.gather(*posts, return_exceptions=True)
        await asyncio.sleep(SETTLE)
        return numbers_of(self._taps.taken(), committed=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._servers.close()


def _opened(text: str) -> Opening:
    return open_for(make_request("FinalizeOutput", "games", "session", {"text": text}))
