"""One policy server at work: from a question to an answer, and its signature over ticket, question, answer and tables.

It answers from the tables that it was started with, and from nothing that comes with a question. It keeps nothing: whether a look-up
is for a preview, for a commit or for nobody, and which ones belong together, it does not know.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.question.answering import answer_digest, check_shape, look_up
from remit.authority.values.proof import Context, Proof, sign

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.authority.database import Holdings
    from remit.authority.question.asking import Question
    from remit.authority.values.proof import Signed, Signer

_SHORT, _SMALL = (
    1,
    1 << 22,
)  # the largest size class, and bytes of all tables, of which a look-up takes a few milliseconds


class Identity(NamedTuple):
    """Who a server is, and how it signs."""

    number: int
    kid: str
    signer: Signer


class Answered(NamedTuple):
    """An answer, and the server's word that it is its own."""

    signed: Signed
    answer: bytes


class Service:
    """A running server."""

    def __init__(self, identity: Identity, held: Holdings, clock: Callable[[], float] = time.time) -> None:
        self.identity = identity
        self.held = held
        self._clock = clock
        self._large = sum(table.nbytes for table in held.tables.values()) > _SMALL
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="look")

    async def look_up(self, ticket: str, question: Question) -> Answered:
        """The answer to one question; AuthorityError if it has another shape."""
        check_shape(self.held.program, question)
        work = partial(look_up, self.held.program, self.held.tables, self.identity.number, question)
        if question.bucket > _SHORT or self._large:
            answer = await asyncio.get_running_loop().run_in_executor(self._worker, work)
        else:  # answered before another thread would have begun
            answer = work()
        return Answered(self._signed(ticket, question, answer), answer)

    def _signed(self, ticket: str, question: Question, answer: bytes) -> Signed:
        held, own = self.held, self.identity
        context = Context(held.digest, held.database, held.epoch, ticket)
        proof = Proof(own.number, own.kid, int(self._clock()), context, question.digest(), answer_digest(answer))
        return sign(proof, own.signer)

    def health(self) -> dict[str, Any]:
        """Who it is. Digests only: the policy is not told."""
        held = self.held
        own = {"server": self.identity.number, "kid": self.identity.kid}
        return own | {"program": held.digest, "database": held.database, "epoch": held.epoch}
