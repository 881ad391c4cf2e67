"""Gateways that hide less, for controls: what they leave out must be noticed by whoever tells real from simulated."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import TYPE_CHECKING, Self

from remit.authority.question.asking import Question, ask
from remit.authority.question.layout import BUCKETS
from remit.authority.question.spoken import spoken
from remit.authority.server.app import write_question
from remit.authority.values.request import make_request
from remit.authority.wire.address import read_address
from remit.authority.wire.asking import Client
from remit.gateway.games.asking import given_in
from remit.gateway.games.relays import SERVERS, Passed, Relays
from remit.policy.dlp.classes import classes

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from remit.gateway.parties.shaping import Shaping

SETTLE = 0.01  # seconds for the last answer to pass


class Careless:
    """A gateway in this process, which asks both servers through the relays."""

    def __init__(self, folder: Path, taps: Relays, shaping: Shaping) -> None:
        self._taps = taps
        self._given = given_in(folder)
        self._clients = [Client(name, read_address(f"unix:{taps.sockets[name]}"), None) for name in SERVERS]
        self._shaping = shaping

    async def timed(self, text: str) -> list[Passed]:
        """What shows of a question, with the moment at which it leaves within a slot."""
        asked = self._asked(text)
        await asyncio.sleep(self._shaping.wait(time.monotonic()))
        return await self._posted(list(asked))

    async def bare(self, text: str) -> list[Passed]:
        """What shows of a question without the look-ups that fill it up. The servers refuse it; it was seen."""
        asked = self._asked(text)
        return await self._posted(
            [Question(one.bucket, one.body[: len(one.body) * len(text) // BUCKETS[one.bucket]]) for one in asked]
        )

    async def clear(self, text: str) -> list[Passed]:
        """What shows of a question that tells the second server, in place of its first keys, what is looked up."""
        first, second = self._asked(text)
        said = text.encode()
        return await self._posted([first, Question(second.bucket, said + second.body[len(said) :])])

    def _asked(self, text: str) -> tuple[Question, Question]:
        request = make_request("FinalizeOutput", "games", "session", {"text": text})
        said = spoken(self._given.layout.program, request, classes)
        return ask(self._given.layout, said, secrets.token_bytes(32)).questions

    async def _posted(self, asked: list[Question]) -> list[Passed]:
        self._taps.taken()
        posts = [
            client.post("/look-up", write_question(secrets.token_bytes(32), self._given.epoch, one))
            for client, one in zip(self._clients, asked, strict=True)
        ]
        await asyncio.gather(*posts, return_exceptions=True)
        await asyncio.sleep(SETTLE)
        return self._taps.taken()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            await client.close()
