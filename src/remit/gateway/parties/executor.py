"""The executor, as the gateway reaches it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from remit.core.errors import AuthorityError
from remit.executor.acting import Result
from remit.executor.app import write_presented

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.wire.asking import Client
    from remit.executor.accept import Presented


class RemoteExecutor:
    """The port `Executor` of the gateway, over the wire."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def execute(self, presented: Presented, secrets: Mapping[str, bytes]) -> Result:
        """Let it happen; an AuthorityError leaves open whether it did."""
        told = await self._client.post("/exec", write_presented(presented, secrets))
        try:
            return Result(**json.loads(told))
        except (ValueError, TypeError):
            raise AuthorityError("the executor answered in another form", "let all parties be of one version") from None

    async def close(self) -> None:
        """Let go of its connections."""
        await self._client.close()
