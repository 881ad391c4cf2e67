"""The service of one policy server: it answers a question, and signs ticket, question, answer and tables.

It answers only from the tables that it was given, never from anything in a question. It stores nothing, so it does
not know whether a look-up is for a preview, a commit or a probe, or which look-ups belong together.

After it loaded the tables of a later policy, it still answers from the earlier ones for a while, because gateways
switch one after another. An executor with the later policy does not accept decisions by the earlier one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.policy_files import newer
from remit.authority.question.answers import answer_digest, look_up
from remit.authority.question.layout import BUCKETS, question_size
from remit.authority.values.proof import Context, Proof, Signed, Signer, sign

if TYPE_CHECKING:
    from remit.authority.database import Holdings
    from remit.authority.question.questions import ServerQuestion

_SHORT, _SMALL = (
    1,
    1 << 22,
)  # the largest size class, and bytes of all tables, of which a look-up takes a few milliseconds
_OVERLAP = 600.0  # seconds for which the tables of the policy before are kept


class Identity(NamedTuple):
    """The identity of a server, and its signer."""

    number: int
    kid: str
    signer: Signer


class SignedAnswer(NamedTuple):
    """An answer, with the server's signed proof."""

    signed: Signed
    answer: bytes


class Service:
    """A running policy server."""

    def __init__(
        self, identity: Identity, read: Callable[[], Holdings], clock: Callable[[], float] = time.time
    ) -> None:
        """Create a service. `read` loads the current tables."""
        self.identity = identity
        self.held = read()
        self._read = read
        self._by_epoch = {self.held.epoch: self.held}
        self._clock = clock
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="look")

    async def renew(self) -> None:
        """Load the tables of a later policy, if there are any."""
        found = await asyncio.to_thread(newer, self._read, self.held)
        if found is not None:
            before, self.held = self.held, found
            self._by_epoch[found.epoch] = found
            asyncio.get_running_loop().call_later(_OVERLAP, self._by_epoch.pop, before.epoch, None)

    @property
    def most(self) -> int:
        """The size of the largest question, in bytes."""
        return max(question_size(held.program, len(BUCKETS) - 1) for held in self._by_epoch.values())

    def holdings(self, epoch: int) -> Holdings | None:
        """Return the tables of a policy, or None."""
        return self._by_epoch.get(epoch)

    async def look_up(self, held: Holdings, ticket: str, question: ServerQuestion) -> SignedAnswer:
        """Answer one question; AuthorityError if it has another shape."""
        work = partial(look_up, held.program, held.tables, self.identity.number, question)
        if question.bucket > _SHORT or sum(table.nbytes for table in held.tables.values()) > _SMALL:
            answer = await asyncio.get_running_loop().run_in_executor(self._worker, work)
        else:  # answered before another thread would have begun
            answer = work()
        return SignedAnswer(self._signed(held, ticket, question, answer), answer)

    def _signed(self, held: Holdings, ticket: str, question: ServerQuestion, answer: bytes) -> Signed:
        own = self.identity
        context = Context(held.digest, held.database, held.epoch, ticket)
        proof = Proof(own.number, own.kid, int(self._clock()), context, question.digest(), answer_digest(answer))
        return sign(proof, own.signer)

    def health(self) -> dict[str, Any]:
        """Return the identity of the server. Digests only: the policy is not revealed."""
        held = self.held
        own = {"server": self.identity.number, "kid": self.identity.kid}
        return own | {"program": held.digest, "database": held.database, "epoch": held.epoch}
