"""The executors, as the gateway reaches them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.values.opening import STORE
from remit.authority.wire.asking import OK, Client, NotReachedError
from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.core.shape import Record, Shape, Word
from remit.executor.forms import REFUSED, SPOKEN, Result, read_result, write_presented

if TYPE_CHECKING:
    from remit.executor.accept import Presented

_STORE_FAILED = REFUSED["STORE_FAILED"]
_OUTCOME = Word(("done", "failed", "unknown", "started", "never"))


class _Heard(NamedTuple):
    """An answer. `again`: another one was asked before, which may have seen the question too."""

    status: int
    body: bytes
    again: bool


class RemoteExecutor:
    """The port `Executor` of the gateway, over the wire: executors with one replay store, of which the one that answered last is asked first.

    The same action may be presented to several of them: their store lets it happen once. Who keeps another store is not asked: that it
    does not know an action would say nothing.
    """

    def __init__(self, *clients: Client) -> None:
        self._clients = deque(clients)
        self._store = ""

    async def execute(self, presented: Presented, secrets: Mapping[str, bytes]) -> Result:
        """Let it happen; an AuthorityError leaves open whether it did."""
        told = await self._asked("/exec", write_presented(presented, secrets))
        if told.status not in SPOKEN:
            raise AuthorityError(
                f"the executor answered in another form (HTTP {told.status})", "let all parties be of one version"
            )
        result = read_result(told.body)
        if result.status == "refused" and told.again:
            raise AuthorityError("one executor did not answer, and another one refused", "ask for the outcome")
        if result.code == "REQUEST_DIFFERS":
            self._store = ""  # it may have another store by now
        return result

    async def store(self) -> str:
        """The name of the replay store."""
        if not self._store:
            self._store = await self._said("/store", b"", "store", STORE)
        return self._store

    async def outcome(self, action_id: str) -> str:
        """What became of an action there."""
        return await self._said("/outcome", canonical({"action_id": action_id}), "outcome", _OUTCOME)

    async def _said(self, path: str, body: bytes, name: str, form: Shape) -> str:
        told = await self._asked(path, body)
        return _read(told.status, told.body, name, form)

    async def _asked(self, path: str, body: bytes) -> _Heard:
        """The answer of the first one that gives one and can use the store. NotReachedError only if none can have seen the question."""
        lost: AuthorityError | None = None
        away: AuthorityError | None = None
        heard: _Heard | None = None
        for place, client in enumerate(tuple(self._clients)):
            try:
                if place and self._store and await self._store_of(client) != self._store:
                    continue
                status, told = await client.ask(path, body)
            except NotReachedError as error:
                away = error
            except AuthorityError as error:
                lost = error
            else:
                heard = _Heard(status, told, lost is not None)
                if status == _STORE_FAILED:
                    continue
                if place:
                    self._clients.remove(client)
                    self._clients.appendleft(client)
                return heard
        if heard is not None:
            return heard
        raise lost or away or NotReachedError("no executor is known", "name one in the settings")

    async def _store_of(self, client: Client) -> str:
        try:
            return _read(*await client.ask("/store", b""), "store", STORE)
        except AuthorityError as error:
            raise NotReachedError(error.message, error.remedy) from None

    async def close(self) -> None:
        """Let go of its connections."""
        for client in self._clients:
            await client.close()


def _read(status: int, data: bytes, name: str, form: Shape) -> str:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        told = None
    if status != OK or Record({name: form}).fault(told, name):
        raise AuthorityError(
            f"the executor answered in another form (HTTP {status})", "let all parties be of one version"
        )
    return str(told[name])
