"""The executor, as the gateway reaches it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from remit.authority.values.opening import STORE
from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.core.shape import Record, Word
from remit.executor.forms import SPOKEN, read_result, write_presented

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.wire.asking import Client
    from remit.core.shape import Shape
    from remit.executor.accept import Presented
    from remit.executor.forms import Result

_OUTCOME = Word(("done", "failed", "unknown", "started", "never"))


class RemoteExecutor:
    """The port `Executor` of the gateway, over the wire."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._store = ""

    async def execute(self, presented: Presented, secrets: Mapping[str, bytes]) -> Result:
        """Let it happen; an AuthorityError leaves open whether it did."""
        status, told = await self._client.ask("/exec", write_presented(presented, secrets))
        if status not in SPOKEN:
            raise AuthorityError(
                f"the executor answered in another form (HTTP {status})", "let all parties be of one version"
            )
        result = read_result(told)
        if result.code == "REQUEST_DIFFERS":
            self._store = ""  # it may have another store by now
        return result

    async def store(self) -> str:
        """The name of its replay store."""
        if not self._store:
            self._store = await self._said("/store", b"", "store", STORE)
        return self._store

    async def outcome(self, action_id: str) -> str:
        """What became of an action there."""
        return await self._said("/outcome", canonical({"action_id": action_id}), "outcome", _OUTCOME)

    async def _said(self, path: str, body: bytes, name: str, form: Shape) -> str:
        try:
            told = json.loads(await self._client.post(path, body))
        except (ValueError, RecursionError):
            told = None
        if Record({name: form}).fault(told, name):
            raise AuthorityError("the executor answered in another form", "let all parties be of one version")
        return str(told[name])

    async def close(self) -> None:
        """Let go of its connections."""
        await self._client.close()
