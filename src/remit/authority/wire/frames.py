"""Frames to the other server: one lasting connection, many conversations at once, each with a name and numbered rounds.

    kind (1)  name (16)  round (2)  length (4)  payload

A conversation may be spoken before this side has begun it: what arrives early waits, within limits. When the connection breaks, or
another one takes its place, every conversation fails; nothing is sent twice, and nothing that was said on one connection is heard on
the next.
"""

from __future__ import annotations

import asyncio
import struct
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from remit.core import telemetry
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_HEAD = struct.Struct(">B16sHI")
_MOST = 64 * 1024 * 1024  # bytes of a frame: the largest check of triples
_EARLY, _EARLY_BYTES = 4096, 256 * 1024 * 1024  # frames that may wait for their conversation, and what is in them
_CHUNK = 256 * 1024
_WAIT = 10.0  # seconds for an answer of the other server
_T = TypeVar("_T")


class Said(NamedTuple):
    """Where a frame belongs."""

    kind: int
    name: bytes
    round: int


EVALUATE, CHECK = 1, 2


class Link:
    """One side of the connection."""

    def __init__(self, begun: Callable[[Said, bytes], None]) -> None:
        self._begun = begun  # is told of the first frame of conversations that the other side began
        self._writer: asyncio.StreamWriter | None = None
        self._waiting: dict[Said, asyncio.Future[bytes]] = {}
        self._early: dict[Said, bytes] = {}
        self._early_bytes = 0

    @property
    def up(self) -> bool:
        """Whether the other server is connected."""
        return self._writer is not None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read frames until the connection ends. One connection at a time: the newest."""
        if self._writer is not None:
            self._writer.close()
            self._lost()
        self._writer = writer
        telemetry.event("SERVERS_LINKED")
        try:
            rest = bytearray()
            while self._writer is writer and (data := await reader.read(_CHUNK)):
                rest += data
                if self._writer is not writer or not self._heard(rest):
                    break
        except ConnectionError:
            pass
        finally:
            writer.close()
            if self._writer is writer:
                self._lost()

    def _heard(self, rest: bytearray) -> bool:
        """Take the whole frames off the front of what was read; False if one can be none of ours."""
        begin = 0
        while len(rest) - begin >= _HEAD.size:
            kind, name, number, length = _HEAD.unpack_from(rest, begin)
            if length > _MOST or kind not in (EVALUATE, CHECK):
                return False
            end = begin + _HEAD.size + length
            if len(rest) < end:
                break
            self._arrived(Said(kind, name, number), bytes(rest[begin + _HEAD.size : end]))
            begin = end
        del rest[:begin]
        return True

    def _arrived(self, said: Said, payload: bytes) -> None:
        waiting = self._waiting.pop(said, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(payload)
            return
        self._take_early(said)
        self._early[said] = payload
        self._early_bytes += len(payload)
        while len(self._early) > _EARLY or self._early_bytes > _EARLY_BYTES:
            self._take_early(next(iter(self._early)))
        if said.round == 0:
            self._begun(said, payload)

    def _take_early(self, said: Said) -> bytes | None:
        payload = self._early.pop(said, None)
        self._early_bytes -= len(payload or b"")
        return payload

    def _lost(self) -> None:
        telemetry.event("SERVERS_PARTED")
        self._writer = None
        self._early.clear()
        self._early_bytes = 0
        waiting, self._waiting = self._waiting, {}
        for one in waiting.values():
            if not one.done():
                one.set_exception(_broken())

    async def exchange(self, said: Said, payload: bytes) -> bytes:
        """Tell the other side something, and hear what it says in the same round."""
        if self._writer is None or self._writer.is_closing():  # it may have ended, and not be read to its end yet
            raise _broken()
        self._writer.write(_HEAD.pack(*said, len(payload)) + payload)
        early = self._take_early(said)
        if early is not None:
            return early
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[bytes] = loop.create_future()
        self._waiting[said] = waiting
        patience = loop.call_later(_WAIT, _give_up, waiting)
        try:
            return await waiting
        finally:
            patience.cancel()
            self._waiting.pop(said, None)

    async def converse(self, kind: int, name: bytes, spoken: Generator[bytes, bytes, _T], first: int = 0) -> _T:
        """A whole protocol, round by round."""
        number, payload = first, next(spoken)
        while True:
            heard = await self.exchange(Said(kind, name, number), payload)
            number += 1
            try:
                payload = spoken.send(heard)
            except StopIteration as end:
                result: _T = end.value
                return result


def _give_up(waiting: asyncio.Future[bytes]) -> None:
    if not waiting.done():
        waiting.set_exception(_broken())


def _broken() -> AuthorityError:
    return AuthorityError(
        "the other policy server does not answer", "see that it runs, and that both have the same policy"
    )
