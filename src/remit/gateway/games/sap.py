"""Game SAP: a curious policy server must not distinguish real actions from what a simulator makes of the leakage.

For each action a leakage is drawn (docs/leakage.md: size class of the text, asked once or again; the slot is that of
the round). In the real world an agent requests something secret with that leakage: another intent, recipient and text
each time. The simulator gets only the leakage and always requests the same. A distinguisher sees all traffic on one
server's sockets, including cover questions. It wins if it is better than guessing. As controls, gateways that hide less
(`Careless`) must be noticed by the same distinguisher: one that does not pad its questions, one that reveals the
look-up to the second server, and one that differs only in timing. The last one is played with slots of 100 ms: on a
busy machine everything arrives some milliseconds late, which would hide shorter slots from the distinguisher, and with
them what they hide.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from remit.authority.question.layout import BUCKETS
from remit.authority.question.questions import Question, ask
from remit.authority.question.slots import spoken
from remit.authority.server.app import write_question
from remit.authority.values.request import make_request
from remit.authority.wire.address import read_address
from remit.authority.wire.client import Client
from remit.core.errors import AuthorityError
from remit.gateway.fronts.client import Asker
from remit.gateway.games.direct_client import given_in
from remit.gateway.games.distinguisher import Told, numbers_of, tell
from remit.gateway.games.installation import Office, office
from remit.gateway.games.relays import SERVERS, Passed, Relays, lead_through, relays
from remit.gateway.games.tally import Tried
from remit.gateway.parties.traffic_shaping import OPEN, Shaping
from remit.policy.dlp.classes import classes

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType


SETTLE = 0.01  # seconds for the last answer to pass


class Careless:
    """A gateway in this process that asks both servers through the relays."""

    def __init__(self, folder: Path, taps: Relays, shaping: Shaping) -> None:
        self._taps = taps
        self._given = given_in(folder)
        self._clients = [Client(name, read_address(f"unix:{taps.sockets[name]}"), None) for name in SERVERS]
        self._shaping = shaping

    async def timed(self, text: str) -> list[Passed]:
        """Return the traffic of a question that leaves at its time within a slot."""
        asked = self._asked(text)
        await asyncio.sleep(self._shaping.wait(time.monotonic()))
        return await self._posted(list(asked))

    async def bare(self, text: str) -> list[Passed]:
        """Return the traffic of a question without padding look-ups. The servers refuse it, but it was seen."""
        asked = self._asked(text)
        return await self._posted(
            [Question(one.bucket, one.body[: len(one.body) * len(text) // BUCKETS[one.bucket]]) for one in asked]
        )

    async def clear(self, text: str) -> list[Passed]:
        """Return the traffic of a question that reveals the look-up to the second server in place of its first keys."""
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


_GAME, _GUESS = "SAP", 0.5
_REAL = "real actions told from simulated ones, by what {} sees"
_OFF = "control: questions that are not filled up are noticed"
_CLEAR = "control: a question that tells the second server what is looked up is noticed"
_AT_ONCE = "control: questions that leave at once, and differ in nothing else, are noticed"
_IN_SLOTS = "the same questions, in slots"
_FEWEST, _MOST = 60, 200  # rounds of the controls by size and content, and of those by time
_PATIENCE = 4  # at most so many rounds are played for each that counts
_SLOTS = Shaping(slot=0.1, covers=0.0)
_PEOPLE = ("anna@example.org", "boss@example.org")
_WORDS = ("the", "plan", "for", "monday", "is", "late", "again", "and", "nobody", "knows", "why", "we", "wait")


class Leakage(NamedTuple):
    """What the simulator gets."""

    bucket: int
    again: bool  # committed after the preview


def play(rounds: int, seed: int = 1) -> tuple[Tried, ...]:
    """Play the game: this many transcripts are classified, about half of them of real actions, after as many for
    training.
    """
    draw = random.Random(seed)  # noqa: S311  a plan, not a secret
    with ExitStack() as held:
        taps: list[Relays] = []

        def change(folder: Path) -> None:
            taps.append(held.enter_context(relays(folder / "run")))
            lead_through(folder, taps[0])

        place = held.enter_context(office(change))
        found = asyncio.run(_played(place, taps[0], 2 * rounds, draw))
        off = asyncio.run(_careless(place, taps[0], Careless.bare, draw))
        clear = asyncio.run(_careless(place, taps[0], Careless.clear, draw))
        slots = asyncio.run(_timed(place, taps[0], _MOST, _SLOTS, draw))
        at_once = asyncio.run(_timed(place, taps[0], _MOST, OPEN, draw))
    controls = {_OFF: off["p0"], _CLEAR: clear["p1"], _AT_ONCE: at_once["p0"]}
    return (
        *(_tried(_REAL.format(name), told, won=told.low > _GUESS) for name, told in found.items()),
        _tried(_IN_SLOTS, slots["p0"], won=slots["p0"].low > _GUESS),
        *(_tried(what, told, won=told.low <= _GUESS) for what, told in controls.items()),
    )


def _tried(what: str, told: Told, *, won: bool) -> Tried:
    return Tried(_GAME, what, told.transcripts, int(won), str(told))


async def _played(place: Office, taps: Relays, rounds: int, draw: random.Random) -> dict[str, Told]:
    """Play both worlds through the gateway, in random order."""
    async with Asker(place.gateway, place.credential("alice", "one")) as asker:

        async def ask(*, real: bool) -> dict[str, list[float]] | None:
            leakage = Leakage(int(draw.random() < 0.3), draw.random() < 0.7)
            said = _secret(draw, leakage) if real else _simulated(leakage)
            taps.taken()
            told = await asker.act(said)
            if leakage.again:
                told = await asker.act(said | {"constraints": {"tx_id": told.get("tx_id", "")}})
                if told["status"] != "OK":
                    raise AuthorityError(f"what had to happen was refused: {told}", "report this")
            await asyncio.sleep(SETTLE)
            return _seen(taps.taken(), leakage=tuple(map(float, leakage)))

        return await _told(rounds, draw, ask)


async def _careless(
    place: Office, taps: Relays, how: Callable[[Careless, str], Awaitable[list[Passed]]], draw: random.Random
) -> dict[str, Told]:
    async with Careless(place.folder, taps, OPEN) as gateway:

        async def ask(*, real: bool) -> dict[str, list[float]] | None:
            return _seen(await how(gateway, _text(draw, 0) if real else "x" * BUCKETS[0]))

        return await _told(_FEWEST, draw, ask)


async def _timed(
    place: Office, taps: Relays, rounds: int, shaping: Shaping, draw: random.Random
) -> dict[str, Told]:  # fmt: skip
    """Play questions with this timing against a simulator that knows only the slot."""
    async with Careless(place.folder, taps, shaping) as gateway, Careless(place.folder, taps, _SLOTS) as simulator:

        async def ask(*, real: bool) -> dict[str, list[float]] | None:
            await asyncio.sleep(draw.uniform(0, _SLOTS.slot))  # agents ask at any time
            asked, text = (gateway, _text(draw, 0)) if real else (simulator, "x" * BUCKETS[0])
            return _seen(await asked.timed(text), slot=_SLOTS.slot)

        return await _told(rounds, draw, ask)


def _seen(
    passed: Sequence[Passed], slot: float = Shaping().slot, leakage: tuple[float, ...] = ()
) -> dict[str, list[float]] | None:
    """Return each server's features; None if one saw nothing."""
    rows = {name: numbers_of(passed, name, slot) for name in SERVERS}
    return {name: [*leakage, *row] for name, row in rows.items() if row is not None} if all(rows.values()) else None


async def _told(
    rounds: int, draw: random.Random, ask: Callable[..., Awaitable[dict[str, list[float]] | None]]
) -> dict[str, Told]:
    """Return how well each server distinguishes the worlds."""
    rows: dict[str, list[list[float]]] = {name: [] for name in SERVERS}
    labels: list[bool] = []
    for _ in range(_PATIENCE * rounds):
        if len(labels) == rounds:
            break
        real = draw.random() < _GUESS
        found = await ask(real=real)
        if found is not None:
            labels.append(real)
            for name, row in found.items():
                rows[name].append(row)
    return {name: tell(found, labels) for name, found in rows.items()}


def _secret(draw: random.Random, leakage: Leakage) -> dict[str, Any]:
    """Return a secret request with this leakage: a committed one is allowed, others may be anything."""
    text = _text(draw, leakage.bucket)
    wanted: list[tuple[str, dict[str, str]]] = [
        ("SendMessage", {"to": draw.choice(_PEOPLE), "text": text}),
        ("MemoryWrite", {"key": "note", "text": text}),
        ("FinalizeOutput", {"text": text}),
    ]
    if not leakage.again:
        wanted += [
            ("SendMessage", {"to": f"eve-{draw.randrange(10**6)}@evil.example", "text": text}),
            ("SendMessage", {"to": "anna@example.org", "text": f"project-nightingale-{text}"[: len(text)]}),
            ("MemoryWrite", {"key": "other", "text": text}),
        ]
    intent, inputs = draw.choice(wanted)
    return {"intent_id": intent, "inputs": inputs}


def _simulated(leakage: Leakage) -> dict[str, Any]:
    return {"intent_id": "FinalizeOutput", "inputs": {"text": "x" * BUCKETS[leakage.bucket]}}


def _text(draw: random.Random, bucket: int) -> str:
    """Return words of a random length within a size class, without spaces at the end, which would not count."""
    length = draw.randint(BUCKETS[bucket - 1] + 1 if bucket else 1, BUCKETS[bucket])
    words = ",".join(draw.choices(_WORDS, k=length))
    return words[:length]
