"""Game SAP: a curious policy server must not distinguish real actions from what a simulator makes of the leakage.

For each action a leakage is drawn (docs/leakage.md: size class of the text, asked once or again; the slot is that of
the round). In the real world an agent requests something secret with that leakage: another intent, recipient and text
each time. The simulator gets only the leakage and always requests the same. A distinguisher sees all traffic on one
server's sockets, including cover questions. It wins if it is better than guessing. As controls, gateways that hide less
(`Careless`) must be noticed by the same distinguisher: one that does not pad its questions, one that reveals the
look-up to the second server, and one that differs only in timing. The last one is played with slots of 100 ms: on a
busy machine everything arrives some milliseconds late, which would hide shorter slots from the distinguisher, and with
them what they hide.

A relay between the gateway and each server passes on all bytes and records them with their time. The parties notice
nothing but the address in their settings.

The distinguisher is a naive Bayes classifier over features of a transcript. Half of the transcripts are for training:
each feature is put into one of six bins of equal weight, whose log odds come from the counts of real and simulated ones.
The three most informative features classify the other half. The score is the area under the ROC curve: the chance that a
real transcript ranks above a simulated one. 0.5 is a guess.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from remit.authority.question.layout import BUCKETS
from remit.authority.question.questions import ServerQuestion, ask
from remit.authority.question.slots import spoken
from remit.authority.server.app import write_question
from remit.authority.values.request import make_request
from remit.authority.wire.address import read_address
from remit.authority.wire.client import Client
from remit.core.errors import AuthorityError
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.games.direct_client import given_in
from remit.gateway.games.installation import Office, Tried, office
from remit.gateway.parties.servers import OPEN, Shaping
from remit.policy.dlp.classes import classes

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]


SERVERS = ("p0", "p1")
QUESTIONS, ANSWERS = "questions", "answers"
_CHUNK = 256 * 1024
_WAIT = 30


class Passed(NamedTuple):
    """A piece of data that passed, to or from a server."""

    at: float
    server: str
    way: str
    data: bytes


class Relays:
    """Both relays, in a thread of their own."""

    def __init__(self, run: Path) -> None:
        self.sockets = {name: run / f"tap-{name}.sock" for name in SERVERS}
        self._run = run
        self._passed: list[Passed] = []
        self._lock = threading.Lock()

    def taken(self) -> list[Passed]:
        """Return what passed since the last call."""
        with self._lock:
            found, self._passed = self._passed, []
        return found

    async def serve(self, ready: threading.Event, end: asyncio.Event) -> None:
        """Relay until the end."""

        def before(name: str):  # type: ignore[no-untyped-def]  # noqa: ANN202  what asyncio takes
            async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                try:
                    other = await asyncio.open_unix_connection(str(self._run / f"{name}.sock"))
                except OSError:
                    writer.close()
                    return
                there = self._pass(reader, other[1], (name, QUESTIONS))
                await asyncio.gather(there, self._pass(other[0], writer, (name, ANSWERS)))

            return accepted

        servers = [await asyncio.start_unix_server(before(name), str(path)) for name, path in self.sockets.items()]
        ready.set()
        await end.wait()
        for server in servers:
            server.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, where: tuple[str, str]) -> None:
        try:
            while data := await reader.read(_CHUNK):
                at = time.monotonic()
                writer.write(data)
                with self._lock:
                    self._passed.append(Passed(at, *where, data))
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()


@contextmanager
def relays(run: Path) -> Iterator[Relays]:
    """Run relays in the folder of an installation's sockets."""
    made, ready, loop, end = Relays(run), threading.Event(), asyncio.new_event_loop(), asyncio.Event()

    def work() -> None:
        loop.run_until_complete(made.serve(ready, end))
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    runner = threading.Thread(target=work, daemon=True)
    runner.start()
    ready.wait(_WAIT)
    try:
        yield made
    finally:
        loop.call_soon_threadsafe(end.set)
        runner.join(_WAIT)


def lead_through(folder: Path, made: Relays) -> None:
    """Route the gateway's connections to both servers through the relays."""
    settings = json.loads((folder / "gateway.json").read_bytes())
    for name, path in made.sockets.items():
        settings["reach"][name] = f"unix:{path}"
    (folder / "gateway.json").write_text(json.dumps(settings))


_SURE = 2.576  # standard errors on each side: 99 %
_SLOT = Shaping().slot
_BINS, _BELIEVED = 6, 3


class Score(NamedTuple):
    """The score with its 99 % interval."""

    score: float
    low: float
    high: float
    transcripts: int  # classified transcripts

    def __str__(self) -> str:
        return f"AUC {self.score:.3f} [{self.low:.3f}, {self.high:.3f}], {self.transcripts} transcripts"


def numbers_of(passed: Sequence[Passed], server: str, slot: float = _SLOT) -> list[float] | None:
    """Return the features of one server's traffic, including cover questions; None without any question or answer."""
    asked = [one for one in passed if (one.server, one.way) == (server, QUESTIONS)]
    back = [one for one in passed if (one.server, one.way) == (server, ANSWERS)]
    starts = [one.at for one in asked if one.data.startswith(b"POST ")]
    if not starts or not back:
        return None
    sent, told = b"".join(one.data for one in asked), b"".join(one.data for one in back)
    gaps = [later - sooner for sooner, later in pairwise(starts)] or [0.0]
    counts = [float(len(starts)), float(len(sent)), float(len(told))]
    timing = [starts[0] % slot, max(gaps), sum(gaps), back[-1].at - starts[-1]]
    return [*counts, *timing, *_bytes(_bodies(sent, b"POST ")), *_bytes(_bodies(told, b"HTTP/"))]


def _bodies(data: bytes, begin: bytes) -> bytes:
    """Return the bodies without HTTP headers."""
    return b"".join(part.partition(b"\r\n\r\n")[2] for part in data.split(begin) if part)


def _bytes(data: bytes) -> list[float]:
    if not data:
        return [0.0] * 12
    found = np.frombuffer(data, np.uint8).astype(np.float64)
    spread = np.histogram(found, bins=8, range=(0, 256))[0] / len(found)
    ones = np.unpackbits(np.frombuffer(data, np.uint8)).mean()
    follow = float(np.mean(found[1:] * found[:-1])) if len(found) > 1 else 0.0
    return [float(found.mean()), float(found.std()), float(ones), follow, *map(float, spread)]


def tell(rows: Sequence[Sequence[float]], real: Sequence[bool]) -> Score:
    """Return how well the distinguisher classifies the half that it was not trained with."""
    values, labels = np.array(rows, np.float64), np.array(real, np.float64)
    half = len(rows) // 2
    bins = _binned(values[:half], values)
    odds = np.array([_odds(column[:half], labels[:half] > 0) for column in bins.T])
    spoken = np.abs(odds[:, :, 0]).sum(axis=1)
    believed = np.argsort(-spoken, kind="stable")[:_BELIEVED]
    scores: Numbers = sum((odds[one, bins[half:, one], 1] for one in believed), np.zeros(len(values) - half))
    return _scored(scores, labels[half:] > 0)


def _binned(known: Numbers, values: Numbers) -> npt.NDArray[np.int64]:
    """Return the bin of each feature, by the quantiles of the training half."""
    edges = np.quantile(known, np.linspace(0, 1, _BINS + 1)[1:-1], axis=0)
    columns = [np.searchsorted(edges[:, one], values[:, one], "right") for one in range(values.shape[1])]
    return np.stack(columns, axis=1).astype(np.int64)


def _odds(bins: npt.NDArray[np.int64], real: npt.NDArray[np.bool_]) -> Numbers:
    """Return for each bin its contribution to the distinction, and its log odds for real."""
    mine, others = (np.bincount(bins[which], minlength=_BINS) + 1.0 for which in (real, ~real))
    first, second = mine / mine.sum(), others / others.sum()
    speaks = np.log(first / second)
    return np.stack(((first - second) * speaks, speaks), axis=1)


def _scored(scores: Numbers, real: npt.NDArray[np.bool_]) -> Score:
    """Return the area with its standard error (Hanley and McNeil); ties count half."""
    mine, others = scores[real], np.sort(scores[~real])
    first, second = len(mine), len(others)
    if not first or not second:
        return Score(0.5, 0.0, 1.0, len(scores))
    below = (np.searchsorted(others, mine, "left") + np.searchsorted(others, mine, "right")) / 2
    area = float(below.mean() / second)
    one, two = area / (2 - area), 2 * area * area / (1 + area)
    spread = area * (1 - area) + (first - 1) * (one - area**2) + (second - 1) * (two - area**2)
    error = _SURE * math.sqrt(max(spread, 1e-9) / (first * second))
    return Score(area, max(0.0, area - error), min(1.0, area + error), len(scores))


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
            [ServerQuestion(one.bucket, one.body[: len(one.body) * len(text) // BUCKETS[one.bucket]]) for one in asked]
        )

    async def clear(self, text: str) -> list[Passed]:
        """Return the traffic of a question that reveals the look-up to the second server in place of its first keys."""
        first, second = self._asked(text)
        said = text.encode()
        return await self._posted([first, ServerQuestion(second.bucket, said + second.body[len(said) :])])

    def _asked(self, text: str) -> tuple[ServerQuestion, ServerQuestion]:
        request = make_request("FinalizeOutput", "games", "session", {"text": text})
        said = spoken(self._given.layout.program, request, classes)
        return ask(self._given.layout, said, secrets.token_bytes(32)).questions

    async def _posted(self, asked: list[ServerQuestion]) -> list[Passed]:
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


def _tried(what: str, told: Score, *, won: bool) -> Tried:
    return Tried(_GAME, what, told.transcripts, int(won), str(told))


async def _played(place: Office, taps: Relays, rounds: int, draw: random.Random) -> dict[str, Score]:
    """Play both worlds through the gateway, in random order."""
    async with GatewayClient(place.gateway, place.credential("alice", "one")) as asker:

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
) -> dict[str, Score]:
    async with Careless(place.folder, taps, OPEN) as gateway:

        async def ask(*, real: bool) -> dict[str, list[float]] | None:
            return _seen(await how(gateway, _text(draw, 0) if real else "x" * BUCKETS[0]))

        return await _told(_FEWEST, draw, ask)


async def _timed(
    place: Office, taps: Relays, rounds: int, shaping: Shaping, draw: random.Random
) -> dict[str, Score]:  # fmt: skip
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
) -> dict[str, Score]:
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
