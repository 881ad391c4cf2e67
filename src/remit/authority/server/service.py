"""One policy server at work: from a question to a share with the other server, and from a share to a signed proof.

It answers for the program and the lists that it was started with, and for nothing that comes with a question.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from remit.authority.question.answering import check_shape, decide, look, triples_for
from remit.authority.question.layout import BUCKETS
from remit.authority.server.actions import Begin, Commit, Decide, Fail, Sign, step
from remit.authority.server.pool import Pool, Portion
from remit.authority.shared.checking import checked, dealt_for
from remit.authority.shared.dealing import expanded
from remit.authority.shared.products import Party
from remit.authority.values.action import LIFETIME, REMEMBERED, born
from remit.authority.values.proof import Context, Proof, sign
from remit.authority.wire.frames import CHECK, EVALUATE, Link, Said
from remit.core import telemetry
from remit.core.errors import AuthorityError
from remit.core.telemetry import Home

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from remit.authority.question.answering import Looked
    from remit.authority.question.asking import Question
    from remit.authority.question.layout import Layout
    from remit.authority.server.actions import Entry, Event
    from remit.authority.shared.dealing import Dealt
    from remit.authority.shared.triples import Supply
    from remit.authority.tables.answer import Prepared
    from remit.authority.values.proof import Signed, Signer

_AHEAD = 60  # seconds that the clock of a gateway may be ahead
_PORTIONS = (32, 8, 2, 1)  # of a block, by bucket
_READY = (32, 8, 4, 2)  # portions that are kept ready, by bucket
_MOST_ACTIONS = 20_000
_MOST_BLOCKS = 100_000  # that are remembered as checked; the dealer deals none twice
_PATIENCE = 500  # looks for triples, of 10 ms each
_SHORT = 1  # the largest bucket whose look-ups take less than two milliseconds
_T = TypeVar("_T")
_AGREED = struct.Struct(">32s16sI")


class Identity(NamedTuple):
    """Who a server is, and how it signs."""

    number: int
    kid: str
    profile: str
    signer: Signer


class Service:
    """The state of a running server."""

    def __init__(
        self,
        identity: Identity,
        layout: Layout,
        tables: Mapping[str, Prepared],
        fetch: Callable[[bytes, int], Awaitable[Dealt]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.identity = identity
        self.layout = layout
        self.tables = tables
        self.link = Link(self._begun)
        self._fetch = fetch
        self._clock = clock
        self._entries: dict[str, Entry] = {}
        self._pools = [Pool((triples_for(layout.program, bucket) + 7) // 8 * 8) for bucket in range(len(BUCKETS))]
        self._refilling: set[int] = set()
        self._blocks: dict[bytes, None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="look")

    async def evaluate(self, action_id: str, commitment: str, question: Question) -> bytes:
        """The share of the decision; the other one must be asked about the same action at the same time."""
        check_shape(self.layout.program, question)
        asked = (commitment, question.digest())
        until = min(born(action_id) + LIFETIME, int(self._clock()) + REMEMBERED)
        self._begin(action_id, Begin(*asked, until))
        try:
            agreeing = asyncio.ensure_future(self._agree(action_id, commitment, question.bucket))
            try:
                looked = await self._look(question)
            except BaseException:
                agreeing.cancel()
                raise
            portion, supply = await agreeing
            party = Party(self.identity.number, supply)
            spoken = decide(party, self.layout.program, question.bucket, looked)
            share = bytes(await self.link.converse(EVALUATE, _name_of(action_id, portion), spoken, first=1))
        except BaseException:
            with contextlib.suppress(AuthorityError):  # its time is over: then it is forgotten already
                self._apply(action_id, Fail(*asked))
            raise
        self._apply(action_id, Decide(*asked, share, secrets.token_bytes(16)))
        return share

    async def _look(self, question: Question) -> Looked:
        """What this server computes alone. A short question is answered before another thread would have begun."""
        work = partial(look, self.layout.program, self.tables, self.identity.number, question)
        if question.bucket > _SHORT:
            return await asyncio.get_running_loop().run_in_executor(self._worker, work)
        await asyncio.sleep(0)  # what the other server is told leaves first
        return work()

    def commit(self, action_id: str, commitment: str) -> Signed:
        """A proof of a decision, signed now."""
        effect = self._apply(action_id, Commit(commitment))
        assert isinstance(effect, Sign)
        decided, layout, own = effect.decided, self.layout, self.identity
        context = Context(action_id, layout.digest, layout.database, layout.epoch, commitment)
        now = int(self._clock())
        proof = Proof(own.number, own.kid, now, context, decided.question, decided.outputs, decided.tag, own.profile)
        return sign(proof, own.signer)

    def health(self) -> dict[str, Any]:
        """Who it is, and whether it can decide. Digests only: the policy is not told."""
        layout = self.layout
        own = {"server": self.identity.number, "kid": self.identity.kid, "linked": self.link.up}
        return own | {"program": layout.digest, "database": layout.database, "epoch": layout.epoch}

    def portions(self) -> list[int]:
        """How many portions of triples are left, by bucket."""
        return [len(pool) for pool in self._pools]

    def open_actions(self) -> int:
        """How many actions are being decided, or are decided and may be signed."""
        now = int(self._clock())
        return sum(1 for entry in list(self._entries.values()) if entry and entry.until > now)

    def _begin(self, action_id: str, event: Begin) -> None:
        """The first step of an action, if there is room for it and its time has come."""
        now = int(self._clock())
        if born(action_id) > now + _AHEAD:
            raise AuthorityError("the action is from the future", "set the clocks", code="ACTION_STALE")
        if len(self._entries) >= _MOST_ACTIONS:
            self._entries = {name: entry for name, entry in self._entries.items() if entry and entry.until > now}
            if len(self._entries) >= _MOST_ACTIONS:
                raise AuthorityError("too many actions wait to be committed", "let the gateway wait", code="TOO_MANY")
        self._apply(action_id, event)

    def _apply(self, action_id: str, event: Event) -> Sign | None:
        """One step; AuthorityError with its code if it is refused."""
        now = int(self._clock())
        entry, effect = step(self._entries.get(action_id), event, now)
        if entry is None:
            self._entries.pop(action_id, None)
        else:
            self._entries[action_id] = entry
        if isinstance(effect, str):
            raise AuthorityError("the action is not at this point", "preview again", code=str(effect))
        return effect

    async def _agree(self, action_id: str, commitment: str, bucket: int) -> tuple[Portion, Supply]:
        """Both have the same action, request, program and lists before them, and use the portion that the first one names."""
        layout = self.layout
        told = f"{action_id} {commitment} {bucket} {layout.digest} {layout.database} {layout.epoch}"
        digest = hashlib.sha256(told.encode()).digest()
        portion, supply = await self._named(bucket) if self.identity.number == 0 else (Portion(bytes(16), 0), None)
        heard = await self.link.exchange(Said(EVALUATE, bytes.fromhex(action_id), 0), _AGREED.pack(digest, *portion))
        if len(heard) != _AGREED.size or _AGREED.unpack(heard)[0] != digest:
            raise AuthorityError("the two policy servers were asked about different things", "look at the gateway")
        if supply is None:
            portion = Portion(*_AGREED.unpack(heard)[1:])
            supply = await self._told_to_take(bucket, portion)
        return portion, supply

    async def _named(self, bucket: int) -> tuple[Portion, Supply]:
        """The first server's choice, which nobody else can make after it."""
        pool = self._pools[bucket]

        def oldest() -> Portion | None:
            self._refill(bucket)  # at each look: another action may have taken what came
            return next(pool.names(), None)

        portion = await _soon(oldest)
        return portion, pool.take(portion)

    async def _told_to_take(self, bucket: int, portion: Portion) -> Supply:
        """The portion that the first server named; its block may be on the last step of being checked here."""
        pool = self._pools[bucket]
        await _soon(lambda: portion in pool or None)
        return pool.take(portion)

    def _refill(self, bucket: int) -> None:
        """Fetch a block if less than what is kept ready is left; the first server's task."""
        if len(self._pools[bucket]) < _READY[bucket] and bucket not in self._refilling:
            self._refilling.add(bucket)
            self._spawn(self._check(secrets.token_bytes(16), bucket, leading=True))

    def _begun(self, said: Said, payload: bytes) -> None:
        fits = self.identity.number == 1 and len(payload) == 1 and payload[0] < len(BUCKETS)
        if said.kind == CHECK and fits and said.name not in self._blocks:
            self._blocks[said.name] = None  # a block is checked once: its triples never come back
            if len(self._blocks) > _MOST_BLOCKS:
                del self._blocks[next(iter(self._blocks))]
            self._spawn(self._check(said.name, payload[0], leading=False))

    async def _check(self, block: bytes, bucket: int, *, leading: bool) -> None:
        """Fetch a block and see, with the other server, that it is right."""
        size = dealt_for(self._pools[bucket].size * _PORTIONS[bucket])
        try:
            with telemetry.span("remit.server.check", Home(block.hex())) as span:
                span.note(party=f"p{self.identity.number}", bucket=BUCKETS[bucket])
                await self.link.exchange(Said(CHECK, block, 0), bytes((bucket,)))
                dealt = await self._fetch(block, size)
                spoken = checked(self.identity.number, expanded(dealt, size))
                self._pools[bucket].add(block, await self.link.converse(CHECK, block, spoken, first=1))
        except AuthorityError:
            telemetry.event("BLOCK_LOST", bucket=BUCKETS[bucket])
            return  # what could not be checked is not used; whoever needs triples says that there are none
        finally:
            if leading:
                self._refilling.discard(bucket)

    def _spawn(self, work: Awaitable[None]) -> None:
        async def run() -> None:
            await work

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _name_of(action_id: str, portion: Portion) -> bytes:
    """A conversation has the name of action and portion. A portion is used once: what was said in another attempt, or with other
    triples, never meets it.
    """
    return hashlib.sha256(f"{action_id} {portion.block.hex()} {portion.place}".encode()).digest()[:16]


async def _soon(look_for: Callable[[], _T | None]) -> _T:
    """What is there as soon as triples have come; AuthorityError if they do not."""
    for _ in range(_PATIENCE):
        if (found := look_for()) is not None:
            return found
        await asyncio.sleep(0.01)
    raise AuthorityError("there are no triples for a computation", "see that the dealer runs")
