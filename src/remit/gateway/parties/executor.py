"""The executors, as clients of the gateway."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.settings import EXECUTOR, PartySettings
from remit.authority.values.opening import STORE
from remit.authority.wire.client import OK, Client, NotReachedError, Response
from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.core.shape import Record, Shape, Word
from remit.executor.forms import REFUSED, SPOKEN, Result, read_result, write_presented
from remit.gateway.transactions import LONGEST

if TYPE_CHECKING:
    from remit.executor.accept import Presented

_STORE_FAILED = REFUSED["STORE_FAILED"]
_PATIENCE = 15.0  # seconds to wait for an answer, and between two checks of a long action
_STARTED = "started"
_OUTCOME = Word(("done", "failed", "unknown", _STARTED, "never"))


class _Heard(NamedTuple):
    """An answer. `again`: an executor asked before may have seen the question too."""

    status: int
    body: bytes
    again: bool


class RemoteExecutor:
    """The executors, over the network, with one replay store.

    After an AuthorityError it is unknown whether something happened; after a NotReachedError nothing has.

    The one that answered last is asked first. The same action may be presented to several of them: the shared store
    executes it once. An executor with another store is skipped: that it does not know an action proves nothing.
    """

    def __init__(self, *clients: Client, patience: float = _PATIENCE) -> None:
        self._clients = deque(clients)
        self._patience = patience
        self._store = ""

    async def execute(self, presented: Presented, secrets: Mapping[str, bytes]) -> Result:
        """Execute an action, however long that takes; after an AuthorityError it is unknown whether it happened."""
        told = await self._asked("/exec", write_presented(presented, secrets), presented.action_id)
        if told.status not in SPOKEN:
            raise AuthorityError(
                f"the executor answered in another form (HTTP {told.status})",
                "run the same version of Remit on all parties",
            )
        result = read_result(told.body)
        if result.status == "refused" and told.again:
            raise AuthorityError("one executor did not answer, and another one refused", "ask for the outcome")
        if result.code == "REQUEST_DIFFERS":
            self._store = ""  # it may have another store by now
        return result

    async def store(self) -> str:
        """Return the name of the replay store."""
        if not self._store:
            self._store = await self._said("/store", b"", "store", STORE)
        return self._store

    async def outcome(self, action_id: str) -> str:
        """Return the outcome of an action."""
        return await self._said("/outcome", canonical({"action_id": action_id}), "outcome", _OUTCOME)

    async def _said(self, path: str, body: bytes, name: str, form: Shape) -> str:
        told = await self._asked(path, body)
        return _read(told.status, told.body, name, form)

    async def _asked(self, path: str, body: bytes, action_id: str = "") -> _Heard:
        """Return the answer of the first executor that answers and can use the store.

        NotReachedError only if no executor can have seen the question.
        """
        lost: AuthorityError | None = None
        away: AuthorityError | None = None
        heard: _Heard | None = None
        for place, client in enumerate(tuple(self._clients)):
            try:
                if place and self._store and await self._store_of(client) != self._store:
                    continue
                status, told = await self._told(client, path, body, action_id)
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

    async def _told(self, client: Client, path: str, body: bytes, action_id: str) -> Response:
        """Return the answer of one executor.

        An effect may take an hour: the answer is awaited as long as the executor reports the action as started.
        """
        asking = asyncio.ensure_future(client.ask(path, body))
        under_way = bool(action_id)
        try:
            while not (await asyncio.wait((asking,), timeout=self._patience))[0]:
                if not under_way:
                    raise AuthorityError("the executor does not answer", "see that it runs")
                # an action that has just ended is answered a moment later
                under_way = await self._became(client, action_id) == _STARTED
            return asking.result()
        finally:
            asking.cancel()

    async def _became(self, client: Client, action_id: str) -> str:
        try:
            told = await self._told(client, "/outcome", canonical({"action_id": action_id}), "")
        except NotReachedError as error:  # not reached now, but it may have received the action before
            raise AuthorityError(error.message, error.remedy) from None
        return _read(*told, "outcome", _OUTCOME)

    async def _store_of(self, client: Client) -> str:
        try:
            return _read(*await self._told(client, "/store", b"", ""), "store", STORE)
        except AuthorityError as error:
            raise NotReachedError(error.message, error.remedy) from None

    async def close(self) -> None:
        """Close the connections."""
        for client in self._clients:
            await client.close()


def executors_of(settings: PartySettings) -> RemoteExecutor:
    """Return a client for the executors that the settings of a gateway name."""
    files = settings.certificates()
    return RemoteExecutor(*(Client(EXECUTOR, settings.reach[name], files, LONGEST) for name in settings.executors))


def _read(status: int, data: bytes, name: str, form: Shape) -> str:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        told = None
    if status != OK or Record({name: form}).fault(told, name):
        raise AuthorityError(
            f"the executor answered in another form (HTTP {status})", "run the same version of Remit on all parties"
        )
    return str(told[name])
