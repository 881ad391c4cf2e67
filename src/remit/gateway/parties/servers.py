"""Client for both policy servers: a request becomes one question for each, and both answers make a decision.

Each look-up has a ticket of its own: a server cannot see which look-ups belong together, which are previews and which
commits, and which are cover questions. Servers sign their answers, so a wrong answer is evidence.

Every question waits for the next time slot, so that a server learns no finer time. Cover questions are sent at random
moments in random sizes, and repeated as often and as late as real actions are committed after their preview: the pauses
are drawn from measured ones. To one server they look like any other question (docs/leakage.md).

A lying server is named:

- A server that signs another question, answer or time than its own is named at once: only it can have done so.
- If both answers together are not rows of the lists, either server may have lied. Both are asked a probe: a question whose
  right answers the operator recorded when it built the tables, and that looks like any other the first time. The one that
  fails is named.
- A server that lies once and answers the probe is found by the operator, who has the tables: questions and signed answers
  are kept, sealed, and `remit gateway liars` recomputes them.

The gateway makes every check of the executor first, also for previews and cover questions. So whether a look-up fails
depends on the lie alone, and an abort reveals nothing about the question (docs/authority.md). Aborts are counted; after
too many, no more questions are sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import random
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.policy_files import DeliveredPolicy, newer
from remit.authority.program.decision import decision, refusal
from remit.authority.question.answers import RowsForgedError, answer_digest, look_up
from remit.authority.question.layout import BUCKETS, Layout
from remit.authority.question.questions import QuestionPair, ServerQuestion, ask, nobody
from remit.authority.question.slots import Spoken, spoken
from remit.authority.server.app import read_answer, write_question
from remit.authority.values.opening import NONCE_BYTES, LookUp, Opening
from remit.authority.values.proof import SERVERS, SKEW, Signed, Verifier, read_proof
from remit.core import telemetry
from remit.core.digest import canonical
from remit.core.errors import AuthorityError, RemitError
from remit.executor.tables import Database, open_state
from remit.gateway.deployment.files import replace
from remit.gateway.private_files import make_private

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.database import Holdings, Probe
    from remit.authority.values.outputs import Outputs
    from remit.authority.values.request import Request
    from remit.authority.wire.client import Client
    from remit.gateway.state import Vault

    Keys = Mapping[tuple[int, str], Verifier]  # of the servers, by number and kid


EVIDENCE = "evidence"  # in the gateway's folder
USED = "probes.db"  # the same
MOST_ABORTS, HOUR = 16, 3600
_KEPT = 64  # failures whose evidence is kept
_FORM = "CREATE TABLE IF NOT EXISTS used_probe (seed TEXT PRIMARY KEY) STRICT, WITHOUT ROWID"
_ABOUT = {"what": "evidence"}


class Evidence(NamedTuple):
    """One look-up: the questions to both servers, their answers and their signatures."""

    ticket: bytes
    questions: tuple[ServerQuestion, ServerQuestion]
    signed: tuple[Signed, Signed]
    told: tuple[bytes, bytes]

    def proofs(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return both proofs as JSON."""
        first, second = self.signed
        return first.to_json(), second.to_json()

    def to_json(self) -> dict[str, Any]:
        """Return the evidence as JSON."""
        return {
            "ticket": self.ticket.hex(), "bucket": self.questions[0].bucket, "proofs": list(self.proofs()),
            "questions": [one.body.hex() for one in self.questions], "answers": [one.hex() for one in self.told],
        }  # fmt: skip


def read_evidence(told: dict[str, Any]) -> Evidence:
    """Return the evidence in the JSON of `to_json`."""
    first, second = (ServerQuestion(int(told["bucket"]), bytes.fromhex(one)) for one in told["questions"])
    proofs, answers = [read_proof(one) for one in told["proofs"]], [bytes.fromhex(one) for one in told["answers"]]
    return Evidence(bytes.fromhex(told["ticket"]), (first, second), (proofs[0], proofs[1]), (answers[0], answers[1]))


def unpunctual(evidence: Evidence, times: Sequence[tuple[float, float]]) -> tuple[int, ...]:
    """Return the servers whose signed time is not between question and answer (`times`). Clock skew is allowed for."""
    return tuple(
        number
        for number, (asked, answered) in enumerate(times)
        if not int(asked) - SKEW <= evidence.signed[number].proof.ts <= answered + SKEW
    )


def faults(layout: Layout, keys: Keys, asked: QuestionPair, evidence: Evidence) -> tuple[int, ...]:
    """Return the servers that did not sign their own question and answer for these tables."""
    return tuple(number for number in SERVERS if not _signed(layout, keys, asked.questions[number], evidence, number))


def _signed(layout: Layout, keys: Keys, question: ServerQuestion, evidence: Evidence, number: int) -> bool:
    signed = evidence.signed[number]
    proof, key = signed.proof, keys.get((number, signed.proof.kid))
    context = (layout.digest, layout.database, layout.epoch, evidence.ticket.hex())
    said = (proof.server_id, proof.question, proof.answer)
    right = said == (number, question.digest(), answer_digest(evidence.told[number])) and proof.context == context
    return right and key is not None and signed.held_by(key)


class UsedProbes:
    """The probes already used by all gateways that share a state.

    A server could recognize a probe that it saw before.
    """

    def __init__(self, place: Path | Database) -> None:
        self._store = open_state(place, _FORM)

    def claim(self, probe: Probe) -> bool:
        """Mark a probe as used; return whether it was unused."""
        with self._store.change() as link:
            told = link.execute("INSERT INTO used_probe VALUES (?) ON CONFLICT DO NOTHING", (probe.seed.hex(),))
            return bool(told.rowcount)

    def close(self) -> None:
        """Close the store."""
        self._store.close()


class Accusing:
    """Counts aborts, keeps evidence and records which server is named.

    `folder`: location of the sealed evidence of the latest failures. `claim`: marks a probe as used and returns whether
    it was unused.
    """

    def __init__(
        self, folder: Path, vault: Vault, claim: Callable[[Probe], bool], record: Callable[[str, str], None] = lambda *_: None,
        clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._claim = claim
        self._folder, self._vault = folder, vault
        self.record = record
        self._clock = clock
        # a restart does not begin a new hour
        self._aborts = deque((int(path.stem.partition("-")[0]) for path in _kept(folder)), MOST_ABORTS)

    def check_limit(self) -> None:
        """Raise AuthorityError after too many aborts in an hour, so that a server cannot make unlimited attempts."""
        if len(self._aborts) == MOST_ABORTS and self._clock() - self._aborts[0] < HOUR:
            raise AuthorityError("too many look-ups failed within an hour", "`remit gateway liars` names the server")

    def next_probe(self, probes: Sequence[Probe]) -> Probe | None:
        """Return a probe that no server has seen, or None. Without one, only the operator's audit can find the liar."""
        return next(filter(self._claim, probes), None)

    def accuse(self, named: str, why: str, evidence: Evidence) -> None:
        """Count an abort, keep its evidence, and record who is named."""
        now = int(self._clock())
        self._aborts.append(now)
        make_private(self._folder)
        sealed = self._vault.seal(canonical(evidence.to_json()), _ABOUT)
        replace(self._folder / f"{now}-{evidence.ticket.hex()[:16]}.sealed", sealed)
        for path in _kept(self._folder)[:-_KEPT]:  # the kept ones suffice: each names a server
            path.unlink(missing_ok=True)
        telemetry.event("LOOK_UP_FAILED", party=named or "unnamed")
        self.record(named, why if named else "two servers' answers are not rows of the lists; the audit names one")


def kept_evidence(folder: Path, vault: Vault) -> Iterator[tuple[str, Evidence]]:
    """Yield all kept evidence with its name, the oldest first."""
    for path in _kept(folder):
        yield path.stem, read_evidence(json.loads(vault.unseal(path.read_bytes(), _ABOUT)))


def _kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sealed"))


def liars(held: Holdings, keys: Keys, evidence: Evidence) -> tuple[int, ...]:
    """Return the servers whose signed answers do not follow from the tables.

    Evidence that lacks a server's valid signature accuses no server.
    """
    out = []
    for number, (question, signed) in enumerate(zip(evidence.questions, evidence.signed, strict=True)):
        proof, key = signed.proof, keys.get((number, signed.proof.kid))
        theirs = key is not None and proof.server_id == number and signed.held_by(key)
        same = proof.context[:3] == (held.digest, held.database, held.epoch) and proof.question == question.digest()
        if theirs and same and proof.answer != answer_digest(look_up(held.program, held.tables, number, question)):
            out.append(number)
    return tuple(out)


_REMEMBERED = 256
_GIVEN_UP = 300.0  # seconds after which a preview counts as never committed
_GUESSED = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, -1.0)  # seconds: typical pauses of programs and of models


class Shaping(NamedTuple):
    """Parameters of timing and cover questions."""

    slot: float = 0.005  # seconds; 0: questions leave at once
    covers: float = 1.0  # cover questions a second
    larger: float = 0.2  # the share of covers in the next larger bucket, and so on

    def wait(self, now: float) -> float:
        """Return the seconds until the next slot."""
        return math.ceil(now / self.slot) * self.slot - now if self.slot else 0.0


OPEN = Shaping(slot=0.0, covers=0.0)  # only contents are hidden: to measure what shaping hides and costs


class Pauses:
    """The latest pauses between preview and commit; -1 for previews never committed. Starts with guesses of both."""

    def __init__(self) -> None:
        self._last: deque[float] = deque(_GUESSED, maxlen=_REMEMBERED)
        self._open: dict[str, float] = {}

    def note(self, action_id: str, now: float) -> None:
        """Record a look-up for an action: the first is its preview, the second its commit."""
        begun = self._open.pop(action_id, None)
        if begun is not None:
            self._last.append(now - begun)
            return
        self._open[action_id] = now
        while (oldest := next(iter(self._open))) and now - self._open[oldest] > _GIVEN_UP:
            del self._open[oldest]
            self._last.append(-1.0)

    def drawn(self, draw: random.Random) -> float:
        """Return a random one of the pauses."""
        return draw.choice(self._last)


class Cover(NamedTuple):
    """A cover question: seconds until it is sent, its bucket, and seconds until it is repeated (-1: never)."""

    after: float
    bucket: int
    again: float


def next_cover(shaping: Shaping, pauses: Pauses, draw: random.Random) -> Cover:
    """Draw the next cover question."""
    bucket = 0
    while bucket < len(BUCKETS) - 1 and draw.random() < shaping.larger:
        bucket += 1
    return Cover(draw.expovariate(shaping.covers), bucket, pauses.drawn(draw))


_SHORT = 1024  # characters
_TICK = 0.001


class NotAskedError(RemitError):
    """The servers cannot be asked about a request: its text is too long, or it does not have the intent's form."""


class LookUpResult(NamedTuple):
    """The result of a look-up: the decision, and what lets the executor repeat it."""

    outputs: Outputs
    salt: bytes
    proofs: tuple[Any, Any]  # as the servers sent them
    answers: tuple[bytes, bytes]
    given: DeliveredPolicy  # the policy that was used
    why: str = ""  # if not allowed: the deciding line of the policy


class Policy(NamedTuple):
    """The policy and the servers' keys. `read` loads the newest policy."""

    read: Callable[[], DeliveredPolicy]
    keys: Mapping[tuple[int, str], Verifier]  # of the servers, by number and kid
    classes: Callable[[str], Collection[str]]


class Servers:
    """Both policy servers, over the network. A fault of a server is an AuthorityError, one of a request a NotAskedError."""

    def __init__(
        self, policy: Policy, clients: tuple[Client, Client], accusing: Accusing, shaping: Shaping | None = None
    ) -> None:
        self._policy = policy
        self._clients = clients
        self._accusing = accusing
        self._shaping = Shaping() if shaping is None else shaping
        self._pauses = Pauses()
        self._covering: asyncio.Task[None] | None = None
        self._later: set[asyncio.Task[None]] = set()
        self.given = policy.read()

    async def renew(self, before: int | None = None) -> bool:
        """Load the newest policy; return whether its epoch is higher than `before`."""
        found = await asyncio.to_thread(newer, self._policy.read, self.given)
        if found is not None and found.epoch > self.given.epoch:
            self.given = found
        return before is not None and self.given.epoch > before

    async def look_up(self, opening: Opening, action_id: str) -> LookUpResult:
        """Return the decision of both servers with its proof.

        If a server no longer has this policy, try once with a newer one.
        """
        given = self.given
        try:
            return await self._looked_up(given, opening, action_id)
        except RowsForgedError:
            raise
        except AuthorityError:
            if not await self.renew(given.epoch):
                raise
        return await self._looked_up(self.given, opening, action_id)

    async def _looked_up(self, given: DeliveredPolicy, opening: Opening, action_id: str) -> LookUpResult:
        one = LookUp(opening, action_id, secrets.token_bytes(NONCE_BYTES))
        try:
            said, asked = await self._asked(given.layout, opening.request, given.binding.question_seed(one))
        except AuthorityError as error:
            raise NotAskedError(error.message, error.remedy) from None
        ticket = given.binding.ticket(one)
        self._pauses.note(action_id, time.monotonic())
        evidence, outputs = await self._decided(given, said, asked, ticket)
        why = "" if outputs.allow else refusal(given.layout, said, asked, evidence.told)
        return LookUpResult(outputs, one.salt, evidence.proofs(), evidence.told, given, why)

    async def _decided(
        self, given: DeliveredPolicy, said: Spoken, asked: QuestionPair, ticket: bytes
    ) -> tuple[Evidence, Outputs]:
        """Return both answers and the decision. Every check of the executor is made here, for cover questions too."""
        self._accusing.check_limit()
        evidence, times = await self._answered(given, asked, ticket)
        late = unpunctual(evidence, times)
        if late == SERVERS:
            raise AuthorityError(
                f"the clocks of the gateway and of both servers differ by more than {SKEW} seconds", "set them"
            )
        if late:
            self._accusing.accuse(_names(late), "it signed another time than that of the look-up", evidence)
            raise AuthorityError(f"{_names(late)} signed another time than that of the look-up", "set its clock")
        if wrong := faults(given.layout, self._policy.keys, asked, evidence):
            named = _names(wrong)
            self._accusing.accuse(named, "it signed something else than it was asked and answered", evidence)
            raise AuthorityError(f"{named} signed something else than it was asked", "replace that server")
        try:
            return evidence, decision(given.layout, said, asked, evidence.told)
        except RowsForgedError:
            await self._name(evidence)
            raise

    async def _name(self, evidence: Evidence) -> None:
        """Send both servers an unused probe after answers that are not rows of the lists, and accuse who fails.

        If all probes were used, the operator's audit finds the liar.
        """
        named, given = "", self.given
        if probe := self._accusing.next_probe(given.probes):
            with contextlib.suppress(AuthorityError):
                asked = ask(given.layout, nobody(given.layout), probe.seed)
                told, _ = await self._answered(given, asked, secrets.token_bytes(NONCE_BYTES))
                wrong = {*faults(given.layout, self._policy.keys, asked, told)}
                wrong |= {number for number in SERVERS if told.signed[number].proof.answer != probe.answers[number]}
                named = _names(sorted(wrong))
        self._accusing.accuse(named, "its answers are not those of the tables that were built", evidence)

    async def _asked(self, layout: Layout, request: Request, seed: bytes) -> tuple[Spoken, QuestionPair]:
        """Return what the policy reads of a request, and the two questions.

        Long texts are processed in another thread.
        """

        def made() -> tuple[Spoken, QuestionPair]:
            said = spoken(layout.program, request, self._policy.classes)
            return said, ask(layout, said, seed)

        long = any(isinstance(value, str) and len(value) > _SHORT for value in request.inputs.values())
        return await asyncio.to_thread(made) if long else made()

    async def _answered(
        self, given: DeliveredPolicy, asked: QuestionPair, ticket: bytes
    ) -> tuple[Evidence, list[tuple[float, float]]]:
        """Return both answers, and when each question was asked and answered."""
        await self._slot()
        begun = time.time()

        async def answered(client: Client, question: ServerQuestion) -> tuple[bytes, float]:
            return await client.post("/look-up", write_question(ticket, given.epoch, question)), time.time()

        told = await asyncio.gather(*map(answered, self._clients, asked.questions))
        first, second = (read_answer(one) for one, _ in told)
        evidence = Evidence(ticket, asked.questions, (first[0], second[0]), (first[1], second[1]))
        return evidence, [(begun, came) for _, came in told]

    async def _slot(self) -> None:
        """Wait for the next slot.

        An event loop counts milliseconds, so the rest is waited for exactly: otherwise the moment at which a question
        leaves would depend on the moment of the request.
        """
        now = time.monotonic()
        leaves = now + self._shaping.wait(now)
        if leaves > now:
            await asyncio.sleep(max(0.0, leaves - now - _TICK))
            time.sleep(max(0.0, leaves - time.monotonic()))  # noqa: ASYNC251  about a tick, for all who wait for this slot

    def cover(self) -> None:
        """Start sending cover questions."""
        if self._shaping.covers:
            self._covering = asyncio.get_running_loop().create_task(self._cover(random.SystemRandom()))

    async def close(self) -> None:
        """Stop the cover questions and close the connections."""
        for task in (*self._later, *filter(None, (self._covering,))):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for client in self._clients:
            await client.close()

    async def _cover(self, draw: random.Random) -> None:
        while True:
            cover = next_cover(self._shaping, self._pauses, draw)
            await asyncio.sleep(cover.after)
            # a task of its own: a server that delays an answer must not see that covers wait for it
            self._later_on(0.0, cover.bucket, cover.again)

    async def _ask_nothing(self, bucket: int) -> None:
        given = self.given
        said = nobody(given.layout, BUCKETS[bucket])
        asked = await asyncio.to_thread(ask, given.layout, said, secrets.token_bytes(NONCE_BYTES))
        with (
            contextlib.suppress(RemitError, OSError),
            telemetry.span("remit.gateway.cover"),
        ):  # who asks notices who is away
            await self._decided(given, said, asked, secrets.token_bytes(NONCE_BYTES))

    def _later_on(self, after: float, bucket: int, again: float = -1.0) -> None:
        """Send a cover question after some seconds, and again `again` seconds after its answer unless negative."""

        async def later() -> None:
            await asyncio.sleep(after)
            await self._ask_nothing(bucket)
            if again >= 0:
                await asyncio.sleep(again)
                await self._ask_nothing(bucket)

        task = asyncio.get_running_loop().create_task(later())
        self._later.add(task)
        task.add_done_callback(self._later.discard)


def _names(numbers: Iterable[int]) -> str:
    return " and ".join(f"p{number}" for number in numbers)
