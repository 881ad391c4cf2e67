"""The environment of a gateway in models: its stores as a few values, honest policy servers and an executor."""

from __future__ import annotations

import hashlib
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from remit.authority.values.outputs import Outputs
from remit.core.errors import AuthorityError
from remit.executor.forms import Result
from remit.gateway import handles, transactions
from remit.gateway.acts import RefusedError
from remit.gateway.parties.servers import LookUpResult
from remit.gateway.transactions import Begin, Outcome, StoredTransaction, Transaction, TransactionEvent

if TYPE_CHECKING:
    from remit.authority.values.opening import Opening
    from remit.gateway.handles import Handle, Limits, Spent, Use

TX, HANDLE, ACTION, STORE = "0" * 32, "1" * 32, "2" * 32, "3" * 32
VALUE = b"what nobody saw"
DOWN, SILENT, FINE = "a server is down", "the executor is silent", "all answer"


def ran(work: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of a coroutine that never waits."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    work.close()
    raise RuntimeError("something waits in a model")


class Binding:
    """A binding of requests by their canonical form: with one request, a nonce would only add states."""

    def commitment(self, opening: Opening) -> bytes:
        """The 32 bytes that stand for it."""
        return hashlib.sha256(opening.request.spelling()).digest()


class Desk:
    """One transaction, one handle and one budget, stepped by the functions that run; servers and executor. Set anew for each move."""

    kept: Transaction | None
    handle: Handle
    spent: Spent
    decision: bytes
    answers: str
    given: Any = SimpleNamespace(layout=SimpleNamespace(program=None), binding=Binding(), epoch=1)

    async def look_up(self, *_: Any) -> LookUpResult:
        """Both servers answer, or one is down."""
        if self.answers == DOWN:
            raise AuthorityError("a server is down", "wait")
        return LookUpResult(Outputs.of(self.decision[0]), b"", ({}, {}), (b"", b""), self.given)

    async def store(self) -> str:
        """The name of the store."""
        return STORE

    async def outcome(self, _: str) -> str:
        """The executor remembers that it stopped in between."""
        return "unknown"

    async def execute(self, *_: Any) -> Result:
        """The executor accepts it, or does not answer."""
        if self.answers == SILENT:
            raise AuthorityError("no answer", "wait")
        return Result("done")

    def begin(self, transaction: Transaction, _: Any, now: int, __: Any = None) -> str:
        """As the store of transactions does it."""
        self.kept, code = transactions.step(None, Begin(transaction._replace(nonce="00" * 32, action_id=ACTION)), now)
        if code:
            raise RefusedError(code)
        return TX

    def get(self, _: str) -> Transaction | None:
        """As the store of transactions does it."""
        return self.kept

    def entry(self, name: str) -> StoredTransaction | None:
        """As the store of transactions does it; of the end nothing is kept."""
        return self.kept and StoredTransaction(name, self.kept, 0, Outcome("unknown"))

    def apply(self, _: str, event: TransactionEvent, now: int, __: Outcome | None = None) -> str:
        """As the store of transactions does it."""
        self.kept, code = transactions.step(self.kept, event, now)
        return code

    def check(self, _: str, use: Use, now: int) -> None:
        """As the store of handles does it."""
        if code := handles.step(self.handle, use, now)[1]:
            raise RefusedError(code)

    def use(self, name: str, use: Use, now: int) -> bytes:
        """As the store of handles does it."""
        self.check(name, use, now)
        return VALUE

    def spend(self, _: str, __: str, limits: Limits, size: int) -> None:
        """As the store of budgets does it."""
        after = handles.spend(self.spent, limits, size)
        if after is None:
            raise RefusedError("BUDGET_SPENT")
        self.spent = after
