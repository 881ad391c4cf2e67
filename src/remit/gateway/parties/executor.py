"""The executor, as the gateway reaches it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.errors import AuthorityError
from remit.executor.forms import SPOKEN, read_result, write_presented

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.wire.asking import Client
    from remit.executor.accept import Presented
    from remit.executor.forms import Result


class RemoteExecutor:
    """The port `Executor` of the gateway, over the wire."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def execute(self, presented: Presented, secrets: Mapping[str, bytes]) -> Result:
        """Let it happen; an AuthorityError leaves open whether it did."""
        status, told = await self._client.ask("/exec", write_presented(presented, secrets))
        if status not in SPOKEN:
            raise AuthorityError(
                f"the executor answered in another form (HTTP {status})", "let all parties be of one version"
            )
        return read_result(told)

    async def close(self) -> None:
        """Let go of its connections."""
        await self._client.close()
